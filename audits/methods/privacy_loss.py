"""The privacy loss of a mechanism on two neighbours, as a method of audits: how it is measured is in `audits.privacy`.

A refutation's witness holds the claim, the event and the neighbours; `recheck` counts the event on fresh draws.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from banditproof.audits.privacy.claims import require_claim
from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.outputs import samplers
from banditproof.audits.privacy.readings import for_group
from banditproof.audits.privacy.recount import recount
from banditproof.audits.privacy.witness import PrivacyWitness as PrivacyWitness  # records find it here, by its kind
from banditproof.audits.privacy.witness import Terms, privacy_witness, with_inputs
from banditproof.audits.running.audit import Level, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement
from banditproof.guarantees import Guarantee
from banditproof.mechanism import Mechanism


@dataclass(frozen=True)
class PrivacyLoss:
    """Audits a mechanism's own claim (or another one) on its worst known neighbours, or on those that a search finds.

    `samples` are outputs in all at the quick level; `exact` is the loss where a closed form or an accountant (a call) knows it. `ratio`:
    the mechanism's outputs are the exact log likelihood ratio of this very pair; `assumed` is what else its claim depends on. `sparing`: at
    the quick level an event that lies within the claim is counted on no more outputs than `must_detect` takes.
    """

    mechanism: Mechanism
    samples: int = 200_000
    claim: Guarantee | None = None
    pair: tuple[Any, Any] | None = None
    must_detect: float | None = None
    exact: float | Callable[[], float] | None = None
    ratio: bool = False
    assumed: tuple[str, ...] = ()
    sparing: bool = True
    statistical: bool = True
    prefix: ClassVar[str] = "privacy"

    def measure(self, request: Request) -> Measurement:
        from banditproof.audits.privacy.search import worst_pair

        claim, group, pair = *self._claim(), self.pair
        if pair is None:
            pair = worst_pair(self.mechanism, claim=claim, seed=request.seed, path=request.path)
        exact, missing = self._exact()
        settings = AuditSettings(
            claim=claim,
            samples=self.samples * request.level.factor,
            false_alarm=request.false_alarm,
            seed=request.seed,
            path=request.path,
            must_detect=self.must_detect,
            exact=exact,
            posterior=request.posterior,
            ratio=self.ratio,
            sparing=self.sparing and request.level is Level.QUICK,
        )
        measured = compare(*samplers(self.mechanism, pair), settings)
        return with_inputs(replace(measured, assumed=(*measured.assumed, *self.assumed, *missing)), pair, terms=Terms(group=group))

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Counts the event of before on fresh draws of its neighbours. Raises ValueError on a record of another claim, or of two datasets
        that the claim does not compare."""
        witness, (claim, _) = privacy_witness(before), self._claim()
        require_claim(witness.claim, claim)
        if self.pair is None:
            self.mechanism.neighbours().check(witness.dataset, witness.neighbour)
        sides = samplers(self.mechanism, (witness.dataset, witness.neighbour))
        return recount(before, sides, seed=again.seed, path=again.path, samples=again.samples, false_alarm=again.false_alarm)

    def _claim(self) -> tuple[Guarantee, int]:
        """What is claimed of the neighbours that are audited, and by how many steps of the relation they differ at most."""
        claim = self.mechanism.guarantee() if self.claim is None else self.claim
        group = self.mechanism.neighbours().group if self.pair is None else 1
        return for_group(claim, group), group

    def _exact(self) -> tuple[float | None, tuple[str, ...]]:
        """The exact loss, and what is missing to know it."""
        from banditproof.audits.privacy.accounting import NoAccountant

        if not callable(self.exact):
            return self.exact, ()
        try:
            return self.exact(), ()
        except NoAccountant as error:
            return None, (str(error),)
