"""A data directory to whose it is: the demo's, which a file in it says, or somebody's own."""

from pathlib import Path

from retrieval.errors import ConfigurationError

_MARKER = "demo"
_SAYS = "This folder belongs to `footnote demo`. `footnote run` does not use it. It may be deleted when no demo runs.\n"
_KNOWLEDGE_BASE = ("footnote.db", "dense", "lexical", "uploads", "bot.lock")


def take_for_demo(data_dir: Path) -> None:
    """Make the folder the demo's. Raises ConfigurationError when a knowledge base of somebody's lies there, or when
    it cannot be written."""
    try:
        if (data_dir / _MARKER).exists():
            return
        if any((data_dir / name).exists() for name in _KNOWLEDGE_BASE):
            raise ConfigurationError(
                f"DATA_DIR: {data_dir} holds a knowledge base of yours; try DATA_DIR=demo-data footnote demo"
            )
        data_dir.mkdir(parents=True, exist_ok=True)
        (data_dir / _MARKER).write_text(_SAYS, "utf-8")
    except OSError as error:
        raise ConfigurationError(f"DATA_DIR: {data_dir} cannot be made ({error.strerror})") from None


def refuse_demos(data_dir: Path) -> None:
    """Raises ConfigurationError when the folder is the demo's: its invented documents are nobody's answers."""
    if (data_dir / _MARKER).exists():
        raise ConfigurationError(f"DATA_DIR: {data_dir} is the demo's; set DATA_DIR to another folder")
