#!/usr/bin/env python3
"""Prints the coverage of each room, from the export of llvm-cov: see Scripts/coverage.sh."""

import collections
import json
import os
import subprocess
import sys

from edges import SOURCES, room

LARGEST = 10


def demangled(names):
    result = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(names), capture_output=True, text=True)
    return result.stdout.splitlines()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    rooms = collections.defaultdict(lambda: [0, 0])
    for entry in data["files"]:
        path = entry["filename"]
        if path.startswith(SOURCES):
            lines = entry["summary"]["lines"]
            rooms[room(path)][0] += lines["covered"]
            rooms[room(path)][1] += lines["count"]
    total = [sum(counts[place] for counts in rooms.values()) for place in (0, 1)]

    asTable = "--table" in sys.argv
    if asTable:
        print("| room | lines | run by the suite |\n|---|---|---|")
    for name, (covered, count) in sorted(rooms.items()) + [("all", total)]:
        share = f"{100 * covered / count:.1f} %" if count else ""
        print(f"| {name} | {count} | {share} |" if asTable else f"{share:>8}  {count:>6}  {name}")
    if asTable:
        return

    # A generic function is there once for each type: it is run if one of them is.
    runs, places = collections.Counter(), {}
    for function in data["functions"]:
        path = function["filenames"][0]
        if not path.startswith(SOURCES):
            continue
        first, last = function["regions"][0][0], max(region[2] for region in function["regions"])
        place = (path, first)
        runs[place] += function["count"]
        places.setdefault(place, (last - first + 1, function["name"]))
    unused = sorted(
        ((places[place][0], place, places[place][1]) for place in places if not runs[place]), reverse=True
    )
    print(f"\n{len(unused)} functions are not run; the largest of them:")
    largest = unused[:LARGEST]
    for (size, (path, line), _), name in zip(largest, demangled([name for _, _, name in largest])):
        print(f"{size:>4} lines  {os.path.relpath(path)}:{line}  {name.split(' in ')[-1][:120]}")


main()
