"""What several policies share: the report of a user who sends the reward itself, and the views that such a policy may promise."""

from banditproof.guarantees import View, require
from banditproof.interaction import Floats
from banditproof.kernels import compiled


def _report_reward(state: object, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    message[0] = reward


report_reward = compiled(_report_reward, inline=True)


def require_server_view(view: View) -> None:
    """Raises ValueError on a view of users' messages."""
    fits = view not in (View.LOCAL, View.SHUFFLED)
    require(fits, f"view = {view.value}: must be central, joint or white_box (users' messages carry no noise)")
