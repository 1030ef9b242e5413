"""Cache folders of a test's own: no result from the ledger of another, with the compiled kernels of all."""

from pathlib import Path

from banditproof.sources import cache_folder


def own_cache(folder: Path) -> str:
    """Makes the folder a cache folder without results, and returns its name for BANDITPROOF_CACHE."""
    kernels = (cache_folder() / "kernels").resolve()
    kernels.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernels").symlink_to(kernels)
    return str(folder)
