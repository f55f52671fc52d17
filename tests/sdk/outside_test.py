"""A sport outside this tree: the installed SDK, the example of docs/writing-a-sport.md, and what `omnium new-sport` writes.

Usage: outside_test.py SOURCE_DIR BUILD_DIR (a release build of the tree)
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tally

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
PAGE = (SOURCE / "docs" / "writing-a-sport.md").read_text(encoding="utf-8")

PLAY = """
#include <omnium/sport_test.hpp>
#include <cstdio>
int main(int, char** arguments) {
  omnium::sdk::test::match m(arguments[1], R"({"target":2})");
  m.play("match.start");
  m.play("petanque.end", R"({"winner":"away","points":2})");
  std::puts(m.check().empty() ? m.scoreboard().c_str() : m.check().c_str());
}
"""

SCAFFOLD = """
cmake_minimum_required(VERSION 3.25)
project(scaffold CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(OmniumSport REQUIRED)
find_package(Catch2 REQUIRED)
find_package(rapidcheck REQUIRED)
add_subdirectory(sports/parlour_golf)
add_executable(tests tests/main.cpp tests/unit/parlour_golf_test.cpp tests/unit/sport_golden_test.cpp
  runtime/core/hashing.cpp)
target_include_directories(tests PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_definitions(tests PRIVATE
  OMNIUM_SOURCE_DIR="${CMAKE_SOURCE_DIR}" OMNIUM_BINARY_DIR="${CMAKE_BINARY_DIR}")
target_link_libraries(tests PRIVATE Catch2::Catch2 rapidcheck OmniumSport::testing crypto)
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    return done.returncode, done.stdout


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


class OutsideTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        status, said = run("cmake", "--install", BUILD, "--component", "sport_sdk", "--prefix", cls.root / "prefix")
        assert status == 0, said

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def build(self, folder):
        cached = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        for command in (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.root / 'prefix'}",
                         "-DCMAKE_BUILD_TYPE=Release", *cached],
                        ["cmake", "--build", folder / "build"]):
            status, said = run(*command)
            self.assertEqual(status, 0, said)
        return folder / "build"

    def test_the_example_of_the_page_is_built_against_the_installed_sdk_and_played(self):
        page = next(block for block in blocks("cpp") if "OMNIUM_SPORT(" in block and "#include" in block)
        self.assertEqual(page, (SOURCE / "sports/sdk/example/petanque.cpp").read_text(encoding="utf-8"),
                         "the page and sports/sdk/example/petanque.cpp differ")
        folder = self.root / "petanque"
        folder.mkdir()
        (folder / "petanque.cpp").write_text(page, encoding="utf-8")
        (folder / "play.cpp").write_text(PLAY, encoding="utf-8")
        recipe = next(block for block in blocks("cmake") if "find_package" in block)
        recipe += "add_executable(play play.cpp)\ntarget_link_libraries(play PRIVATE OmniumSport::testing)\n"
        (folder / "CMakeLists.txt").write_text(recipe, encoding="utf-8")
        build = self.build(folder)
        package = build / "sports/petanque/1.0.0"
        self.assertTrue((package / "plugin.so").exists())
        status, said = run(build / "play", package)
        self.assertEqual(status, 0, said)
        self.assertIn('"score":{"home":0,"away":2}', said)

    def new_sport(self, *arguments):
        return run(BUILD / "bin/omnium", "new-sport", *arguments)

    def tree(self, name):
        """As much of a source tree as a new sport's build and tests use."""
        tree = self.root / name
        for path in ("sports/sdk/CMakeLists.txt", "tests/catch.hpp", "tests/main.cpp", ".clang-format",
                     "tests/unit/sport_golden_test.cpp", "runtime/core/hashing.hpp", "runtime/core/hashing.cpp"):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / path, tree / path)
        return tree

    def test_a_new_sport_builds_and_passes_its_tests_as_generated(self):
        tree = self.tree("scaffold")
        status, said = self.new_sport("parlour_golf", "--tree", tree / "sports")
        self.assertEqual(status, 0, said)
        # The golden test also plays the SDK's example, where a tree has it; this one has the new sport alone.
        golden = tree / "tests/unit/sport_golden_test.cpp"
        golden.write_text(golden.read_text(encoding="utf-8").split('TEST_CASE("a golden that was changed')[0], encoding="utf-8")
        (tree / "CMakeLists.txt").write_text(SCAFFOLD, encoding="utf-8")
        build = self.build(tree)
        status, said = run(build / "tests")
        self.assertEqual(status, 0, said)
        self.assertIn("All tests passed", said)
        with self.subTest("a changed golden is found"):
            file = tree / "sports/parlour_golf/golden/1.0.0/first_match.json"
            file.write_text(file.read_text(encoding="utf-8").replace('"home":3', '"home":4', 1), encoding="utf-8")
            self.assertNotEqual(run(build / "tests")[0], 0)

    def test_a_new_sport_is_laid_out_as_the_house_is(self):
        program = shutil.which("clang-format") or shutil.which("clang-format-14")
        if program is None:
            return  # then scripts/check-house has no layout rule either
        for name in ("go", "a_name_of_24_characters_"):
            tree = self.tree(f"layout_{name}")
            self.assertEqual(self.new_sport(name, "--tree", tree, "--label", "L" * (2 if name == "go" else 32))[0], 0)
            status, said = run(program, "--dry-run", "-Werror", tree / f"sports/{name}/{name}.cpp",
                               tree / f"tests/unit/{name}_test.cpp")
            self.assertEqual(status, 0, said)

    def test_a_new_sport_overwrites_nothing_and_takes_no_bad_name(self):
        tree = self.tree("refusals")
        self.assertEqual(self.new_sport("chess", "--tree", tree)[0], 0)
        before = (tree / "sports/chess/chess.cpp").read_text(encoding="utf-8")
        status, said = self.new_sport("chess", "--tree", tree, "--label", "Other")
        self.assertEqual(status, 1)
        self.assertIn("exists already", said)
        self.assertEqual((tree / "sports/chess/chess.cpp").read_text(encoding="utf-8"), before)
        for name in ("Chess", "9chess", "che-ss", "../chess", "sdk", "match", "a" * 25):
            status, said = self.new_sport(name, "--tree", tree)
            self.assertEqual(status, 1, name)
        self.assertEqual(self.new_sport("go", "--tree", tree, "--label", 'a"b')[0], 1)
        self.assertEqual(self.new_sport("go", "--tree", self.root)[0], 1)
        self.assertNotEqual(self.new_sport()[0], 0)
        self.assertEqual(sorted(one.name for one in (tree / "sports").iterdir()), ["chess", "sdk"])


if __name__ == "__main__":
    tally.run()
