#!/bin/sh
# Serves the documentation that Scripts/docs.sh has built: Scripts/site.sh [PORT]
# With --test, opens it in a browser, at the root of a server and under a path.
# With --screenshot FILE, writes a picture of the first page.
set -eu
cd "$(dirname "$0")/.."

site=.build/docs/site
[ -d $site ] || sh Scripts/docs.sh
sh Scripts/install.sh python3

case ${1:-} in
--test | --screenshot) ;;
*)
  port=${1:-8000}
  echo "The documentation is at http://127.0.0.1:$port/ until Ctrl-C."
  exec python3 -m http.server --bind 127.0.0.1 --directory $site "$port" 2>/dev/null
  ;;
esac

sh Scripts/install.sh chromium
log=$(mktemp)
server=""
trap '[ -z "$server" ] || kill $server; rm -f "$log"' EXIT

# Serves a directory, and opens the site that is in it under a path: opens DIRECTORY PATH [OPTION …]
opens() {
  # The server says on which port it listens.
  python3 -u -m http.server --bind 127.0.0.1 --directory "$1" 0 >"$log" 2>/dev/null &
  server=$!
  port=""
  while [ -z "$port" ]; do
    kill -0 $server
    sleep 0.1
    port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$log")
  done
  path=$2
  shift 2
  python3 Scripts/site.py "$@" "http://127.0.0.1:$port$path"
  kill $server
  server=""
}

if [ "$1" = --screenshot ]; then
  opens $site / --screenshot "$2"
  exit
fi
opens $site /
elsewhere=.build/docs/elsewhere
BASE=/guides/wellspring/ sh Scripts/docs.sh --pages $elsewhere/guides/wellspring
opens $elsewhere /guides/wellspring/
