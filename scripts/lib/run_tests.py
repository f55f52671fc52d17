"""Builds the tree, runs every test, and counts test cases; called by scripts/test once the packages are there.

One build, `release`, has the programs, the plugins and all tests. `scripts/test --sanitize` adds the unit tests under `dev`
(ASan and UBSan), which would take the bound of 25 minutes on a cold machine of two cores (docs/decisions says why). ctest runs the test programs; each leaves a tally of its cases in <build>/tally/<test>,
and a program without a tally, without a case, or that ends badly after its last case counts as a failure.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import fuzz

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = str(os.cpu_count() or 2)
CONFIGURE = ["-DOMNIUM_TESTS=ON", "-DOMNIUM_PCH=ON"]
PROGRAM_SECONDS_MAX = 900     # a test program that runs longer is killed, and failed
STARTED = time.monotonic()


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0

    def add(self, name, passed, failed):
        if passed + failed == 0:
            failed = 1
            say(f"{name}: no test case ran")
        self.passed += passed
        self.failed += failed
        say(f"{name}: {passed} passed, {failed} failed")


def say(text):
    print(f"[{time.monotonic() - STARTED:6.1f} s] {text}", flush=True)


def run(*command, **options):
    say("$ " + " ".join(command))
    return subprocess.run(command, cwd=ROOT, **options).returncode == 0


# --- C++ ---------------------------------------------------------------------------------------------------------------

def has_tests(label):
    return any((ROOT / "tests" / label).glob("*_test.cpp"))


def build_programs():
    return (run("cmake", "--preset", "release", *CONFIGURE)
            and run("cmake", "--build", "build/release", "-j", JOBS, "--target",
                    "sports/all", "apps/all", "bench/all", "omnium_live_tests", "omnium_unit_tests"))


def build_sanitized():
    return (run("cmake", "--preset", "dev", *CONFIGURE)
            and run("cmake", "--build", "build/dev", "-j", JOBS, "--target", "omnium_unit_tests"))


def run_ctest(preset, labels, tally):
    """Runs the tests of these labels in one build and adds up what they left behind."""
    build = ROOT / "build" / preset
    report, tallies = build / "ctest.xml", build / "tally"
    shutil.rmtree(tallies, ignore_errors=True)
    tallies.mkdir()
    report.unlink(missing_ok=True)
    run("ctest", "--test-dir", str(build), "-L", f"^({'|'.join(labels)})$", "--output-on-failure", "--no-tests=error",
        "--timeout", str(PROGRAM_SECONDS_MAX), "--output-junit", str(report))
    found = set()
    if report.exists():
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            name = case.get("name")
            found.add(name)
            tally.add(name, *cases_of(tallies / name, case.get("status") == "run"))
    for label in labels:
        if label not in found:
            tally.add(f"{label} (never ran)", 0, 1)


def cases_of(path, ended_well):
    """(passed, failed) of one test program. Ending badly with no failed case (a crash, a leak, a timeout) is one."""
    if not path.exists():
        return 0, 1
    passed, failed = map(int, path.read_text().split())
    return passed, max(failed, 0 if ended_well else 1)


# --- fuzzing -------------------------------------------------------------------------------------------------------------

def run_fuzz(tally):
    """Each target a minute; a target is one case."""
    say("$ scripts/fuzz")
    results = fuzz.run_all(fuzz.SECONDS)
    tally.add("fuzz", sum(results.values()), sum(not ok for ok in results.values()))


# --- the web ------------------------------------------------------------------------------------------------------------

def build_web():
    return run("scripts/lib/build-web")


def test_web(tally):
    """Runs scripts/test-web, which counts its cases itself on its last line."""
    say("$ scripts/test-web")
    process = subprocess.Popen(["scripts/test-web"], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    last = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line
    ended_well = process.wait() == 0
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed\n", last)
    passed, failed = map(int, counts.groups()) if counts else (0, 1)
    tally.add("web", passed, max(failed, int(not ended_well)))


# --- all of it -----------------------------------------------------------------------------------------------------------

def main():
    tally = Tally()
    web = {"ok": True}
    builder = None
    if (ROOT / "package.json").exists():   # waits for the network more than for a processor: beside the C++ build
        builder = threading.Thread(target=lambda: web.update(ok=build_web()))
        builder.start()
    programs_ok = build_programs()
    fuzz_ok = fuzz.build()
    sanitized_ok = build_sanitized() if "--sanitize" in sys.argv[1:] else None
    if builder:
        builder.join()
    for what, ok in (("fuzz targets", fuzz_ok), ("sanitized unit tests", sanitized_ok), ("programs", programs_ok), ("web", web["ok"])):
        if ok is False:
            tally.add(f"build of the {what}", 0, 1)
    if sanitized_ok:   # some ten times as slow: properties are tried on fewer and smaller cases
        os.environ["RC_PARAMS"] = "max_success=15 max_size=40"
        run_ctest("dev", ["unit"], tally)
        del os.environ["RC_PARAMS"]
    live = [label for label in ("unit", "pg", "e2e", "sim") if has_tests(label)]
    if programs_ok and live:
        run_ctest("release", live, tally)
    if builder and web["ok"]:
        test_web(tally)
    if fuzz_ok:
        run_fuzz(tally)
    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
    return 0 if tally.passed > 0 and tally.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
