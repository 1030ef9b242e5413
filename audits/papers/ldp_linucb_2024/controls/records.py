"""Labelled records with one mistake."""

from functools import partial

from banditproof.algorithms.environments.classification import Source
from banditproof.audits.common.side_by_side import beside
from banditproof.audits.mutations import control
from banditproof.audits.papers.ldp_linucb_2024.cases.features_replayed import record_errors

OTHER_RECORDS = control(
    "other_records",
    "the records of other data with as many classes",
    "ldp_linucb_2024.assumptions",
    beside(partial(record_errors, ((Source.IRIS, 2),), Source.WINE), "60 rounds", "distance, or rewards"),
)
