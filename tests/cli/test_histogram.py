# SPDX-License-Identifier: MIT
"""`clprim histogram`: its counts, and the picture that it draws."""
import math
import re

import numpy

import tool
from tool import LITTLE, MANY, elements

# Elements, options, and the labels of all edges; then the edges in JSON, or the first of them, if they differ.
AXES = [
    ("f8", [1000000.4, 1000001.4], "2", "1000000.4,1000001.4", "1000000.4 1000000.9 1000001.4", None),
    ("f4", [0, 1], "4", "0,1", "0.00 0.25 0.50 0.75 1.00", "0 0.25 0.5 0.75 1"),
    ("f4", [0, 1], "3", "-1,1", "-1.000 -0.333 0.333 1.000", "-1"),
    ("f8", [0, 3e25], "3", None, "0e+00 1e+25 2e+25 3e+25", "0 1e+25"),
    ("f8", [0, 4e-12], "2", "0,4e-12", "0e+00 2e-12 4e-12", "0 2e-12 4e-12"),
    ("i8", [1000000005, 1000000024], "4", None, "1000000005 1000000010 1000000015 1000000020 1000000025", None),
    ("i4", [0, 99], "3", None, "0 34 67 100", None),
    ("i4", [0, 1], "2", "0,1", "0.0 0.5 1.0", "0 0.5 1"),
    ("u8", [0, 2**63], "2", "0,18446744073709551616", "0 9223372036854775808 18446744073709551616", None),
    ("i8", [-2**63, 0], "3", "-9223372036854775808,9223372036854775808",
     "-9223372036854775808 -3074457345618258602 3074457345618258603 9223372036854775808", None),
]


class Histogram(tool.Case):
    def test_histogram_counts_in_even_bins(self):
        values = numpy.fmod(elements("i4"), 1000) + 1000  # 1 to 1999
        values[::100] = 1500  # the end of the range, which is in the last bin
        self.npy("in.npy", values)
        within = values[(values >= 100) & (values <= 1500)]
        expected = numpy.bincount(numpy.minimum((within - 100) * 10 // 1400, 9), minlength=10).astype("u8")
        self.writes(expected, "histogram", "in.npy", "--bins", "10", "--range", "100,1500", *LITTLE)
        whole = self.json("histogram", "in.npy")
        piped = self.json("histogram", "-t", "i32", "-", *LITTLE, given=values.tobytes())
        self.assertEqual({**piped, "file": "in.npy"}, whole)
        self.assertEqual(sum(piped["values"]), MANY)  # also the greatest one, if no range is given
        self.refused(2, "in.npy", "not integers", "histogram", "in.npy", "--range", "0.5,7")

    def test_histogram_includes_both_ends_of_a_range(self):
        """Like numpy.histogram, for every kind of type. Floats are compared with the ends, converted to their type."""
        for dtype, values, limits, expected, outside in [
                ("f4", [0, 1, 1.5, 2, 2.5, 2, math.nan, math.inf], "0,2", [1, 4], 3),
                ("f4", [0.1, 0.3, 0.7, 0.7000001], "0.1,0.7", [2, 1], 1),
                ("f4", [0.7, 1, 1.1, 0.69999], "0.7,1.1", [1, 2], 1),
                ("f2", [0.1, 0.3, 0.7, 0.8], "0.1,0.7", [2, 1], 1),
                ("f8", [-1, 0.7, math.nextafter(0.7, 1), math.nextafter(0.7, 0)], "-1,0.7", [1, 2], 1),
                ("f8", [5, 5], "4,5", [0, 2], 0),
                ("i1", [-128, -1, 0, 126, 127], "-128,127", [2, 3], 0), ("u1", [0, 254, 255], "0,255", [1, 2], 0),
                ("u1", [0, 128, 255], "0,256", [1, 2], 0), ("i4", [0, 6, 9, 10, 11, 10], "0,10", [1, 4], 1),
                ("i8", [-2**53, 0, 2**53, 2**53 + 1], "-9007199254740992,9007199254740992", [1, 2], 1),
                ("u8", [0, 2**63, 2**63 + 1], "0,9223372036854775808", [1, 1], 1)]:
            self.npy("in.npy", values, dtype)
            with self.subTest(dtype, limits=limits):
                for way in [(), LITTLE]:
                    said = self.json("histogram", "in.npy", "-n2", f"--range={limits}", *way)
                    self.assertEqual((said["values"], said["outside"]), (expected, outside))
                if dtype not in ("i8", "u8"):  # which numpy counts as floats
                    ends = [float(limit) for limit in limits.split(",")]
                    ends = [float(numpy.array(end, dtype)) for end in ends] if dtype[0] == "f" else ends
                    some = numpy.array(values, dtype)
                    counts = numpy.histogram(some[numpy.isfinite(some)].astype("f8"), 2, ends)[0]
                    self.assertEqual(counts.tolist(), expected)

    def test_histogram_labels_all_edges_in_one_way(self):
        for dtype, ends, bins, limits, labels, exact in AXES:
            with self.subTest(labels):
                labels, exact = labels.split(), (exact or labels).split()
                arguments = ("histogram", self.npy("ends.npy", ends, dtype), "-n", bins,
                             *(["--range", limits] if limits else ["--quiet"]))
                lines = self.ok(*arguments, "--svg", "out.svg").splitlines()
                self.assertEqual([tuple(line.split()[:2]) for line in lines[:int(bins)]], list(zip(labels, labels[1:])))
                ticks = re.findall(">([^<>]*)</text>", self.read("out.svg").decode())
                self.assertLessEqual(set(labels), set(ticks))
                said = self.ok(*arguments, "--json")
                tool.strict_json(said)
                self.assertEqual(re.search(r'"edges": \[([^]]*)]', said)[1].split(", ")[:len(exact)], exact)

    def test_histogram_edges_of_integers_say_what_is_in_a_bin(self):
        """Such an edge is a bound: exactly these elements are in the bin."""
        said = self.ok("histogram", self.npy("in.npy", numpy.arange(-100, 900), "i4"), "-n", "7")
        rows = [[int(word) for word in line.split()[:3]] for line in said.splitlines()[:7]]
        self.assertEqual([high - low for low, high, _ in rows], [count for _, _, count in rows])

    def test_histogram_chooses_a_range_for_all_numbers(self):
        """Also if the difference of two is infinite, or if the numbers are the smallest that exist."""
        for dtype in ("f2", "f4", "f8"):
            most, least = numpy.finfo(dtype).max, numpy.finfo(dtype).smallest_subnormal
            for values in ([-most, -most / 4, 0, most / 4, most], [most], [-most, -most], [0, least], [3 * least, 7 * least],
                           [-least, least, math.nan], [most, most / 2]):
                with self.subTest(dtype=dtype, values=values):
                    counted = self.json("histogram", self.npy("in.npy", values, dtype), "-n", "4")
                    finite = numpy.isfinite(numpy.array(values, dtype)).sum()
                    self.assertEqual(sum(counted["values"]), finite)
                    edges = counted["edges"]
                    self.assertTrue(all(math.isfinite(edge) for edge in edges), edges)
                    self.assertEqual(edges, sorted(edges))
            if dtype != "f2":
                self.npy("in.npy", [-most, -most / 4, 0, most / 4, most], dtype)
                self.assertEqual(self.json("histogram", "in.npy", "-n", "4")["values"], [1, 1, 2, 1])

    @tool.posix
    def test_histogram_without_a_range_ends_with_the_greatest(self):
        """Like numpy: from the least to the greatest, which is in the last bin."""
        self.npy("in.npy", [1.5, 2, 3, math.nan, 3, math.inf, 2.5], "f4")
        self.prints("1\n1\n3\n", "histogram", "in.npy", "-n3", "--text", "-o", "/dev/stdout")
        self.npy("all.npy", [-1, 8e307], "f8")  # compared with such a width, the smallest one is practically 0
        self.npy("one.npy", [7, 7, -math.inf], "f4")
        for name, bins, way, edges, outside, values in [("in.npy", "-n3", LITTLE, [1.5, 2, 2.5, 3], 2, [1, 1, 3]),
                                                        ("all.npy", "-n2", (), [0, 4e307, 8e307], 0, [1, 1]),
                                                        ("one.npy", "-n1", (), [6.5, 7.5], 1, [2])]:
            said = self.json("histogram", name, bins, *way)
            self.assertEqual((said["edges"], said["outside"], said["values"]), (edges, outside, values))

    def test_histogram_draws(self):
        self.npy("in.npy", [0, 0.1, 0.2, 1, math.nan, math.inf, -math.inf], "f4")
        said = self.ok("histogram", "in.npy", "-n", "2", "--svg", "out.svg")
        self.assertIn("outside            3\n", said)  # values that are not finite
        self.assertIn("        0.0         0.5            3  ", said)
        self.assertRegex(self.read("out.svg").decode(), r"(?s)\A<svg xmlns=.*</svg>\n\Z")
