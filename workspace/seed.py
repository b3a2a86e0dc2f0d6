"""The workspace as it stands after start and after a reset."""

from collections.abc import Callable

from workspace.state import BOT_USER, OTHER_TEAM_ID, Channel, Person, State, UserGroup


def seeded_state(clock: Callable[[], float]) -> State:
    """Five people, the bot, a group of admins, four channels and the bot's direct messages with four of the people."""
    return State(_people(), _channels(), [UserGroup("S0ADMINS", "admins", "Admins", ["U0ADMIN"])], clock)


def _people() -> list[Person]:
    return [
        Person("U0ADMIN", "admin", "Ada Admin", is_admin=True),
        Person("U0ALICE", "alice", "Alice Archer", locale="en-GB"),
        Person("U0BOB", "bob", "Bob Bernard", locale="fr-FR", tz="Europe/Paris"),
        Person("U0GUEST", "guest", "Gita Guest", locale="pt-BR", tz="America/Sao_Paulo", is_guest=True),
        Person("U0OUTSIDER", "outsider", "Otto Outsider", locale="de-DE", team_id=OTHER_TEAM_ID),
        Person(BOT_USER, "footnote", "footnote", is_bot=True),
    ]


def _channels() -> list[Channel]:
    staff = ["U0ADMIN", "U0ALICE", "U0BOB", "U0GUEST"]
    return [
        Channel("C0GENERAL", "general", [*staff, BOT_USER], purpose="Everything that concerns everyone"),
        Channel("C0HR", "hr", [*staff, BOT_USER], purpose="Questions about work and leave"),
        Channel("C0OPS", "ops", list(staff), purpose="The bot is not in this channel"),
        Channel(
            "C0EXT",
            "partners",
            [*staff, "U0OUTSIDER", BOT_USER],
            purpose="Shared with another organisation",
            is_ext_shared=True,
        ),
        *(Channel(f"D{user[1:]}", "directmessage", [user, BOT_USER], kind="im") for user in staff),
    ]
