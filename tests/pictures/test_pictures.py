#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the PNG files that the examples' code writes, by the format's description and zlib: test_pictures.py PROGRAM."""
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SIZES = [(1, 1, 1), (1, 1, 3), (3, 5, 3), (640, 480, 1), (65534, 2, 1), (65535, 2, 1), (43691, 3, 3)]  # width, height, channels


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        (crc,) = struct.unpack_from(">I", data, at + 8 + size)
        assert crc == zlib.crc32(kind + body), kind
        yield kind, body
        at += 12 + size


class Pictures(unittest.TestCase):
    def test_png(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.png" for i in range(len(SIZES))]
            arguments = [str(x) for size, path in zip(SIZES, paths) for x in (*size, path)]
            subprocess.run([PROGRAM, *arguments], check=True)
            for (width, height, channels), path in zip(SIZES, paths):
                with self.subTest(width=width, height=height, channels=channels):
                    self.check(path.read_bytes(), width, height, channels)

    def check(self, data, width, height, channels):
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        (first, header), *middle, last = chunks(data)
        self.assertEqual((first, last), (b"IHDR", (b"IEND", b"")))
        self.assertEqual(struct.unpack(">IIBBBBB", header), (width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0))
        self.assertEqual({kind for kind, _ in middle}, {b"IDAT"})
        rows = zlib.decompress(b"".join(body for _, body in middle))  # which checks the sum at the end, too
        row = width * channels
        samples = bytes((i * i // 7 + i) % 256 for i in range(row * height))
        self.assertEqual(rows, b"".join(b"\0" + samples[y * row:(y + 1) * row] for y in range(height)))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
