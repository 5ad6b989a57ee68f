"""Compiles the Swift code blocks of articles and doc comments; runs those that show their output.

Usage: check.py BUILD_DIRECTORY [FILE …]   with no file, all of them
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

from blocks import Block, article, chunks, comments

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRELUDES = "Scripts/code-blocks/preludes"
# What has compiled, by the hash of all that it depends on.
PASSED = ".build/code-blocks-passed"
# Modules from elsewhere come first, then the examples.
PRELUDE_MODULES = [
    "Logging", "Metrics", "Tracing", "ServiceLifecycle", "Examples", "SharingExamples",
]  # fmt: skip
SETUPS = "Scripts/code-blocks/setups"
MODULES = ["Storage", "Sharing", "SharingTestSupport", "Recording", "Replication", "WellspringSystem"]
ARTICLES = [
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
    "Docs/**/*.md", "Examples/**/*.md",
]  # fmt: skip
SOURCES = [
    "Sources/Storage/**/*.swift", "Sources/Sharing*/**/*.swift", "Sources/Replication/**/*.swift",
]  # fmt: skip


def main():
    build, names = sys.argv[1], sys.argv[2:]
    os.chdir(ROOT)
    work = ".build/code-blocks"
    shutil.rmtree(work, ignore_errors=True)
    compiler = Compiler(build, work)
    units = []
    for path in files(ARTICLES, names):
        if path.endswith(".md"):
            units += article_units(article(path))
    comment_units = [
        unit for path in files(SOURCES, names) if path.endswith(".swift")
        for unit in units_of_comments(path)
    ]  # fmt: skip
    programs = [unit for unit in units if unit.is_program]
    print(f"{len(units) + len(comment_units)} programs of code blocks, {len(programs)} of which run")
    problems = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compiler.check, group) for group in groups(units, comment_units)]
        jobs += [pool.submit(compiler.run, unit) for unit in programs]
        for job in jobs:
            problems += job.result()
    if compiler.kept:
        print(f"{compiler.kept} groups of blocks have passed before, with the same modules")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    print("Each code block compiles, and prints what is said.")


def files(patterns, names):
    found = []
    for pattern in patterns:
        for path in sorted(glob.glob(pattern, recursive=True)):
            if "/." not in path and (not names or path in names):
                found.append(path)
    # Files from elsewhere: those of the self-test.
    found += [name for name in names if name not in found and name.endswith(patterns[-1][-3:])]
    return found


class Unit:
    """A Swift file made of blocks."""

    def __init__(self, blocks, setup=None, prelude=None, is_program=False, output=None, apart=False, programs=()):
        self.blocks = blocks
        self.setup = setup
        self.prelude = prelude
        self.is_program = is_program
        self.output = output
        # Whether the statements of a block don't see those of the blocks before it.
        self.apart = apart
        # The programs of the same article, whose types the blocks may use.
        self.programs = programs

    @property
    def name(self):
        first = self.blocks[0]
        return re.sub(r"\W+", "_", f"{first.path}_{first.line}")

    @property
    def wrong_lines(self):
        """The places of lines that are said not to compile."""
        return [
            f"{os.path.abspath(block.path)}:{block.line + number}:"
            for block in self.blocks for number, line in enumerate(block.code) if is_wrong(line)
        ]  # fmt: skip

    def source(self, with_wrong_lines=False):
        self.with_wrong_lines = with_wrong_lines
        if self.is_program:
            block = self.blocks[0]
            return located(block, 0, block.code)
        first = self.blocks[0]
        # A block on its own that imports something imports all that it needs.
        is_complete = first.is_alone and any(line.startswith("import ") for line in first.code)
        self.imports = [] if is_complete else ["Foundation", "Storage"]
        self.declarations = []
        if self.prelude == "SharingExamples":
            self.imports += ["Sharing"]
        if "Replication" in first.path:
            self.imports += ["Replication"]
        declared = set().union(*(declared_types(block) for block in self.blocks))
        setup = self.statements(self.setup, declared) if self.setup else []
        for program in self.programs:
            self.statements(program, declared)
        if self.apart:
            bodies = [[(block, self.statements(block))] for block in self.blocks]
        else:
            bodies = [[(block, self.statements(block)) for block in self.blocks]]
        functions = [function(number, setup, body) for number, body in enumerate(bodies)]
        text = "".join(f"import {name}\n" for name in dict.fromkeys(self.imports))
        text += f"@testable import {self.prelude}\n"
        if self.prelude == "SharingExamples":
            text += "@testable import Examples\n"
        return text + "\n".join(self.declarations + functions) + "\n"

    def statements(self, block, omitted=frozenset()):
        """Collects the declarations of a block, except for some types, and returns its statements."""
        result = []
        for start, lines, is_declaration in chunks(block.code):
            if is_declaration and lines[0].startswith("import "):
                self.imports.append(lines[0].split()[1].rstrip())
            elif is_declaration and (
                declared_types(Block("", 0, lines)) & omitted
                or block.is_program and any(line.startswith("@main") for line in lines)
            ):
                continue
            elif is_declaration:
                lines = [self.compiled(line.replace("{ … }", "{}")) for line in hidden(lines)]
                self.declarations.append(located(block, start, lines))
            elif any(line.strip() for line in lines):
                result.append(located(block, start, [self.compiled(line) for line in lines]))
        return result

    def compiled(self, line):
        return "" if is_wrong(line) and not self.with_wrong_lines else compiled(line)


def is_wrong(line):
    """Whether a line is said not to compile."""
    return line.endswith("// does not compile")


def compiled(line):
    """What is compiled of a line: literals of SQL have no other context."""
    if re.match(r'".*"$', line):
        return f"_ = {line} as SQL"
    # What the reader fills in.
    return re.sub(r'("(?:\\.|[^"\\])*"|//.*$)|…', lambda match: match[1] or "fatalError()", line)


def function(number, setup, body):
    lines, opened = list(setup), 0
    for block, statements in body:
        if statements and needs_no_await(block) and len(body) > 1:
            lines += ["try { () throws -> Void in", *statements, "}()"]
        elif statements:
            lines += ["do {", *statements]
            opened += 1
    effects = "async throws" if any("await" in line for line in lines) else "throws"
    text = "\n".join(lines) + "\n" + "}\n" * opened
    return f"private func blocks{number}(db: Database, pool: DatabasePool) {effects} {{\n{text}}}"


def needs_no_await(block):
    """Whether the block is synchronous, and declares nothing for the blocks after it: some calls have an
    asynchronous variant, which an asynchronous function would choose."""
    code = "\n".join(block.code)
    return not re.search(r"\bawait\b|^(let|var|@\w+\(?.*\)? *var) |^(try )?withExtendedLifetime", code, re.M)


def located(block, start, lines):
    path = os.path.abspath(block.path)
    text = "\n".join(lines)
    return f'#sourceLocation(file: "{path}", line: {block.line + start})\n{text}\n#sourceLocation()'


def hidden(lines):
    """Makes a declaration private to its file, so that each block may have its own."""
    for number, line in enumerate(lines):
        if match := re.match(
            r"(?P<attributes>(@\w+(\(.*?\))? +)*)((public|private|fileprivate|package) )?"
            r"(?P<rest>(final|indirect|struct|enum|class|actor|extension|protocol|func|typealias)\b.*)",
            line,
        ):
            rest = match["rest"]
            # A conformance cannot be private.
            is_conformance = re.match(r"extension [\w.<>]+ *:", rest)
            access = "" if is_conformance else "private "
            return lines[:number] + [match["attributes"] + access + rest] + lines[number + 1 :]
    return lines


def prelude(path):
    sharing = ("Docs/Sharing", "Docs/Replication", "Docs/Wellspring", "Sources/Sharing", "README", "Examples")
    return "SharingExamples" if path.startswith(sharing) else "Examples"


def article_units(article):
    examples = prelude(article.path)
    setup = setup_of(article.path)
    together = [block for block in article.blocks if not block.is_alone and not block.is_program]
    programs = [block for block in article.blocks if block.is_program]
    units = [Unit(together, setup, examples, programs=programs[:1])] if together else []
    for block in article.blocks:
        if block.is_program:
            units.append(Unit([block], is_program=True, output=block.output))
        elif block.is_alone:
            units.append(Unit([block], setup, examples))
    return units


def units_of_comments(path):
    blocks = comments(path)
    units, declared = [], None
    for block in blocks:
        names = declared_types(block)
        # Blocks that declare the same type are compiled apart.
        if declared is None or names & declared:
            units.append(Unit([], setup_of(path), prelude(path), apart=True))
            declared = set()
        declared |= names
        units[-1].blocks.append(block)
    return units


def declared_types(block):
    pattern = r"^(?:\w+ )*(?:struct|enum|class|actor) (\w+)"
    return set(re.findall(pattern, "\n".join(block.code), re.M))


def setup_of(path):
    """The declarations and statements that the blocks of a file need: the nearest of its own, and those of
    the folders around it."""
    place = os.path.splitext(path.removeprefix("Sources/"))[0]
    while place.strip("/"):
        setup = f"{SETUPS}/{place}.swift"
        if os.path.exists(setup):
            return Block(setup, 1, open(setup, encoding="utf-8").read().split("\n"))
        place = os.path.dirname(place)
    return None


def groups(units, comment_units):
    """The files that are compiled as one module."""
    plain = [unit for unit in units if not unit.is_program]
    result = [[unit] for unit in plain]
    by_prelude = {}
    for unit in comment_units:
        folder = "/".join(unit.blocks[0].path.split("/")[1:3])
        by_prelude.setdefault((unit.prelude, folder), []).append(unit)
    for group in by_prelude.values():
        result += [group[n : n + 200] for n in range(0, len(group), 200)]
    return result


class Compiler:
    def __init__(self, build, work):
        self.build = build
        self.work = work
        self.kept = 0
        self.flags = [
            "swiftc", "-swift-version", "6", "-suppress-warnings", "-module-cache-path", f"{work}/cache",
            "-I", f"{build}/Modules", "-I", f"{work}/modules",
            "-Xcc", "-fmodule-map-file=Sources/CWellspringSQLite/module.modulemap",
            "-Xcc", "-fmodule-map-file=Sources/CWellspringCurl/module.modulemap",
            "-enable-upcoming-feature", "ExistentialAny",
        ]  # fmt: skip
        os.makedirs(f"{work}/modules")
        os.makedirs(PASSED, exist_ok=True)
        modules = [f"{build}/Modules/{module}.swiftmodule" for module in MODULES]
        preludes = sorted(glob.glob(f"{PRELUDES}/**/*.swift", recursive=True))
        checker = sorted(glob.glob("Scripts/code-blocks/*.py"))
        version = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout
        self.context = digest([version, *contents(modules + preludes + checker)])
        # The programs run what the modules do.
        self.sources = digest(contents(sorted(glob.glob("Sources/**/*.*", recursive=True))))
        toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swiftc"))))
        self.flags += [
            "-I", f"{toolchain}/lib/swift/linux/testing",
            "-plugin-path", f"{toolchain}/lib/swift/host/plugins/testing",
        ]  # fmt: skip
        for prelude in PRELUDE_MODULES:
            self.make(
                self.flags
                + ["-emit-module", "-parse-as-library", "-module-name", prelude, "-enable-testing"]
                + ["-emit-module-path", f"{work}/modules/{prelude}.swiftmodule"]
                + sorted(glob.glob(f"{PRELUDES}/{prelude}/*.swift"))
            )

    def make(self, command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(result.stdout + result.stderr)

    def write(self, unit, with_wrong_lines=False):
        path = f"{self.work}/{unit.name}{'_wrong' if with_wrong_lines else ''}.swift"
        with open(path, "w", encoding="utf-8") as file:
            file.write(unit.source(with_wrong_lines))
        return path

    def once(self, parts, work):
        """Does the work unless it has found no problem with the same parts before."""
        path = f"{PASSED}/{digest([self.context, *parts])}"
        if os.path.exists(path):
            self.kept += 1
            os.utime(path)
            return []
        problems = work()
        if not problems:
            open(path, "w").close()
        return problems

    def check(self, group):
        parts = [unit.source(wrong) for unit in group for wrong in (False, True)]
        return self.once(parts, lambda: self.compile(group))

    def run(self, unit):
        parts = [self.sources, unit.source(), str(unit.output)]
        return self.once(parts, lambda: self.compile_and_run(unit))

    def compile(self, group):
        problems = errors(self.typecheck([self.write(unit) for unit in group]))
        for unit in group:
            problems += self.compiling_wrong_lines(unit)
        return problems

    def compiling_wrong_lines(self, unit):
        """The lines that are said not to compile, and do."""
        if not unit.wrong_lines:
            return []
        output = self.typecheck([self.write(unit, with_wrong_lines=True)]).stderr
        wrong = [line for line in output.split("\n") if ": error: " in line]
        return [
            f"{place.removeprefix(ROOT + '/')} error: this compiles"
            for place in unit.wrong_lines if not any(line.startswith(place) for line in wrong)
        ]  # fmt: skip

    def typecheck(self, paths):
        name = "Blocks" + str(abs(hash(paths[0])))
        # As a library: a single file is otherwise a script.
        command = self.flags + ["-typecheck", "-parse-as-library", "-module-name", name, "-wmo"]
        return subprocess.run(command + paths, capture_output=True, text=True)

    def compile_and_run(self, unit):
        path, program = self.write(unit), f"{self.work}/{unit.name}"
        # A build keeps the objects of sources that are gone.
        objects = [
            f"{self.build}/{module}.build/{os.path.basename(source)}.o"
            for module in MODULES for source in glob.glob(f"Sources/{module}/**/*.swift", recursive=True)
        ]  # fmt: skip
        command = self.flags + ["-parse-as-library", "-module-name", "Program", "-o", program, path]
        result = subprocess.run(
            command + objects + ["-lsqlite3", "-lcurl"], capture_output=True, text=True
        )
        if result.returncode:
            return errors(result)
        block = unit.blocks[0]
        if unit.output is None:
            return []
        directory = f"{program}.directory"
        os.makedirs(directory)
        try:
            result = subprocess.run(
                [os.path.abspath(program)], capture_output=True, text=True, timeout=60, cwd=directory
            )
        except subprocess.TimeoutExpired:
            return [f"{block.path}:{block.line}: error: the program did not end within a minute"]
        expected = "\n".join(unit.output) + "\n"
        if result.stdout == expected and result.returncode == 0:
            return []
        return [
            f"{block.path}:{block.line}: error: the program ended with {result.returncode} and printed\n"
            f"{result.stdout}{result.stderr}instead of\n{expected}"
        ]


def digest(parts):
    result = hashlib.sha256()
    for part in parts:
        part = part.encode() if isinstance(part, str) else part
        result.update(len(part).to_bytes(8, "little"))
        result.update(part)
    return result.hexdigest()


def contents(paths):
    """The names and bytes of files."""
    for path in paths:
        yield path
        if os.path.isfile(path):
            with open(path, "rb") as file:
                yield file.read()


def errors(result):
    if result.returncode == 0:
        return []
    lines = (result.stderr + result.stdout).replace(ROOT + "/", "").split("\n")
    found = [line for line in lines if re.search(r": (error|note): ", line)]
    return list(dict.fromkeys(found)) or lines


if __name__ == "__main__":
    main()
