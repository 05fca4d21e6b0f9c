#!/usr/bin/env python3
"""Turn committed runs into Markdown: one table of times and ratios per suite, the ladder of variants, the goals.

    benchmarks/summary.py [--goals FILE] [--check] [results/<device>-<stem>.json ...]

Without files: all of benchmarks/results. The files are Google Benchmark's JSON from bench_<stem>; a
<device>-startup.json holds the lines that `startup` printed, one a run.
--check: exit status 1 if a goal is missed or a row of clPRIM's failed.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["cub", "boost_compute", "std_par", "std", "std_stable", "c"]


class Run:
    """One file: rows[(op, implementation, type, n, distribution, timing)] = {time (us), gitems_per_s, gb_per_s,
    roof_share}."""

    def __init__(self, path):
        self.device, _, self.stem = path.stem.rpartition("-")
        data = json.loads(path.read_text())
        self.context = data["context"]
        self.rows = {}
        self.errors = []
        for entry in data["benchmarks"]:
            if entry.get("error_occurred") or entry.get("skipped") == "error":
                self.errors.append(entry["run_name"])
            elif entry.get("aggregate_name", "median") == "median":
                op, implementation, type_, n, distribution, timing = entry["run_name"].split("/")
                self.rows[op, implementation, type_, int(n), distribution, timing] = {
                    "time": entry["real_time"],
                    "gitems_per_s": entry["items_per_second"] * 1e-9,
                    "gb_per_s": entry["bytes_per_second"] * 1e-9,
                    "roof_share": entry["roof_share"],
                }

    def peer_time(self, peer, key):
        """The peer's time for the same work; None where it was not run. CUB's throughput is the better of wall clock
        and event time; peers that block have one time, which counts as both throughput and latency."""
        op, _, type_, n, distribution, timing = key
        timings = ["throughput", "event"] if timing == "throughput" else ["latency"]
        times = [self.rows[row]["time"] for row in ((op, peer, type_, n, distribution, t) for t in timings)
                 if row in self.rows]
        if not times and peer != "cub":
            row = self.rows.get((op, peer, type_, n, distribution, "throughput"))
            times = [row["time"]] if row else []
        return min(times) if times else None


def size_text(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def op_text(op, distribution):
    return op if distribution == "uniform" else f"{op} ({distribution})"


def time_text(microseconds):
    if microseconds >= 1e4:
        return f"{microseconds * 1e-3:.1f} ms"
    digits = max(0, 2 - int(math.floor(math.log10(max(microseconds, 1e-3)))))
    return f"{microseconds:.{digits}f} µs"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def rate_text(per_second):
    return f"{per_second:.0f}" if per_second >= 100 else f"{per_second:.1f}" if per_second >= 1 else f"{per_second:.2g}"


def ratio_text(run, peer, key):
    time = run.peer_time(peer, key)
    return f"{time / run.rows[key]['time']:.2f}" if time else "–"


def main_table(run):
    """A line for each op, type and n: throughput, then latency."""
    peers = [peer for peer in PEERS if any(key[1] == peer for key in run.rows)]
    has_cub = "cub" in peers
    rows = []
    for key in (key for key in run.rows if key[1] == "clprim" and key[5] == "throughput"):
        row, latency_key = run.rows[key], key[:5] + ("latency",)
        latency = run.rows.get(latency_key)
        rows.append([op_text(key[0], key[4]), key[2], size_text(key[3]), time_text(row["time"]),
                     rate_text(row["gitems_per_s"]), rate_text(row["gb_per_s"]), f"{row['roof_share'] * 100:.0f} %"]
                    + [ratio_text(run, peer, key) for peer in peers]
                    + [time_text(latency["time"]) if latency else "–"]
                    + ([ratio_text(run, "cub", latency_key) if latency else "–"] if has_cub else []))
    return table(["op", "type", "n", "per call", "Gitems/s", "GB/s", "of copy"] + [f"× {peer}" for peer in peers]
                 + ["latency"] + (["× cub"] if has_cub else []), rows)


def ladder_table(run):
    """The variants, one line each; microseconds and GB/s by type and n."""
    variants = list(dict.fromkeys((key[0], key[1]) for key in run.rows if key[1].startswith("clprim:")))
    columns = list(dict.fromkeys((key[2], key[3], key[4]) for key in run.rows if key[1].startswith("clprim:")))
    if not variants:
        return ""
    rows = []
    for op, implementation in variants:
        cells = []
        for type_, n, distribution in columns:
            row = run.rows.get((op, implementation, type_, n, distribution, "throughput"))
            cells.append(f"{time_text(row['time'])}, {rate_text(row['gb_per_s'])}" if row else "–")
        rows.append([op, implementation.partition(":")[2]] + cells)
    return table(["op", "variant"] + [op_text(f"{type_} {size_text(n)}", distribution)
                                      for type_, n, distribution in columns], rows)


def measured(goal, runs, startups):
    if goal["measure"] == "ms":
        lines = [line for line in startups.get(goal["device"], [])
                 if line["mode"] == "clprim" and line["kernels"] == goal["timing"]]
        return statistics.median(line.get("since_exec_ms", line["total_ms"]) for line in lines) if lines else None
    key = (goal["op"], "clprim", goal["type"], int(goal["n"]), goal["distribution"], goal["timing"])
    for run in runs:
        if run.device != goal["device"] or key not in run.rows:
            continue
        row = run.rows[key]
        if not goal["measure"].startswith("ratio:"):
            return row[goal["measure"]]
        time = run.peer_time(goal["measure"].partition(":")[2], key)
        return time / row["time"] if time else None
    return None


def goals_table(goals, runs, startups):
    """The Markdown, and whether all that was measured was reached."""
    rows, all_reached = [], True
    for goal in goals:
        value = measured(goal, runs, startups)
        if value is None:
            outcome = "not measured"
        else:
            bound = float(goal["goal"][2:])
            reached = value >= bound if goal["goal"].startswith(">=") else value <= bound
            all_reached = all_reached and reached
            outcome = "reached" if reached else "**not reached**"
        text = "–" if value is None else f"{value:.4g}"
        rows.append([goal["device"], op_text(goal["op"], goal["distribution"]), goal["type"],
                     size_text(int(goal["n"])), goal["timing"], goal["measure"],
                     goal["goal"].replace(">=", "≥ ").replace("<=", "≤ "), text, outcome])
    header = ["device", "op", "type", "n", "timing", "measure", "goal", "measured", ""]
    return table(header, rows), all_reached


def startup_table(device, lines):
    rows = []
    for mode in dict.fromkeys((line["mode"], line.get("kernels", "")) for line in lines):
        same = [line for line in lines if (line["mode"], line.get("kernels", "")) == mode]
        stages = [key for key in same[0] if key.endswith("_ms")]
        rows.append([device, " ".join(mode).strip(), str(len(same)), ", ".join(
            f"{stage[:-3]} {statistics.median(line[stage] for line in same):.1f}" for stage in stages)])
    return table(["device", "kernels from", "runs", "median ms"], rows)


def heading(run):
    context = run.context
    return (f"## {run.device}: {run.stem}\n\n{context['device']}, driver {context['driver']}; "
            f"clPRIM {context['clprim_version']} ({context['git_commit']}), {context['date'][:10]}. "
            f"Copy speed {context['copy_roof_gb_per_s']} GB/s."
            + (f" CUB {context['cub']}." if "cub" in context else "")
            + (f" CLPRIM_WITHOUT={context['without']}." if "without" in context else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--goals", type=pathlib.Path, default=HERE / "goals.csv")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    files = arguments.files or sorted((HERE / "results").glob("*.json"))
    runs = [Run(path) for path in files if not path.stem.endswith("-startup")]
    startups = {path.stem.rpartition("-")[0]: [json.loads(line) for line in path.read_text().splitlines() if line]
                for path in files if path.stem.endswith("-startup")}
    devices = {run.device for run in runs} | set(startups)
    with arguments.goals.open(newline="") as file:
        goals = [goal for goal in csv.DictReader(file) if goal["device"] in devices]

    text, all_reached = goals_table(goals, runs, startups)
    print("## Goals\n\nMedians of one run. A ratio is the peer's time divided by clPRIM's: above 1, clPRIM is faster.")
    print(f"\n{text}")
    for run in runs:
        print(f"\n{heading(run)}\n\n{main_table(run)}")
        for name in run.errors:
            print(f"\n**Failed:** {name}")
        ladder = ladder_table(run)
        if ladder:
            print(f"\n### Variants: time, GB/s\n\n{ladder}")
    for device, lines in startups.items():
        print(f"\n## {device}: from process start to the first result\n\n{startup_table(device, lines)}")
    failed = any("/clprim" in name for run in runs for name in run.errors)
    return 1 if arguments.check and (failed or not all_reached) else 0


if __name__ == "__main__":
    sys.exit(main())
