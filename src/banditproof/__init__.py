"""Private and robust bandit algorithms beside their papers' theorems, and audits that compare one with the other.

    import banditproof as bp

    bp.audit_privacy(mechanism, dataset=[0, 1], neighbour=[1, 1])   # measures; `assert_private` fails a test instead
    bp.theorem("auer_2002.ucb1_regret").at(horizon=1000, ...)       # what a published bound says; a value outside its domain raises
    bp.verify("dwork_2006")                                         # runs the registered audits of a paper
    bp.play(bp.Pipeline(bp.UCB1(), bp.Bernoulli((0.7, 0.3))), ...)  # plays a bandit algorithm

Each name is imported when it is first used. docs/reference/api.md lists them all; what is not among them is imported from its module.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from banditproof import glossary as glossary
    from banditproof.algorithms.environments.bernoulli import Bernoulli as Bernoulli
    from banditproof.algorithms.mechanisms.laplace import Laplace as Laplace
    from banditproof.algorithms.policies.ucb1 import UCB1 as UCB1
    from banditproof.audits import strategies as strategies
    from banditproof.audits.assertions import assert_covers as assert_covers
    from banditproof.audits.assertions import assert_private as assert_private
    from banditproof.audits.assertions import assert_regret_within as assert_regret_within
    from banditproof.audits.conformance import check_environment as check_environment
    from banditproof.audits.conformance import check_mechanism as check_mechanism
    from banditproof.audits.conformance import check_policy as check_policy
    from banditproof.audits.conformance import check_randomiser as check_randomiser
    from banditproof.audits.front_door import audit_gray_box as audit_gray_box
    from banditproof.audits.front_door import audit_privacy as audit_privacy
    from banditproof.audits.front_door import findings as findings
    from banditproof.audits.front_door import read_record as read_record
    from banditproof.audits.front_door import reproduce as reproduce
    from banditproof.audits.front_door import theorem as theorem
    from banditproof.audits.front_door import verify as verify
    from banditproof.audits.running.replication import replicate as replicate
    from banditproof.guarantees import ApproximateDP as ApproximateDP
    from banditproof.guarantees import GaussianDP as GaussianDP
    from banditproof.guarantees import NeighbouringRelation as NeighbouringRelation
    from banditproof.guarantees import PureDP as PureDP
    from banditproof.guarantees import RenyiDP as RenyiDP
    from banditproof.guarantees import View as View
    from banditproof.guarantees import ZeroConcentratedDP as ZeroConcentratedDP
    from banditproof.guarantees import claim as claim
    from banditproof.interaction import Pipeline as Pipeline
    from banditproof.interaction import Wire as Wire
    from banditproof.mechanism import Neighbours as Neighbours
    from banditproof.randomness import key_of as key_of
    from banditproof.simulation import play as play
    from banditproof.simulation import play_many as play_many

    __version__: str

# Where each name is: a module, which holds it under the same name, or the package of a module that is itself the name.
_PLACES = {
    "banditproof": ("glossary",),
    "banditproof.guarantees": (
        *("PureDP", "ApproximateDP", "ZeroConcentratedDP", "RenyiDP", "GaussianDP"),
        *("NeighbouringRelation", "View", "claim"),
    ),
    "banditproof.mechanism": ("Neighbours",),
    "banditproof.interaction": ("Pipeline", "Wire"),
    "banditproof.randomness": ("key_of",),
    "banditproof.simulation": ("play", "play_many"),
    "banditproof.algorithms.environments.bernoulli": ("Bernoulli",),
    "banditproof.algorithms.mechanisms.laplace": ("Laplace",),
    "banditproof.algorithms.policies.ucb1": ("UCB1",),
    "banditproof.audits": ("strategies",),
    "banditproof.audits.running.replication": ("replicate",),
    "banditproof.audits.front_door": ("audit_privacy", "audit_gray_box", "verify", "read_record", "theorem", "findings", "reproduce"),
    "banditproof.audits.assertions": ("assert_private", "assert_covers", "assert_regret_within"),
    "banditproof.audits.conformance": ("check_mechanism", "check_policy", "check_environment", "check_randomiser"),
}
_MODULES = ("glossary", "strategies")
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}
__all__ = [*sorted(_PLACE_OF), "__version__"]


def __getattr__(name: str) -> Any:
    """A public name, imported now. Raises AttributeError, with the nearest names, on another."""
    if name in _MODULES:
        found = import_module(f"{_PLACE_OF[name]}.{name}")
    elif name in _PLACE_OF:
        found = getattr(import_module(_PLACE_OF[name]), name)
    elif name == "__version__":
        found = import_module("banditproof.audits.running.run").software()
    else:
        from difflib import get_close_matches

        near = get_close_matches(name, __all__)
        raise AttributeError(f"module 'banditproof' has no attribute {name!r}" + (f"; nearest: {', '.join(near)}" if near else ""))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names, for tab completion and help; modules are imported as usual all the same."""
    return list(__all__)
