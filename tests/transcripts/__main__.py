"""``python -m tests.transcripts update [FILES]``: regenerate what comes of the inputs the files keep."""

from __future__ import annotations

from pathlib import Path

import click

from tests.transcripts.replay import files, spoken, write


@click.group()
def main() -> None:
    """Transcripts: conversations with a peer, as text files."""


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
def update(paths: tuple[Path, ...]) -> None:
    """Regenerate PATHS (default: all files)."""
    for path in paths or files():
        before = path.read_text(encoding="utf-8")
        try:
            after = write(spoken(path.resolve()), before)
        except ValueError as error:
            raise click.ClickException(f"{path}: {error}") from error
        path.write_text(after, encoding="utf-8")
        click.echo(f"{'same   ' if before == after else 'changed'} {path.parent.name}/{path.name}")


if __name__ == "__main__":
    main()
