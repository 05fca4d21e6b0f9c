# SPDX-License-Identifier: MIT
"""Headers of .npy files: those that numpy writes, and malicious ones. test_npy.c tests cases that are too many for
files."""
import tool
from tool import headed

REST = ", 'fortran_order': False, 'shape': (3,), }\n"
SHAPED = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n"


class Headers(tool.Case):
    def test_headers_are_read_as_numpy_means_them(self):
        for text, dtype, size, count in [
                ("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n", "f32", 4, 12),
                ("{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }\n", "u8", 1, 5),
                ("{'descr': '<u1', 'fortran_order': False, 'shape': (5,), }\n", "u8", 1, 5),
                ("{'descr': '>i1', 'fortran_order': False, 'shape': (5,), }\n", "i8", 1, 5),
                ("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 5), }\n", "f64", 8, 30),
                ("{'descr': '<f2', 'fortran_order': True, 'shape': (7,), }\n", "f16", 2, 7),
                ("{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n", "i64", 8, 1),
                ("{'descr': '<i2', 'fortran_order': False, 'shape': (0,), }\n", "i16", 2, 0),
                ("{'descr': '<u2', 'fortran_order': False, 'shape': (18446744073709551615, 0), }\n", "u16", 2, 0),
                ("{\"shape\": (6, 1), \"descr\": \"<u4\", \"fortran_order\": False}\n", "u32", 4, 6),
                ("{'descr':'<u8','fortran_order':False,'shape':(1,2,)}\n", "u64", 8, 2),
                ("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n", "f32", 4, 2),
                ("{'descr': '>u2', 'fortran_order': False, 'shape': (2,), }\n", "u16", 2, 2),
                ("{'descr': '|b1', 'fortran_order': False, 'shape': (9,), }\n", "bool", 1, 9)]:
            with self.subTest(text):
                path = self.file("in.npy", headed(text, b"\0"))
                self.refused(2, path, f"holds {dtype}, not i32", "sum", path, "--type", "i32")
                self.refused(2, path, f"its header says {count} elements of {size}: ", "sum", path)
        fortran = "{'descr': '<f2', 'fortran_order': True, 'shape': (%s), }\n"
        self.refused(2, "in.npy", "Fortran", "scan", self.file("in.npy", headed(fortran % "1, 2", bytes(4))))
        self.file("in.npy", headed(fortran % "2,", bytes(4)))  # either order is the same
        self.prints("0\n0\n", "scan", "in.npy")

    def test_headers_that_are_not_numpys_are_refused(self):
        for text, why in [
                ("", "line feed"),
                ("\n", "no dict"),
                ("{'descr': '<f4'" + REST + "{}\n", "follows"),
                ("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "line feed"),
                ("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), \n", "no dict"),
                ("{'descr': '<f4', 'fortran_order': False}\n", "missing"),
                ("{'descr': '<f4', 'descr': '<f4'" + REST, "twice"),
                ("{'descr': '<f4', 'order': 'C'" + REST, "unknown"),
                ("{'descr': '<f4' 'fortran_order': False, 'shape': (3,), }\n", "no dict"),
                ("{'descr': '<f4'; 'fortran_order': False, 'shape': (3,), }\n", "no dict"),
                ("['descr', '<f4']\n", "no dict"),
                ("{descr: '<f4'" + REST, "no dict"),
                ("{'descr': '<f4" + REST, "no"),
                ("{'descr': <f4" + REST, "'descr'"),
                ("{'descr': '\\x3cf4'" + REST, "'descr'"),
                *(("{'descr': '%s'%s" % (descr, REST), f"'{descr}'")
                  for descr in ("|f4", "|b2", "=f4", "<f16", "<c8", "|O", "")),
                ("{'descr': '<U" + "9" * 82 + "'" + REST, "'<U9"),
                ("{'descr': [('a', '<f4')]" + REST, "records"),
                ("{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }\n", "'fortran_order'"),
                ("{'descr': '<f4', 'fortran_order': 'True', 'shape': (3,), }\n", "'fortran_order'"),
                *((SHAPED % shape, "'shape'")
                  for shape in ("3", "(3)", "(3 4)", "(3,,4)", "(,)", "(-3,)", "(+3,)", "(03,)", "(3.0,)", "(0x3,)",
                                "(3L,)", "(2*3,)", "(3,", "(18446744073709551616,)")),
                *((SHAPED % shape, "more elements")
                  for shape in ("(18446744073709551615,)", "(4294967296, 4294967296)",
                                "(4294967296, 4294967297, 4294967296)", "(2305843009213693952, 8)"))]:
            with self.subTest(text):
                self.refused(2, "in.npy", why, "sum", self.file("in.npy", headed(text, version=2)))
                if len(text) < 2:
                    self.refused(2, "in.npy", "too short", "sum", self.file("in.npy", headed(text, bytes(2))))

    def test_prefixes_of_other_versions_are_refused(self):
        text = SHAPED.strip() % "(1,)" + "\n"
        for version in (1, 2, 3):
            self.prints("0\n", "sum", self.file("in.npy", headed(text, bytes(4), version)))
        for prefix in (b"\4\0", b"\0\0", b"\1\1"):
            self.file("in.npy", b"\x93NUMPY" + prefix + len(text).to_bytes(4, "little") + text.encode() + bytes(4))
            self.refused(2, "in.npy", "unknown version", "sum", "in.npy")
        self.refused(2, "in.npy", "too long", "sum", self.file("in.npy", b"\x93NUMPY\3\0\0\1\0\1"))  # 16 MiB
