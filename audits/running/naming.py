"""How an error speaks of a name that does not exist: the name, shortened, and the names nearest to it."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, words: Iterable[str]) -> str:
    """'; nearest: a, b', or nothing."""
    near = get_close_matches(word, list(words), n=3, cutoff=0.5)
    return f"; nearest: {', '.join(near)}" if near else ""


def shortened(value: str, most: int = 60) -> str:
    """A value as an error quotes it: one line, not too long."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 4]}...'"
