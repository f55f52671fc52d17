"""The tour of docs/operating.md, walked: each command run as it stands there, its output compared with what is pasted.

Usage: tour_test.py SOURCE_DIR BUILD_DIR [--write]
--write pastes what was printed into the page instead of comparing it.

One shell runs all blocks marked `console`, one after the other, in a folder that has the tree's recordings. What differs
from run to run (ids, times, tokens, ports, milliseconds, numbers of four digits and more, the width of a table) is not
compared, and an id of the page stands for the id this run had in its place, also in later commands. A command that only
asks is asked again for a while: a new operator is slower than this test.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tally

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
PAGE = SOURCE / "docs" / "operating.md"
COMMAND_SECONDS_MAX = 60
ASK_AGAIN_SECONDS = 25

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
ID = re.compile(rf"{UUID}|omn_[A-Za-z0-9_-]{{8,43}}|first-[0-9a-f]{{12}}|\b[0-9a-f]{{64}}\b|\b[0-9a-f]{{32}}\b")
VOLATILE = [
    (ID, "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)"), "<time>"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "<url>"),
    (re.compile(r"[+-]?\d+\.\d{3} ms"), "<ms>"),
    (re.compile(r"\b(balls|runs|starts|waiting|queue)=\d+"), r"\1=<n>"),
    (re.compile(r"\b\d{4,}\b"), "<n>"),
    (re.compile(r"\s+"), " "),
]
ASKS = re.compile(r"^omnium ctl (?!.*\b(create|revoke|restart|silence|ack)\b)")


def plain(line):
    for what, word in VOLATILE:
        line = what.sub(word, line)
    return line.strip()


class Shell:
    """A bash whose every command's output, errors among it, is read up to a marker."""

    def __init__(self, folder, env):
        self.process = subprocess.Popen(["bash"], cwd=folder, env=env, text=True, bufsize=1, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.lines, self.more = [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.more:
                self.lines.append(line.rstrip("\n"))
                self.more.notify()

    def take(self, done, seconds):
        until = time.monotonic() + seconds
        with self.more:
            while not done(self.lines):
                if not self.more.wait(max(0.0, until - time.monotonic())) and time.monotonic() >= until:
                    break
            out, self.lines = self.lines, []
        return out

    def run(self, command, wanted):
        """What it printed. In the background it goes on printing: as many lines as wanted are waited for."""
        marker = f"tour-marker-{time.monotonic_ns()}"
        self.process.stdin.write(f"{command}\necho {marker}\n")
        out = self.take(lambda lines: marker in lines, COMMAND_SECONDS_MAX)
        if marker not in out:
            raise AssertionError(f"no end of: {command}\n" + "\n".join(out))
        out.remove(marker)
        if command.endswith("&") and len(out) < wanted:
            out += self.take(lambda lines: len(out) + len(lines) >= wanted, COMMAND_SECONDS_MAX)
        return out

    def end(self):
        self.run("kill $(jobs -p) 2>/dev/null; wait", 0)
        self.process.stdin.close()
        self.process.wait(COMMAND_SECONDS_MAX)
        self.process.stdout.close()


class Step:
    """A command and the output that stands below it; `at` is the range of the output's lines in the page."""

    def __init__(self, command, line):
        self.command, self.wanted, self.at = command, [], (line, line)


def steps_of(text):
    steps, inside = [], False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            steps.append(Step(line[2:], number + 1))
        elif inside and steps:
            steps[-1].wanted.append(line)
            steps[-1].at = (steps[-1].at[0], number + 1)
    return steps


class Walk:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="omnium-tour-", dir="/tmp"))
        self.folder.chmod(0o711)  # the embedded database runs as another user when we are root
        (self.folder / "tests").symlink_to(SOURCE / "tests")
        env = {name: value for name, value in os.environ.items() if not name.startswith("OMNIUM_")}
        env.update(PATH=f"{BUILD}/bin:{env['PATH']}", OMNIUM_HTTP_PORT="0", USER="operator", LC_ALL="C.UTF-8")
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: int(p.split("/")[4]))[-1]
        self.ids = {}
        self.shell = Shell(self.folder, env)

    def command(self, text):
        """As it is run here: with this run's ids, this machine's Postgres, and no other user where we are none to begin with."""
        out = ID.sub(lambda found: self.ids.get(found.group(), found.group()), text)
        out = re.sub(r"/usr/lib/postgresql/\d+/bin", self.programs, out)
        return out if os.geteuid() == 0 else out.replace("runuser -u postgres -- ", "")

    def learn(self, wanted, got):
        for there, here in zip(wanted, got):
            for known, new in zip(ID.findall(there), ID.findall(here)):
                self.ids[known] = new
            if found := re.match(r"Omnium is ready at (http://[^/]+)/\?token=", here):
                self.shell.run(f"export OMNIUM_URL={found.group(1)}", 0)

    def take(self, step, again_seconds=ASK_AGAIN_SECONDS):
        command = self.command(step.command)
        until = time.monotonic() + again_seconds
        while True:
            got = self.shell.run(command, max(1, len(step.wanted)))
            same = [plain(line) for line in got] == [plain(line) for line in step.wanted]
            if same or not ASKS.match(step.command) or time.monotonic() > until:
                break
            time.sleep(0.3)
        print(f"{time.monotonic() - until + again_seconds:5.1f} s $ {step.command}", file=sys.stderr)
        self.learn(step.wanted, got)
        return same, got

    def end(self):
        self.shell.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def write_page():
    text = PAGE.read_text(encoding="utf-8")
    lines, moved = text.splitlines(), 0
    walk = Walk()
    try:
        for step in steps_of(text):
            _, got = walk.take(step, 0)
            if step.command.endswith("&"):
                time.sleep(8)  # until every part was looked at once
            first, last = (line + moved for line in step.at)
            lines[first:last] = [re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8400", line) for line in got]
            moved += len(got) - (last - first)
            walk.learn(got, got)
    finally:
        walk.end()
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


class TourTest(unittest.TestCase):
    def test_every_command_of_the_tour_prints_what_the_page_says(self):
        steps = steps_of(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(steps), 20)
        walk = Walk()
        try:
            for step in steps:
                same, got = walk.take(step)
                self.assertTrue(same, f"\n$ {step.command}\n--- the page\n" + "\n".join(step.wanted) + "\n--- printed\n" +
                                "\n".join(got))
        finally:
            walk.end()

    def test_the_comparison_sees_another_word_and_another_count(self):
        self.assertEqual(plain("a  0190c5a8-0000-7000-8000-000000000000 +1.234 ms"), plain("a " + "f" * 32 + "  +0.001 ms"))
        for one, other in (("state ok", "state silent"), ('"accepted":13', '"accepted":12'), ("done", "")):
            self.assertNotEqual(plain(one), plain(other))


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_page()
        sys.exit(0)
    tally.run()
