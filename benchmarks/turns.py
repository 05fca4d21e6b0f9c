#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""turns.py OLD NEW STEM...: what a change costs or gains: times the benchmarks of two builds by turns, on one device.

OLD and NEW are build folders (cmake -DCMAKE_BUILD_TYPE=Release), a STEM is bench_STEM without its beginning. The programs run
old, new, new, old, and so on. Of each row the least median of its runs counts. Prints for each operation and n the geometric mean of old time / new time, and the rows
that are slower than --tolerance allows.

--out FOLDER        where results go as they come (default: turns); without stems only what is there is compared
--filter REGEX      rows (default: clPRIM's own, throughput)
--log2 K,K,...      sizes (default: 10,16,24)
--rounds R          runs of each program of both builds (default: 2)
--seconds S         begin no more programs after so many seconds
--beside P          programs beside each other (default: 1). They take turns at the device, so what takes less time is
                    compiling, data and checks. Not for CPU devices
--each S            end a program after so many seconds (default: 60); rows that were complete count
--tolerance SHARE   default: 0.03"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys
import time

BUILDS = ("old", "new")


def run(build, stem, options, seconds, turns):
    """What the program said, if it failed. Programs with the same file `turns` take turns at the device."""
    program = pathlib.Path(build) / "benchmarks" / f"bench_{stem}"
    try:
        done = subprocess.run([program, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={"CLPRIM_BENCH_TURNS": str(turns), **os.environ}, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"ended after {seconds} s"
    return "" if done.returncode == 0 else (done.stdout.strip().splitlines() or [f"status {done.returncode}"])[-1]


def medians(path):
    """{row: microseconds}; {} where there is no whole file."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
    except (OSError, ValueError):
        return {}
    return {row["run_name"]: row["real_time"] for row in rows
            if row.get("aggregate_name") == "median" and not row.get("error_occurred")}


def ratios(folder, stem):
    """{row: old time / new time}"""
    least = {}
    for build in BUILDS:
        for path in folder.glob(f"{stem}.{build}.*.json"):
            for name, took in medians(path).items():
                least[name, build] = min(took, least.get((name, build), math.inf))
    return {name: least[name, "old"] / least[name, "new"] for name, build in least
            if build == "old" and (name, "new") in least}


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def lines(folder, tolerance):
    """The table, in Markdown, and what all rows of each n say."""
    sizes, table = {}, ["| | n | rows | old / new | slower |", "|---|---|---|---|---|"]
    for stem in sorted({path.name.split(".")[0] for path in folder.glob("*.json")}):
        by_size = {}
        for name, ratio in ratios(folder, stem).items():
            op, _, type_, n, distribution = name.split("/")[:5]
            by_size.setdefault(int(n), {})[f"{op}/{type_}/{distribution}"] = ratio
        for n, rows in sorted(by_size.items()):
            sizes.setdefault(n, []).extend(rows.values())
            slower = [f"{name} {ratio:.2f}" for name, ratio in sorted(rows.items(), key=lambda row: row[1])
                      if ratio < 1 - tolerance]
            table.append(f"| {stem} | 2^{n.bit_length() - 1} | {len(rows)} | {mean(rows.values()):.3f} | {', '.join(slower)} |")
    return table + [f"2^{n.bit_length() - 1}: {len(all_)} rows, {mean(all_):.4f}, {sum(r < 1 - tolerance for r in all_)} slower"
                    for n, all_ in sorted(sizes.items())]


def measure(arguments):
    begin = time.monotonic()
    builds = dict(zip(BUILDS, (arguments.old, arguments.new)))
    logs = [int(log) for log in arguments.log2.split(",")]
    rows = arguments.filter or f"/clprim/[^/]*/({'|'.join(str(1 << log) for log in logs)})/.*throughput"
    options = [f"--benchmark_filter={rows}", f"--min-log2={min(logs)}", f"--max-log2={max(logs)}"]

    def one(stem, build, turn):
        if arguments.seconds and time.monotonic() - begin > arguments.seconds:
            return "no time for it"
        out = arguments.out / f"{stem}.{build}.{turn}.json"
        return run(builds[build], stem, [*options, "--benchmark_repetitions=3", f"--benchmark_out={out}"], arguments.each,
                   arguments.out / "turns")

    with concurrent.futures.ThreadPoolExecutor(arguments.beside) as pool:
        jobs = {pool.submit(one, stem, build, turn): f"bench_{stem}, {build}" for stem in arguments.stems
                for turn in range(arguments.rounds) for build in (BUILDS if turn % 2 == 0 else BUILDS[::-1])}
        for job in concurrent.futures.as_completed(jobs):
            print(f"{time.monotonic() - begin:.0f} s: {jobs[job]} {job.result()}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="?")
    parser.add_argument("new", nargs="?")
    parser.add_argument("stems", nargs="*")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("turns"))
    parser.add_argument("--filter")
    parser.add_argument("--log2", default="10,16,24")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--beside", type=int, default=1)
    parser.add_argument("--each", type=float, default=60)
    parser.add_argument("--tolerance", type=float, default=0.03)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.stems:
        measure(arguments)
    print("\n".join(lines(arguments.out, arguments.tolerance)))


if __name__ == "__main__":
    sys.exit(main())
