#!/usr/bin/env python3
"""Checks the workflow file: its syntax, that each step and job of .ci/run that it names exists, that its
jobs run each step once, and that each script and make target exists.

    Scripts/workflow.py
"""
import os
import re
import subprocess
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKFLOW = ".github/workflows/ci.yml"
NIGHTLY = "nightly"


def steps():
    """The job of each step."""
    with open(".ci/steps.tsv", encoding="utf-8") as lines:
        fields = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    wrong = [field for field in fields if len(field) != 4]
    if wrong:
        sys.exit(f".ci/steps.tsv: four columns are expected: {wrong[0]}")
    for name, _, paths, _ in fields:
        re.compile(paths)
    if len({field[0] for field in fields}) != len(fields):
        sys.exit(".ci/steps.tsv: a step is listed twice")
    return {field[0]: field[1] for field in fields}


def problems(workflow, jobs_of_steps):
    # YAML reads the key `on` as a Boolean.
    events = workflow.get("on", workflow.get(True))
    if not isinstance(events, dict) or "schedule" not in events:
        yield "it does not run each night"
    runs = []
    for name, job in workflow.get("jobs", {}).items():
        for key in ("runs-on", "steps"):
            if key not in job:
                yield f"the job {name} has no {key}"
        for needed in job.get("needs", []):
            if needed not in workflow["jobs"]:
                yield f"the job {name} needs {needed}, which does not exist"
        for step in job.get("steps", []):
            if ("run" in step) == ("uses" in step):
                yield f"a step of {name} needs one of run and uses: {step}"
            if "uses" in step and "@" not in step["uses"]:
                yield f"a step of {name} names no version: {step['uses']}"
            for line in str(step.get("run", "")).splitlines():
                # The matrix of a job stands for several names.
                for value in matrix(job, line):
                    runs.append(value)
    done = []
    for line in runs:
        if match := re.search(r"\.ci/run((?: +[\w-]+)+)$", line):
            for name in match[1].split():
                found = [step for step, job in jobs_of_steps.items() if name in (step, job)]
                if not found and name != "--nightly":
                    yield f"there is no step and no job {name}"
                done += found
        if match := re.search(r"(?:^|&& )make ([\w-]+)", line):
            if subprocess.run(["make", "-n", match[1]], capture_output=True).returncode:
                yield f"there is no make target {match[1]}"
        for script in re.findall(r"(?:Scripts|\.ci)/[\w./-]+", line):
            if not os.path.exists(script):
                yield f"{script} does not exist"
    for step, job in jobs_of_steps.items():
        if job != NIGHTLY and done.count(step) != 1:
            yield f"the step {step} runs {done.count(step)} times"


def matrix(job, line):
    """A line once for each value of the job's matrix that it names."""
    values = job.get("strategy", {}).get("matrix", {})
    for key, choices in values.items():
        place = "${{ matrix.%s }}" % key
        if place in line:
            return [line.replace(place, str(choice)) for choice in choices]
    return [line]


def main():
    os.chdir(ROOT)
    jobs = steps()
    with open(".ci/run", encoding="utf-8") as script:
        text = script.read()
    found = [f".ci/run has no command for the step {step}" for step in jobs
             if not re.search(rf"^    {re.escape(step)}\)", text, re.M)]  # fmt: skip
    with open(WORKFLOW, encoding="utf-8") as file:
        found += problems(yaml.safe_load(file), jobs)
    for problem in found:
        print(f"{WORKFLOW}: {problem}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"The workflow runs each of {sum(job != NIGHTLY for job in jobs.values())} steps once.")


if __name__ == "__main__":
    main()
