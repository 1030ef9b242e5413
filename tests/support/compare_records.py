"""Compares the verdicts of two records of `verify --json`, of before and after the ids became names (docs/ids_before_2026-11-22.json).

    python tests/support/compare_records.py BEFORE.json AFTER.json

Prints every audit whose verdict differs, is gone, or is new, and how many agree; exit 1 if one differs or is gone.
"""

import json
import sys
from pathlib import Path

MAP = Path(__file__).parents[2] / "docs" / "ids_before_2026-11-22.json"


def verdicts(path: str) -> dict[str, str]:
    """Verdicts by id; those of statements that nothing can check are left out."""
    results = json.loads(Path(path).read_text(encoding="utf-8"))["results"]
    return {result["audit"]: result["verdict"] for result in results if result["verdict"] != "not checkable"}


def main(before: str, after: str) -> int:
    renamed = json.loads(MAP.read_text(encoding="utf-8"))["audits"]
    old = {renamed.get(id, id): verdict for id, verdict in verdicts(before).items()}
    new = verdicts(after)
    changed = sorted(id for id in old if old[id] != new.get(id))
    for id in changed:
        print(f"{id}: {old[id]}, now {new.get(id, 'not there')}")
    for id in sorted(set(new) - set(old)):
        print(f"{id}: new, {new[id]}")
    print(f"{len(old) - len(changed)} of {len(old)} verdicts agree; {len(set(new) - set(old))} audits are new")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
