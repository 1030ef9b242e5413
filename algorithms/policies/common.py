"""What several policies share: the report of a user who sends the reward itself, the size of a row, views that a policy may promise."""

from banditproof.guarantees import View, require
from banditproof.interaction import Floats
from banditproof.kernels import compiled


def _report_reward(state: object, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    message[0] = reward


report_reward = compiled(_report_reward, inline=True)


def row_size(arms: int, dimension: int) -> int:
    """Numbers of an arm's row: d, or K without contexts (d = 0), where the arms are the unit vectors of R^K."""
    return dimension if dimension > 0 else arms


SERVER_VIEWS = (View.CENTRAL, View.JOINT, View.WHITE_BOX)  # of the releases; users' own messages are not private


def require_server_view(view: View) -> None:
    """Raises ValueError on a view of users' messages."""
    require(view in SERVER_VIEWS, f"view = {view.value}: must be central, joint or white_box (users' messages carry no noise)")
