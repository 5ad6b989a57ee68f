"""Finds the Swift code blocks of articles and of doc comments."""
import re
from dataclasses import dataclass, field


@dataclass
class Block:
    """A code block, and where its first line stands."""

    path: str
    line: int
    code: list[str]
    is_alone: bool = False
    output: list[str] | None = None

    @property
    def is_program(self):
        """Whether the block is a whole program: others may show the main type of one."""
        is_main = any(line.startswith("@main") for line in self.code)
        return is_main and any(line.startswith("import ") for line in self.code)


@dataclass
class Article:
    path: str
    blocks: list[Block] = field(default_factory=list)


def article(path):
    """Reads the fenced blocks of a Markdown file."""
    result = Article(path)
    lines = open(path, encoding="utf-8").read().split("\n")
    index = 0
    is_alone = False
    last = None
    while index < len(lines):
        line = lines[index]
        if line.strip() == "<!-- code: alone -->":
            is_alone = True
        elif match := re.match(r"( *)```(.*)$", line):
            indent, language = len(match[1]), match[2].strip()
            end = next(
                n for n in range(index + 1, len(lines)) if lines[n].strip() == "```"
            )
            code = [text[indent:] for text in lines[index + 1 : end]]
            if language == "swift":
                last = Block(path, index + 2, code, is_alone)
                result.blocks.append(last)
                is_alone = False
            else:
                if language == "text" and last and last.is_program and last.output is None:
                    last.output = code
                last = None
            index = end
        index += 1
    return result


def comments(path):
    """Reads the blocks of the doc comments in a Swift file: those that are indented, and those with a fence."""
    result = []
    current = None
    previous = ""
    # The language of the fence that is open.
    fence = None
    lines = open(path, encoding="utf-8").read().split("\n")
    for number, line in enumerate(lines, 1):
        match = re.match(r"\s*///(.*)$", line)
        text = match[1] if match else None
        if text is None:
            current, previous, fence = None, "", None
        elif text.strip().startswith("```"):
            fence = None if fence is not None else text.strip()[3:]
            current, text = None, ""
            if fence == "swift":
                current = Block(path, number + 1, [])
                result.append(current)
        elif fence is not None:
            if fence == "swift":
                current.code.append(text[1:])
        elif text.startswith("     ") and (current or not previous.strip()):
            if not current:
                current = Block(path, number, [])
                result.append(current)
            current.code.append(text[5:])
        elif not text.strip() and current:
            current.code.append("")
        else:
            current = None
        previous = text or ""
    return result


DECLARATION = re.compile(
    r"(@(Suite|Test|Observable|MainActor|main|unchecked|discardableResult)\b(\(.*?\))? *)*"
    r"((public|private|fileprivate|final|indirect|nonisolated|package) )*"
    r"(import|struct|enum|class|actor|extension|protocol|func|typealias|@main)\b"
)


def chunks(code):
    """Splits code at file level: yields the number of the first line, the lines of a declaration or of
    statements, and whether they are a declaration."""
    start, depth, is_declaration = 0, 0, False
    in_text = False
    for number, line in enumerate(code):
        if depth == 0 and not in_text and line and not line[0].isspace() and line[0] not in ")}]":
            now = bool(DECLARATION.match(line)) or (
                line.startswith("@") and is_attribute(code, number)
            )
            if is_declaration and all(is_attribute(code, n) for n in range(start, number)):
                continue
            if number > start and (now or is_declaration):
                yield start, code[start:number], is_declaration
                start = number
            is_declaration = now
        if line.count('"""') % 2 == 1:
            in_text = not in_text
        if not in_text or line.count('"""') % 2 == 1:
            stripped = re.sub(r'"(\\.|[^"\\])*"|//.*$', "", line)
            depth += len(re.findall(r"[({\[]", stripped)) - len(re.findall(r"[)}\]]", stripped))
    if start < len(code):
        yield start, code[start:], is_declaration


def is_attribute(code, number):
    """Whether the line holds only attributes of a declaration that follows."""
    if not re.match(r"@\w+(\(.*\))?$", code[number]):
        return False
    following = next((line for line in code[number + 1 :] if line.strip()), "")
    return bool(DECLARATION.match(following)) or following.startswith("@")
