#!/usr/bin/env bash
# Compares the public API with the files of API, and with that of the last release: a declaration that is
# gone breaks users.
#
#   Scripts/api.sh                    fails when the present API is not the one that API/*.txt hold, or when
#                                     a declaration of the last release is missing; prints the differences
#   Scripts/api.sh --update           writes API/*.txt
#   Scripts/api.sh --release VERSION  writes them, and the API of the release into API/VERSION with what
#                                     it breaks
#
# Typed columns must have each member that columns without a type have.
#
# A file holds one public declaration of a module a line, so that the change of a file shows what a
# change adds. A break that is meant stands in the changelog with what to write instead, and its line in
# API/breaks.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/install.sh python3
sh Scripts/symbol-graphs.sh
python3 Scripts/api.py "$@"
