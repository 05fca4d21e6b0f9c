# SPDX-License-Identifier: MIT
"""Every hole of the exercises is wrong, and every solution is right: test_exercises.py JUDGE

An exercise would be empty of sense if the judge took its hole for a solution, or if it could not be solved."""
import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

import exercise  # which lets Python find the next one
import catalogue

exercise.RUSSIAN = {}
JUDGE, TOOL = sys.argv.pop(1), sys.argv.pop(1)
KERNELS = [one for one in exercise.read_list() if not one.is_question]
QUESTIONS = [one for one in exercise.read_list() if one.is_question]


# As readers may write them, and with the mistakes that they may make.
LOOK_BACK = next(one for one in KERNELS if one.name == "scan 8").solution()
LOOK_BACK_MISTAKES = [
    ("COMBINE(theirs, before)", "COMBINE(before, theirs)"),
    ("COMBINE(before, total)", "COMBINE(total, before)"),
    ("COMBINE(before, total)", "before"),
    ("case NOTHING_YET: break;", "case NOTHING_YET: at--; break;"),
    ("PUBLISH(total, tile.own == 0 ? A_PREFIX : A_TOTAL)", "PUBLISH(total, A_PREFIX)"),
]
LOOK_BACK_SLOW = ("PUBLISH(COMBINE(before, total), A_PREFIX);", "")
FALLBACK = """    do {
        VALUE before_in_tile;
        READ_TILE
        const tile_range here = tile_range_of(in, n, tile.at);
        tile_totals(totals, &e, here, n BEGINS_ARGUMENT);
        const VALUE folded = clprim__tile_fold(totals, &before_in_tile, &shared);
        clprim__tiles_inner_publish(&tile, prefix_begin(folded), tile.at == 0 ? CLPRIM__PREFIX : CLPRIM__TOTAL);
        clprim__tile_prefixes(totals, before_in_tile, &shared);
        if (tile.at == tile.own)
            total = folded;
    } while (clprim__tiles_look_back(&tile) || needs_own_tile_again(&tile));
"""
FALLBACK_MISTAKES = [
    (" || needs_own_tile_again(&tile)", ""),
    ("while (clprim__tiles_look_back(&tile) || needs_own_tile_again(&tile));",
     "while (false); clprim__tiles_look_back(&tile); needs_own_tile_again(&tile);"),
    ("        clprim__tiles_inner_publish(&tile, prefix_begin(folded), tile.at == 0 ? CLPRIM__PREFIX : CLPRIM__TOTAL);\n", ""),
    ("tile.at == 0 ? CLPRIM__PREFIX : CLPRIM__TOTAL", "CLPRIM__PREFIX"),
]


class Exercises(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def main(self, *arguments, russian=False):
        """What ./dev exercise says, and its exit status."""
        said = io.StringIO()
        with mock.patch("sys.argv", ["exercise.py", "--judge", JUDGE, "--tool", TOOL, *arguments]), contextlib.redirect_stdout(said), \
                mock.patch.object(exercise, "MINE", self.folder), mock.patch.object(exercise, "ROOT", self.folder), \
                mock.patch.object(exercise, "RUSSIAN", catalogue.read() if russian else {}):
            status = exercise.main()
        return said.getvalue(), status

    def judge(self, one, text, limit=60):
        one.lay_out(self.folder / "kernels", text)
        status, said = exercise.judge(JUDGE, one, self.folder / "kernels", "--quick", limit=limit)
        if status == exercise.RIGHT:
            status, more = exercise.judge_turns(TOOL, one, self.folder / "kernels")
            said = more + said
        return status, said

    def test_there_are_enough_of_each_ladder(self):
        self.assertGreaterEqual(len(KERNELS) + len(QUESTIONS), 15)
        self.assertEqual({one.ladder for one in KERNELS}, {"reduce", "scan", "histogram", "radix_sort", "bitonic_sort"})

    def test_every_hole_is_wrong(self):
        for one in KERNELS:
            with self.subTest(one.name):
                status, said = self.judge(one, one.text())
                self.assertEqual(status, exercise.WRONG, said)
                self.assertRegex(said, r"^wrong: the result is right, but with 8 lanes and 8 banks data\[.* takes [2-8] turns"
                                 if "turns" in one.fields else r"^wrong: n = \d+(, all equal)?: element \d+ of the result ", said)

    def test_every_solution_is_right(self):
        right = set()
        for one in KERNELS:
            with self.subTest(one.name):
                library = (exercise.KERNELS / one.kernel).read_text()
                self.assertEqual(library.count(one.of_the_library()), 1)
                if one.kernel not in right or "turns" in one.fields:
                    status, said = self.judge(one, library)
                    self.assertEqual(status, exercise.RIGHT, said)
                    self.assertIsNotNone(exercise.speed(said), said)
                right.add(one.kernel)

    def judge_written(self, number, written, mistake=("", ""), **more):
        """Of scan: what is written in place of the hole's comment, or of the hole."""
        one = next(one for one in KERNELS if one.name == f"scan {number}")
        hole = next(line for line in one.hole if "your code: publish" in line) if number == 8 else "\n".join(one.hole)
        self.assertIn(mistake[0], written)
        self.assertEqual(one.text().count(hole), 1)
        return self.judge(one, one.text().replace(hole + "\n", written.replace(*mistake)), **more)

    def check_mistakes(self, number, written, mistakes):
        """What is written is right, and with any of the mistakes wrong."""
        status, said = self.judge_written(number, written)
        self.assertEqual(status, exercise.RIGHT, said)
        for mistake in mistakes:
            with self.subTest(mistake[1]):
                status, said = self.judge_written(number, written, mistake)
                self.assertEqual(status, exercise.WRONG, said)

    def test_a_look_back_is_right_and_its_mistakes_are_wrong(self):
        self.check_mistakes(8, LOOK_BACK, LOOK_BACK_MISTAKES)
        silent = "".join(line for line in LOOK_BACK.splitlines(keepends=True) if "PUBLISH" not in line)
        status, said = self.judge_written(8, silent, limit=3)
        self.assertEqual(status, exercise.WRONG)
        self.assertRegex(said, r"(?s)^wrong: it does not end .*tile that\s+never publishes")
        status, said = self.judge_written(8, LOOK_BACK, LOOK_BACK_SLOW)
        self.assertEqual(status, exercise.RIGHT)  # only slow: test_what_is_said_of_slow_kernels

    def test_what_is_said_of_slow_kernels(self):
        one = next(one for one in KERNELS if one.name == "scan 8")
        self.assertEqual(exercise.slow_text(one, (1.0, 1, ""), (0.1, 1, "")), "")
        self.assertRegex(exercise.slow_text(one, (10.0, 1, ""), (0.1, 1, "")), r"(?s)^But it is 100 times as slow .* publish its\s+prefix, too")

    def test_a_fallback_is_right_and_its_mistakes_are_wrong(self):
        self.check_mistakes(9, FALLBACK, FALLBACK_MISTAKES)

    def test_a_kernel_that_does_not_compile_is_wrong(self):
        status, said = self.judge(KERNELS[0], KERNELS[0].text() + "\nthis is no program\n")
        self.assertEqual(status, exercise.WRONG)
        self.assertIn("it does not compile", said)

    def test_questions_take_their_answers_only(self):
        for one in QUESTIONS:
            with self.subTest(one.name):
                for answer in one.answers():
                    said, status = self.main(one.ladder, str(one.number), answer)
                    self.assertEqual(status, exercise.RIGHT)
                    self.assertIn(f"{answer}: right. ", said)
                    self.assertNotIn("{", said)
                for answer in {"yes", "no", "1", "16", "interleaved"}.difference(one.answers()):
                    self.assertEqual(self.main(one.ladder, str(one.number), answer)[1], exercise.WRONG)
                self.assertNotIn("right", self.main(one.ladder, str(one.number))[0])

    def test_answers(self):
        answers = {one.name: one.answers() for one in QUESTIONS}
        self.assertEqual(answers["reduce 3"], ["8"])
        self.assertEqual(answers["scan 4"], ["1"])
        self.assertEqual(answers["histogram 5"], ["4"])
        self.assertIn("tree", answers["reduce 8"])
        self.assertEqual(answers["scan 7"], ["no"])

    def test_all_is_said_in_russian_too(self):
        russian = catalogue.read()
        for text in exercise.messages():
            with self.subTest(text[:60]):
                self.assertIn(text, russian, "docs/locale lags behind: ./dev translate")
                self.assertRegex(russian[text], "[а-яё]")
                for pattern in (r"\{\w+\}", r"\w+\(", r"\b[A-Z_]{4,}\b"):  # values, calls, macros
                    self.assertEqual(set(re.findall(pattern, text)) - {"ANSWER"}, set(re.findall(pattern, russian[text])))
        said, status = self.main("scan", "7", "нет", russian=True)
        self.assertEqual(status, exercise.RIGHT)
        self.assertIn("нет: верно. нет. ", said)
        self.assertEqual(self.main("scan", "7", "да", russian=True)[1], exercise.WRONG)
        said, status = self.main("reduce", "1", russian=True)
        self.assertEqual(status, exercise.WRONG)
        self.assertRegex(said, r"неверно: n = \d+: элемент \d+ результата равен \d+, а должен быть \d+; неверных: \d+ из \d+")
        self.assertNotRegex(said, "wrong|kernel:")

    def test_a_reader_is_led_to_the_solution(self):
        one = KERNELS[0]
        call = (one.ladder, str(one.number))
        said, status = self.main(*call)
        self.assertEqual(status, exercise.WRONG)
        self.assertIn("It still has its hole", said)
        self.assertIn("CLPRIM_KERNEL_DIR=", said)
        path = self.folder / f"{one.ladder}-{one.number}" / one.kernel
        self.assertIn(str(path.relative_to(self.folder)), said)
        self.assertIn(one.fields["hint"], self.main(*call, "--hint")[0])
        self.assertIn(one.solution(), self.main(*call, "--solution")[0])
        path.write_text(path.read_text().replace(one.hole[0] + "\n", one.solution()))
        said, status = self.main(*call)
        self.assertEqual(status, exercise.RIGHT, said)
        self.assertRegex(said, r"right: .*\n.* [mu]s for \d+ elements on .*; the library's own\s+kernel\s+takes ")
        self.assertEqual(self.main(*call, "--again")[1], exercise.WRONG)
        said, status = self.main()
        self.assertEqual((status, said.count("\n")), (exercise.RIGHT, len(KERNELS) + len(QUESTIONS)))
        self.assertEqual(self.main("sort", "1")[1], exercise.MISUSED)


if __name__ == "__main__":
    unittest.main(verbosity=2)
