#!/bin/sh
# Says in one line what this machine lacks, before anything is set up. Usage: needs.sh PYTHON
fail() { echo "$1" >&2; exit 1; }
wanted="docagent needs Python 3.11, 3.12 or 3.13"
other="Install one, or name one that is there: make run PYTHON=/path/to/python3.12"
command -v "$1" > /dev/null || fail "$wanted, and there is no $1 here. $other"
"$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
  || fail "$wanted, and $1 is $("$1" -V 2>&1). $other"
"$1" -c 'import ensurepip, venv' 2> /dev/null \
  || fail "$1 cannot make environments. On Debian and Ubuntu: apt install python3-venv"
