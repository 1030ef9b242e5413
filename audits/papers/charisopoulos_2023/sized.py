"""charisopoulos_2023: one audit at two sizes, a reduced one at level quick and the sheet's own from level standard on."""

from dataclasses import dataclass, replace

from banditproof.audits.running.audit import Level, Method, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement


@dataclass(frozen=True)
class Sized:
    """`reduced` at level quick, `whole` above it: two measurements of one kind, of which a record says which one it is."""

    reduced: Method
    whole: Method

    @property
    def prefix(self) -> str:
        return self.reduced.prefix

    @property
    def statistical(self) -> bool:
        return self.reduced.statistical

    def measure(self, request: Request) -> Measurement:
        quick = request.level is Level.QUICK
        found = (self.reduced if quick else self.whole).measure(request)
        return replace(found, detail={**found.detail, "size": "reduced" if quick else "whole"})

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """The second look of the size that was measured."""
        return (self.reduced if before.detail.get("size") == "reduced" else self.whole).recheck(before, again)
