#!/usr/bin/env bash
# Checks that each public name of GRDB 7 is part of the public API, or stands in the guide "Coming from GRDB".
#
# names.txt holds GRDB's names, one a line, sorted.
set -euo pipefail
cd "$(dirname "$0")/../.."

LC_ALL=C sort --check --unique Scripts/coming-from-grdb/names.txt
sh Scripts/symbol-graphs.sh
python3 Scripts/coming-from-grdb/names.py .build/symbol-graphs "$@"
