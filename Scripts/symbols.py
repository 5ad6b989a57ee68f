"""Reads the public declarations from the symbol graphs of a module: see Scripts/api.sh."""

import glob
import json
import os


def isUnavailable(symbol):
    return any(item.get("isUnconditionallyUnavailable") for item in symbol.get("availability", []))


def declarations(directory, withUnavailable=True):
    """One line for each public declaration: where it stands, and how it is declared."""
    lines = set()
    for path in glob.glob(os.path.join(directory, "*.symbols.json")):
        with open(path) as file:
            graph = json.load(file)
        for symbol in graph["symbols"]:
            # Members that the compiler adds to each conforming type follow from the conformance.
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                continue
            if not withUnavailable and isUnavailable(symbol):
                continue
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            place = ".".join(symbol["pathComponents"][:-1])
            lines.add(f"{place}: {' '.join(text.split())}" if place else " ".join(text.split()))
        names = {s["identifier"]["precise"]: ".".join(s["pathComponents"]) for s in graph["symbols"]}
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo" and relation["source"] in names:
                target = names.get(relation["target"], relation.get("targetFallback", ""))
                lines.add(f"{names[relation['source']]} conforms to {target}")
    return lines
