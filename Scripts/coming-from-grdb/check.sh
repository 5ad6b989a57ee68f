#!/usr/bin/env bash
# Checks that each public name of GRDB 7 is part of the public API, or stands in the guide "Coming from GRDB".
#
# names.txt holds GRDB's names, one a line, sorted. The API is read from the symbol graphs that Scripts/api.sh
# has made, or else from the API of the last release.
set -euo pipefail
cd "$(dirname "$0")/../.."

LC_ALL=C sort --check --unique Scripts/coming-from-grdb/names.txt
if [ -d .build/api/Storage ]; then
  python3 Scripts/coming-from-grdb/names.py .build/api "$@"
else
  python3 Scripts/coming-from-grdb/names.py "$@"
fi
