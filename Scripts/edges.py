#!/usr/bin/env python3
"""Checks that the folders of Sources name only the folders that they may name.

    Scripts/edges.sh             builds, and checks; prints each forbidden reference
    Scripts/edges.sh --release   reads the index of the release build instead
    Scripts/edges.sh --graph     prints which folder names which, and how often

It reads the index that the compiler writes while it builds, so it sees every reference to a type, a
member or an extension, whatever its spelling. The first list below is the architecture: a room may
name itself, the rooms listed for it, and nothing else. DESIGN.md says what each room is for.
"""

import collections
import ctypes
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "Sources") + "/"

# What the language of the package is made of. Values are expressions, rows are decoded from values,
# records are rows and requests, and requests are written with the schema: these rooms know each other.
LANGUAGE = ["Errors", "Values", "Rows", "Records", "Query", "Schema"]

EDGES = {
    "WellspringSystem": [],
    # One connection, what it runs, and what its statements read.
    # It keeps the caches of the language.
    "Connection": ["WellspringSystem", "Regions"] + LANGUAGE,
    "Regions": ["WellspringSystem", "Connection"] + LANGUAGE,
    "Errors": ["WellspringSystem", "Values", "Connection"],
    "Values": ["WellspringSystem", "Connection"] + LANGUAGE,
    "Rows": ["WellspringSystem", "Connection"] + LANGUAGE,
    "Records": ["WellspringSystem", "Connection"] + LANGUAGE,
    "Query": ["Connection", "Regions"] + LANGUAGE,
    # Regions read which full-text tables have their texts in a table.
    "Schema": ["WellspringSystem", "Connection", "Regions", "Pool"] + LANGUAGE,
    "FullText": ["Connection", "Pool"] + LANGUAGE,
    "Dump": ["Connection", "Pool"] + LANGUAGE,
    # Who gets which connection.
    "Access": ["WellspringSystem", "Connection", "Errors"],
}

# The engine, from the bottom to the top: a room of it may name those above it in this list.
ENGINE = [
    # What the pages of a file say, from bytes.
    "Observation/Pages",
    "Observation/Commits",
    "Observation/Transactions",
    "Observation/Changes",
    "Observation/ForeignCommits",
    "Observation/Delivery",
    "Observation/Patching",
    "Observation/Broker",
    "Observation/Pipelines",
]
BELOW_ENGINE = ["WellspringSystem", "Connection", "Regions", "Access"] + LANGUAGE
for place, room in enumerate(ENGINE):
    EDGES[room] = BELOW_ENGINE + ENGINE[:place]

# The faces, and the API over them.
EDGES["Pool"] = BELOW_ENGINE + ENGINE
EDGES["Observation/ValueObservation"] = BELOW_ENGINE + ENGINE + ["Pool"]
EDGES["Observation/TransactionObservation"] = (
    BELOW_ENGINE + ENGINE + ["Pool", "Observation/ValueObservation"]
)
EDGES["Changesets"] = (
    ["Connection", "Regions", "Pool", "Observation/Transactions", "Observation/Changes"] + LANGUAGE
)

# The other modules see what is public in Storage or belongs to the package, which the compiler checks.
STORAGE = [room for room in EDGES if room != "WellspringSystem"]
EDGES["Sharing"] = ["WellspringSystem"] + STORAGE
EDGES["SharingTestSupport"] = ["Sharing"] + STORAGE
EDGES["CommandLineSupport"] = []
EDGES["DemoCLI"] = ["CommandLineSupport", "WellspringSystem"] + STORAGE

EDGES["Recording"] = ["Connection", "Observation/Changes"] + LANGUAGE

# The logs know nothing of databases.
EDGES["Replication/Applying"] = ["Connection", "Recording"] + LANGUAGE
EDGES["Replication/Entries"] = ["Replication/Log", "Connection"] + LANGUAGE
EDGES["Replication/Log"] = ["WellspringSystem"]
EDGES["Replication/Etcd"] = ["WellspringSystem", "Replication/Log"]
EDGES["Replication/Node"] = (
    BELOW_ENGINE
    + ["Pool", "Recording", "Replication/Log", "Replication/Entries", "Replication/Applying"]
    + ["Replication/Snapshots", "Replication/Announcements", "Replication/Events"]
)
EDGES["Replication/Announcements"] = [
    "WellspringSystem", "Replication/Entries", "Replication/Events", "Replication/Log",
    "Replication/Node",
]
EDGES["Replication/Events"] = ["WellspringSystem", "Replication/Log", "Replication/Node"]
EDGES["Replication/Forwarding"] = (
    ["WellspringSystem", "Connection", "Pool", "Replication/Log", "Replication/Entries", "Replication/Node"]
    + LANGUAGE
)
EDGES["Replication/Snapshots"] = (
    ["WellspringSystem", "Connection", "Pool", "Replication/Log", "Replication/Entries"]
    + ["Replication/Node"]
    + LANGUAGE
)

EDGES["ReplicasCLI"] = [
    "CommandLineSupport", "Replication/Announcements", "Replication/Etcd", "Replication/Log",
    "Replication/Snapshots",
]


def room(path):
    """The room of a source file, such as `Connection` or `Observation/Broker`."""
    parts = path[len(SOURCES) :].split("/")
    if parts[0] == "Replication":
        return "/".join(parts[:2])
    if parts[0] != "Storage":
        return parts[0]
    return "/".join(parts[1:3]) if parts[1] == "Observation" else parts[1]


class String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.data else ""


class IndexStore:
    """The compiler's index, read through the toolchain's libIndexStore."""

    ON_STRING = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, String)
    ON_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    RECORD_DEPENDENCY = 2
    DEFINITION, REFERENCE = 1 << 1, 1 << 2

    def __init__(self, path):
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        library = os.path.join(info["paths"]["runtimeResourcePath"], "..", "libIndexStore.so")
        self.library = ctypes.CDLL(os.path.normpath(library))
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        self.store = self.call("store_create", pointer, (text, pointer))(path.encode(), None)
        if not self.store:
            sys.exit("no index at " + path)

    def call(self, name, result, arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
        return function

    def records(self):
        """The names of the records, each with the source file that it describes."""
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        names = []
        collect = self.ON_STRING(lambda _, name: names.append(str(name)) or True)
        self.call("store_units_apply_f", ctypes.c_bool, (pointer, ctypes.c_uint, pointer, self.ON_STRING))(
            self.store, 0, None, collect
        )
        open_unit = self.call("unit_reader_create", pointer, (pointer, text, pointer))
        main_file = self.call("unit_reader_get_main_file", String, (pointer,))
        output_file = self.call("unit_reader_get_output_file", String, (pointer,))
        dependencies = self.call(
            "unit_reader_dependencies_apply_f", ctypes.c_bool, (pointer, pointer, self.ON_POINTER)
        )
        kind = self.call("unit_dependency_get_kind", ctypes.c_int, (pointer,))
        record = self.call("unit_dependency_get_name", String, (pointer,))
        source = self.call("unit_dependency_get_filepath", String, (pointer,))
        # A file that was moved or changed leaves older units behind: the newest one counts.
        newest = {}
        for name in names:
            unit = open_unit(self.store, name.encode(), None)
            if not unit:
                continue
            path = str(main_file(unit))
            if not path.startswith(SOURCES) or not os.path.exists(path):
                continue
            output = str(output_file(unit))
            time = os.path.getmtime(output) if os.path.exists(output) else 0
            if time >= newest.get(path, (0, None))[0]:
                newest[path] = (time, unit)
        found = {}
        for path, (_, unit) in newest.items():

            def note(_, dependency, path=path):
                if kind(dependency) == self.RECORD_DEPENDENCY and str(source(dependency)) == path:
                    found[str(record(dependency))] = path
                return True

            dependencies(unit, None, self.ON_POINTER(note))
        return found

    def occurrences(self, record):
        """Each occurrence of a record: the symbol's identity and name, its roles, its line."""
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        reader = self.call("record_reader_create", pointer, (pointer, text, pointer))(
            self.store, record.encode(), None
        )
        if not reader:
            return []
        symbol = self.call("occurrence_get_symbol", pointer, (pointer,))
        roles = self.call("occurrence_get_roles", ctypes.c_uint64, (pointer,))
        unsigned = ctypes.POINTER(ctypes.c_uint)
        place = self.call("occurrence_get_line_col", None, (pointer, unsigned, unsigned))
        identity = self.call("symbol_get_usr", String, (pointer,))
        name = self.call("symbol_get_name", String, (pointer,))
        found = []

        def note(_, occurrence):
            line, column = ctypes.c_uint(), ctypes.c_uint()
            place(occurrence, line, column)
            item = symbol(occurrence)
            found.append((str(identity(item)), str(name(item)), roles(occurrence), line.value))
            return True

        self.call(
            "record_reader_occurrences_apply_f", ctypes.c_bool, (pointer, pointer, self.ON_POINTER)
        )(reader, None, self.ON_POINTER(note))
        return found


def references(store):
    """Each reference between two rooms: the file, the line, the symbol, and the file that defines it."""
    definitions, uses = {}, []
    for record, path in store.records().items():
        for identity, name, roles, line in store.occurrences(record):
            if roles & IndexStore.DEFINITION:
                definitions.setdefault(identity, path)
            if roles & IndexStore.REFERENCE:
                uses.append((path, line, name, identity))
    for path, line, name, identity in uses:
        target = definitions.get(identity)
        if target and room(target) != room(path):
            yield path, line, name, target


def main():
    build = os.path.join(ROOT, ".build/release" if "--release" in sys.argv else ".build/debug")
    store = IndexStore(os.path.join(os.path.realpath(build), "index/store"))
    graph = collections.defaultdict(collections.Counter)
    forbidden = set()
    for path, line, name, target in references(store):
        graph[room(path)][room(target)] += 1
        if room(path) not in EDGES:
            forbidden.add(f"{path[len(ROOT) + 1:]}: the room {room(path)} is not in Scripts/edges.py")
        elif room(target) not in EDGES[room(path)]:
            forbidden.add(
                f"{path[len(ROOT) + 1:]}:{line}: {name} is of {room(target)} "
                f"({os.path.basename(target)}), which {room(path)} may not name"
            )
    if not graph:
        sys.exit("the index has no references: build first")
    if "--graph" in sys.argv:
        for name in sorted(graph):
            print(f"{name}: " + ", ".join(f"{r} {n}" for r, n in sorted(graph[name].items())))
        return
    if forbidden:
        sys.exit("\n".join(sorted(forbidden)))
    count = sum(len(targets) for targets in graph.values())
    print(f"{count} edges between {len(graph)} rooms, all of them allowed")


if __name__ == "__main__":
    main()
