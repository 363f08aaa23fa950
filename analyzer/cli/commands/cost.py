"""`analyze-session cost`: what sessions cost by day, week, month, project, model, agent, branch or session."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import filter_options, jobs_option, names_option, prices_option
from analyzer.cli.console.output import make_folder
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.progress import Progress
from analyzer.cli.console.results import CostsResult
from analyzer.model.costs import By
from analyzer.text.expressions import cache_folder

if TYPE_CHECKING:
    from analyzer.audit.sources.filters import Filter

_BY: tuple[By, ...] = get_args(By)


@click.command("cost", cls=Command, short_help="Print what sessions cost by day, project, model.")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(_BY),
    default=("day",),
    show_default="day",
    help="What the rows are about; may be repeated.",
)
@names_option("--from", "agents_of", "The default log folders of these agents; all without PATH.", metavar="AGENTS")
@filter_options()
@prices_option
@jobs_option
@product_options(CostsResult, "text", "Default: by the suffix of -o; else text.", unfold="")
def cost(
    paths: tuple[str, ...],
    by: tuple[By, ...],
    agents_of: tuple[str, ...],
    wanted: Filter,
    prices: str | None,
    jobs: int | None,
    product: Product,
) -> ExitCode:
    """Print what the sessions at PATH cost, by default those of all agents on this machine: tokens, and USD as far as
    the log records it or the list of prices has the model.

    Nothing is judged, and a file that was read before and hasn't changed isn't read again. Times are those of the
    answers, so that --since and --until cut a session that goes on over midnight.

    \b
    Examples:
      analyze-session cost
      analyze-session cost --by week --by model --since 30d
      analyze-session cost --by project --from claude-code
      analyze-session cost runs/ --by session -o costs.csv
    """
    product.check()

    from analyzer.audit.costs import costs
    from analyzer.audit.sources.log_folders import ALL, folders_of
    from analyzer.audit.workers.pool import Workers, workers_here

    given = [*paths, *folders_of(agents_of or (() if paths else (ALL,)))]
    folder = cache_folder()
    if folder is not None:
        make_folder(folder)
    cache = folder / "costs.db" if folder is not None else None
    with Workers(jobs or workers_here(), None) as engine, Progress() as shown:
        found = costs(given, by, engine, cache=cache, wanted=wanted, prices=prices, watcher=shown)
        shown.ends()
    product.write(CostsResult(found))
    return ExitCode.DONE
