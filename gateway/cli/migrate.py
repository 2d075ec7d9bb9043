"""``boardgate migrate``: brings the database to this version's schema."""

from __future__ import annotations

import click

from gateway.cli.options import with_settings
from gateway.config import Config


@click.command()
@with_settings
def migrate(config: Config) -> None:
    """Bring the database to this version's schema, creating it where there is none.

    On SQLite "boardgate serve" does it by itself. On PostgreSQL run this once, before the new version starts.
    """
    from sqlalchemy import make_url  # after --help has been answered

    from migrations import upgrade

    config.make_data_directory()
    url = config.database_url
    upgrade(url, tell=lambda line: click.echo(f"applied {line}"))
    click.echo(f"{make_url(url).render_as_string(hide_password=True)} is up to date")
