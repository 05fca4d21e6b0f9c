# SPDX-License-Identifier: MIT
"""The output of run.py for ctest's lines, on a terminal and in a log."""
import io
import unittest

import run

LINES = """Test project /home/reader/clprim/build/dev
        Start   4: scan
        Start 170: docs_links
  1/174 Test #170: docs_links .......................   Passed    1.50 sec
        Start   5: select
  2/174 Test   #5: select ...........................***Failed   20.25 sec
select: element 3 is 4, not 5
        Start   6: races_scan
  3/174 Test   #6: races_scan .......................***Skipped   0.10 sec
""".splitlines()


def read(is_terminal=False, width=200):
    out = io.StringIO()
    screen = run.Screen(run.Progress(100), out, is_terminal)
    screen.width = lambda: width
    for second, line in enumerate(LINES):
        screen.read(line, 100 + 10 * second)
    return screen, out


class Run(unittest.TestCase):
    def test_knows_what_runs_and_what_has_ended(self):
        progress = read()[0].progress
        self.assertEqual((progress.done, progress.total), (3, 174))
        self.assertEqual(list(progress.running), ["scan"])
        self.assertEqual(progress.failed, ["select"])
        self.assertEqual(progress.times, {"docs_links": 1.5, "select": 20.25, "races_scan": 0.1})

    def test_names_the_longest_first(self):
        progress = run.Progress(0)
        for name, now in (("b", 0), ("a", 50), ("c", 57)):
            progress.read(f"        Start   1: {name}", now)
        self.assertEqual(progress.line(60, 200), "1:00  0 of ? tests done; running: b (1:00), a (0:10), c")
        self.assertEqual(progress.line(60, 20), "1:00  0 of ? test...")

    def test_a_log_has_a_line_now_and_then_and_all_that_is_no_routine(self):
        self.assertEqual(read()[1].getvalue().splitlines(), [
            LINES[0],
            "0:30  1 of 174 tests done; running: scan (0:20)",
            LINES[5], LINES[6],
            "1:00  2 of 174 tests done, 1 failed; running: scan (0:50)"])

    def test_a_terminal_has_one_line_that_changes(self):
        text = read(True, 40)[1].getvalue()
        lines = text.split("\n")
        self.assertEqual([line.split("\033[K")[-1] for line in lines[:-1]], [LINES[0], LINES[5], LINES[6]])
        self.assertEqual(lines[-1].split("\033[K")[-1], "1:20  3 of 174 tests done, 1 failed; ..."[:40])
        self.assertTrue(all(len(part) <= 40 for part in lines[-1].replace("\r", "").split("\033[K")))

    def test_the_slowest_come_first(self):
        progress = run.Progress(0)
        for i in range(run.SLOWEST + 5):
            progress.read(f"{i + 1:3}/99 Test {f'#{i}':>4}: test{i} .....   Passed  {i * 7 % 15}.00 sec", i)
        slowest = progress.slowest()
        self.assertEqual(len(slowest), run.SLOWEST)
        self.assertEqual([seconds for _, seconds in slowest], [float(14 - i) for i in range(run.SLOWEST)])

    def test_follows_a_program_to_its_end(self):
        screen = run.Screen(run.Progress(0), io.StringIO(), False)
        run.follow(screen, iter(line + "\n" for line in LINES))
        self.assertEqual(screen.progress.done, 3)


if __name__ == "__main__":
    unittest.main()
