"""Where the cells of a command run: the options, and the cluster that they name."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof.audits.cli.values import OneOf, Rejected, one_line
from banditproof.audits.running.workers import Backend

if TYPE_CHECKING:
    from banditproof.audits.running.cluster import Cluster

Command = TypeVar("Command", bound=Callable[..., Any])


def backend_options(command: Command) -> Command:
    """Adds --backend and --scheduler."""
    words = (Backend.PROCESSES.value, Backend.DASK.value)
    where = "Worker processes of this machine, or those of a Dask cluster; no number depends on it."
    options = (
        click.option("--backend", type=OneOf("backend", words), default=words[0], show_default=True, help=where),
        click.option("--scheduler", metavar="ADDRESS", help="The cluster's scheduler, as tcp://host:8786, for --backend dask."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def require_backend(backend: str, scheduler: str | None) -> None:
    """Raises Rejected where one of the two options is given without the other."""
    if backend == Backend.DASK.value and not scheduler:
        raise Rejected("backend = dask: needs --scheduler ADDRESS, as tcp://host:8786")
    if scheduler is not None and backend != Backend.DASK.value:
        raise Rejected(f"scheduler = {scheduler}: needs --backend dask")


@contextmanager
def opened(scheduler: str | None, jobs: int | None) -> "Iterator[Cluster | None]":
    """The cluster, for `jobs` cells at a time at most; None without a scheduler. Raises Rejected where it cannot be used."""
    from banditproof.audits.running.cluster import ClusterUnusable, connected

    if scheduler is None:
        yield None
        return
    try:
        with connected(scheduler, lambda line: click.echo(line, err=True), jobs) as cluster:
            yield cluster
    except ClusterUnusable as error:
        raise Rejected(one_line(str(error))) from None
