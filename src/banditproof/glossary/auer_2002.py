"""The letters that only Auer, Cesa-Bianchi and Fischer 2002 needs."""

from banditproof.glossary.core import NON_NEGATIVE, Quantity

PULLS = Quantity("pulls", "N_i", NON_NEGATIVE, "expected pulls of an arm over the horizon", "pulls")
