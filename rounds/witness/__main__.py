import sys

from rounds.witness.command import main

sys.exit(main(sys.argv[1:]))
