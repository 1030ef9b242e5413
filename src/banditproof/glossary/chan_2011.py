"""The letters that only Chan, Shi and Song 2011 needs."""

from banditproof.glossary.core import Domain, Quantity

MGF_ARGUMENT = Quantity("mgf_argument", "h", Domain(0.0, 1.0, low_open=False), "argument of a moment generating function, times the scale")
