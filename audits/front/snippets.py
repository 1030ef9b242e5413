"""Code for the user to paste: a pytest test that shows a refutation again."""

from banditproof.audits.evidence import AuditResult


def pytest_snippet(result: AuditResult) -> str:
    """A test of the refuted claim on the witness's neighbours; empty for outputs that were stored elsewhere."""
    return ""
