"""The letters that only Kairouz, Oh and Viswanath 2014 needs."""

from banditproof.glossary.core import UNIT_OPEN, Quantity

REQUIRED_KEEP = Quantity("required_keep", r"p_{\max}", UNIT_OPEN, "largest probability of the truth that gives epsilon", "")
