"""Settings to a check each: its value, whether it was set, and whether it agrees with the others."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, DotEnvSettingsSource

from retrieval.settings import RetrievalSettings
from retrieval.types import Check, CheckStatus, Fact

_USELESS_WITHOUT: Mapping[str, tuple[CheckStatus, tuple[str, ...]]] = {
    "chat_model": ("wrong", ("chat_base_url",)),
    "chat_api_key": ("wrong", ("chat_base_url",)),
    "chat_window_tokens": ("look", ("chat_base_url",)),
    "extractor_model": ("wrong", ("extractor_base_url", "chat_base_url")),
    "extractor_api_key": ("wrong", ("extractor_base_url", "chat_base_url")),
    "embedding_model": ("wrong", ("embedding_base_url",)),
    "embedding_api_key": ("wrong", ("embedding_base_url",)),
    "embedding_instruction": ("look", ("embedding_base_url",)),
    "embedding_max_chars": ("look", ("embedding_base_url",)),
    "reranker_api": ("wrong", ("reranker_base_url",)),
    "reranker_model": ("wrong", ("reranker_base_url",)),
    "reranker_api_key": ("wrong", ("reranker_base_url",)),
    "reranker_max_chars": ("look", ("reranker_base_url",)),
    "query_strategy": ("look", ("extractor_base_url", "chat_base_url")),
}
"""A setting, how bad it is that nothing comes of it, and the settings one of which it needs."""

_ADDRESSES = ("chat_base_url", "extractor_base_url", "embedding_base_url", "reranker_base_url")
_ROUTES = ("/chat/completions", "/completions", "/embeddings", "/embed", "/rerank", "/score", "/models")
_NEAR = 0.8

Complaint = tuple[CheckStatus, str]


def setting_checks(*groups: BaseSettings) -> list[Check]:
    """A check a setting, named like its variable. Secrets are told as set or not set."""
    complaints = {name: said for group in groups if isinstance(group, RetrievalSettings) for name, said in _of(group)}
    return [
        _check(group, name, field, complaints.get(name))
        for group in groups
        for name, field in type(group).model_fields.items()
    ]


def misspelt(env_file: Path, *groups: BaseSettings) -> list[Check]:
    """Variables of the file that are no settings but almost are."""
    known = [name for group in groups for name in type(group).model_fields]
    found = DotEnvSettingsSource(RetrievalSettings, env_file=env_file).env_vars
    near = {name: difflib.get_close_matches(name, known, 1, _NEAR) for name in found if name not in known}
    return [
        Check(name.upper(), "look", {"from": env_file.name}, f"is no setting of Footnote; is {meant.upper()} meant?")
        for name, matches in near.items()
        for meant in matches
    ]


def _check(group: BaseSettings, name: str, field: FieldInfo, complaint: Complaint | None) -> Check:
    status, advice = complaint or ("ok", "")
    origin = "set" if name in group.model_fields_set else "default"
    return Check(name.upper(), status, {"value": _shown(getattr(group, name), field), "from": origin}, advice)


def _shown(value: object, field: FieldInfo) -> Fact:
    if isinstance(value, SecretStr) or not field.repr:
        return "set" if value else "not set"
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return without_secrets(str(value))


def without_secrets(address: str) -> str:
    """An address without the password and the parameters it may carry; other texts as they are."""
    if "://" not in address:
        return address
    try:
        parts = urlsplit(address)
    except ValueError:
        return "no address"
    user, at, host = parts.netloc.rpartition("@")
    if ":" in user:
        user = f"{user.partition(':')[0]}:***"
    who = f"***{at}" if at and parts.scheme in {"http", "https"} else user + at  # there a key may stand alone
    return parts._replace(netloc=who + host, query="***" if parts.query else "", fragment="").geturl()


def _of(settings: RetrievalSettings) -> Iterator[tuple[str, Complaint]]:
    """Complaints by setting; of two about the same setting the later one counts."""
    for name, (status, needed) in _USELESS_WITHOUT.items():
        if _is_changed(settings, name) and not any(getattr(settings, other) for other in needed):
            yield (
                name,
                (
                    status,
                    f"does nothing without {' or '.join(map(str.upper, needed))}; set that too, or leave this out",
                ),
            )
    for name in _ADDRESSES:
        if problem := _address_problem(getattr(settings, name) or ""):
            yield name, ("wrong", problem)
    if _is_changed(settings, "query_count") and settings.query_strategy != "multi":
        yield "query_count", ("look", "does nothing unless QUERY_STRATEGY is multi")
    if settings.evidence_passages > settings.recall_candidates:
        yield "evidence_passages", ("look", "is more than RECALL_CANDIDATES, which is all that can be chosen from")


def _is_changed(settings: RetrievalSettings, name: str) -> bool:
    return bool(getattr(settings, name) != type(settings).model_fields[name].default)


def _address_problem(address: str) -> str:
    if not address:
        return ""
    if not address.startswith(("http://", "https://")):
        return "must begin with http:// or https://"
    path = address.rstrip("/")
    route = next((route for route in _ROUTES if path.endswith(route)), None)
    return f"leave off {route}: the address ends before it, mostly with /v1" if route else ""
