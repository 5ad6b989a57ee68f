#!/usr/bin/env python3
"""Draws the figures of the documentation from what Benchmarks has measured.

Usage: plots.py DATA CATALOG

DATA holds scale.csv, ratios.csv and costs.csv, as `Benchmarks --csv` prints them, latencies.csv of `Benchmarks latencies`, and
failovers.md of `Benchmarks failovers`. CATALOG is a documentation catalog: each figure is written to its resources twice, for
light and for dark pages, and the tables of its article Performance are replaced.
"""

import csv
import datetime
import math
import os
import re
import subprocess
import sys
from pathlib import Path

LIGHT = {"ink": "#1d1d1f", "faint": "#d2d2d7", "ours": "#0b63ce", "other": "#b3541e"}
DARK = {"ink": "#f5f5f7", "faint": "#48484d", "ours": "#6cb2ff", "other": "#ff9f5a"}
FONT = "font-family='system-ui, sans-serif' font-size='13'"
WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 84, 44, 44, 56


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.9999:
            return f"{seconds / size:g} {unit}"
    return f"{seconds / 1e-9:g} ns"


def count(number):
    return f"{int(number):,}"


class Drawing:
    """An SVG with axes, of which each may be logarithmic."""

    def __init__(self, colors, title, x, y, x_label, y_label):
        self.colors, self.x, self.y = colors, x, y
        self.parts = [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{HEIGHT}' viewBox='0 0 {WIDTH} {HEIGHT}' "
            f"role='img' "
            f"aria-label='{title}' {FONT} fill='{colors['ink']}'>",
            f"<text x='{LEFT}' y='22' font-weight='600'>{title}</text>",
            f"<text x='{(LEFT + WIDTH - RIGHT) / 2}' y='{HEIGHT - 12}' text-anchor='middle'>{x_label}</text>",
            f"<text x='{LEFT}' y='{TOP - 6}' text-anchor='end' dx='-10'>{y_label}</text>",
        ]

    @staticmethod
    def place(value, scale):
        low, high, logarithmic = scale
        if logarithmic:
            value, low, high = math.log(value), math.log(low), math.log(high)
        return (value - low) / (high - low)

    def at_x(self, value):
        return LEFT + self.place(value, self.x) * (WIDTH - LEFT - RIGHT)

    def at_y(self, value):
        return HEIGHT - BOTTOM - self.place(value, self.y) * (HEIGHT - TOP - BOTTOM)

    def grid(self, x_ticks, y_ticks, x_text, y_text):
        for tick in y_ticks:
            y = self.at_y(tick)
            self.parts.append(
                f"<line x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}' stroke='{self.colors['faint']}'/>"
                f"<text x='{LEFT - 10}' y='{y + 4:.1f}' text-anchor='end'>{y_text(tick)}</text>"
            )
        for tick in x_ticks:
            self.parts.append(
                f"<text x='{self.at_x(tick):.1f}' y='{HEIGHT - BOTTOM + 20}' text-anchor='middle'>{x_text(tick)}</text>"
            )

    def curve(self, points, color, label, below=False):
        path = " ".join(f"{self.at_x(x):.1f},{self.at_y(y):.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{self.colors[color]}' stroke-width='2.5'/>")
        for x, y in points:
            self.parts.append(
                f"<circle cx='{self.at_x(x):.1f}' cy='{self.at_y(y):.1f}' r='3.5' fill='{self.colors[color]}'/>"
            )
        x, y = points[-1]
        self.parts.append(
            f"<text x='{self.at_x(x):.1f}' y='{self.at_y(y) + (60 if below else -12):.1f}' text-anchor='end' "
            f"fill='{self.colors[color]}'>{label}</text>"
        )

    def line(self, points, color):
        path = " ".join(f"{self.at_x(x):.1f},{self.at_y(y):.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{self.colors[color]}' stroke-width='2.5'/>")

    def mark(self, x, y, label):
        self.parts.append(
            f"<circle cx='{self.at_x(x):.1f}' cy='{self.at_y(y):.1f}' r='3.5' fill='{self.colors['ours']}'/>"
            f"<text x='{self.at_x(x) + 10:.1f}' y='{self.at_y(y) + 18:.1f}' fill='{self.colors['ours']}'>{label}</text>"
        )

    def text(self):
        return "\n".join(self.parts + ["</svg>", ""])


def numbered(data, pattern):
    """The benchmarks whose titles match, as pairs of the number in the title and the results."""
    found = [(re.search(pattern, row["benchmark"]), row) for row in data]
    return [(int(match[1]), row) for match, row in found if match]


def powers(low, high):
    return [10**power for power in range(round(math.log10(low)), round(math.log10(high)) + 1)]


def changes(data, colors):
    points = numbered(data, r"^Change one row of an ordered result of (\d+)")
    ours = [(size, float(row["ours"])) for size, row in points]
    again = [(size, float(row["baseline"])) for size, row in points]
    seconds = [y for _, y in ours + again]
    low, high = 10 ** math.floor(math.log10(min(seconds))), 10 ** math.ceil(math.log10(max(seconds)))
    drawing = Drawing(
        colors,
        "One changed row, until the value is delivered",
        (points[0][0], points[-1][0], True),
        (low, high, True),
        "rows of the result",
        "",
    )
    drawing.grid([size for size, _ in points], powers(low, high), count, duration)
    drawing.curve(again, "other", "the query, run again")
    drawing.curve(ours, "ours", "observed: transaction and patch", below=True)
    return drawing.text()


def observers(data, colors):
    points = numbered(data, r"^Write one row beside (\d+) observations")
    ratios = [(number, float(row["ratio"])) for number, row in points]
    high = max(2.0, math.ceil(max(y for _, y in ratios)))
    drawing = Drawing(
        colors,
        "A transaction beside observations of other rows of its table",
        (points[0][0], points[-1][0], True),
        (0, high, False),
        "observations",
        "",
    )
    ticks = [step / 2 for step in range(int(high * 2) + 1)]
    drawing.grid([number for number, _ in points], ticks, count, lambda tick: f"{tick:g} ×")
    drawing.curve(ratios, "ours", "in relation to a transaction without observations")
    return drawing.text()


def latencies(seconds, colors):
    """How many of the commits of another process have arrived by a time."""
    ordered = sorted(seconds)
    points = [
        (ordered[max(0, round(share / 100 * len(ordered)) - 1)] * 1e6, share)
        for share in [*range(1, 100), 99.5, 99.9]
    ]
    low = 10 ** math.floor(math.log10(points[0][0]))
    high = 10 ** math.ceil(math.log10(points[-1][0]))
    drawing = Drawing(
        colors,
        "A commit of another process, until the callback",
        (low, high, True),
        (0, 100, False),
        "",
        "",
    )
    drawing.grid(powers(low, high), [0, 25, 50, 75, 100], lambda tick: duration(tick * 1e-6), lambda tick: f"{tick} %")
    drawing.line(points, "ours")
    for share in (50, 99):
        value = ordered[round(share / 100 * len(ordered)) - 1] * 1e6
        drawing.mark(value, share, f"{share} % within {value:,.0f} µs")
    return drawing.text()


def ratios(data, colors):
    chosen = [row for row in data if row["group"] in ("fetch", "insert", "write")]
    height, width = 24, 640
    left, bottom = 430, 40
    high = max(3.0, math.ceil(max(float(row["ratio"]) for row in chosen)))
    total = TOP + height * len(chosen) + bottom
    scale = (width - left - RIGHT - 30) / high
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{total}' viewBox='0 0 {width} {total}' "
        f"role='img' "
        f"aria-label='Time in relation to the C API' {FONT} fill='{colors['ink']}'>",
        f"<text x='12' y='22' font-weight='600'>Time in relation to the same work with SQLite’s C API</text>",
    ]
    for index, row in enumerate(chosen):
        y = TOP + index * height
        ratio = float(row["ratio"])
        title = re.sub(r"; the baseline has none$", ": to one without", row["benchmark"])
        title = title.replace("200,000 rows", "200k rows").replace("50,000", "50k")
        parts.append(
            f"<text x='{left - 10}' y='{y + 16}' text-anchor='end' font-size='12'>{title}</text>"
            f"<rect x='{left}' y='{y + 4}' width='{ratio * scale:.1f}' height='{height - 8}' fill='{colors['ours']}'/>"
            f"<text x='{left + ratio * scale + 6:.1f}' y='{y + 16}' font-size='12'>{ratio:.2f}</text>"
        )
    x = left + scale
    parts.append(
        f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{TOP - 4}' y2='{total - bottom + 6}' stroke='{colors['ink']}' "
        f"stroke-dasharray='3 3'/><text x='{x:.1f}' y='{total - 14}' text-anchor='middle' font-size='12'>C</text>"
    )
    return "\n".join(parts + ["</svg>", ""])


# Measured by a program with the same work, on a machine of the same kind.
GRDB = {
    "Fetch 200,000 rows of 10 integers with a row cursor, by index": "1.5",
    "Fetch 200,000 rows of 10 integers into structs, by index": "1.7",
    "Fetch 200,000 rows of 10 integers into structs, by name": "3.1",
    "Fetch 200,000 rows of 10 integers into Codable structs": "6.0",
    "Fetch 200,000 rows of mixed types into structs, by index": "2.7",
    "Fetch 200,000 rows of mixed types into Codable structs": "6.4",
    "Insert 50,000 rows of 10 integers, arguments of one type": "3.2",
    "Insert 50,000 records of 10 integers": "10",
    "Insert 50,000 Codable records of 10 integers": "11",
    "Write one row in a transaction, sync": "4.6",
}


def table(data):
    lines = ["| work | Wellspring | GRDB 7.8 |", "|---|---|---|"]
    for row in data:
        # Those that compare with C.
        if "baseline" not in row["benchmark"] and not row["benchmark"].startswith("Build"):
            name = row["benchmark"]
            lines.append(f"| {name} | {float(row['ratio']):.2f} | {GRDB.get(name, '–')} |")
    return "\n".join(lines)


# What the tables of costs show: a benchmark, and what it says in a sentence.
COSTS = {
    "observers": [
        ("Write one row beside 10,000 observations of other tables (C: ours, with none)",
         "a write beside 10,000 observations of other tables, against none"),
        ("Write one row beside 100,000 observations of other tables (C: ours, with none)",
         "the same beside 100,000"),
        ("Write one row beside 10,000 observations of other rows of its table (C: ours, with none)",
         "a write beside 10,000 observations of other rows of the same table, against none"),
        ("Deliver a commit beside 10000 observations of an agent's last tickets (baseline: with one)",
         "a commit to one of 10,000 agents' observed tickets, until its value is delivered, against one agent"),
        ("Deliver a commit beside 100000 observations of an agent's last tickets (baseline: with one)",
         "the same with 100,000 agents"),
        ("Deliver a commit beside 10000 observations of an agent's tickets with customers (baseline: with one)",
         "the same with 10,000 agents, and tickets that are joined with customers"),
        ("Deliver a commit beside 10000 observations of the tickets of three agents, by a range (baseline: with one)",
         "the same with 10,000 observations of a range of agents"),
    ],
    "joins": [
        ("Change an order in the newest 50 of 200,000 with customer and product (baseline: run it)",
         "an order, in the newest 50 of 200,000 orders with customer and product"),
        ("Change a customer in the newest 50 of 200,000 orders (baseline: run it)",
         "a customer, in the same"),
        ("Change an order of 200,000 with customer and product (baseline: run it)",
         "an order, in all 200,000 with customer and product"),
        ("Change an order of 100,000 in a left join (baseline: run it)",
         "an order, in a left join of 100,000"),
        ("Change an order of a count over 200,000 orders with customers (baseline: run it)",
         "an order, in the count of 200,000 joined rows"),
        ("Change a player's team among 10,000 teams with the number of their players (baseline: run it)",
         "a player's team, in 10,000 teams with `(SELECT count(*) FROM player WHERE teamId = team.id)`"),
        ("Change a player's team among 10,000 teams, grouped with 200,000 players (baseline: run it)",
         "a player's team, in 10,000 teams that are grouped with 200,000 players"),
        ("Change a player's team among teams that have players, by EXISTS (baseline: run it)",
         "a player's team, in the teams that have players, by `EXISTS`"),
        ("Change a player's team among teams without players, by NOT IN (baseline: run it)",
         "a player's team, in the teams without players, by `NOT IN`"),
        ("Change an order of 200,000 that are grouped by customer, without an index (baseline: run it)",
         "an order, in 200,000 that are grouped by customer, without an index"),
        ("Change an order of 200,000 in the customers with the highest sums first (baseline: run it)",
         "an order, in the customers with the highest sums first"),
        ("Change an order in the number, the sum and the greatest of 200,000 (baseline: run it)",
         "an order, in the number, the sum and the greatest of 200,000"),
    ],
    "foreign": [
        ("Foreign commit to another table, beside 10,000 observed rows, CPU (baseline: beside one)",
         "a commit to another table, beside 10,000 observed rows, against one observed row"),
        ("Foreign commit to one of 10,000 rows, each observed alone, CPU (baseline: beside one)",
         "a commit to one of 10,000 rows that are observed alone, against one observed row"),
        ("Deliver a foreign change of one row in 200,000, by text (baseline: run the query)",
         "a changed row in an observed result of 200,000, against a run of the query"),
        ("Deliver a foreign change of one row in a million, as changes (baseline: run the query)",
         "a changed row in a million, as `changes(id:)`, against a run of the query"),
        ("Foreign transaction of a million rows, observed, CPU (baseline: it, and run the query)",
         "a transaction of a million rows, against it and a run of the query"),
    ],
}


def costs(data, name):
    ratios = {row["benchmark"]: float(row["ratio"]) for row in data}
    lines = ["| | |", "|---|---|"]
    for benchmark, sentence in COSTS[name]:
        ratio = ratios[benchmark]
        lines.append(f"| {sentence} | {ratio:.{2 if ratio >= 0.1 else 3}f} |")
    return "\n".join(lines)


def machine():
    """The machine, the versions and the day of the measurements."""

    def output(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    swift = re.search(r"Swift version ([\d.]+)", output("swift", "--version"))[1]
    etcd = re.search(r"etcd Version: ([\d.]+)", output("etcd", "--version"))[1]
    sqlite = output("sqlite3", "--version").split()[0]
    release = re.search(r'PRETTY_NAME="([^"(]+)', Path("/etc/os-release").read_text())[1].strip()
    return (
        f"Measured on {datetime.date.today()} by `make plots`: {os.cpu_count()} cores, {release}, Swift {swift}, "
        f"SQLite {sqlite}, etcd {etcd}."
    )


def replace_part(article, name, new):
    """Writes a part of an article, which is between two comments."""
    text = article.read_text()
    start = text.index("-->", text.index(f"<!-- {name}:")) + 3
    end = text.index(f"<!-- end of {name} -->")
    article.write_text(f"{text[:start]}\n\n{new}\n\n{text[end:]}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    source, folder = Path(sys.argv[1]), Path(sys.argv[2]) / "Resources"
    folder.mkdir(parents=True, exist_ok=True)
    scale, measured = rows(source / "scale.csv"), rows(source / "ratios.csv")
    arrivals = [float(line) for line in (source / "latencies.csv").read_text().split()]
    for name, draw, data in (
        ("cost-of-a-change", changes, scale),
        ("cost-of-observations", observers, scale),
        ("ratios", ratios, measured),
        ("latency-between-processes", latencies, arrivals),
    ):
        (folder / f"{name}.svg").write_text(draw(data, LIGHT))
        (folder / f"{name}~dark.svg").write_text(draw(data, DARK))
        print(folder / f"{name}.svg")
    article = Path(sys.argv[2]) / "Performance.md"
    replace_part(article, "machine", machine())
    replace_part(article, "table", table(measured))
    compared = rows(source / "costs.csv")
    for name in COSTS:
        replace_part(article, name, costs(compared, name))
    failovers = [line for line in (source / "failovers.md").read_text().splitlines() if line.startswith("|")]
    replace_part(article, "failovers", "\n".join(["| | median | longest |", "|---|---|---|"] + failovers))


main()
