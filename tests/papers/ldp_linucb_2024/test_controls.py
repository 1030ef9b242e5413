"""Every control of locally private LinUCB (2024) is refuted: an audit that could not fail would pass its mistake."""

import pytest

from banditproof.audits.running import registry
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Verdict

CONTROLS = registry.controls("ldp_linucb_2024")


@pytest.mark.parametrize("id", list(CONTROLS))
def test_a_mistake_is_refuted(id):
    found = CONTROLS[id].audit.method.measure(Request(1e-5, 17, (id,)))
    assert found.verdict is Verdict.REFUTED, found.message
