"""The fuzz targets: their build, and one bounded run of each; called by scripts/fuzz and by scripts/test."""
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
SECONDS = 60
GRACE = 60            # beyond its seconds a target is killed, and failed
MEMORY_MB_MAX = 1024
INPUT_BYTES_MAX = 70_000   # just over the largest body


def targets():
    return sorted(path.name for path in (ROOT / "tests/fuzz/corpus").iterdir())


def build():
    jobs = str(os.cpu_count() or 2)
    return all(subprocess.run(command, cwd=ROOT).returncode == 0 for command in (
        ["cmake", "--preset", "fuzz"], ["cmake", "--build", str(BUILD), "-j", jobs, "--target", "omnium_fuzz"]))


def run(name, seconds):
    """True when the target met nothing that breaks it. Prints the tail of what it said."""
    corpus, found = BUILD / "corpus" / name, BUILD / "found"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    command = [str(BUILD / "bin" / f"omnium_fuzz_{name}"), f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES_MAX}",
               f"-rss_limit_mb={MEMORY_MB_MAX}", "-timeout=10", "-print_final_stats=1", f"-artifact_prefix={found}/{name}-",
               str(corpus), str(ROOT / "tests/fuzz/corpus" / name)]
    try:
        result = subprocess.run(command, cwd=ROOT, text=True, errors="replace", timeout=seconds + GRACE,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        print(f"fuzz {name}: did not end", flush=True)
        return False
    runs = [line for line in result.stdout.splitlines() if "number_of_executed_units" in line]
    if result.returncode != 0 or not runs:
        print(result.stdout[-6000:], flush=True)
        return False
    print(f"fuzz {name}: {runs[-1].split()[-1]} inputs in {seconds} s, none breaks it", flush=True)
    return True


def run_all(seconds, names=None):
    """{target: passed}; all at once, so that the whole takes no longer than one."""
    names = names or targets()
    with ThreadPoolExecutor(len(names)) as pool:
        return dict(zip(names, pool.map(lambda name: run(name, seconds), names)))


def main(words):
    seconds = int(words[0]) if words else SECONDS
    if not build():
        return 1
    return 0 if all(run_all(seconds, words[1:]).values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
