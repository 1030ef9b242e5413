"""Which of these tests exist here."""

import sys

# Copies of a process are made on Linux alone (`forks.possible`); elsewhere workers are joblib's, which the other tests run.
collect_ignore = [] if sys.platform == "linux" else ["test_forks.py"]
