# SPDX-License-Identifier: MIT
"""The tool in several processes, as mpirun starts it: each processes a part of the file, and the result equals that of
one process."""
import math
import os
import shlex
import unittest

import numpy

import tool
from tool import LITTLE, NUMBERS, WAYS

MANY = 100003
# MPI's files are not in a test's folder, and memory that MPI never frees is no leak of the tool.
BY_MPI = {"TMPDIR": os.environ.get("TMPDIR", "/tmp"),
          "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def made(dtype, count):
    random = numpy.random.default_rng(count)
    kind = numpy.dtype(dtype).kind
    values = (random.standard_normal(count) if kind == "f" else random.integers(0, 256, count)).astype(dtype)
    if kind == "f" and count > 100:
        values[50::1000] = numpy.nan
    return values


@unittest.skipUnless("CLPRIM_MPIEXEC" in os.environ, "the tool is built without MPI")
class Ranks(tool.Case):
    def mpirun(self, size, *arguments, first=(), last=(), **variables):
        """(the exit status, stdout, the tool's own lines on stderr). Commands may start the others and the last rank."""
        rank = "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}"  # not two programs: Open MPI 5.0.7's mpiexec crashes
        by_rank = f'[ "{rank}" != {size - 1} ] || exec {shlex.join(last)} "$@"; exec {shlex.join(first)} "$@"'
        status, out, err = self.run_tool(*arguments, before=[*shlex.split(os.environ["CLPRIM_MPIEXEC"]), str(size), "sh", "-c",
                                                             by_rank, "sh"], variables={**BY_MPI, **variables})
        return status, out.decode(), [line for line in err.splitlines() if line.startswith("clprim: ")]

    def same(self, size, *arguments):
        """They print the same as one process."""
        status, out, err = self.run_tool(*arguments)
        self.assertEqual(self.mpirun(size, *arguments), (status, out.decode(), err.splitlines()), arguments)

    def refused_once(self, status, why, *given, **options):
        got, out, err = self.mpirun(*given, **options)
        self.assertEqual((got, out, len(err)), (status, "", 1), (given, err))
        self.assertRegex(err[0], why)

    def test_ranks_sort_one_file(self):
        for size, dtype, count, output, *way in [
                (1, "u4", 6, "out.npy"), (2, "u1", MANY, "out.npy"), (3, "u4", MANY, "out.bin"),
                (3, "f8", MANY, "out.npy", "-r"), (3, "f8", MANY, "out.npy", "--indices", *LITTLE),
                (3, "u4", 0, "out.npy"), (2, "u1", 1, "out.npy", "--indices"), (3, ">i2", MANY, "out.npy"),
                (2, "f8", 6, "in.npy", "--indices", "-r")]:
            with self.subTest(size=size, dtype=dtype, count=count, way=way):
                values = made(dtype, count)
                self.npy("in.npy", values)
                self.prints("", "sort", "in.npy", "-o", "alone" + output[-4:], *way)
                self.assertEqual(self.mpirun(size, "sort", "in.npy", "-o", output, *way), (0, "", []))
                self.assertEqual(self.read(output), self.read("alone" + output[-4:]))
        self.assertEqual(self.files(), ["alone.bin", "alone.npy", "in.npy", "out.bin", "out.npy"])
        said = self.mpirun(2, "sort", self.npy("in.npy", NUMBERS), "-o", "out.npy", "--json")[1]
        said = tool.strict_json(said)
        self.assertEqual((said["count"], said["results"]), (6, 6))

    def test_ranks_fold_one_file(self):
        for size, dtype, count in [(3, "u4", MANY), (2, "f8", 1)]:
            self.npy("in.npy", made(dtype, count))
            with self.subTest(size=size, dtype=dtype, count=count):
                self.same(size, "sum", "in.npy", "--json")
                self.same(size, "max", "in.npy", "--index")
        self.npy("none.npy", NUMBERS[:0])
        values = made("f8", MANY)
        self.npy("in.npy", values)
        for way in WAYS:
            self.same(2, "histogram", "in.npy", "--json", *way)  # finds its range; NaNs are outside
        self.same(3, "histogram", "in.npy", "-n7", "--range=-1,1")
        self.same(3, "sum", "none.npy")
        self.same(3, "min", "in.npy", "--index", "--nan", "total")
        self.assertEqual(self.mpirun(2, "histogram", "in.npy", "-o", "out.npy", "--svg", "out.svg"), (0, "", []))
        self.ok("histogram", "in.npy", "-o", "alone.npy", "--svg", "alone.svg")
        for name in ("npy", "svg"):
            self.assertEqual(self.read(f"out.{name}"), self.read(f"alone.{name}"))
        values = values[numpy.isfinite(values)]
        said = self.mpirun(3, "sum", self.npy("in.npy", values))[1]
        self.assertLessEqual(abs(float(said) - math.fsum(values)), math.fsum(abs(values)) * MANY * 2.0 ** -52)

    def test_sums_beyond_64_bits_are_as_those_of_one_process(self):
        for values, dtype in [([2**64 - 1, 5, 2**63, 7, 1], "u8"), ([-2**63, -1, -2**63], "i8")]:
            self.npy("in.npy", values, dtype)
            self.refused_once(1, rf"in\.npy: the sum is {sum(values)}", 3, "sum", "in.npy")
            self.same(2, "sum", "in.npy", "--wide")
        self.same(3, "sum", self.npy("in.npy", [2**63 - 1, 2**63 - 1, -2**63, -2**63, 9], "i8"))

    def test_an_error_of_one_rank_is_told_once_and_ends_all(self):
        self.npy("in.npy", made("u4", MANY))
        sort = ("sort", "in.npy", "-o", "out.npy")

        def limited(command):
            return "sh", "-c", command + '; exec "$@"', "sh"
        small = limited("ulimit -f 8")
        has_small_files = self.mpirun(2, "sum", "in.npy", first=small, last=small)[0] == 0  # Open MPI 5 needs large ones
        for status, why, *given in [
                (2, r"^clprim: rank 2: in\.npy: No such file", 3, *sort, {"last": limited("cd /")}),
                (1, r"^clprim: rank 1: device: .*no OpenCL device", 2, "sum", "in.npy",
                 {"last": limited("export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES=")}),
                (2, r"^clprim: the ranks .* different command lines", 2, *sort, {"last": limited("set -- \"$1\" sum in.npy")}),
                *[(2, r"^clprim: rank 1: .*: temporary file: File too large", 2, *sort, "--indices", *LITTLE, {"last": small}),
                  # of rank 0, which makes the file
                  (2, r"^clprim: out\.npy: File too large", 2, *sort, {"first": small, "last": limited("true")})
                  ] * has_small_files]:
            with self.subTest(why):
                self.refused_once(status, why, *given[:-1], **given[-1])
                self.assertEqual(self.files(), ["in.npy"])
        # Also if only that rank can see, from its folder, that the command line is wrong.
        (self.folder / "other").mkdir()
        (self.folder / "other" / "out.svg").symlink_to("out.npy")
        self.refused_once(2, r"^clprim: rank 1: histogram: --output and --svg are the same file", 2, "histogram", "in.npy",
                          "-o", "out.npy", "--svg", "out.svg", last=limited("cd other"))

    def test_what_ranks_cannot_do_is_refused_once(self):
        self.npy("in.npy", NUMBERS)
        text = self.file("in.txt", "1 2 3")
        for why, *arguments in [
                ("scan: runs on one rank only", "scan", "in.npy"), ("give --output FILE", "sort", "in.npy"),
                ("not text", "sort", "in.npy", "--text", "-o", "out.txt"),
                ("not pipes or text", "sum", "-t", "u8", "--text", text), ("not pipes or text", "max", "-t", "u8", "-"),
                ("/dev/null: several ranks", "sort", "in.npy", "-o", "/dev/null"),
                ("no elements", "min", self.npy("none.npy", NUMBERS[:0])), ("sorted: unknown", "sorted")]:
            with self.subTest(arguments):
                self.refused_once(2, why, 2, *arguments)
        self.assertEqual(self.files(), ["in.npy", "in.txt", "none.npy"])
        self.assertEqual(self.mpirun(2, "--version")[1], self.ok("--version"))

    def test_without_mpi_each_process_works_for_itself(self):
        self.npy("in.npy", NUMBERS)
        self.assertEqual(self.mpirun(2, "sum", "in.npy", CLPRIM_MPI="off")[:2], (0, "17\n17\n"))

    def test_ranks_of_a_host_take_turns_at_its_devices(self):
        variables = {"POCL_DEVICES": "basic pthread"}
        names = [device["name"] for device in self.json("devices", variables=variables)["devices"]]
        if len(names) != 2 or names[0] == names[1]:
            self.skipTest("PoCL makes no two devices here")
        self.npy("in.npy", NUMBERS)
        for device, uses in [((), [0, 1, 0]), (("--device", "1"), [1, 1, 1])]:
            said = self.mpirun(3, "sum", "in.npy", "-v", *device, **variables)[2]
            said = sorted(line.split(" (")[0] for line in said if "device: " in line)
            self.assertEqual(said, [f"clprim: {f'rank {rank}: ' if rank > 0 else ''}device: {names[index]}"
                                    for rank, index in enumerate(uses)])


class Launchers(tool.Case):
    def test_a_launcher_that_is_no_use_is_refused_by_its_first_rank(self):
        """With another MPI, or with a tool without MPI, each process would take itself for the only one."""
        self.npy("in.npy", NUMBERS)
        first = {**BY_MPI, "PMI_SIZE": "2", "PMI_RANK": "0"}
        status, out, err = self.run_tool("sum", "in.npy", variables=first)
        self.assertEqual((status, out), (2, b""))
        self.assertRegex(err, r"\Aclprim: started as one of 2 ranks, but [^\n]*\n\Z")
        self.assertEqual(self.run_tool("sum", "in.npy", variables={**first, "PMI_RANK": "1"}), (2, b"", ""))
        self.prints("17\n", "sum", "in.npy", variables={**first, "PMI_SIZE": "1"})
