#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scale.py: the run of `scale` on the devices of one host: all operations, on 1, 2, 4 and 8 ranks up to the number of GPUs.

    benchmarks/scale.py >benchmarks/results/<device>-scale.json

Strong and weak scaling, ordinary and registered memory; ranks are threads, and where there is mpirun, processes, too,
which only sort keys. A line of JSON for each row. `scale` checks every result, and prints no line for a wrong one.

--program FILE    default: build/release/benchmarks/scale
--ranks P,P,...   instead of 1, 2, 4 and 8
--by KIND,...     threads, mpi, or both
--total KEYS      on all ranks together, for strong scaling (default: 2^29)
--n KEYS          per rank, for weak scaling (default: 2^28)
--repeats COUNT   calls of which the median counts (default: 5)
--seconds S       end a program after so many seconds (default: 300)"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import time

MOST_RANKS = 8
OPERATIONS = {"threads": "all", "mpi": "sort"}


def ranks_up_to(devices):
    """1, 2, 4, 8: as many as there are devices, at least 1."""
    return [ranks for ranks in (1, 2, 4, MOST_RANKS) if ranks <= max(devices, 1)]


def commands(arguments, ranks):
    """The programs to run, one after another."""
    for by in arguments.by:
        for number in ranks:
            begin = ["mpirun", "-n", str(number)] if by == "mpi" else []
            yield begin + [str(arguments.program), f"--op={OPERATIONS[by]}", "--memory=all", f"--total={arguments.total}",
                           f"--n={arguments.n}", f"--repeats={arguments.repeats}"] + (
                               [f"--threads={number}"] if by == "threads" else [])


def run(command, seconds):
    """Whether it went well. What the program prints goes through."""
    begin = time.monotonic()
    try:
        code = subprocess.run(command, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        code = "none: it took too long"
    print(f"{' '.join(command)}: {time.monotonic() - begin:.1f} s" + (f", status {code}" if code else ""), file=sys.stderr)
    return code == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "benchmarks" / "scale")
    parser.add_argument("--ranks", type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("--by", type=lambda text: text.split(","),
                        default=["threads"] + (["mpi"] if shutil.which("mpirun") else []))
    parser.add_argument("--total", type=int, default=1 << 29)
    parser.add_argument("--n", type=int, default=1 << 28)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300)
    arguments = parser.parse_args()
    ranks = arguments.ranks or ranks_up_to(int(subprocess.check_output([arguments.program, "--gpus"])))
    return 0 if all([run(command, arguments.seconds) for command in commands(arguments, ranks)]) else 1


if __name__ == "__main__":
    sys.exit(main())
