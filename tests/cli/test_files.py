# SPDX-License-Identifier: MIT
"""Bad files, pipes, files that numpy wrote, and leftover files."""
import os
import resource
import signal
import stat
import subprocess
import time

import numpy

import tool
from tool import DATA, LITTLE, NUMBERS, elements, headed

SORTED = numpy.sort(NUMBERS)
HEADER = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }\n"


class BadFiles(tool.Case):
    def test_bad_files_are_refused_in_one_line(self):
        """Errors in the header itself are in test_headers.py."""
        begin = b"\x93NUMPY"
        six = HEADER % ("<i4", 6)
        self.npy("good.npy", NUMBERS)
        for path, content, dtype, why in [
                ("bad.npy", headed(six, bytes(23)), None, "truncated"),
                ("bad.npy", headed(six), None, "truncated"),
                ("bad.npy", headed(six, bytes(25)), None, "follows"),
                ("bad.npy", headed(HEADER % ("<i4", "1000000, 1000000"), bytes(24)), None, "truncated"),
                ("bad.npy", headed(HEADER % (">i4", 6), bytes(23)), None, "truncated"),
                ("bad.npy", "NUMPY is not how these begin", None, "does not begin as one"),
                ("bad.npy", "NUMPY is not how these begin", "u8", "does not begin as one"),
                ("bad.npy", begin + b"\1\0\xff\0{'de", None, "middle of its header"),
                ("bad.npy", begin + b"\1", None, "middle of its header"),
                ("bad.npy", begin + b"\2\0\xff\xff\xff\xff{'de", None, "too long"),
                ("good.npy", None, "u32", "holds i32, not u32"),
                ("odd", "1234567", "i16", "no multiple of the 2"),
                ("odd", "1234567", None, "need --type"),
                ("missing.npy", None, "i32", "No such file"),
                (str(self.folder / "missing.npy"), None, "i32", "No such file"),
                ("two\nlines", None, None, "No such file"),  # the message stays one line
                (".", None, "i32", "is a directory")]:
            with self.subTest(path, dtype=dtype, why=why):
                if content is not None:
                    self.file(path, content)
                self.refused(2, path.replace("\n", "?"), why, "max", *(["--type", dtype] if dtype else []), path)

    def test_pipes_are_refused_when_they_end_early_or_late(self):
        whole = self.read(self.npy("in.npy", NUMBERS))
        begin = len(whole) - NUMBERS.nbytes
        self.prints("17\n", "sum", "-", given=whole)
        for given, why in [(whole + b"\0", "more than the 6"), (whole[:-1], "truncated"), (whole[:begin], "truncated"),
                           (whole[:begin - 1], "middle of its header"), (whole[:8], "middle of its header"),
                           (whole[:3], "need --type"), (b"", "need --type")]:
            with self.subTest(why, size=len(given)):
                self.refused(2, "standard input", why, "sum", "-", given=given)
        raw = ("sum", "--type", "i32", "-")
        self.refused(2, "standard input", "13 bytes", *raw, given=NUMBERS.tobytes()[:13])
        self.prints("17\n", *raw, given=NUMBERS.tobytes())
        self.prints("0\n", *raw)


class Arrays(tool.Case):
    def test_files_that_numpy_wrote_are_read(self):
        floats, fortran, version2 = (str(DATA / f"numpy_{name}.npy")
                                     for name in ("f32_3x4", "i64_2x3_fortran", "u8_version2"))
        for expected, *arguments in [("0.55\t11\n", "max", "--index", floats), ("-0.55\n", "min", floats),
                                     ("1099511627805\n", "sum", fortran),
                                     ("-9\n-1\n2\n7\n30\n1099511627776\n", "sort", fortran),
                                     ("1\t1\n2\t1\n3\t2\n255\t1\n", "unique", "--count", version2)]:
            self.prints(expected, *arguments)
        for arguments in [("scan",), ("top-k", "-k", "1"), ("min", "--index"), ("sort", "--indices")]:
            with self.subTest(arguments):
                self.refused(2, fortran, "Fortran", *arguments, fortran)

    @tool.posix
    def test_bools_are_counted_and_stay_bools(self):
        values = numpy.array([1, 0, 2, 1, 0, 1, 1], "u1")  # values that are not 0 are true
        self.npy("in.npy", values.view(bool))
        for expected, *arguments in [("5\n", "sum"), ("0\t1\n", "min", "--index"), ("1\n", "max"),
                                     ("0\t2\n1\t5\n", "unique", "-c"),
                                     ("2\n5\n", "histogram", "--text", "-o", "/dev/stdout")]:
            self.prints(expected, *arguments, "in.npy")
        self.writes(numpy.cumsum(values > 0, dtype="u8"), "scan", "in.npy")
        self.writes(numpy.sort(values > 0), "sort", "in.npy")
        self.writes(numpy.array([False, True]), "unique", "in.npy")
        self.writes(numpy.array([1, 4, 0, 2, 3, 5, 6], "u8"), "sort", "in.npy", "--indices")
        self.file("out.npy", self.ok_bytes("top-k", "-k3", "in.npy", "-o", "-"))
        self.holds("out.npy", numpy.array([True, True, True]))
        self.assertEqual(self.json("sort", "in.npy")["type"], "bool")
        self.refused(2, "in.npy", "holds bool, not i8", "sum", "in.npy", "-t", "i8")

    def test_big_endian_files_are_read(self):
        self.npy("shorts.npy", [-2, 1, 256], ">i2")
        self.prints("-2\n1\n256\n", "sort", "shorts.npy")
        self.prints("255\n", "sum", "shorts.npy")
        self.writes(numpy.array([-2, 1, 256], "<i2"), "sort", "shorts.npy")
        self.prints("-2\n", "min", self.npy("doubles.npy", [1.5, -2], ">f8"))
        # In chunks, twice, from a file and from a pipe: data that are read again are byte-swapped again.
        values = numpy.arange(1201) * 7919 % 65536
        self.npy("many.npy", values, ">u4")
        self.prints(f"{values.sum()}\n", "sum", "many.npy", *LITTLE)
        whole = self.ok("histogram", "many.npy", "-n4")
        self.assertNotIn("outside", whole)
        self.prints(whole, "histogram", "many.npy", "-n4", *LITTLE)
        self.prints(whole, "histogram", "-", "-n4", *LITTLE, given=self.read("many.npy"))


class Outputs(tool.Case):
    @tool.posix
    def test_outputs_that_cannot_be_written_are_refused(self):
        self.npy("in.npy", NUMBERS)
        nowhere = str(self.folder / "no" / "such" / "folder.npy")
        for name, why, *arguments in [(nowhere, "No such file", "sort", "-o"), (".", "is a directory", "sort", "-o"),
                                      ("/dev/full", "No space left", "sort", "-o"),
                                      (nowhere, "No such file", "histogram", "--svg")]:
            with self.subTest(name, arguments=arguments):
                self.refused(2, name, why, arguments[0], "in.npy", arguments[1], name)
        for command in ("sort", "unique"):
            self.refused(2, nowhere, "temporary file", command, *LITTLE, self.npy("many.npy", elements("i4")),
                         variables={"TMPDIR": nowhere})

    @tool.posix
    def test_files_that_may_not_be_so_large_are_refused(self):
        """As on a full disk: for the output, and for temporary files."""
        self.npy("many.npy", elements("i4"))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        for subject, why, *way in [("out.npy", "File too large"), ("out.npy", "File too large", *LITTLE),
                                   (str(self.folder), "temporary file: File too large", *LITTLE)]:
            name = "out.npy" if subject == "out.npy" else "/dev/null"
            with self.subTest(subject, way=way):
                self.refused(2, subject, why, "sort", "many.npy", "-o", name, *way, preexec_fn=limit)
                self.assertEqual(self.files(), ["many.npy"])

    @tool.posix
    def test_output_replaces_a_file_only_when_it_is_complete(self):
        self.npy("a.npy", NUMBERS)
        (self.folder / "a.npy").chmod(0o640)
        self.prints("", "sort", "a.npy", "-o", "a.npy")
        self.assertEqual(stat.S_IMODE((self.folder / "a.npy").stat().st_mode), 0o640)
        self.holds("a.npy", SORTED)
        self.prints("", "sort", "a.npy", "-o", "new.npy", umask=0o27)
        self.assertEqual(stat.S_IMODE((self.folder / "new.npy").stat().st_mode), 0o640)
        # A sum that fails keeps the old file.
        self.npy("overflow.npy", [2**64 - 1, 1], "u8")
        self.refused(1, "overflow.npy", "index 1", "scan", "overflow.npy", "-o", "a.npy")
        self.holds("a.npy", SORTED)
        self.assertEqual(self.files(), ["a.npy", "new.npy", "overflow.npy"])
        # The same for a picture: it gets the old file's name, and is not written into the old file.
        os.link(self.folder / self.file("a.svg", "before"), self.folder / "old.svg")
        self.ok("histogram", "a.npy", "--svg", "a.svg")
        self.assertTrue(self.read("a.svg").startswith(b"<svg"))
        self.assertEqual(self.read("old.svg"), b"before")

    @tool.posix
    def test_output_through_a_link_is_written_to_its_target(self):
        self.npy("in.npy", NUMBERS)
        (self.folder / "folder" / "inner").mkdir(parents=True)
        link, second = self.folder / "folder" / "link.npy", self.folder / "second.npy"
        link.symlink_to("inner/target.npy")  # relative to the link, not to the working directory, and to nothing yet
        second.symlink_to(link)
        target = self.folder / "folder" / "inner" / "target.npy"
        for output in (str(second), "second.npy", "folder/link.npy"):
            self.prints("", "sort", "in.npy", "-o", output)
            self.assertTrue(second.is_symlink() and link.is_symlink() and not target.is_symlink())
            self.holds(target, SORTED)
            os.truncate(target, 3)
        self.ok("histogram", "in.npy", "--svg", "folder/link.npy")
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(list(self.folder.rglob("*"))), 6)
        (self.folder / "loop").symlink_to("loop")
        self.refused(2, "loop", "symbolic links", "sort", "in.npy", "-o", "loop")

    @tool.posix
    def test_one_file_cannot_be_two_outputs(self):
        self.npy("in.npy", NUMBERS)
        (self.folder / "link").symlink_to("out.npy")
        out = str(self.folder / "out.npy")
        for arguments in [("unique", "-o", out, "--counts", out), ("unique", "--counts", "./out.npy", "-o", "out.npy"),
                          ("unique", "--counts", "link", "-o", out),
                          ("histogram", "-o", "out.npy", "--svg", "out.npy")]:
            with self.subTest(arguments):
                self.refused(2, arguments[0], "are the same file", *arguments, "in.npy")
        self.assertEqual(self.files(), ["in.npy", "link"])
        self.prints("", "unique", "in.npy", "-o", "/dev/null", "--counts", "/dev/null")
        self.prints("", "unique", "in.npy", "-o", "in.npy", "--counts", "out.npy")

    @tool.posix
    def test_a_signal_leaves_nothing_behind(self):
        arguments = ("sort", "-t", "i32", *LITTLE, "-", "-o", "out.npy")
        many = elements("i4").tobytes() * 2
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGBUS):
            with self.start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE) as process:
                process.stdin.write(many[:30000])  # several runs, which wait in a temporary file
                process.stdin.flush()
                self.assertTrue(any(self.files() or time.sleep(0.02) for _ in range(3000)))  # the unfinished output
                process.send_signal(number)
                is_told = number == signal.SIGBUS  # a mapped file is gone
                while is_told and process.poll() is None:  # a compiler's handler gets the first signal, and calls the
                                                           # previous handler
                    time.sleep(0.02)
                    process.send_signal(number)
                self.assertEqual(process.wait(tool.LIMIT), 2 if is_told else -number)
                self.assertEqual(b"truncated" in process.stderr.read(), is_told)
                self.assertEqual(self.files(), [])
        self.refused(2, "standard input", "29999 bytes", *arguments, given=many[:29999])
        self.assertEqual(self.files(), [])

    @tool.posix
    def test_what_a_killed_tool_left_is_removed_by_the_next(self):
        """But no files of a tool that is still running, and no files that only have similar names."""
        def begin():
            before = set(self.files())
            process = self.start("sort", "-t", "i32", *LITTLE, "-", "-o", "out.npy", stdin=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.addCleanup(process.stdin.close)
            process.stdin.write(elements("i4").tobytes())
            process.stdin.flush()
            self.assertTrue(any(set(self.files()) - before or time.sleep(0.02) for _ in range(3000)))
            part, = set(self.files()) - before
            self.assertRegex(part, r"\Aout\.npy\.clprim-\w{6}\Z")
            return process, part

        kept = {self.npy("in.npy", NUMBERS), *(self.file(name, "kept") for name in (
            "out.npy.clprim-abcde", "out.npy.clprim-abcdef.old", "out.npy.clprim-abcd_f", "other.npy.clprim-abcdef",
            "xout.npy.clprim-abcdef")), "out.npy.clprim-folder", "out.npy.clprim-linked", "out.npy.clprim-ABCDEF"}
        (self.folder / "out.npy.clprim-folder").mkdir()
        (self.folder / "out.npy.clprim-linked").symlink_to("in.npy")
        os.link(self.folder / "in.npy", self.folder / "out.npy.clprim-ABCDEF")  # also a file that has another name
        first, part = begin()
        second, second_part = begin()
        self.assertEqual(set(self.files()), {*kept, part, second_part})
        first.kill()
        first.wait()
        self.assertIn(part, self.files())
        for arguments in [("-o", "./out.npy"), ("-o", str(self.folder / "out.npy"), "--text")]:
            self.prints("", "sort", "in.npy", *arguments)
            self.assertEqual(set(self.files()), {*kept, "out.npy", second_part})
        second.kill()
        second.wait()
        self.prints("", "sort", "in.npy", "-o", "out.npy")
        self.assertEqual(set(self.files()), {*kept, "out.npy"})

    @tool.posix
    def test_read_only_files_are_not_replaced(self):
        """Not even root, who has the right to, writes them."""
        self.npy("in.npy", NUMBERS)
        path = self.folder / self.file("kept", "before")
        path.chmod(0o444)
        (self.folder / "link").symlink_to("kept")
        for arguments in [("sort", "-o", "kept"), ("scan", "-o", "link"), ("unique", "--counts", "kept"),
                          ("histogram", "--svg", "kept"), ("top-k", "-k1", "-o", str(path), "--text")]:
            self.refused(2, arguments[-1 if arguments[-1] != "--text" else -2], "is read-only", *arguments, "in.npy")
        self.assertEqual((self.read("kept"), self.files()), (b"before", ["in.npy", "kept", "link"]))
        path.chmod(0o644)
        self.prints("", "sort", "in.npy", "-o", "link")

    @tool.posix
    def test_nobody_reads_the_pipe(self):
        """It ends by the signal, or, if that is ignored, reports the error."""
        self.npy("in.npy", NUMBERS)
        for is_default in (True, False):
            reader, writer = os.pipe()
            os.close(reader)
            with self.start("sort", "in.npy", "-o", "-", restore_signals=is_default, stdout=writer,
                            stderr=subprocess.PIPE) as process:
                os.close(writer)
                said = process.communicate(timeout=tool.LIMIT)[1].decode()
            self.assertEqual(process.returncode, -signal.SIGPIPE if is_default else 2, said)
            self.assertEqual(said, "" if is_default else "clprim: standard output: Broken pipe\n")
            self.assertEqual(self.files(), ["in.npy"])
