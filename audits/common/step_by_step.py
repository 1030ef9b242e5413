"""A policy whose kernels, and all functions of ours that they reach, are plain Python made from the sources that are compiled: runs that
take seconds where compiling would take a minute. The conformance suite says of every policy that compiled code plays the same rounds."""

from typing import Any

from banditproof.audits.privacy.followed import Rebuilt
from banditproof.interaction import Policy


class Stepwise:
    """The policy with other kernels, everything else as it is; to be played with `stepwise`."""

    def __init__(self, policy: Policy) -> None:
        made = Rebuilt({})
        four: dict[str, Any] = {name: made.function(getattr(policy.kernels, name)) for name in ("start", "choose", "report", "learn")}
        self._policy, self.kernels = policy, policy.kernels._replace(**four)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_policy"), name)
