#!/usr/bin/env python3
"""Compares the public names of GRDB 7 with the public API, and with the guide: see check.sh.

A name of names.txt is known when the same type, or a protocol that it conforms to, has a member with the
same labels here; further parameters with default values do not count. All other names must stand in the
first column of the guide's list, and no known name may stand there. A type in the list covers its members, and
`*.name` the members of all types. What Swift writes itself, such as `hash(into:)` of a type that is Hashable, is
known where the type conforms.
"""

import os
import re
import sys

NAMES = "Scripts/coming-from-grdb/names.txt"
GUIDE = "Docs/Storage.docc/ComingFromGRDB.md"
BEGIN, END = "## Names of GRDB 7 that are missing", "\n## "


def split(text):
    """Splits a parameter list at its top-level commas."""
    parts, depth, start = [], 0, 0
    text = re.sub(r'"[^"]*"', '""', text)
    for index, character in enumerate(text):
        arrow = character == ">" and text[index - 1] == "-"
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and not arrow:
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def parameters(text):
    """The text between the first parenthesis of a declaration and its partner."""
    depth = 0
    text = re.sub(r'"[^"]*"', '""', text)
    begin = text.index("(")
    for index in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return text[begin + 1 : index]
    return text[begin + 1 :]


KINDS = r"func|init|subscript|var|let|case|struct|class|enum|protocol|actor|typealias|associatedtype|macro"
DECLARATION = re.compile(rf"(?:^|\s)({KINDS})\b\??\s*(`?[\w]+`?|[^\s\w(<]+)?")


def member(text):
    """The base name of a declaration, and its labels with whether they may be left out."""
    found = DECLARATION.search(text)
    if not found:
        return None
    kind, name = found.group(1), found.group(2)
    if kind in ("init", "subscript"):
        name = kind
        rest = text[found.start(1) + len(kind) :]
    else:
        name = (name or "").strip("`")
        rest = text[found.end() :]
    if kind in ("func", "init", "subscript", "macro") or (kind == "case" and rest.startswith("(")):
        labels = []
        for part in split(parameters(rest)):
            label = part.split(":")[0].split()
            # `subscript(index: Int)` has no label unless it has two names.
            word = label[-2] if len(label) > 1 and not label[-2].startswith("@") else label[-1]
            if kind == "subscript" and len(label) < 2:
                word = "_"
            optional = " = " in part or part.endswith("...")
            labels.append((word, optional))
        isStatic = kind == "func" and "static func" in text
        return name, labels, "static func" if isStatic else kind
    return name, None, kind


def api(lines):
    """Members by type, and the ancestors of each type."""
    members, ancestors = {}, {
        "Array": {"RangeReplaceableCollection", "Collection"},
        "Collection": {"Sequence"},
        "Set": {"Collection"},
    }
    for line in lines:
        conforms = re.match(r"(\S+) conforms to (\S+)", line)
        if conforms:
            ancestors.setdefault(conforms.group(1), set()).add(conforms.group(2).split("<")[0])
            continue
        place, text = "", line
        head = re.match(r"([A-Za-z_][\w.]*): (.*)", line)
        if head:
            place, text = head.groups()
        parsed = member(text)
        if parsed:
            members.setdefault(place, []).append(parsed)
            if parsed[2] == "typealias" and " = " in text:
                full = f"{place}.{parsed[0]}" if place else parsed[0]
                target = re.split(r"[<\s]", text.split(" = ")[1].replace("any ", ""))[0]
                ancestors.setdefault(full, set()).add(target)
    return members, ancestors


def family(name, ancestors):
    found, queue = set(), [name]
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += ancestors.get(name, ())
            # `Database.TraceEvent.Statement`, where `Database.TraceEvent` is an alias.
            outer, _, inner = name.rpartition(".")
            queue += [f"{alias}.{inner}" for alias in ancestors.get(outer, ())]
    return found


def accepts(labels, wanted):
    """Whether a call with the wanted labels fits a declaration."""
    index = 0
    for label, optional in labels:
        if index < len(wanted) and label == wanted[index]:
            index += 1
        elif not optional:
            return False
    return index == len(wanted)


# Members that the compiler or the standard library provide for types that conform to a protocol.
PROVIDED = {
    "hash(into:)": "Swift.Hashable",
    "rawValue": "Swift.RawRepresentable",
    "init(unicodeScalarLiteral:)": "Swift.ExpressibleByUnicodeScalarLiteral",
    "init(extendedGraphemeClusterLiteral:)": "Swift.ExpressibleByExtendedGraphemeClusterLiteral",
}

# Types of Swift whose conformances the symbol graph leaves out, because they have no members of their own.
EXTENDED = {
    **{f"{sign}Int{size}": "DatabaseValueConvertible" for sign in ("", "U") for size in ("", 8, 16, 32, 64)},
    "Optional": "DatabaseValueConvertible",
}


def isKnown(name, members, ancestors):
    base, _, arguments = name.partition("(")
    place, _, last = base.rpartition(".")
    if PROVIDED.get(name[len(place) + 1 :]) in ancestors.get(place, ()):
        return True
    ancestors.setdefault(place, set()).update({EXTENDED[place]} if place in EXTENDED else ())
    wanted = re.findall(r"(\w+):", arguments) if arguments else None
    for type in family(place, ancestors):
        for found, labels, kind in members.get(type, ()):
            if found != last:
                continue
            # A name without parentheses is a type, a property or a case, which may have values. A static function
            # stands for such a case.
            if wanted is None and (labels is None or kind in ("case", "static func")):
                return True
            if wanted is not None and labels is not None and accepts(labels, wanted):
                return True
    return False


def apiLines(graphs):
    sys.path.insert(0, "Scripts")
    from symbols import declarations

    return declarations(os.path.join(graphs, "Storage"), withUnavailable=False)


def main():
    graphs = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), None)
    members, ancestors = api(apiLines(graphs))
    with open(NAMES) as file:
        names = [line.strip() for line in file if line.strip()]
    missing = [name for name in names if not isKnown(name, members, ancestors)]
    if "--missing" in sys.argv:
        print("\n".join(missing))
        return
    with open(GUIDE) as file:
        text = file.read().split(BEGIN, 1)[1].split(END, 1)[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    listed = set(re.findall(r"`([^`]+)`", " ".join(cells)))
    silent = [
        name
        for name in missing
        if name not in listed
        and "*." + name.partition(".")[2] not in listed
        and not any(name.startswith(type + ".") for type in listed)
    ]
    stale = sorted(listed.intersection(names) - set(missing))
    unknown = sorted(
        name
        for name in listed.difference(names)
        if not (name.startswith("*.") and any(other.endswith(name[1:]) for other in missing))
    )
    for fault, found in [
        (f"neither in the API nor in {GUIDE}", silent),
        (f"in the API, and in the list of {GUIDE}", stale),
        (f"in the list of {GUIDE}, and no name of {NAMES}", unknown),
    ]:
        if found:
            print(f"names.py: {fault}:\n" + "\n".join(found), file=sys.stderr)
    if silent or stale or unknown:
        sys.exit(1)
    print(f"{len(names)} names of GRDB 7: {len(missing)} are missing, and the guide says what to write instead")


if __name__ == "__main__":
    main()
