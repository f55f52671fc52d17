"""How a Python test program of this tree ends: it runs its cases and leaves "passed failed" for scripts/test to add up."""
import os
import pathlib
import sys
import unittest


def run():
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    bad = len(result.failures) + len(result.errors)
    if tally := os.environ.get("OMNIUM_TEST_TALLY"):
        pathlib.Path(tally).parent.mkdir(exist_ok=True)
        pathlib.Path(tally).write_text(f"{result.testsRun - bad} {bad}\n", encoding="utf-8")
    sys.exit(0 if result.wasSuccessful() else 1)
