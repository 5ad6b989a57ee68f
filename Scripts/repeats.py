"""Lists places that repeat each other: candidates for one piece of code.

usage: repeats.py [LINES]    places that share at least so many lines of code (11 by default)

Comments, imports, blank lines and lone brackets do not count. `same` places differ in nothing, and `shape` ones
in names, numbers and texts only: overloads, most of them. A place is listed with the longest run that it shares.
"""

import collections
import pathlib
import re
import subprocess
import sys

KEYWORDS = set("""
    actor any as associatedtype async await borrowing break case catch class consuming continue convenience
    default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import
    in indirect init inout internal is isolated lazy let mutating nil nonisolated nonmutating open operator
    override package private protocol public repeat required rethrows return self Self set some static struct
    subscript super switch throw throws true try typealias unowned var weak where while willSet didSet
""".split())


def code_lines(path):
    """The lines of a file that count: their numbers and texts without spaces and comments."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = " ".join(line.split())
        if text.startswith(("//", "import ", "internal import ", "public import ")) or not re.search(r"\w", text):
            continue
        yield number, text


def shape(text):
    """A line without its names, numbers and texts."""
    text = re.sub(r'"(\\.|[^"\\])*"', '"', text)
    return re.sub(r"[A-Za-z_]\w*|\d+", lambda word: word[0] if word[0] in KEYWORDS else "a", text)


def runs(files, count, key):
    """The longest runs of at least `count` lines with equal keys in two places, as (length, left, right)."""
    windows = collections.defaultdict(list)
    keys = [[key(text) for _, text in lines] for _, lines in files]
    for file, texts in enumerate(keys):
        for start in range(len(texts) - count + 1):
            windows[tuple(texts[start:start + count])].append((file, start))
    covered = set()
    for places in windows.values():
        # What stands in many places is the form of a family, such as the methods of a protocol.
        if not 2 <= len(places) <= 8:
            continue
        for index, (file, start) in enumerate(places):
            for other, position in places[index + 1:]:
                if (file, start, other, position) in covered or (file == other and position - start < count):
                    continue
                length = 0
                while (start + length < len(keys[file]) and position + length < len(keys[other])
                       and keys[file][start + length] == keys[other][position + length]):
                    covered.add((file, start + length, other, position + length))
                    length += 1
                yield length, (file, start), (other, position)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    names = subprocess.run(["git", "ls-files", "Sources/*.swift"], capture_output=True, text=True, check=True).stdout
    files = [(name, list(code_lines(pathlib.Path(name)))) for name in names.split()]
    listed = {}
    for kind, key in [("same", str), ("shape", shape)]:
        for length, left, right in runs(files, count, key):
            pair = (left[0], right[0])
            if length > listed.get(pair, (0,))[0] and listed.get(pair, (0, kind))[1] == kind:
                listed[pair] = (length, kind, left[1], right[1])

    def place(file, start, length):
        name, lines = files[file]
        return f"{name}:{lines[start][0]}-{lines[start + length - 1][0]}"

    for (left, right), (length, kind, start, position) in sorted(listed.items(), key=lambda item: -item[1][0]):
        print(f"{length:3} {kind:5} {place(left, start, length)} ~ {place(right, position, length)}")


if __name__ == "__main__":
    main()
