"""How a command ends: its exit codes, and what each means."""

from enum import IntEnum


class Exit(IntEnum):
    EXPECTED = 0
    UNEXPECTED = 1
    REJECTED = 2
    CRASHED = 3
    UNDECIDED = 4
    NO_MATCH = 5
    INTERRUPTED = 130
    READER_LEFT = 141


MEANING = {
    Exit.EXPECTED: "all as expected",
    Exit.UNEXPECTED: "an unexpected refutation, or an expected one that did not come",
    Exit.REJECTED: "the command was not understood, a file cannot be read or written, or a cluster cannot be used",
    Exit.CRASHED: "an audit or the user's own code crashed",
    Exit.UNDECIDED: "inconclusive or vacuous, under --strict",
    Exit.NO_MATCH: "a pattern matched nothing",
    Exit.INTERRUPTED: "interrupted, by Ctrl-C or SIGTERM",
    Exit.READER_LEFT: "the reader of the output went away",
}
