"""A process that runs audits in a copy of the tree, which stands first on its path. Started by `trees`.

Standard input has one JSON object: {"package": folder, "stem": ..., "audits": null or ids, "known": {id: verdict}, "seed": ...,
"level": ..., "costs": {id: seconds}, "limits": {id: seconds}, "limit": seconds, "reach": bool, "theory": bool}. Each audit gives a line on
standard output. With `known` the process stops at the first audit that refutes what it did not refute before, and goes on past those that
fail; with `theory`, where proof lines are audited too, at the first one that `judge.noticed` names.
"""

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Runs what standard input asks for."""
    task = json.loads(sys.stdin.read())
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what audits print goes to standard error
    sys.dont_write_bytecode = True
    import banditproof

    package = Path(str(banditproof.__file__)).parent
    if package != Path(task["package"]):
        raise SystemExit(f"banditproof was imported from {package}, not from {task['package']}")

    def say(**line: Any) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    started = time.monotonic()
    with contextlib.suppress(BrokenPipeError):
        _run(task, started, package, say)


def _run(task: dict[str, Any], started: float, package: Path, say: Any) -> None:
    from banditproof.audits.running import registry
    from banditproof.audits.running.audit import FALSE_ALARM, Level, Request
    from banditproof.audits.running.run import run_one
    from tests.support.mutants.judge import noticed
    from tests.support.mutants.reach import Reach

    known, costs, reach, theory = task["known"], task["costs"], Reach(package), task["theory"]
    if task["audits"] is None:
        reach.start()
        audits = registry.audits(task["stem"])
        say(audit="", verdict="imported", lines=reach.stop())
        task["audits"] = [id for id, audit in audits.items() if theory or audit.method.prefix != "step"]
    for id in task["audits"]:
        spent = time.monotonic() - started
        if spent + costs.get(id, 0.0) > task["limits"].get(id, task["limit"]):
            say(audit=id, verdict="left out")
            continue
        try:
            audit = registry.find(id)
        except Exception as error:  # a mutant may stop its paper's audits from being listed
            say(audit=id, verdict="error", seconds=0.0, message=f"{type(error).__name__}: {error}"[:300])
            continue
        if task["reach"]:
            _forget()
            reach.start()
        began = time.perf_counter()
        timed = run_one(audit, Request(FALSE_ALARM, task["seed"], audit.seed_path, Level(task["level"])))
        seconds = time.perf_counter() - began
        lines = reach.stop() if task["reach"] else {}
        measured = timed.result.measured
        verdict = measured.verdict.value
        gray = _gray_box(audit)
        say(audit=id, verdict=verdict, seconds=round(seconds, 3), message=measured.message[:300], lines=lines, gray_box=gray)
        if id in known and verdict != "error" and noticed(known[id], verdict, theory=theory):
            return


def _gray_box(audit: Any) -> bool:
    """Whether the audit runs the code on neighbours with frozen releases, by the name of its method or of its slug."""
    words = f"{type(audit.method).__module__} {type(audit.method).__name__} {audit.method.prefix} {audit.slug}".lower()
    return any(word in words for word in ("frozen", "graybox", "gray_box", "record_replay"))


def _forget() -> None:
    """Empties what audits and algorithms have kept from earlier audits, so that this one runs the lines itself. Not what registers."""
    kept = ("banditproof.audits.running", "banditproof.audits.reporting", "banditproof.audits.methods.proof_steps")
    for name, module in list(sys.modules.items()):
        if name.startswith(("banditproof.audits", "banditproof.algorithms")) and not name.startswith(kept):
            for value in vars(module).values():
                if type(value).__name__ == "_lru_cache_wrapper":
                    value.cache_clear()


if __name__ == "__main__":
    main()
