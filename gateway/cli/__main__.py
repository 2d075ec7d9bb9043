"""``python -m gateway.cli``: the command line without an installed script."""

from gateway.cli import main

if __name__ == "__main__":
    main()
