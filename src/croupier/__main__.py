"""`python -m croupier` is the command line, for where the program itself is on no path."""

from croupier.cli import main

main()
