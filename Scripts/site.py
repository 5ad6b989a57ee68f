"""Opens the documentation in a browser: pages show what they should, and nothing is missing.

usage: site.py ADDRESS
"""

import json
import sys
import tempfile
import urllib.parse

from browser import Browser, Failure, expect, wait_for

# A path, the title of the page, and a sentence or name that it shows.
PAGES = [
    ("documentation/", "Wellspring", "SharingTestSupport"),
    ("documentation/storage", "Storage", "Live queries over plain SQLite"),
    ("documentation/storage/associations", "Associations", "including(all:)"),
    ("documentation/storage/schemaandmigrations", "Schema and Migrations", "migrator"),
    ("documentation/sharing/fetching", "Fetching", "@SharedReader"),
    ("documentation/storage/databasepool", "DatabasePool", "one writer"),
    ("documentation/sharing/sharedreader", "SharedReader", "whose value follows a database"),
    ("documentation/replication/replicating", "Replicating a database", "the primary"),
    ("documentation/replication/replicateddatabase", "ReplicatedDatabase", "history is in a log"),
    ("documentation/sharingtestsupport/inmemorydatabasetrait", "InMemoryDatabaseTrait", "test"),
]
SHARING = ("documentation/sharing", "Sharing", "follow a database")
PERFORMANCE = ("documentation/storage/performance", "Performance", "Many observations")


def asks_for_icon(url):
    """Whether the browser has asked the server for an icon by itself. Under a path, that is no file
    of the documentation."""
    return urllib.parse.urlsplit(url).path == "/favicon.ico"


class Site:
    def __init__(self, address, browser):
        self.address = address
        self.browser = browser
        for domain in ["Network", "Runtime", "Log"]:
            browser.call(f"{domain}.enable")

    def text(self):
        return self.browser.evaluate("document.body?.innerText ?? ''")

    def open(self, path, title, content):
        self.browser.call("Page.navigate", url=self.address + path)
        heading = "document.querySelector('main h1')?.innerText.trim() ?? ''"
        wait_for(
            f"the title of {path}", lambda: self.browser.evaluate(heading),
            lambda answer: answer.casefold() == title.casefold(), 20,
        )
        wait_for(f"{path} shows {content!r}", self.text, lambda text: content in text, 10)

    def follow(self, page, name, path):
        """Opens a page, and clicks on a link in it."""
        self.open(*page)
        self.click(f"[...document.querySelectorAll('main a')].find((a) => a.innerText.trim() === {json.dumps(name)})",
                   name, path)

    def click(self, link, name, path):
        wait_for(f"{name} is found", lambda: self.browser.evaluate(f"!!{link}"), lambda found: found, 20)
        self.browser.evaluate(f"{link}.click()")
        wait_for(
            f"the page of {name}", lambda: self.browser.evaluate("location.pathname"),
            lambda answer: answer.rstrip("/").endswith(path), 10,
        )

    def expect_pictures(self, page, count):
        """The figures of a page are drawn."""
        self.open(*page)
        drawn = "[...document.querySelectorAll('main img')].filter((image) => image.naturalWidth > 500).length"
        wait_for(f"the pictures of {page[0]}", lambda: self.browser.evaluate(drawn), lambda found: found >= count, 10)

    def search(self, name, path):
        """Finds a symbol by the search field of the sidebar, and opens it."""
        self.open(*PAGES[1])
        # The field of another search, which a key opens, is hidden.
        field = "[...document.querySelectorAll('.navigator .filter__input')].find((input) => input.offsetParent)"
        wait_for(
            "the search field", lambda: self.browser.evaluate(f"!!{field}"), lambda found: found, 20
        )
        self.browser.evaluate(f"{field}.focus()")
        self.browser.call("Input.insertText", text=name)
        self.click(f"[...document.querySelectorAll('.navigator a')].find((a) => a.innerText.trim() === {json.dumps(name)})",
                   name, path)

    def expect_no_errors(self):
        for event in self.browser.events:
            parameters = event["params"]
            match event["method"]:
                case "Network.responseReceived":
                    response = parameters["response"]
                    if not asks_for_icon(response["url"]):
                        expect(response["status"] < 400, f"{response['url']}: {response['status']}")
                case "Network.loadingFailed":
                    expect(parameters.get("canceled"), f"not loaded: {parameters}")
                case "Runtime.exceptionThrown":
                    raise Failure(f"a script failed: {parameters['exceptionDetails']}")
                case "Log.entryAdded":
                    entry = parameters["entry"]
                    if not asks_for_icon(entry.get("url", "")):
                        expect(entry["level"] != "error", f"the console says: {entry['text']}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            site = Site(sys.argv[1], browser)
            for page in PAGES:
                site.open(*page)
            # A link between modules.
            site.follow(SHARING, "DatabasePool", "/documentation/storage/databasepool")
            site.expect_pictures(PERFORMANCE, 3)
            site.search("DatabaseQueue", "/documentation/storage/databasequeue")
            # The root leads to the landing page.
            browser.call("Page.navigate", url=site.address)
            wait_for(
                "the root", lambda: browser.evaluate("location.pathname"),
                lambda path: path.rstrip("/").endswith("/documentation"), 20,
            )
            wait_for("the landing page", site.text, lambda text: "Sharing" in text, 10)
            site.expect_no_errors()
        finally:
            browser.close()
    print(f"The documentation opens in a browser: {len(PAGES)} pages, and the search.")


try:
    main()
except Failure as failure:
    sys.exit(f"site.py: {failure}")
