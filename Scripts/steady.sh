#!/usr/bin/env bash
# Runs the suite several times in a row: Scripts/steady.sh TIMES [--load]
#
# With --load, two processes keep the cores busy, and one writes to the disk all the time. What has
# passed is kept in .build/steady for the commit, so that a run that was interrupted goes on where it
# was. A run that fails ends it, and its output stays there.
set -uo pipefail
cd "$(dirname "$0")/.."

times=${1:?steady.sh: how many times?}
load=${2:-}
[ -z "$load" ] || export WELLSPRING_PATIENCE="${WELLSPRING_PATIENCE:-4}"
commit=$(git rev-parse HEAD)
[ -z "$(git status --porcelain)" ] || {
  echo "steady.sh: commit first: the runs count for a commit" >&2
  exit 2
}
folder=.build/steady/$commit${load}
mkdir -p "$folder"
sh Scripts/build.sh tests || exit

loaders=()
stop() {
  for loader in "${loaders[@]}"; do kill "$loader" 2>/dev/null; done
  rm -f .build/steady/written
}
trap stop EXIT
if [ -n "$load" ]; then
  for _ in 1 2; do
    (while :; do :; done) &
    loaders+=($!)
  done
  (while :; do dd if=/dev/zero of=.build/steady/written bs=1M count=256 conv=fsync 2>/dev/null; done) &
  loaders+=($!)
fi

for ((run = 1; run <= times; run++)); do
  if [ -e "$folder/$run.seconds" ]; then continue; fi
  start=$SECONDS
  Scripts/test.sh >"$folder/$run.log" 2>&1 || {
    sed -n '/^== What failed/,$p' "$folder/$run.log"
    echo "steady.sh: run $run failed: $folder/$run.log" >&2
    exit 1
  }
  echo "$((SECONDS - start))" >"$folder/$run.seconds"
  rm "$folder/$run.log"
  echo "run $run passed in $((SECONDS - start)) s"
done
for ((run = 1; run <= times; run++)); do printf '%s s  ' "$(cat "$folder/$run.seconds")"; done
printf '\n%s runs of %s passed%s\n' "$times" "${commit:0:7}" "${load:+ beside busy cores and a busy disk}"
