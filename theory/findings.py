"""What is wrong in print, how wrong, and what still stands: graded findings.

Main definitions
    Grade      how bad the observation is, from FALSE to READING
    Reach      how far it reaches: the conclusion, its order, a constant, or the line alone
    Finding    one observation about one sentence of a paper

A finding belongs to a statement (`Theorem.findings`) and, where it is about a line of a proof, to a step of it. A statement whose bound is
false in print keeps the printed form in `Theorem.published`; a line that is false in print is a step that stands as published.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Grade(Enum):
    """How bad it is; the order is that of the pages, worst first."""

    FALSE = "FALSE"
    MISSING_CONDITION = "MISSING_CONDITION"
    PROOF_GAP = "PROOF_GAP"
    NOT_REPRODUCED = "NOT_REPRODUCED"
    MISPRINT = "MISPRINT"
    LOOSE = "LOOSE"
    READING = "READING"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]

    @property
    def must_replay(self) -> bool:
        """Whether the grade needs an audit that refutes, or a recorded run that contradicts."""
        return self in (Grade.FALSE, Grade.MISSING_CONDITION, Grade.PROOF_GAP, Grade.NOT_REPRODUCED)

    @property
    def refutes(self) -> bool:
        """Whether what is published is false as it is written, so that a step that states it must be refuted."""
        return self.must_replay or self is Grade.MISPRINT

    @property
    def counted(self) -> bool:
        return self is not Grade.READING

    @property
    def rank(self) -> int:
        return list(Grade).index(self)


_MEANINGS = {
    Grade.FALSE: "the claim, as the paper defines its terms and under the hypotheses that it states, fails; what repairs it is another "
    "claim, or a condition that excludes what the paper names expressly",
    Grade.MISSING_CONDITION: "the claim fails as it is stated, and is true under a condition that the paper does not state",
    Grade.PROOF_GAP: "a line of the proof is false or does not give the claim; the claim itself is not refuted",
    Grade.NOT_REPRODUCED: "our runs contradict a reported outcome, or its explanation, at the stated parameters",
    Grade.MISPRINT: "a misprint that the surrounding text corrects",
    Grade.LOOSE: "true, but the constant or the order can be improved, or the bound says nothing at the paper's own parameters",
    Grade.READING: "the text admits several readings, or our statement is narrower than the paper's; no fault is claimed",
}


class Reach(Enum):
    """How much of the paper's conclusion is affected; the order is that of the pages, most first."""

    CONCLUSION = "the conclusion of a statement fails, or says nothing"
    ORDER = "the order changes"
    CONSTANT = "a constant changes"
    LINE = "nothing beyond the line"

    @property
    def rank(self) -> int:
        return list(Reach).index(self)


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TITLE = 110


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Finding:
    """One observation about one sentence of a paper.

    `name` is unique in the paper. `place` is where a reader of the paper looks (section, lemma, line of a proof, caption), `sentence` what
    stands there, `literal` what it says as written and how that fails, `charitable` what becomes of it under the most favourable reading.
    `values` are exact numbers at which the published bound (or the step) fails, `counterexample` says what is true there. `step` names the
    line of the statement's proof that states the sentence. `refuted_by` are ids of audits that must refute it, where no step of the
    statement does; `runs` are outcomes of experiments, `<experiment>#<outcome>`, whose committed record contradicts it.

    Raises ValueError where a part that the grade needs is missing.
    """

    name: str
    grade: Grade
    reach: Reach
    title: str
    place: str
    sentence: str
    literal: str
    charitable: str
    consequence: str
    stands: str
    instead: str
    counterexample: str = ""
    values: tuple[tuple[str, str], ...] = ()
    step: str = ""
    refuted_by: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"finding {self.name!r}: the name must be of [a-z0-9_], a letter first")
        if not self.title or len(self.title) > _TITLE or self.title.endswith("."):
            raise ValueError(f"finding {self.name}: the title must be one phrase of at most {_TITLE} characters, not {len(self.title)}")
        needed = ["place", "sentence", "literal", "charitable", "consequence", "stands", "instead"]
        needed += ["counterexample"] if self.grade.must_replay else []
        missing = [part for part in needed if not str(getattr(self, part)).strip()]
        if missing:
            raise ValueError(f"finding {self.name}: a {self.grade.value} needs {', '.join(missing)}")
        if self.grade is Grade.NOT_REPRODUCED and not (self.runs or self.refuted_by):
            raise ValueError(f"finding {self.name}: a {self.grade.value} names the outcome that contradicts it (runs)")

    def __repr__(self) -> str:
        from banditproof.theory import notebook

        return notebook.finding_text(self)

    def _repr_html_(self) -> str:
        """The finding without its statement, for notebooks."""
        from banditproof.theory import notebook

        return notebook.finding_html(self)

    def order(self) -> tuple[int, int]:
        """Key to sort by: worst grade first, then by how far it reaches."""
        return self.grade.rank, self.reach.rank

    def describe(self) -> dict[str, Any]:
        """The finding as a dictionary that JSON can hold."""
        return {
            "name": self.name,
            "grade": self.grade.value,
            "reach": self.reach.name,
            "title": self.title,
            "place": self.place,
            "sentence": self.sentence,
            "literal": self.literal,
            "charitable": self.charitable,
            "counterexample": self.counterexample or None,
            "values": dict(self.values),
            "consequence": self.consequence,
            "stands": self.stands,
            "instead": self.instead,
            "step": self.step or None,
            "refuted_by": list(self.refuted_by),
            "runs": list(self.runs),
        }
