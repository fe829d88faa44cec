"""``python -m kinegraph``: the command line."""

from kinegraph.cli import main

if __name__ == "__main__":
    main()
