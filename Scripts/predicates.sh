#!/usr/bin/env bash
# Type-checks the predicates of Tests/Predicates against a built Storage. One that takes the compiler more
# than 100 ms is an error: it would be felt in every editor. What else the machine does adds to a time, so
# only the shortest of three counts. And each mistake of Tests/Predicates/Wrong must be
# an error at the wrong term, that says what the line expects.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/build.sh libraries
modules="$(sh Scripts/build.sh path)/Modules"
typecheck() {
  swiftc -typecheck -swift-version 6 -I "$modules" -I Sources/CWellspringSQLite "$@" 2>&1
}

# Prints where predicates of a form take too long.
slow_predicates() {
  local output
  output=$(typecheck -Xfrontend -warn-long-expression-type-checking=100 \
    Tests/Predicates/*.swift "Tests/Predicates/$1"/*.swift) ||
    { printf "%s\n" "$output" >&2; return 1; }
  if grep -E "unable to type-check" <<<"$output" >&2; then return 1; fi
  sed -nE "s/^([^ ]+:[0-9]+:[0-9]+): warning: expression took .*/\1/p" <<<"$output" | sort -u
}

# With a list of the record's columns, and without one: its properties are the columns then.
for form in Columns Properties; do
  slow=$(slow_predicates "$form")
  for _ in 2 3; do
    [ -n "$slow" ] || break
    again=$(slow_predicates "$form")
    slow=$(comm -12 <(printf "%s\n" "$slow") <(printf "%s\n" "$again"))
  done
  if [ -n "$slow" ]; then
    printf "it takes more than 100 ms to type-check, three times in a row: %s\n" $slow >&2
    exit 1
  fi
done
echo "$(grep -c '\.filter {' Tests/Predicates/Predicates.swift) predicates in two forms, none over 100 ms"

for wrong in Tests/Predicates/Wrong/*.swift; do
(typecheck "$wrong" || true) | grep -E "^[^ ]*$(basename "$wrong"):[0-9]+:[0-9]+: (error|warning):" |
  awk -F: -v source="$wrong" '
    BEGIN {
      while ((getline line < source) > 0) {
        text[++count] = line
        if ((place = index(line, "// error at: ")) == 0) continue
        expected[count] = substr(line, place + 13)
        if ((place = index(expected[count], " // says: ")) > 0) {
          message[count] = substr(expected[count], place + 10)
          expected[count] = substr(expected[count], 1, place - 1)
        }
      }
    }
    {
      found = substr(text[$2], $3)
      if (!($2 in expected) || index(found, expected[$2]) != 1) {
        print "not at the wrong term: " $0 > "/dev/stderr"
        failed = 1
      }
      if (index($0, message[$2]) == 0) {
        print "not what the error should say (" message[$2] "): " $0 > "/dev/stderr"
        failed = 1
      }
      seen[$2] = 1
    }
    END {
      for (line in expected) {
        total++
        if (!(line in seen)) {
          print source ":" line ": no error at: " expected[line] > "/dev/stderr"
          failed = 1
        }
      }
      if (!failed) print total " mistakes in " source ", each an error at the wrong term"
      exit failed
    }'
done

# Without reflection metadata, a request that uses a property fails, and says what to write.
program=$(mktemp)
trap 'rm -f "$program"' EXIT
# Of the files that are there: an earlier build may have left objects of others.
objects=$(find Sources/Storage Sources/WellspringSystem -name '*.swift' | while read -r source; do
  folder=${source#Sources/}
  echo "$modules/../${folder%%/*}.build/$(basename "$source").o"
done)
# shellcheck disable=SC2086 — several files.
swiftc -swift-version 6 -Xfrontend -disable-reflection-metadata -I "$modules" -I Sources/CWellspringSQLite \
  Tests/Predicates/Unreflected/main.swift $objects -lsqlite3 -o "$program"
refused=$("$program" | grep -c "compiled without reflection metadata.*Declare its column" || true)
if [ "$refused" -ne 3 ]; then
  echo "without reflection metadata, $refused of 3 requests are refused" >&2
  "$program" >&2
  exit 1
fi
echo "3 requests without reflection metadata, each refused"
