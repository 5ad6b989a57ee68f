"""Makes the index of the documentation's search, and puts the search into each page.

usage: search_index.py SITE BASE

SITE is the folder of the pages, BASE the path that they are served under. The index, search.json, has an
entry for each symbol, and one for each section of a guide: its title, kind, parent, path and text.
"""

import json
import pathlib
import sys

# Of two entries that answer as well, that of the first module comes first.
MODULES = ["wellspring", "storage", "sharing", "replication", "sharingtestsupport"]


def plain(content):
    """The text of a part of a page, without its code."""
    if isinstance(content, list):
        return " ".join(filter(None, (plain(part) for part in content)))
    if not isinstance(content, dict):
        return ""
    if content.get("type") == "codeListing":
        return ""
    own = content.get("text") or content.get("code") or ""
    parts = [own if isinstance(own, str) else ""]
    for key in ["content", "inlineContent", "items", "rows", "title", "identifier"]:
        part = content.get(key)
        if key in ["title", "identifier"]:
            # The last part of a link's address is the name of what it leads to.
            part = part.rsplit("/", 1)[-1] if isinstance(part, str) and content.get("type") == "reference" else ""
            parts.append(part)
        else:
            parts.append(plain(part))
    return " ".join(filter(None, parts))


def sections(page):
    """The sections of a guide: an anchor, a title, and a text each. The first one has no anchor."""
    found = [["", "", [plain(page.get("abstract"))]]]
    for part in page.get("primaryContentSections", []):
        for block in part.get("content", []):
            if block.get("type") == "heading" and block.get("level", 1) <= 3:
                found.append([block.get("anchor", ""), block["text"], []])
            else:
                found[-1][2].append(plain(block))
    return [(anchor, title, " ".join(filter(None, texts))) for anchor, title, texts in found]


def entries(data):
    """The entries of the pages that some data describes."""
    for file in sorted(data.rglob("*.json")):
        page = json.loads(file.read_text())
        metadata = page.get("metadata", {})
        title, role = metadata.get("title"), metadata.get("role")
        path = "documentation/" + str(file.relative_to(data).with_suffix(""))
        parents = page.get("hierarchy", {}).get("paths") or [[]]
        names = [page["references"].get(parent, {}).get("title", "") for parent in parents[0]]
        parent = ".".join(filter(None, names[-1:]))
        if page.get("kind") == "article":
            if metadata.get("roleHeading") == "API Collection" or title.endswith(" Implementations"):
                continue
            for anchor, section, text in sections(page):
                if section == "Overview":
                    anchor, section = "", ""
                address = f"{path}#{anchor}" if anchor else path
                yield [section or title, "Guide", title if section else parent, address, text]
        elif page.get("kind") == "symbol" and title:
            kind = metadata.get("roleHeading", "")
            yield [title, "Module" if role == "collection" else kind, parent, path, plain(page.get("abstract"))]


def main():
    site, base = pathlib.Path(sys.argv[1]), sys.argv[2]
    index = list(entries(site / "data" / "documentation"))
    index.sort(key=lambda entry: MODULES.index(entry[3].split("#")[0].split("/")[1]))
    (site / "search.json").write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))
    script = f'<script src="{base}search.js"></script></head>'
    for page in site.rglob("index.html"):
        page.write_text(page.read_text().replace("</head>", script, 1))
    print(f"The search knows {len(index)} pages and sections.")


main()
