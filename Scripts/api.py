#!/usr/bin/env python3
"""Compares the public declarations in symbol graphs with those of the last release: see Scripts/api.sh."""

import os
import sys

from symbols import declarations

MODULES = ["Storage", "Sharing", "SharingTestSupport", "Replication"]
# Modules that the last release did not have.
NEW_MODULES = ["Replication"]


def read(path):
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return {line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")}


def main():
    graphs, isRelease = sys.argv[1], "--release" in sys.argv
    breaks = read("API/breaks.txt")
    missing = []
    for module in MODULES:
        present = declarations(os.path.join(graphs, module))
        path = f"API/{module}.txt"
        if isRelease:
            os.makedirs("API", exist_ok=True)
            with open(path, "w") as file:
                file.writelines(line + "\n" for line in sorted(present))
            continue
        released = read(path)
        if not released and module in NEW_MODULES:
            print(f"{module}: {len(present)} declarations, no release yet")
            continue
        if not released:
            sys.exit(f"{path} is missing or empty")
        missing += [f"{module}: {line}" for line in sorted(released - present) if line not in breaks]
        print(f"{module}: {len(released)} declarations released, {len(present - released)} new")
    if missing:
        sys.exit(
            "Declarations of the last release are missing. If that is meant, say in CHANGELOG.md what to "
            "write instead, and add the lines to API/breaks.txt:\n" + "\n".join(missing)
        )


main()
