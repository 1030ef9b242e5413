"""shariff_sheffet_2018: every line of every proof, decided on its whole domain by `theory/certify.py`.

A line with an erratum stands as printed and must be refuted; its repaired form is a line beside it.
"""

from banditproof.audits.cases.wu_2023_steps import steps_of
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, gaussian, lower_bound, privacy, regret, setting, wishart

PAPER = tuple(
    audit for module in (setting, facts, confidence, regret, privacy, wishart, gaussian, lower_bound) for audit in steps_of(module)
)
