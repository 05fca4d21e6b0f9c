# SPDX-License-Identifier: MIT
"""The results of the commands, computed as a whole and in chunks, from files and pipes."""
import math
import os

import numpy

import tool
from orders import order, specials
from tool import LITTLE, MANY, WAYS, elements

LEAST, GREATEST = -2**63, 2**63 - 1


class Sort(tool.Case):
    def test_sort_is_the_same_in_chunks(self):
        """Few types, as each kernel costs time to compile; others are in the library's tests. Floats of all widths: the
        tool itself merges runs."""
        for dtype, nan, descending, ways in [
                ("i4", None, False, WAYS), ("i4", None, True, WAYS), ("f4", None, False, [LITTLE]),
                ("f4", "last", False, WAYS), ("f4", "last", True, [LITTLE]), ("f4", "total", False, WAYS),
                ("f4", "total", True, [LITTLE]), ("f2", None, True, [LITTLE]), ("f8", None, True, [LITTLE])]:
            values = specials(dtype, MANY) if dtype[0] == "f" else elements(dtype)
            expected = order(values, nan or "last", descending)
            line = ["sort", self.npy("in.npy", values), *(["--nan", nan] if nan else []), *["-r"] * descending]
            for way in ways:
                with self.subTest(line, dtype=dtype, way=way):
                    self.writes(values[expected], *line, *way)
                    if descending:
                        self.writes(expected, *line, "--indices", *way)

    def test_sort_reads_and_writes_pipes_and_raw_files(self):
        values = elements("i4")
        raw, expected = values.tobytes(), values[order(values)]
        self.file("in.bin", raw)
        for way in WAYS:
            self.assertEqual(self.ok_bytes("sort", "-t", "i32", "in.bin", "-o", "-", *way), expected.tobytes())
            self.assertEqual(self.ok_bytes("sort", "-t", "i32", "-", "-o", "-", *way, given=raw), expected.tobytes())
        # The length of a pipe is known only at its end.
        self.writes(expected, "sort", "-t", "i32", "-", *LITTLE, given=raw)
        self.writes(expected[:0], "sort", "-t", "i32", "-")
        # A .npy is written to a pipe as a .npy.
        self.file("piped.npy", self.ok_bytes("unique", self.npy("in.npy", values), "-o", "-"))
        self.assertEqual(self.ok("min", "piped.npy"), self.ok("min", "-t", "i32", "in.bin"))

    @tool.posix
    def test_json_is_valid_whatever_a_file_is_called(self):
        name = b'a "\\\x01\xff\xc3\xa4.npy'
        os.rename(self.folder / self.npy("in.npy", [3, 1, 2], "i4"), os.fsencode(self.folder) + b"/" + name)
        said = self.ok("sort", name, "--json")
        self.assertIn('a \\"\\\\\\u0001\\ufffd\u00e4.npy"', said)
        self.assertEqual(tool.strict_json(said)["values"], [1, 2, 3])
        said = self.json("sort", name, "-o", "out.npy")
        self.assertEqual((said["results"], "values" in said), (3, False))


class Sums(tool.Case):
    def test_integers_are_summed_exactly_or_not_at_all(self):
        values = elements("i4")
        self.npy("in.npy", values)
        for way in WAYS:
            self.prints(f"{values.sum(dtype='i8')}\n", "sum", "in.npy", *way)
        # The elements in between do not matter.
        self.prints("4\n", "sum", self.npy("there.npy", [GREATEST, GREATEST, LEAST, -1, LEAST + 3, 4], "i8"))
        self.prints(f"{2**64 - 1}\n", "sum", self.npy("much.npy", [2**64 - 1, 0], "u8"))
        for values, dtype in [([2**64 - 1, 0, 1], "u8"), ([LEAST, -1], "i8")]:
            self.npy("more.npy", values, dtype)
            self.refused(1, "more.npy", str(sum(values)), "sum", "more.npy")
            self.refused(1, "more.npy", "--wide", "sum", "more.npy")
            self.prints(f"{sum(values)}\n", "sum", "more.npy", "--wide")
        said = self.json("sum", self.npy("more.npy", [2**64 - 1, 1], "u8"), "--wide")
        self.assertEqual((said["value_type"], said["value"]), ("u128", 2**64))

    def test_floats_are_summed_as_exactly_as_the_library_says(self):
        values = elements("f4")
        self.npy("in.npy", values)
        has_fp64 = next(device["fp64"] for device in self.json("devices")["devices"] if device["chosen"])
        bound = math.fsum(abs(values.astype("f8"))) * MANY * 2.0 ** (-52 if has_fp64 else -23)
        for said in [self.ok("sum", "in.npy"), self.ok("sum", "in.npy", *LITTLE),
                     self.json("sum", "in.npy")["value"]]:  # all digits are there
            self.assertLessEqual(abs(float(said) - math.fsum(values.astype("f8"))), bound)
        self.prints("0.30000000000000004\n", "sum", self.npy("doubles.npy", [0.1, 0.2], "f8"))
        self.npy("odd.npy", [0.1, math.inf], "f4")
        self.prints("0.1\n", "min", "odd.npy")
        self.prints("inf\n", "sum", "odd.npy")
        self.assertEqual(self.json("max", "odd.npy")["value"], "inf")

    def test_extremes_are_the_first_ones_over_all_chunks(self):
        values = elements("i4")
        values[-2:] = 2**31 - 1
        self.npy("in.npy", values)
        for way in WAYS:
            self.prints(f"{values.min()}\t{values.argmin()}\n", "min", "--index", "in.npy", *way)
            self.prints(f"{values.max()}\t{values.argmax()}\n", "max", "--index", "in.npy", *way)
        self.npy("empty.npy", [], "i4")
        self.refused(2, "empty.npy", "no elements", "min", "empty.npy")
        self.prints("0\n", "sum", "empty.npy")

    def test_extremes_are_nans_as_the_order_says(self):
        """A NaN is the result, or less or greater than all numbers by its sign; the first one, over all chunks."""
        for negative, positive, last, total_min, total_max in [  # where NaNs are among 1, 2, ..., MANY; 0: nowhere
                (0, 0, None, "1\t0\n", "5003\t5002\n"),
                (3000, 0, "nan\t3000\n", "-nan\t3000\n", "5003\t5002\n"),
                (0, 3000, "nan\t3000\n", "1\t0\n", "nan\t3000\n"),
                (3000, 4000, "nan\t3000\n", "-nan\t3000\n", "nan\t4000\n"),
                (3000, 10, "nan\t10\n", "-nan\t3000\n", "nan\t10\n"),
                (3000, 3001, "nan\t3000\n", "-nan\t3000\n", "nan\t3001\n")]:
            values = numpy.arange(1, MANY + 1, dtype="f4")
            for place, nan in [(negative, -math.nan), (positive, math.nan)]:
                values[place:place + (place > 0)] = nan
            self.npy("in.npy", values)
            for command, total in [("min", total_min), ("max", total_max)]:
                with self.subTest(command, negative=negative, positive=positive):
                    for way in [(), LITTLE, ("--nan=last", *LITTLE)]:
                        self.prints(last or total, command, "--index", "in.npy", *way)
                    self.prints(total, command, "--index", "in.npy", "--nan=total", *LITTLE)


class Scan(tool.Case):
    def test_scan_carries_the_sum_from_chunk_to_chunk(self):
        values = elements("i4")
        self.npy("in.npy", values)
        sums = numpy.concatenate([[0], numpy.cumsum(values, dtype="i8")])
        for way in WAYS:
            self.writes(sums[1:], "scan", "in.npy", *way)
        self.writes(sums[:-1], "scan", "in.npy", *LITTLE, "--exclusive")
        self.npy("f.npy", [0.5, 0.25, -1], "f4")
        self.prints("0.5\n0.75\n-0.25\n", "scan", "f.npy")
        self.prints("0\n0.5\n0.75\n", "scan", "--exclusive", "f.npy")

    def test_scan_sums_floats_in_double_precision(self):
        """In F32 the sum would stay at 2^24. The output has the elements' type, also for halves."""
        if not next(device["fp64"] for device in self.json("devices")["devices"] if device["chosen"]):
            self.skipTest("the device has no double precision")
        for values, dtype in [(numpy.append(2.0**24, numpy.ones(MANY)), "f4"), (numpy.full(MANY, 60001.0), "f2"),
                              (numpy.append(2.0**53, numpy.full(MANY, 2.0)), "f8")]:
            values = values.astype(dtype)
            sums = numpy.cumsum(values, dtype="f8")
            self.npy("in.npy", values)
            for way in WAYS:
                self.writes(sums.astype("f8" if dtype == "f8" else "f4"), "scan", "in.npy", *way)
                self.writes((sums - values.astype("f8")).astype("f8" if dtype == "f8" else "f4"), "scan", "in.npy",
                            "--exclusive", *way)

    def test_scan_tells_where_a_sum_leaves_64_bits(self):
        values = [GREATEST, -5, 5, 1, -1]
        self.npy("in.npy", values, "i8")
        for why in ("index 3", "--wrap"):
            self.refused(1, "in.npy", why, "scan", "in.npy", "-o", "out.npy")
        sums = [GREATEST, GREATEST - 5, GREATEST, LEAST, GREATEST]
        self.prints("".join(f"{x}\n" for x in sums), "scan", "in.npy", "--wrap")
        self.refused(1, "in.npy", "index 4", "scan", "in.npy", "-o", "out.npy", "--exclusive")
        # The sum that is too much is not among these.
        self.npy("four.npy", values[:4], "i8")
        self.prints("".join(f"{x}\n" for x in [0, *sums[:3]]), "scan", "--exclusive", "four.npy")
        self.prints("".join(f"{x}\n" for x in sums[:3]), "scan", self.npy("3.npy", values[:3], "i8"))

    def test_no_chunk_alone_leaves_64_bits_but_all_do_together(self):
        for sign in (-1, 1):
            many = numpy.full(MANY, sign * 4611686018427388, "i8")  # 2^63 / 2000, and a little
            self.npy("many.npy", many)
            self.refused(1, "many.npy", "index 1999 ", "scan", "many.npy", "-o", "out.npy", *LITTLE)
            self.writes(numpy.cumsum(many), "scan", "many.npy", *LITTLE, "--wrap")  # modulo 2^64


class UniqueAndTopK(tool.Case):
    def test_unique_counts_over_all_chunks(self):
        values = numpy.fmod(elements("i4"), 700)
        expected, counts = numpy.unique(values, return_counts=True)
        self.npy("in.npy", values)
        for way in WAYS:
            self.writes(expected, "unique", "in.npy", "--counts", "counts.npy", *way)
            self.holds("counts.npy", counts.astype("u8"))
        said = self.json("unique", "--count", "in.npy", *LITTLE)
        self.assertEqual(said["values"][0], {"value": expected[0], "count": counts[0]})
        self.assertEqual(said["results"], len(expected))

    def test_top_k_are_the_first_of_the_sort(self):
        values = elements("i4")
        down, up = order(values, descending=True), order(values)
        self.npy("in.npy", values)
        self.writes(values[down[:900]], "top-k", "-k", "900", "in.npy")
        self.writes(down[:900], "top-k", "-k", "900", "in.npy", "--indices", *LITTLE)
        self.writes(values[up[:3]], "top-k", "-k", "3", "in.npy", "--smallest", *LITTLE)
        self.writes(values[down], "top-k", "-k", "1000000", "in.npy", *LITTLE)
        self.prints(f"{values[down[0]]}\t{down[0]}\n", "top-k", "-k", "1", "in.npy")

    def test_unique_and_top_k_follow_the_order_of_nans(self):
        values = specials("f4", MANY)
        self.npy("in.npy", values)
        for nan in ("last", "total"):
            up, down = values[order(values, nan)], order(values, nan, descending=True)
            top = ("top-k", "in.npy", "--nan", nan)
            self.writes(values[down[:4000]], *top, "-k", "4000", *LITTLE)
            self.writes(down[:4000], *top, "-k", "4000", "--indices")
            self.writes(up[:900], *top, "-k", "900", "--smallest", *LITTLE)
            bits = up.view("u4")
            for way in WAYS:
                self.writes(up[numpy.append(True, bits[1:] != bits[:-1])], "unique", "in.npy", "--nan", nan, *way)
