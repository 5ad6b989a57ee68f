#!/usr/bin/env python3
"""Writes the table of all locks into DESIGN.md, from the comments above them.

    Scripts/locks.py          writes the table
    Scripts/locks.py --check  says whether DESIGN.md has it; a part of `make lint`

Above each lock stands a comment that begins with "Guards". Its first sentence, without that word, is in
the table.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = "<!-- Made by Scripts/locks.py from the comments above the locks. -->"
END = "<!-- The end of the table of locks. -->"

LOCK = re.compile(r"^( *)(?:[\w()]+ )*(?:let|var) (\w+)(?:: Lock<.*|: Lock\b.*| = Lock[(<].*)$")
TYPE = re.compile(r"^( *)(?:[\w()@]+ )*(?:class|struct|enum|actor|extension) ([\w.]+)")


def enclosing_type(lines, index, indent):
    """The name of the innermost type around a line, such as `Promise` or `FileProbe.Entries`."""
    names = []
    closed = set()
    for line in reversed(lines[:index]):
        depth = len(line) - len(line.lstrip())
        if line.strip() == "}" and depth < indent:
            closed.add(depth)
            continue
        match = TYPE.match(line)
        if match and len(match[1]) < indent:
            if len(match[1]) in closed:
                closed.discard(len(match[1]))
                continue
            indent = len(match[1])
            names.insert(0, match[2])
        elif depth in closed and line.rstrip().endswith("{"):
            closed.discard(depth)
        if indent == 0:
            break
    return ".".join(names)


def guarded(lines, index):
    """What the comment above a line says that the lock guards; None if it says nothing."""
    comment = []
    for line in reversed(lines[:index]):
        text = line.strip()
        if not text.startswith("//"):
            # A condition, or another declaration that the comment is about too.
            if comment or not text.startswith(("#", "@")):
                break
            continue
        comment.insert(0, text.lstrip("/").strip())
    text = " ".join(comment)
    match = re.search(r"\bGuards (.*?)(?:[.;] |\.$)", text + " ")
    return match[1].rstrip(".") if match else None


def table():
    rows, missing = [], []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        lines = path.read_text().split("\n")
        for index, line in enumerate(lines):
            match = LOCK.match(line)
            if not match or path.name == "Lock.swift":
                continue
            what = guarded(lines, index)
            if what is None:
                missing.append(f"{path.relative_to(ROOT)}:{index + 1}: {line.strip()}")
                continue
            owner = enclosing_type(lines, index, len(match[1])) or path.stem
            name = f"{owner}.{match[2]}"
            room = path.relative_to(ROOT / "Sources").parts[0]
            rows.append((room, name, what))
    if missing:
        sys.exit("locks.py: no comment says what these locks guard:\n" + "\n".join(missing))
    text = ["| module | lock | guards |", "|---|---|---|"]
    text += [f"| {room} | `{name}` | {what} |" for room, name, what in sorted(set(rows))]
    return "\n".join(text)


def main():
    design = ROOT / "DESIGN.md"
    text = design.read_text()
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    new = f"{head}{BEGIN}\n\n{table()}\n\n{END}{tail}"
    if "--check" not in sys.argv:
        design.write_text(new)
    elif new != text:
        sys.exit("locks.py: DESIGN.md has another table of locks: run Scripts/locks.py")


main()
