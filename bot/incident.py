"""An unexpected exception to a number people can pass on."""

import logging

from retrieval.errors import new_incident


def incident(logger: logging.Logger, doing: str) -> str:
    """Number under which the exception being handled now stands in the log, with its traceback."""
    number = new_incident()
    logger.exception("incident %s while %s", number, doing)
    return number
