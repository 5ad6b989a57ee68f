"""Tests the page of Examples/LiveBoard with two browsers, other processes, and sockets.

usage: liveboard.py BOARD [--faults] [--screenshots FOLDER]

BOARD is the executable. With --faults, the server sends wrong patches, and the test succeeds if each
of them is noticed.
"""

import base64
import contextlib
import http.client
import json
import os
import pty
import random
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

from browser import Browser, Failure, expect, wait_for


class Database:
    """Another process that reads and writes the file: sqlite3."""

    def __init__(self, path):
        self.path = path

    def run(self, sql):
        command = ["sqlite3", "-bail", "-json", "-cmd", ".timeout 5000", self.path]
        result = subprocess.run(command, input=sql, check=True, capture_output=True, text=True)
        return json.loads(result.stdout) if result.stdout.strip() else []

    def board(self):
        """What a page must show."""
        rows = self.run(
            "BEGIN; SELECT json_object('items', (SELECT json_group_array(json_array(id, title, votes))"
            " FROM (SELECT * FROM item ORDER BY votes DESC, id LIMIT 200)),"
            " 'activities', (SELECT json_group_array(json_array(kind, title)) FROM"
            " (SELECT * FROM activity ORDER BY id DESC LIMIT 8)), 'totals', (SELECT json_array(count(*),"
            " coalesce(sum(votes), 0), count(*) FILTER (WHERE votes < 0)) FROM item)) AS board; END;"
        )
        return json.loads(rows[0]["board"])


class Server:
    """The program of the example."""

    def __init__(self, program, path, port=0, fault=None):
        environment = dict(os.environ)
        environment.pop("LIVEBOARD_PATCH_FAULT", None)
        if fault:
            environment["LIVEBOARD_PATCH_FAULT"] = fault
        self.process = subprocess.Popen(
            [program, "--file", path, "--port", str(port)],
            stdout=subprocess.PIPE, text=True, env=environment,
        )
        line = self.process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        expect(address, f"the server prints its address: {line!r}")
        self.port = int(address.group(1))
        self.url = address.group(0)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure("the server does not end")

    def post(self, path, fields="", **headers):
        """Returns the status of the answer to a POST."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            connection.request("POST", path, fields.encode(), headers)
            return connection.getresponse().status

    def write(self, path, fields=""):
        status = self.post(path, fields, Origin=self.url.rstrip("/"))
        expect(status == 204, f"POST {path}: {status}")

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"^{key}:\s*(\d+)", file.read(), re.M).group(1))

    def seconds(self):
        """The processor time."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class BoardBrowser(Browser):
    """A browser that shows the board."""

    # Checks at each change of the document that the totals are those of the items.
    WATCH = """
    window.disagreements = [];
    const number = (node) => Number(node.textContent.replace("−", "-").replaceAll(",", ""));
    const total = (name) => number(document.querySelector(`[data-total=${name}]`));
    new MutationObserver(() => {
      const votes = [...document.querySelectorAll("#items .votes")].map(number);
      const sum = votes.reduce((a, b) => a + b, 0);
      if (votes.length !== total("items") || sum !== total("votes")) {
        window.disagreements.push([votes.length, total("items"), sum, total("votes")]);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    """

    BOARD = """(() => {
      const number = (node) => Number(node.textContent.replace("−", "-").replaceAll(",", ""));
      return JSON.stringify({
        items: [...document.querySelectorAll("#items > li")].map((node) => [
          Number(node.dataset.id), node.querySelector(".title").textContent,
          number(node.querySelector(".votes"))]),
        activities: [...document.querySelectorAll("#activities > li")].map((node) => [
          node.querySelector(".kind").textContent, node.querySelector(".title").textContent]),
        totals: [...document.querySelectorAll("[data-total]")].map(number),
      });
    })()"""

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait_until_live()
        self.evaluate(self.WATCH)

    def wait_until_live(self, states=1):
        wait_for(
            "the page is live",
            lambda: self.evaluate("JSON.stringify([document.documentElement?.dataset.states,"
                                  " document.getElementById('connection')?.textContent])"),
            lambda answer: answer == json.dumps([str(states), "Live"], separators=(",", ":")), 15,
        )

    def board(self):
        return json.loads(self.evaluate(self.BOARD))

    def propose(self, title):
        self.evaluate(f"document.getElementById('title').value = {json.dumps(title)};"
                      "document.getElementById('form').requestSubmit()")

    def click(self, title, button):
        self.evaluate(f"[...document.querySelectorAll('#items > li')].find((node) =>"
                      f" node.querySelector('.title').textContent === {json.dumps(title)})"
                      f".querySelector('.{button}').click()")

    def screenshot(self, path, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        # What flashes has to end first.
        self.evaluate("Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => 0)")
        scroll = self.evaluate("document.documentElement.scrollWidth")
        expect(scroll <= width, f"the page is wider than {width}: {scroll}")
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))


class EventClient:
    """A socket that asks for events, and reads them when it is told to."""

    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(10)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.raw = b""
        self.received = 0
        self.elements = []
        self.states = 0

    def read(self):
        """Reads what is there, and applies the events."""
        data = self.socket.recv(1 << 16)
        expect(data, "the stream has ended")
        self.received += len(data)
        self.raw += data
        if b"\r\n\r\n" in self.raw and self.raw.startswith(b"HTTP/"):
            head, self.raw = self.raw.split(b"\r\n\r\n", 1)
            expect(b" 200 " in head.split(b"\r\n")[0] + b" ", f"events: {head!r}")
            self.text = b""
        while b"\r\n" in self.raw:
            size, rest = self.raw.split(b"\r\n", 1)
            size = int(size, 16)
            if len(rest) < size + 2:
                break
            self.text += rest[:size]
            self.raw = rest[size + 2:]
        while b"\n\n" in self.text:
            event, self.text = self.text.split(b"\n\n", 1)
            self.apply(event.decode())

    def apply(self, event):
        fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
        if fields.get("event") not in ("state", "patch"):
            return
        patch = json.loads(fields["data"])
        old = self.elements
        if fields["event"] == "state":
            self.states += 1
            old = []
        for update in patch["updated"]:
            old[update["index"]] = update["element"]
        leaving = set(patch["removed"]) | {move["from"] for move in patch["moved"]}
        arriving = [(place["index"], place["element"]) for place in patch["inserted"]]
        arriving += [(move["to"], old[move["from"]]) for move in patch["moved"]]
        self.elements = [element for index, element in enumerate(old) if index not in leaving]
        for index, element in sorted(arriving, key=lambda place: place[0]):
            expect(index <= len(self.elements), "a patch has a gap")
            self.elements.insert(index, element)

    def board(self):
        def part(name):
            return [element["value"] for element in self.elements if element["part"] == name]
        return {
            "items": [[item["id"], item["title"], item["votes"]] for item in part("item")],
            "activities": [[entry["kind"], entry["title"]] for entry in part("activity")],
            "totals": [list((t["items"], t["votes"], t["unloved"])) for t in part("totals")][0],
        }

    def close(self):
        self.socket.close()


class Test:
    """One server, one file, two browsers."""

    def __init__(self, stack, program, fault=None, seconds=15):
        self.program = program
        self.seconds = seconds
        self.stack = stack
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        self.path = f"{folder}/board.sqlite"
        self.server = Server(program, self.path, fault=fault)
        stack.callback(lambda: self.server.stop())
        self.database = Database(self.path)
        self.browsers = []
        for name in ("a", "b"):
            browser = BoardBrowser(f"{folder}/{name}")
            stack.callback(browser.close)
            browser.open(self.server.url)
            self.browsers.append(browser)

    def expect_agreement(self, what, states=1):
        """Both pages show what is in the file, and have shown no other moment in parts."""
        right = self.database.board()
        for browser in self.browsers:
            wait_for(f"{what}: the page shows {right}, not", browser.board,
                     lambda board: board == right, self.seconds)
            expect(browser.evaluate("document.documentElement.dataset.states") == str(states),
                   f"{what}: the page had to ask for the whole state")
            torn = browser.evaluate("JSON.stringify(window.disagreements)")
            expect(torn == "[]", f"{what}: numbers and items of several moments: {torn}")

    def see_each_other(self):
        first, second = self.browsers
        first.propose("Paint the fence")
        wait_for("the other browser sees the idea", second.board,
                 lambda board: [item[1] for item in board["items"]] == ["Paint the fence"], self.seconds)
        second.propose("<img src=x onerror=alert(1)> & <b>bold</b>")
        wait_for("the text is no HTML", first.board, lambda board: len(board["items"]) == 2, self.seconds)
        expect(first.evaluate("document.querySelectorAll('#items img, #items b').length") == 0, "HTML")
        self.expect_agreement("two ideas")
        second.click("Paint the fence", "up")
        first.click("<img src=x onerror=alert(1)> & <b>bold</b>", "down")
        wait_for("both votes count", first.board,
                 lambda board: [item[2] for item in board["items"]] == [1, -1], self.seconds)
        self.database.run("INSERT INTO item (title, votes) VALUES ('From a shell', 5), ('Too', 0)")
        self.expect_agreement("a third process inserts")
        self.database.run("UPDATE item SET votes = 9 WHERE title = 'Too'")
        self.expect_agreement("a third process moves an idea to the top")
        first.click("<img src=x onerror=alert(1)> & <b>bold</b>", "remove")
        wait_for("the idea is gone", second.board, lambda board: len(board["items"]) == 3, self.seconds)
        self.expect_agreement("an idea is removed")

    def apply_patches(self, count):
        generator = random.Random(22)
        for number in range(count):
            statements = []
            for _ in range(generator.randint(1, 5)):
                at = f"(SELECT id FROM item ORDER BY (id * {generator.randint(1, 97)}) % 89 LIMIT 1)"
                statements.append(generator.choice([
                    f"INSERT INTO item (title, votes) VALUES ('Idea {number}', {generator.randint(-4, 9)})",
                    f"UPDATE item SET votes = {generator.randint(-9, 12)} WHERE id = {at}",
                    f"UPDATE item SET title = title || '.' WHERE id = {at}",
                    f"DELETE FROM item WHERE id = {at}",
                    f"UPDATE item SET votes = -votes WHERE id % 7 = {generator.randint(0, 6)}",
                ]))
            self.database.run("BEGIN; " + "; ".join(statements) + "; COMMIT;")
            self.expect_agreement(f"transaction {number}")

    def refuse(self):
        own = self.server.url.rstrip("/")
        before = self.database.board()
        long = "title=" + "x" * 81
        for name, status, headers, fields in [
            ("no origin", 403, {}, "title=a"),
            ("another origin", 403, {"Origin": "http://evil.example"}, "title=a"),
            ("a frame without an origin", 403, {"Origin": "null"}, "title=a"),
            ("another port", 403, {"Origin": "http://127.0.0.1:1"}, "title=a"),
            ("another host", 403, {"Origin": "http://evil.example", "Host": "evil.example"}, "title=a"),
            ("no title", 400, {"Origin": own}, "title=+"),
            ("a long title", 400, {"Origin": own}, long),
            ("a control character", 400, {"Origin": own}, "title=a%00b"),
            ("no UTF-8", 400, {"Origin": own}, "title=%ff"),
            ("a long body", 413, {"Origin": own}, "title=" + "x" * 5000),
        ]:
            answer = self.server.post("/items", fields, **headers)
            expect(answer == status, f"{name}: {answer}, not {status}")
        for path, fields, status in [
            ("/items/1;DROP%20TABLE%20item/votes", "by=1", 404), ("/items/999999/votes", "by=1", 404),
            ("/items/1/votes", "by=1000", 400), ("/sql", "q=1", 404),
        ]:
            answer = self.server.post(path, fields, Origin=own)
            expect(answer == status, f"{path}: {answer}, not {status}")
        expect(self.database.board() == before, "a refused request has written")

    def hold_up_nobody(self):
        """A client that reads nothing, while the board changes by several megabytes."""
        self.database.run("DELETE FROM item; INSERT INTO item (title) SELECT printf('%.60c', 'x') FROM"
                          " (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                          " WHERE i < 190) SELECT i FROM n)")
        slow = EventClient(self.server.port, receive_buffer=4096)
        memory = self.server.status("VmRSS")
        prompt = EventClient(self.server.port)
        slowest = 0
        for number in range(400):
            start = time.monotonic()
            self.database.run(f"UPDATE item SET title = printf('%d%.60c', {number}, 'x')")
            # A client that reads gets each commit at once.
            while not any(element["value"].get("title", "").startswith(f"{number}x")
                          for element in prompt.elements if element["part"] == "item"):
                prompt.read()
            slowest = max(slowest, time.monotonic() - start)
        growth = self.server.status("VmRSS") - memory
        print(f"  slow client: {prompt.received >> 20} MiB for the others, at most "
              f"{slowest * 1000:.0f} ms for a commit; the server grew by {growth} KiB")
        expect(prompt.states == 1, "the client that reads gets patches")
        self.expect_agreement("a slow client")
        right = self.database.board()
        while slow.states == 0 or slow.board() != right:
            slow.read()
        print(f"  slow client: {slow.received >> 10} KiB in the end, {slow.states} whole states")
        expect(slow.states > 1, "a client that was behind gets the whole state")
        expect(slow.received < prompt.received / 2, "a client that was behind gets no old patches")
        expect(growth < 64 * 1024, f"a slow client costs {growth} KiB")
        slow.close()
        prompt.close()

    def idle(self, count=1000):
        self.database.run("DELETE FROM item WHERE id NOT IN (SELECT id FROM item LIMIT 20)")
        self.expect_agreement("few items")
        threads, memory = self.server.status("Threads"), self.server.status("VmRSS")
        clients = [EventClient(self.server.port) for _ in range(count)]
        for client in clients:
            while client.states == 0:
                client.read()
        more_threads = self.server.status("Threads") - threads
        growth = self.server.status("VmRSS") - memory
        busy = self.server.seconds()
        time.sleep(2)
        busy = self.server.seconds() - busy
        start = time.monotonic()
        self.database.run("INSERT INTO item (title) VALUES ('For all')")
        right = self.database.board()
        for client in clients:
            while client.board() != right:
                client.read()
        print(f"  {count} idle connections: {more_threads} more threads, {growth} KiB, "
              f"{busy * 50:.1f} % of a core; a commit is everywhere after "
              f"{(time.monotonic() - start) * 1000:.0f} ms")
        self.expect_agreement("many connections")
        for client in clients:
            client.close()
        expect(more_threads <= 8, f"{count} connections cost {more_threads} threads")
        expect(growth < 64 * count, f"{count} connections cost {growth} KiB")
        self.database.run("INSERT INTO item (title) VALUES ('For the rest')")
        descriptors = f"/proc/{self.server.process.pid}/fd"
        wait_for("closed connections are noticed", lambda: len(os.listdir(descriptors)),
                 lambda number: number < 100, 30)

    def restart(self):
        port = self.server.port
        expect(self.server.stop() == 0, "the server ends in order")
        for browser in self.browsers:
            wait_for("the page says that it is not live",
                     lambda: browser.evaluate("document.getElementById('connection').textContent"),
                     lambda text: text != "Live", 15)
        self.database.run("INSERT INTO item (title, votes) VALUES ('While it was away', 3)")
        self.server = Server(self.program, self.path, port)
        for browser in self.browsers:
            browser.wait_until_live(states=2)
        self.expect_agreement("after the restart", states=2)
        self.browsers[0].propose("Back again")
        wait_for("the other browser sees the idea", self.browsers[1].board,
                 lambda board: "Back again" in [item[1] for item in board["items"]], self.seconds)
        self.expect_agreement("after a write", states=2)


def end_make(until, board=""):
    """Ctrl-C ends `make live` without a complaint of make, once it has printed something. Without a board, it compiles one."""
    with tempfile.TemporaryDirectory() as folder:
        process, terminal = pty.fork()
        if process == 0:
            # A shell does not trap what was ignored when it started, as in the background.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.environ["BOARD"] = board
            os.execvp("make", ["make", "live", f"ARGUMENTS=--port 0 --file {folder}/board.sqlite"])
        output, is_sent, has_ended = "", False, True
        end = time.monotonic() + 120
        while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            try:
                output += os.read(terminal, 1 << 16).decode(errors="replace")
            except OSError:
                break
            if until in output and not is_sent:
                is_sent = True
                os.write(terminal, b"\x03")
        else:
            has_ended = False
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    expect(is_sent, f"make live prints {until!r}: {output!r}")
    expect(has_ended, f"Ctrl-C ends make live after {until!r}: {output!r}")
    expect("***" not in output and "Interrupt" not in output, f"make complains: {output[-200:]!r}")


def step(name):
    print(name, flush=True)


def check(program):
    with contextlib.ExitStack() as stack:
        test = Test(stack, program)
        for name, body in [
            ("Two browsers and a third process see each other's writes", test.see_each_other),
            ("Patches in any combination", lambda: test.apply_patches(60)),
            ("Refused requests", test.refuse),
            ("A slow client holds up no other", test.hold_up_nobody),
            ("A thousand idle connections", test.idle),
            ("The server starts again", test.restart),
        ]:
            step(name)
            body()
    step("Ctrl-C ends make live")
    end_make("Compiling the board")
    end_make("The board is at http://", program)


def check_faults(program):
    """The test fails with each wrong patch."""
    for fault in ("insert", "remove", "update", "move"):
        with contextlib.ExitStack() as stack:
            # A server or a browser that does not start is no wrong patch.
            test = Test(stack, program, fault=fault, seconds=3)
            try:
                test.see_each_other()
                test.apply_patches(20)
            except Failure as failure:
                step(f"Wrong patch ({fault}): noticed: {str(failure)[:100]}")
            else:
                raise Failure(f"a wrong patch ({fault}) was not noticed")


def take_screenshots(program, folder):
    os.makedirs(folder, exist_ok=True)
    with contextlib.ExitStack() as stack:
        test = Test(stack, program)
        test.database.run(
            "INSERT INTO item (title, votes) VALUES ('A bench under the old lime tree', 41),"
            " ('Longer opening hours of the library on Thursdays and before the exams', 37),"
            " ('Repair café, every first Saturday', 22), ('Less light at night', 8),"
            " ('Chess in the yard', 3), ('Ban the coffee machine', -6);"
            "UPDATE item SET votes = votes + 1 WHERE id = 3; UPDATE item SET votes = -7 WHERE id = 6"
        )
        test.expect_agreement("the pictures")
        for width in (400, 1400):
            for scheme in ("light", "dark"):
                path = f"{folder}/board-{width}-{scheme}.png"
                test.browsers[0].screenshot(path, width, scheme)
                step(path)


def main(arguments):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    program = arguments[0]
    try:
        if "--screenshots" in arguments:
            take_screenshots(program, arguments[arguments.index("--screenshots") + 1])
        elif "--faults" in arguments:
            check_faults(program)
        else:
            check(program)
    except Failure as failure:
        print(f"liveboard.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
