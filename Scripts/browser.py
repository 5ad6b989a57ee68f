"""A browser for tests: Chromium without a window, driven through a pipe."""

import contextlib
import json
import os
import select
import subprocess
import time


class Failure(Exception):
    """A page does not show what it should show."""


class Navigated(Failure):
    """A page was replaced while a script ran in it."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


# What Chromium answers to a script whose page is replaced.
NAVIGATED = [
    "navigated or closed", "Execution context was destroyed", "Cannot find context",
    "Cannot find default execution context",
]


def failure(method, error):
    kind = Navigated if any(text in error.get("message", "") for text in NAVIGATED) else Failure
    return kind(f"{method}: {error}")


def wait_for(what, get, is_right, seconds):
    """Asks again until the answer is right; a page that is replaced meanwhile has no answer."""
    end = time.monotonic() + seconds
    while True:
        try:
            answer = get()
            if is_right(answer):
                return answer
        except Navigated as navigated:
            answer = navigated
        if time.monotonic() > end:
            raise Failure(f"{what}: {answer!r:.500}")
        time.sleep(0.01)


class Browser:
    """Chromium without a window, which is driven through a pipe."""

    def __init__(self, folder, width=1400, height=1000):
        out_read, self.out = os.pipe()
        self.into, in_write = os.pipe()
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
            f"--user-data-dir={folder}", f"--window-size={width},{height}", "about:blank",
        ]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{out_read} 4>&{in_write}', "chromium", *command],
            pass_fds=(out_read, in_write), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )
        os.close(out_read)
        os.close(in_write)
        self.buffer = b""
        self.number = 0
        # What the browser has reported by itself.
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        end = time.monotonic() + 30
        while True:
            while b"\0" in self.buffer:
                line, self.buffer = self.buffer.split(b"\0", 1)
                answer = json.loads(line)
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise failure(method, answer["error"])
                    return answer["result"]
                if "method" in answer:
                    self.events.append(answer)
            expect(select.select([self.into], [], [], max(0, end - time.monotonic()))[0],
                   f"the browser does not answer {method}")
            data = os.read(self.into, 1 << 16)
            expect(data, "the browser has ended")
            self.buffer += data

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        expect("exceptionDetails" not in answer, f"script: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def run(self, script):
        """Runs a script that may replace the page."""
        with contextlib.suppress(Navigated):
            self.evaluate(script)

    def close(self):
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        with contextlib.suppress(OSError):
            os.close(self.out)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.into)
