"""docs/known-traps.md names tests: each must be there, and each row must say what shows it or that nothing does."""
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tally

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "docs/known-traps.md"
ROW = re.compile(r"\| \*\*([A-Z]\d+)\*\* (.+?) \| (.+?) \| (.+) \|")
NAMED = re.compile(r"`((?:tests|desk)/[^`]+)` — (.+)")
WITHOUT_A_TEST = ("not shown yet: ", "cannot happen here: ")
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
TITLES = {
    ".cpp": re.compile(r"\bTEST_CASE\(\s*" + TEXT),
    ".ts": re.compile(r"""\b(?:it|test)\(\s*("(?:[^"\\]|\\.)*")"""),
    ".py": re.compile(r"\bdef (test_\w+)\("),
}


def titles(path):
    """The titles of a test file, as a test run prints them."""
    text = path.read_text(encoding="utf-8")
    found = TITLES[path.suffix].findall(text)
    if path.suffix == ".py":
        return set(found)
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)).replace('\\"', '"') for one in found}


def faults(root, page):
    """What is wrong with the page of this tree, a sentence each."""
    out, seen = [], set()
    for line in page.splitlines():
        if not line.startswith("| **"):
            continue
        row = ROW.fullmatch(line)
        if row is None:
            out.append(f"no row of three cells: {line[:60]}")
            continue
        name, _, _, shown = row.groups()
        if name in seen:
            out.append(f"{name} stands there twice")
        seen.add(name)
        for part in shown.split("<br>"):
            test = NAMED.fullmatch(part)
            if test is None:
                if not part.startswith(WITHOUT_A_TEST):
                    out.append(f"{name}: neither a test nor a reason: {part}")
                continue
            path = pathlib.Path(root, test[1])
            if not path.is_file():
                out.append(f"{name}: there is no {test[1]}")
            elif test[2] not in titles(path):
                out.append(f"{name}: {test[1]} has no test \"{test[2]}\"")
    if not seen:
        out.append("the page has no row")
    return out


class KnownTrapsTest(unittest.TestCase):
    def test_every_test_that_the_page_names_is_there(self):
        self.assertEqual(faults(ROOT, (ROOT / PAGE).read_text(encoding="utf-8")), [])

    def test_a_test_that_is_gone_is_missed(self):
        row = "| **M1** a/b#1: lost | kept | {} |\n"
        here = "`tests/house/known_traps_test.py` — test_a_test_that_is_gone_is_missed"
        self.assertEqual(faults(ROOT, row.format(here)), [])
        self.assertEqual(faults(ROOT, row.format(here + "<br>not shown yet: the rest")), [])
        for shown in (here + "_x", here.replace("house", "home"), "nothing", here + "<br>trust us"):
            self.assertEqual(len(faults(ROOT, row.format(shown))), 1, shown)
        self.assertEqual(len(faults(ROOT, row.format(here) * 2)), 1)
        self.assertEqual(len(faults(ROOT, "# Known traps\n")), 1)

    def test_titles_are_read_as_they_are_printed(self):
        split = titles(ROOT / "tests/e2e/security_e2e_test.cpp")
        self.assertTrue(any(one.startswith("security: a token revoked in the middle") for one in split))
        self.assertIn("makes one row of a command whose answer got lost", titles(ROOT / "desk/bridge/test/outbox.test.ts"))

    def test_no_function_of_the_database_notifies(self):
        """NOTIFY takes a lock of the whole server at commit (O8): only the nodes' bell may, on a connection of its own."""
        files = [*ROOT.glob("schema/**/*.sql"), *ROOT.glob("runtime/**/*.cpp"), *ROOT.glob("actors/*.cpp")]
        tells = re.compile(r"\bpg_notify\b|\bNOTIFY\s+\w", re.IGNORECASE)
        code = {path: re.sub(r"--.*|//.*", "", path.read_text(encoding="utf-8")) for path in files}
        found = sorted(str(path.relative_to(ROOT)) for path, text in code.items() if tells.search(text))
        self.assertEqual(found, ["runtime/outbox/node_bell.cpp"])


if __name__ == "__main__":
    tally.run()
