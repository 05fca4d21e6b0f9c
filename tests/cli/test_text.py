# SPDX-License-Identifier: MIT
"""Numbers as text, in and out."""
import numpy

import tool
from tool import LITTLE, MANY, elements

EXACT = [  # type, what is given, and what comes out of the sort
    ("u64", "18446744073709551615 +0 007", "0\n7\n18446744073709551615\n"),
    ("i64", "9223372036854775807 -9223372036854775808", "-9223372036854775808\n9223372036854775807\n"),
    ("i8", "127 -0 -128", "-128\n0\n127\n"),
    ("f64", "0.1 1e23 5e-324 -0.0 1.7976931348623157e308 123456789.125 4.9406564584124654e-324 2.5e-310",
     "-0\n5e-324\n5e-324\n2.5e-310\n0.1\n123456789.125\n1e+23\n1.7976931348623157e+308\n"),
    ("f64", "nan -nan inf -Infinity 1e-400 .5 5.", "-inf\n0\n0.5\n5\ninf\nnan\n-nan\n"),
    ("f32", "0.1 1e-45 16777217 1e6 3e15 3.4028235e38 0.30000001192092896",
     "1e-45\n0.1\n0.3\n1000000\n16777216\n3e+15\n3.4028235e+38\n"),
    # The first is above the middle between two halves, by less than a float can tell.
    ("f16", "1.0004883 1.00048828125 6e-8 65504 0.1", "6e-08\n0.1\n1\n1.001\n65504\n"),
]

MALFORMED = [  # type, what is given, the line, why
    ("u8", "1 2\nx3", 2, "'x3' is not a number"),
    ("u8", "1\n\n300\n", 3, "300 is not in the range of u8, 0 to 255"),
    ("u8", "-1", 1, "-1 is not in the range of u8, 0 to 255"),
    ("u8", "1\n2\0 3", 2, r"'2\x00' is not a number"),
    ("f32", "\0", 1, r"'\x00' is not a number"),
    ("i32", "\ufeff1 2", 1, r"'\xef\xbb\xbf1' is not a number"),
    ("f64", "1\n\u200b2", 2, r"'\xe2\x80\x8b2' is not a number"),
    ("f64", "1\u00a02", 1, r"'1\xc2\xa02' is not a number"),
    ("i8", "3\x1b[1m", 1, r"'3\x1b[1m' is not a number"),
    ("i8", "3\x7f", 1, r"'3\x7f' is not a number"),
    ("u8", 50 * "\1", 1, "'" + 40 * r"\x01" + "'... is not a number"),
    ("i8", "128", 1, "128 is not in the range of i8, -128 to 127"),
    ("u64", "18446744073709551616", 1, "range of u64, 0 to 18446744073709551615"),
    ("u64", "118446744073709551615", 1, "range of u64"),
    ("i64", "-9223372036854775809", 1, "range of i64, -9223372036854775808 to 9223372036854775807"),
    ("i32", "1.5", 1, "'1.5' is not an integer"),
    ("i32", "1e3", 1, "'1e3' is not an integer"),
    ("i32", "+-3", 1, "'+-3' is not a number"),
    ("i32", "-", 1, "'-' is not a number"),
    ("i32", "0x10", 1, "'0x10' is not a number"),
    ("i32", "1,2", 1, "'1,2' is not a number"),
    ("f32", "1\n2\n\n1e39 7", 4, "1e39 is too large for f32"),
    ("f16", "65520", 1, "65520 is too large for f16"),
    ("f64", "-1e999", 1, "-1e999 is too large for f64"),
    ("f64", "1,5", 1, "'1,5' is not a number"),
    ("f64", "0x1p3", 1, "'0x1p3' is not a number"),
    ("f64", "nan(3)", 1, "'nan(3)' is not a number"),
    ("f64", "1e", 1, "'1e' is not a number"),
    ("f64", "12345678901234567890123456789012345678901234567890z", 1, "'1234567890123456789012345678901234567890'..."),
    ("f64", "1\n" + 70000 * "1", 2, "more than 65536 characters"),
]


class Text(tool.Case):
    def test_text_is_read_and_written_by_every_command(self):
        numbers = "  3 -1\t7\r\n\n7\v2\f-0\n+5"  # no line feed ends it
        self.file("in.txt", numbers)
        for line, expected in [
                ("sort", "-1\n0\n2\n3\n5\n7\n7\n"),
                ("sort -r --indices", "2\n3\n6\n0\n4\n5\n1\n"),
                ("sum", "23\n"),
                ("min", "-1\n"),
                ("max --index", "7\t2\n"),
                ("scan", "3\n2\n9\n16\n18\n18\n23\n"),
                ("unique -c", "-1\t1\n0\t1\n2\t1\n3\t1\n5\t1\n7\t2\n"),
                ("unique -c -o -", "-1\n0\n2\n3\n5\n7\n"),
                ("top-k -k 2", "7\t2\n7\t3\n"),
                ("histogram -n3 --range=-1,8 -o -", "2\n2\n3\n")]:
            with self.subTest(line):
                self.prints(expected, *line.split(), "--text", "-ti16", "in.txt")
                self.prints(expected, *line.split(), "--text", "-ti16", "-", given=numbers)
        self.prints("", "sort", "--text", "-t", "f32", "-")
        self.prints("0\n", "sum", "--text", "-t", "u8", "-", given=" \n ")
        self.refused(2, "standard input", "no elements", "max", "--text", "-t", "u8", "-", given=" \n ")

    @tool.posix
    def test_text_goes_to_files_unless_they_are_npy(self):
        self.npy("in.npy", [3, -1, 7], "i2")
        self.prints("", "sort", "in.npy", "--text", "-o", "out.txt")
        self.assertEqual(self.read("out.txt"), b"-1\n3\n7\n")
        self.writes(numpy.array([-1, 3, 7], "i2"), "sort", "out.txt", "--text", "-t", "i16")
        self.prints("", "unique", "out.txt", "--text", "-t", "i16", "-o", "out.txt", "--counts", "counts.txt")
        self.assertEqual(self.read("out.txt"), b"-1\n3\n7\n")
        self.assertEqual(self.read("counts.txt"), b"1\n1\n1\n")
        self.refused(2, "/dev/full", "No space left", "sort", "in.npy", "--text", "-o", "/dev/full")
        self.assertEqual(self.files(), ["counts.txt", "in.npy", "out.npy", "out.txt"])

    def test_text_larger_than_memory_is_sorted(self):
        values = elements("u8")
        text = "".join(f"{value}\n\n" if i % 5 == 0 else f"{value} " for i, value in enumerate(values))
        self.assertGreater(len(text), 2**16)  # more than a block of it
        self.file("in.txt", text)
        for way in ((), LITTLE):
            self.writes(numpy.sort(values), "sort", "--text", "-tu64", "in.txt", *way)
        # Read twice, from a file and from a pipe.
        histogram = ("histogram", "--text", "-tu64", *LITTLE)
        counts = self.ok(*histogram, "in.txt", "-n", "5", "-o", "-").split()
        self.assertEqual((len(counts), sum(map(int, counts))), (5, MANY))
        self.assertEqual(self.json(*histogram, "-", given=text[:60000])["count"], len(text[:60000].split()))

    def test_text_brings_every_number_back(self):
        """Each number is read exactly, and written in as few digits as bring it back. Sorted, as all commands are."""
        for dtype, given, expected in EXACT:
            with self.subTest(dtype, given=given):
                for text in (given, expected):
                    self.prints(expected, "sort", "--text", "-t", dtype, "-", given=text)
        self.prints("-nan\n1\nnan\n", "sort", "--text", "-t", "f64", "-", "--nan", "total", given="nan 1 -nan")

    def test_malformed_text_is_refused_with_its_line(self):
        for dtype, given, line, why in MALFORMED:
            with self.subTest(dtype, given=given[:60]):
                self.refused(2, f"standard input:{line}", why, "max", "--text", "-t", dtype, "-", given=given)
                self.refused(2, f"in.txt:{line}", why, "max", "--text", "-t", dtype, self.file("in.txt", given))
        self.refused(2, "standard input", "text needs --type", "sum", "--text", "-", given="1\n")
