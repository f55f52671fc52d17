"""Each house rule is fed a bad tree and must find the breach, and only there."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tally

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("check_house", str(ROOT / "scripts" / "check-house"))
spec = importlib.util.spec_from_loader(loader.name, loader)
house = importlib.util.module_from_spec(spec)
sys.modules[loader.name] = house
loader.exec_module(house)

GOOD = {
    "README.md": "A tree.\n",
    "runtime/README.md": "The runtime.\n",
    "runtime/core/a.hpp": '#pragma once\n#include "runtime/core/b.hpp"\n\n#include <string>\n',
    "runtime/core/b.hpp": "#pragma once\n// Nothing is thrown here; \"throw\" is only a word.\n",
    "runtime/core/c.cpp": '#include "runtime/core/a.hpp"\n\nconst char* word = "throw";\n',
    "runtime/wire/d.cpp": '#include "runtime/core/a.hpp"\n\n#include <boost/asio/io_context.hpp>\n',
    "sports/README.md": "The sports.\n",
    "sports/golf/e.cpp": '#include "sports/golf/e.hpp"\n\n#include "omnium/sport.hpp"\n',
    "sports/golf/e.hpp": "#pragma once\n",
    "tests/README.md": "The tests.\n",
    "tests/unit/f_test.cpp": '#include "runtime/core/a.hpp"\n#include "sports/golf/e.hpp"\n',
    "tests/unit/g_support.cpp": "int helper() { return 1; }\n",
    "build/h.cpp": "#include <caf/all.hpp>\n",
}


class HouseTest(unittest.TestCase):
    def check(self, **files):
        """The breaches of the good tree with these files put in (None takes one out), as (rule, path) pairs."""
        with tempfile.TemporaryDirectory() as root:
            layout = {".clang-format": (ROOT / ".clang-format").read_text(encoding="utf-8")}
            for path, text in {**GOOD, **layout, **files}.items():
                if text is None:
                    continue
                target = pathlib.Path(root, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            return [(breach.rule, breach.path) for breach in house.check(root)]

    def only(self, rule, path, text):
        self.assertEqual(self.check(**{path: text}), [(rule, path)])

    def test_a_good_tree_has_no_breach(self):
        self.assertEqual(self.check(), [])

    def test_an_include_that_points_up_is_found(self):
        self.only("floor", "runtime/core/x.cpp", '#include "runtime/road/y.hpp"\n')
        self.only("floor", "runtime/wire/x.cpp", '#include "actors/y.hpp"\n')
        self.only("floor", "runtime/road/x.cpp", '#include "runtime/postgres/y.hpp"\n')
        self.only("floor", "sports/sdk/x.cpp", '#include "sports/golf/e.hpp"\n')

    def test_a_sport_that_includes_another_sport_or_the_runtime_is_found(self):
        self.only("floor", "sports/golf/x.cpp", '#include "sports/chess/y.hpp"\n')
        self.only("floor", "sports/golf/x.cpp", '#include "runtime/core/a.hpp"\n')

    def test_an_include_that_is_not_written_from_the_root_is_found(self):
        self.only("floor", "runtime/core/x.cpp", '#include "a.hpp"\n')
        self.only("floor", "runtime/core/x.cpp", '#include "../core/a.hpp"\n')

    def test_the_bench_is_a_client(self):
        found = self.check(**{"bench/README.md": "Bench.\n", "bench/x.cpp": '#include "actors/y.hpp"\n'})
        self.assertEqual(found, [("floor", "bench/x.cpp")])

    def test_a_library_above_its_floor_is_found(self):
        self.only("library", "runtime/core/x.cpp", "#include <caf/actor.hpp>\n")
        self.only("library", "runtime/road/x.cpp", "#include <pqxx/connection>\n")
        self.only("library", "sports/golf/x.cpp", "#include <boost/asio/post.hpp>\n")
        self.only("library", "tests/unit/x_test.cpp", "#include <catch2/catch.hpp>\n")

    def test_a_whole_library_is_found_even_on_its_floor(self):
        self.only("library", "runtime/wire/x.cpp", "#include <boost/asio.hpp>\n")
        found = self.check(**{"actors/README.md": "Actors.\n", "actors/x.cpp": "#include <caf/all.hpp>\n"})
        self.assertEqual(found, [("library", "actors/x.cpp")])

    def test_a_thrown_exception_in_the_core_is_found(self):
        self.only("throw", "runtime/core/x.cpp", "void f() { throw 1; }\n")
        self.only("throw", "runtime/road/x.cpp", 'void f() {\n  if (g("a")) throw 1;\n}\n')
        self.assertEqual(self.check(**{"runtime/wire/x.cpp": "void f() { throw 1; }\n"}), [])

    def test_a_header_without_its_guard_is_found(self):
        self.only("header", "runtime/core/x.hpp", "int x;\n")

    def test_what_is_left_for_later_is_found(self):
        for word in ("TO" + "DO", "FIX" + "ME", "stu" + "b", "not imple" + "mented"):
            self.only("unfinished", "runtime/core/x.cpp", f"// {word}\n")
        self.only("unfinished", "README.md", "TO" + "DO\n")

    def test_a_registry_host_and_a_machine_path_are_found(self):
        self.only("registry", "runtime/x.json", '"https://' + "registry.npmjs" + '.org/x"\n')
        self.only("machine_path", "README.md", "cd /wo" + "rk/main\n")
        self.only("machine_path", "README.md", "cp x /ro" + "ot/x\n")
        self.assertEqual(self.check(**{"README.md": "cd build/wo" + "rk; ls /wo" + "rkflows\n"}), [])

    def test_a_folder_without_a_readme_is_found(self):
        self.assertEqual(self.check(**{"runtime/README.md": None}), [("readme", "runtime")])

    def test_a_test_file_that_no_build_rule_takes_up_is_found(self):
        self.only("test_name", "tests/unit/x.cpp", "int x;\n")
        self.only("test_name", "tests/pg/x_test.cpp", "int x;\n")

    def test_a_file_laid_out_otherwise_is_found(self):
        if house.clang_format() is None:
            self.assertFalse([found for found in self.check() if found[0] == "layout"])
            return
        self.only("layout", "runtime/core/x.cpp", "int   x  ;\n")

    def test_every_rule_is_tried_here(self):
        tried = pathlib.Path(__file__).read_text(encoding="utf-8")
        for rule in house.RULES:
            self.assertIn(f'"{rule}"', tried)

    def test_the_program_fails_on_a_bad_tree(self):
        with tempfile.TemporaryDirectory() as root:
            program = [sys.executable, str(ROOT / "scripts" / "check-house"), "--root", root]
            self.assertEqual(subprocess.run(program, capture_output=True).returncode, 0)
            pathlib.Path(root, "x.hpp").write_text("int x;\n", encoding="utf-8")
            self.assertEqual(subprocess.run(program, capture_output=True).returncode, 1)

    def test_this_tree_keeps_the_rules(self):
        self.assertEqual([str(breach) for breach in house.check(ROOT)], [])


if __name__ == "__main__":
    tally.run()
