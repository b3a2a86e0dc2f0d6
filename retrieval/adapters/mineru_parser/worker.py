"""The process that runs MinerU: `python -m retrieval.adapters.mineru_parser.worker TIER CONNECTION`."""

import json
import os
import sys
from multiprocessing.connection import Connection
from typing import Any

from retrieval.adapters.mineru_parser.engine import Reading, ocr_mode


def _serve(connection: Connection, tier: str) -> None:
    """Answers with what MinerU finds in each file asked for, until nobody asks any more."""
    os.set_inheritable(connection.fileno(), False)  # MinerU starts processes that must not keep it open
    while True:
        try:
            asked = json.loads(connection.recv_bytes())
        except EOFError:
            return
        connection.send_bytes(json.dumps(_answer(asked["path"], asked["pages"], tier)).encode("utf-8", "replace"))


def _answer(path: str, pages: str, tier: str) -> dict[str, Any]:
    # It takes a second to import. Whoever asks waits for it, and not for the process to start.
    from mineru.parser import parse
    from mineru.parser.tier import TierDependencyError

    try:
        middle = parse(path, tier=tier, ocr_mode=ocr_mode(tier), page_range=pages).middle_json
        found = Reading.of(middle.to_dict(exclude_block_fields={"image_base64"}))
    except TierDependencyError as error:
        return {
            "not_usable": f"MINERU_TIER={tier} needs packages that are missing: {', '.join(error.missing_modules)}."
        }
    except FileNotFoundError as error:
        return {"failed": repr(error)} if tier == "flash" else {"not_usable": _weights_missing(tier, error)}
    except Exception as error:
        return {"failed": repr(error)}
    return {"pages": found.pages, "properties": found.properties}


def _weights_missing(tier: str, error: FileNotFoundError) -> str:
    return (
        f"MINERU_TIER={tier} needs weights that are not on this machine ({error}); fetch them with"
        " mineru-models-download, or set MINERU_TIER=flash."
    )


# MinerU starts workers that import this module again, hence the guard.
if __name__ == "__main__":
    _serve(Connection(int(sys.argv[2])), sys.argv[1])
