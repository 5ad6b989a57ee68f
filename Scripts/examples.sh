#!/bin/sh
# Builds, tests and runs the packages in Examples, each of which depends on this package as others would.
set -eu
cd "$(dirname "$0")/.."

for package in Examples/*/; do
  echo "$package"
  swift test --quiet --package-path "$package"
done

# What the job queue's program prints last, whoever has run what.
swift run --quiet --package-path Examples/JobQueue jobs | tee .build/jobs.txt
tail -n 1 .build/jobs.txt | grep -qx '0 waiting, 0 running, 4 done, 1 failed'
