"""Opens the documentation in a browser: pages show what they should, and nothing is missing.

usage: site.py ADDRESS
       site.py --screenshot FILE ADDRESS    a picture of the first page
"""

import base64
import json
import sys
import tempfile
import urllib.parse

from browser import Browser, Failure, expect, wait_for

# A path, the title of the page, and a sentence or name that it shows.
STORAGE = ("documentation/storage", "Storage", "Live queries over plain SQLite")
FIRST = ("documentation/wellspring", "Wellspring", "Live SQLite for Swift services on Linux")
PAGES = [
    FIRST,
    ("documentation/", "Wellspring", "SharingTestSupport"),
    STORAGE,
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
# The modules, and what their sidebars have.
SIDEBARS = [
    ("documentation/storage/databasepool", "DatabaseRecord"),
    ("documentation/sharing/fetching", "Lifetime"),
    ("documentation/replication", "EtcdLog"),
    ("documentation/sharingtestsupport", "InMemoryDatabaseTrait"),
    ("documentation/wellspring", "Getting started"),
]
# What someone types into the search of all modules, and the address of the first answer.
SEARCHES = [
    ("DatabaseQueue", "/documentation/storage/databasequeue"),
    ("SharedReader", "/documentation/sharing/sharedreader"),
    ("EtcdLog", "/documentation/replication/etcdlog"),
    ("getting started", "/documentation/storage/gettingstarted"),
    ("systemd", "/documentation/storage/deploying"),
    ("write(_:)", "/documentation/storage/databasewriter/write(_:)-51565"),
    ("main.swift", "/documentation/storage/gettingstarted"),
]
# The pages that begin with reading and writing, and how far down these may be, in pixels.
FIRST_METHODS = [
    ("documentation/storage/databasepool", "read<Value>", 1600),
    ("documentation/storage", "read<Value>", 1600),
]
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
        self.browser.run(f"{link}.click()")
        wait_for(
            f"the page of {name}", self.path, lambda answer: answer.rstrip("/").endswith(path), 10,
        )

    def expect_pictures(self, page, count):
        """The figures of a page are drawn."""
        self.open(*page)
        # A picture is loaded when it comes near the window.
        self.browser.evaluate("document.querySelectorAll('main img').forEach((image) => { image.loading = 'eager' })")
        drawn = "[...document.querySelectorAll('main img')].filter((image) => image.naturalWidth > 500).length"
        wait_for(f"the pictures of {page[0]}", lambda: self.browser.evaluate(drawn), lambda found: found >= count, 10)

    def search(self, name, path):
        """Finds a symbol by the search field of the sidebar, and opens it."""
        self.open(*STORAGE)
        # The field of another search, which a key opens, is hidden.
        field = "[...document.querySelectorAll('.navigator .filter__input')].find((input) => input.offsetParent)"
        wait_for(
            "the search field", lambda: self.browser.evaluate(f"!!{field}"), lambda found: found, 20
        )
        self.browser.evaluate(f"{field}.focus()")
        self.browser.call("Input.insertText", text=name)
        self.click(f"[...document.querySelectorAll('.navigator a')].find((a) => a.innerText.trim() === {json.dumps(name)})",
                   name, path)

    def expect_sidebar(self, path, name):
        """The sidebar of a module lists what is in it."""
        self.browser.call("Page.navigate", url=self.address + path)
        names = "[...document.querySelectorAll('.navigator a')].map((a) => a.innerText.trim())"
        wait_for(f"{name} in the sidebar of {path}", lambda: self.browser.evaluate(names),
                 lambda found: name in found, 20)

    def search_all(self, query, path):
        """Finds a page by the search of all modules, and opens the first answer."""
        self.open(*FIRST)
        wait_for("the search", lambda: self.browser.evaluate("!!document.querySelector('#site-search input')"), bool, 20)
        self.browser.evaluate("document.querySelector('#site-search input').focus()")
        self.browser.call("Input.insertText", text=query)
        first = "document.querySelector('#site-search-hits a')?.pathname ?? ''"
        wait_for(f"the first answer to {query!r}", lambda: self.browser.evaluate(first),
                 lambda answer: answer.endswith(path), 10)
        for kind in ["keyDown", "keyUp"]:
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)
        wait_for(f"the page of {query!r}", self.path, lambda answer: answer.rstrip("/").endswith(path), 20)

    def path(self):
        return self.browser.evaluate("location.pathname")

    def look(self, width, scheme):
        """Shows pages at a width of the window, in light or dark colours."""
        self.browser.call("Emulation.setDeviceMetricsOverride",
                          width=width, height=1000, deviceScaleFactor=1, mobile=width < 600)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def expect_fit(self, page, width):
        """Nothing is wider than the window."""
        self.open(*page)
        wide = "document.documentElement.scrollWidth"
        wait_for(f"the width of {page[0]}", lambda: self.browser.evaluate(wide), lambda answer: answer <= width, 5)

    def expect_near_top(self, path, text, limit):
        self.browser.call("Page.navigate", url=self.address + path)
        place = f"""[...document.querySelectorAll('main a')].find((a) => a.innerText.includes({json.dumps(text)}))
            ?.getBoundingClientRect().top ?? -1"""
        wait_for(f"{text} on {path}", lambda: self.browser.evaluate(place), lambda top: 0 < top < limit, 20)

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


def screenshot(file, address):
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            site = Site(address, browser)
            site.look(1200, "light")
            site.open(*FIRST)
            wait_for("the pages are listed", site.text, lambda text: "Getting started" in text, 10)
            wait_for("the fonts", lambda: browser.evaluate("document.fonts.status"), lambda status: status == "loaded", 10)
            picture = browser.call("Page.captureScreenshot", format="png")["data"]
        finally:
            browser.close()
    with open(file, "wb") as output:
        output.write(base64.b64decode(picture))


def main():
    if sys.argv[1] == "--screenshot":
        return screenshot(*sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            site = Site(sys.argv[1], browser)
            for page in PAGES:
                site.open(*page)
            # A link between modules.
            site.follow(SHARING, "DatabasePool", "/documentation/storage/databasepool")
            site.expect_pictures(PERFORMANCE, 3)
            for module in SIDEBARS:
                site.expect_sidebar(*module)
            site.search("DatabaseQueue", "/documentation/storage/databasequeue")
            for search in SEARCHES:
                site.search_all(*search)
            for method in FIRST_METHODS:
                site.expect_near_top(*method)
            for width in [400, 1400]:
                for scheme in ["light", "dark"]:
                    site.look(width, scheme)
                    for page in [FIRST, STORAGE, PERFORMANCE]:
                        site.expect_fit(page, width)
            # The root leads to the first page.
            browser.call("Page.navigate", url=site.address)
            wait_for(
                "the root", site.path, lambda path: path.rstrip("/").endswith("/documentation/wellspring"), 20,
            )
            wait_for("the first page", site.text, lambda text: "Getting started" in text, 10)
            site.expect_no_errors()
        finally:
            browser.close()
    print(f"The documentation opens in a browser: {len(PAGES)} pages, and the search.")


try:
    main()
except Failure as failure:
    sys.exit(f"site.py: {failure}")
