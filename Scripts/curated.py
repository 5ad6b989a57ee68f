"""Finds public symbols that no page of the documentation lists: DocC adds them to the end of a module's page.

usage: curated.py ARCHIVES MODULE …

ARCHIVES is the folder of the modules' archives that Scripts/docs.sh has made.
"""

import json
import pathlib
import re
import sys


def unlisted(archives, module):
    """The symbols in the groups of a module's page that its catalog does not have."""
    catalog = pathlib.Path(f"Docs/{module}.docc/{module}.md").read_text()
    groups = re.findall(r"^### (.+)$", catalog[catalog.index("## Topics"):], re.MULTILINE)
    data = archives / f"{module}.doccarchive/data/documentation/{module.lower()}.json"
    for section in json.loads(data.read_text()).get("topicSections", []):
        if section.get("title") not in groups:
            yield from (f"{module}: {symbol.rsplit('/', 1)[-1]}" for symbol in section["identifiers"])


def main():
    archives = pathlib.Path(sys.argv[1])
    found = [symbol for module in sys.argv[2:] for symbol in unlisted(archives, module)]
    if found:
        sys.exit(
            "curated.py: no page lists these symbols; name them under Topics of a page in Docs:\n" + "\n".join(found)
        )
    print("Each public symbol is listed by a page.")


main()
