#!/usr/bin/env python3
"""Compares the public declarations in symbol graphs with the files of API: see Scripts/api.sh."""

import os
import re
import sys

from symbols import declarations

MODULES = ["Storage", "Sharing", "SharingTestSupport", "Replication"]
GRAPHS = ".build/symbol-graphs"


def read(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")}


def write(folder, present):
    os.makedirs(folder, exist_ok=True)
    for module, lines in present.items():
        with open(f"{folder}/{module}.txt", "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in sorted(lines))


def last_release():
    versions = [name for name in os.listdir("API") if os.path.isdir(f"API/{name}")]
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def release_now(version, present):
    """Writes the API of a release, what it breaks, and an empty list of what the next one breaks."""
    with open("API/breaks.txt", encoding="utf-8") as file:
        breaks = file.readlines()
    title = "# Declarations of {} that are gone or changed. CHANGELOG.md says what to write instead.\n"
    breaks[0] = title.format(last_release())
    write("API", present)
    write(f"API/{version}", present)
    for path, lines in [(f"API/{version}/breaks.txt", breaks), ("API/breaks.txt", [title.format(version)])]:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)


def differences(present):
    """The declarations that API lacks, and those that it has too much."""
    for module, lines in present.items():
        known = read(f"API/{module}.txt")
        yield from (f"+ {module}: {line}" for line in sorted(lines - known))
        yield from (f"- {module}: {line}" for line in sorted(known - lines))


def untyped_only(lines):
    """The members that columns without a type have, and typed columns lack."""

    def members(*types):
        pattern = re.compile(rf"(?:{'|'.join(types)}): (?:static )?(?:func|var|let) ([^\s:(<]+|<<=|<)")
        return {found[1] for line in lines if (found := pattern.match(line))}

    untyped = members("SQLSpecificExpressible", "ColumnExpression")
    return sorted(untyped - members("TypedExpressible", "TypedColumn"))


def main():
    present = {module: declarations(f"{GRAPHS}/{module}") for module in MODULES}
    arguments = sys.argv[1:]
    if arguments == ["--update"]:
        return write("API", present)
    if len(arguments) == 2 and arguments[0] == "--release":
        return release_now(arguments[1], present)
    if arguments:
        sys.exit("api.sh: expected nothing, --update, or --release VERSION")

    if lacking := untyped_only(present["Storage"]):
        sys.exit("Typed columns lack what other columns have: " + ", ".join(lacking))
    if different := list(differences(present)):
        sys.exit(
            "The public API is not the one that the files of API hold. If that is meant, run "
            "Scripts/api.sh --update:\n" + "\n".join(different)
        )
    release = last_release()
    breaks = read("API/breaks.txt")
    missing = []
    for module, lines in present.items():
        released = read(f"API/{release}/{module}.txt")
        missing += [f"{module}: {line}" for line in sorted(released - lines) if line not in breaks]
        print(f"{module}: {len(lines)} declarations, {len(lines - released)} of them since {release}")
    if missing:
        sys.exit(
            f"Declarations of {release} are missing. If that is meant, say in CHANGELOG.md what to "
            "write instead, and add the lines to API/breaks.txt:\n" + "\n".join(missing)
        )


main()
