# SPDX-License-Identifier: MIT
"""run.py BUILD [--quick] [CTEST ARGUMENTS]: ctest, for ./dev test: as many tests at once as cores and the device's memory
allow (support/slots.h), with what is running and how far it is, and at the end the slowest.

--quick: of most tests a sample (support/sample.c), and without arguments for ctest not those with the label `all`."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

SLOWEST = 10
LONG = 10  # seconds after which a running test is named
PAUSE = 30  # seconds between two lines in a log
WIDTH = 120  # of a line in a log

START = re.compile(r"^ +Start +\d+: (\S+)$")
END = re.compile(r"^ *(\d+)/(\d+) +Test +#\d+: (\S+) \.* *(.*?) +([\d.]+) sec$")


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Progress:
    """What ctest's lines say so far."""

    def __init__(self, now):
        self.begin = now
        self.running = {}  # name: start time
        self.times = {}  # of those that have ended
        self.failed = []
        self.done, self.total = 0, 0

    def read(self, line, now):
        """True if the line comes from ctest itself and only says that a test begins or has passed."""
        start = START.match(line)
        if start:
            self.running[start[1]] = now
            return True
        end = END.match(line)
        if not end:
            return False
        self.done, self.total = self.done + 1, int(end[2])
        self.running.pop(end[3], None)
        self.times[end[3]] = float(end[5])
        passed = end[4] == "Passed" or end[4].startswith(("***Skipped", "***Not Run (Disabled)"))
        if not passed:
            self.failed.append(end[3])
        return passed

    def line(self, now, width):
        """The progress, and the tests that are running, the longest first."""
        text = f"{clock(now - self.begin)}  {self.done} of {self.total or '?'} tests done"
        if self.failed:
            text += f", {len(self.failed)} failed"
        begins = sorted(self.running.items(), key=lambda item: item[1])
        names = [f"{name} ({clock(now - begin)})" if now - begin >= LONG else name for name, begin in begins]
        if names:
            text += f"; running: {', '.join(names)}"
        return text if len(text) <= width else text[:max(width - 3, 0)] + "..."

    def slowest(self):
        return sorted(self.times.items(), key=lambda item: -item[1])[:SLOWEST]


class Screen:
    """Prints lines. On a terminal, the last line shows the progress and is overwritten continually."""

    def __init__(self, progress, out, is_terminal):
        self.progress, self.out, self.is_terminal = progress, out, is_terminal
        self.lock = threading.Lock()
        self.last = progress.begin

    def width(self):
        return os.get_terminal_size(self.out.fileno()).columns - 1 if self.is_terminal else WIDTH

    def clear(self):
        if self.is_terminal:
            self.out.write("\r\033[K")

    def show(self, now):
        if self.is_terminal:
            self.clear()
            self.out.write(self.progress.line(now, self.width()))
        elif now - self.last >= PAUSE:
            self.last = now
            self.out.write(self.progress.line(now, self.width()) + "\n")
        self.out.flush()

    def read(self, line, now):
        with self.lock:
            is_routine = self.progress.read(line, now)
            if not is_routine:
                self.clear()
                self.out.write(line + "\n")
            self.show(now)

    def tick(self, now):
        with self.lock:
            self.show(now)


def follow(screen, lines):
    """Passes on the lines as they come, and shows the progress in between."""
    is_done = threading.Event()

    def tick():
        while not is_done.wait(1):
            screen.tick(time.monotonic())

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    for line in lines:
        screen.read(line.rstrip("\n"), time.monotonic())
    is_done.set()
    ticker.join()
    screen.clear()


def slots_of(build):
    """(how many tests may run at once, what decides)"""
    program = pathlib.Path(build) / "tests" / "slot"
    cores = len(os.sched_getaffinity(0))
    if not program.exists():
        return cores, f"{cores} cores"
    slots, memory = map(int, subprocess.run([program], check=True, capture_output=True, text=True).stdout.split())
    of_memory = f", {memory} MiB of device memory" if memory < 1 << 40 else ""
    return slots, f"{os.cpu_count()} cores{of_memory}"


def left_out(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", "^all$"], check=True, capture_output=True, text=True)
    return re.findall(r"^ *Test +#\d+: (\S+)", listed.stdout, re.MULTILINE)


def main():
    build, arguments = sys.argv[1], sys.argv[2:]
    is_quick = "--quick" in arguments
    arguments = [argument for argument in arguments if argument != "--quick"]
    environment = dict(os.environ)
    names = left_out(build) if is_quick and not arguments else []
    slots, why = slots_of(build)
    with tempfile.TemporaryDirectory() as folder:
        tally = pathlib.Path(folder) / "tally"
        if is_quick:
            environment.update(CLPRIM_TEST_QUICK="1", CLPRIM_TEST_TURN="", CLPRIM_TEST_TALLY=str(tally))
        command = ["ctest", "--test-dir", build, "--output-on-failure", "-j", str(slots)]
        command += (["-LE", "^all$"] if names else []) + arguments
        print(f"== at most {slots} at once: {why}", flush=True)
        screen = Screen(Progress(time.monotonic()), sys.stdout, sys.stdout.isatty())
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              env=environment) as process:
            follow(screen, process.stdout)
        made = tally.read_text() if tally.exists() else ""
    print("== the slowest, in seconds: " + ", ".join(f"{name} {round(seconds)}" for name, seconds in screen.progress.slowest()))
    if made:
        print(f"== a sample: {made.count('+')} of {len(made)} plans and other cases; the rest by ./dev test --all")
    if names:
        print(f"== left out: {len(names)} of {len(names) + screen.progress.total} tests, for ./dev test --all: {' '.join(names)}")
    return process.returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
