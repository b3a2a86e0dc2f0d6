"""An unexpected exception to a number people can pass on."""

import logging
import secrets


def new_number() -> str:
    """A number for one incident."""
    return secrets.token_hex(4)


def incident(logger: logging.Logger, doing: str) -> str:
    """Number under which the exception being handled now stands in the log, with its traceback."""
    number = new_number()
    logger.exception("incident %s while %s", number, doing)
    return number
