"""What the statements of the theory say, made once for all tests that look at it: for each of them these are twenty seconds."""

import functools

from banditproof.theory import rendering

text = functools.cache(rendering.text)
latex = functools.cache(rendering.latex)
described = functools.cache(rendering.describe)  # to be read alone
inequality = functools.cache(rendering.inequality)
