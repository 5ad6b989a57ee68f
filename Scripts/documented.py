"""Finds public symbols without documentation, in the symbol graphs that Scripts/docs.sh has made.

usage: documented.py FOLDER
"""

import glob
import json
import sys


def undocumented(graph):
    """Yields the names and places of symbols without documentation; requirements of protocols have to
    have their own, and what the compiler makes needs none."""
    for symbol in graph["symbols"]:
        if symbol["accessLevel"] not in ("public", "open"):
            continue
        if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "location" not in symbol:
            continue
        lines = symbol.get("docComment", {}).get("lines", [])
        if not any(line["text"].strip() for line in lines):
            place = symbol["location"]
            path = place["uri"].removeprefix("file://")
            yield f"{path}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main():
    count, missing = 0, []
    for path in sorted(glob.glob(f"{sys.argv[1]}/**/*.symbols.json", recursive=True)):
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        count += len(graph["symbols"])
        missing += undocumented(graph)
    if not count:
        sys.exit(f"documented.py: no symbols in {sys.argv[1]}")
    for line in missing:
        print(f"{line} has no documentation", file=sys.stderr)
    if missing:
        sys.exit(f"documented.py: {len(missing)} of {count} public symbols have no documentation.")
    print(f"All of {count} public symbols have documentation.")


main()
