"""The JSON shape that every part of the workspace passes around."""

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
