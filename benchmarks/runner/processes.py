"""What /proc says of processes: their children, their memory, their CPU time; and of the machine as a whole."""

import os
from pathlib import Path

PROC = Path("/proc")


def descendants(process: int) -> list[int]:
    """Process numbers of children, their children and so on."""
    parents: dict[int, list[int]] = {}
    for place in PROC.iterdir() if PROC.exists() else ():
        if place.name.isdigit() and (fields := _fields(int(place.name))):
            parents.setdefault(int(fields[1]), []).append(int(place.name))
    found: list[int] = []
    waiting = [process]
    while waiting:
        here = parents.get(waiting.pop(), [])
        found += here
        waiting += here
    return found


def peak_kilobytes(process: int) -> int:
    """The most memory that a process had (VmHWM); 0 of one that ended."""
    lines = (line for line in _read(PROC / str(process) / "status").splitlines() if line.startswith("VmHWM:"))
    return next((int(line.split()[1]) for line in lines), 0)


def own_seconds() -> float:
    """CPU time of this process and of its descendants, those that ended and were waited for included."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system + sum(map(_cpu_seconds, descendants(os.getpid())))


def machine_seconds() -> float | None:
    """CPU time of everything on this machine since it started; None where the system does not say."""
    words = _read(PROC / "stat").partition("\n")[0].split()
    return sum(int(number) for number in words[1:4]) / os.sysconf("SC_CLK_TCK") if words else None


def _cpu_seconds(process: int) -> float:
    """Of a process and of its children that ended."""
    fields = _fields(process)
    return sum(int(number) for number in fields[11:15]) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _fields(process: int) -> list[str]:
    """Of /proc/PID/stat behind the name, which may hold blanks: state, parent, ...; nothing of a process that ended."""
    return _read(PROC / str(process) / "stat").rpartition(")")[2].split()


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the process ended between two looks, or there is no /proc
        return ""
