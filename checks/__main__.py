"""`python -m checks`: the command line, in `checks.cli`."""

from checks.cli import main

if __name__ == "__main__":
    main()
