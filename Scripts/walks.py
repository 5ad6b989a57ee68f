#!/usr/bin/env python3
"""Checks that each file exists that DESIGN.md lists as a station of a change, a request or a write.

    Scripts/walks.py  a part of `make lint`
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    sections = re.split(r"^### ", (ROOT / "DESIGN.md").read_text(), flags=re.MULTILINE)
    walks = [section for section in sections if section.startswith("The files that")]
    missing = []
    for walk in walks:
        stations = re.findall(r"^\| `([\w+/]+)` \|", walk.split("\n## ")[0], flags=re.MULTILINE)
        if not stations:
            missing.append(f"no station in: {walk.splitlines()[0]}")
        for station in stations:
            places = [ROOT / "Sources" / f"{station}.swift", ROOT / "Sources/Storage" / f"{station}.swift"]
            if not any(place.exists() for place in places):
                missing.append(station)
    if not walks or missing:
        sys.exit("walks.py: DESIGN.md lists files that do not exist: " + ", ".join(missing))


main()
