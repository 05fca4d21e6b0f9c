#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turn runs into Markdown: times and ratios, ladders of variants, what a timing has inside, the goals.

    benchmarks/summary.py [--goals FILE] [--check] [FILE ...]
    benchmarks/summary.py --ladder [PRIMITIVE] [--log2 K] [--why] [FILE ...]
    benchmarks/summary.py --update [DOCUMENT ...]
    benchmarks/summary.py --trim [FILE ...]

Without files: all of benchmarks/results. The files are Google Benchmark's JSON from bench_<stem>; a
<device>-startup.json, <device>-plans.json and <device>-scale.json hold the lines that `startup`, startup_plans.py and
`scale` printed, one a run.
--check: exit status 1 if a goal is missed or a row of clPRIM's failed.
--ladder: only the ladders: each variant in the course's order beside the one before it and the CPU; then, in a table of
its own, what the course published (ladders.csv), which was measured on another device. --why: each row ends with the
reason why the step is as fast as it is, from the head of its kernel, and with what a trace has counted (counted.py).
--update: in these documents (without any: README.md and all below docs), replace what stands between
<!-- generated: WHAT --> and <!-- end --> from the committed results. A RUN is a file's name without .json. WHAT is

    goals                        every goal, and whether it is reached
    operations DEVICE:PEER ...   a line for each primitive: its speed beside PEER (or beside `host`, the fastest function
                                 on the host) in that device's run, its goals, and links to its pages
    runs STEM                    everything in all runs of bench_<stem>
    behind DEVICE                how many times as fast as CUB in all runs of that device, and the rows that are slower
    behind-host DEVICE           the same beside the fastest function on the host, of many elements
    startups                     the times of `startup`
    first-plans                  the times of startup_plans.py
    scale DEVICE                 the times of `scale`
    lacking DEVICE               how much of its speed each operation keeps without what other devices lack
    ladder RUN OP/TYPE, inside RUN, plots RUN

--trim: rewrite runs with what is read of them alone: medians, least and most, errors.
"""
import argparse
import csv
import fnmatch
import json
import math
import os
import pathlib
import re
import statistics
import sys

import counted

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
PEERS = ["cub", "boost_compute", "std_par", "vqsort", "numpy", "std", "std_stable", "c"]
ON_CPU = {"c": "plain C loop, one core", "std": "C++ standard library, one core",
          "std_stable": "std::stable_sort, one core", "std_par": "C++ with TBB, all cores",
          "vqsort": "Highway's vqsort, one core", "numpy": "NumPy, one core"}
ON_CPU_SHORT = {"c": "× C loop", "std": "× std", "std_stable": "× std::stable_sort", "std_par": "× TBB",
                "vqsort": "× vqsort", "numpy": "× NumPy"}


class Run:
    """One file: rows[(op, implementation, type, n, distribution, timing)] = {time (us), gitems_per_s, gb_per_s,
    roof_share, label}; also min and max (us) where the file has them."""

    def __init__(self, path):
        data = json.loads(path.read_text())
        self.context = data["context"]
        self.name = path.stem
        self.stem = self.context["suite"]
        committed = path.stem.endswith("-" + self.stem)
        self.device = path.stem[:-len(self.stem) - 1] if committed else self.context["device"]
        self.cache_bytes = int(self.context.get("cache_bytes", 0))  # the device's; 0: not known
        self.rows = {}
        self.errors = []
        spreads = {}
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
                    "label": entry.get("label", ""),
                    "joules": entry.get("joules_per_gitem"),
                }
            elif entry["aggregate_name"] in ("min", "max"):
                spreads.setdefault(entry["run_name"], {})[entry["aggregate_name"]] = entry["real_time"]
        for key, row in self.rows.items():
            row.update(spreads.get("/".join(map(str, key)), {}))

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


KEPT = ("name", "run_name", "aggregate_name", "real_time", "time_unit", "items_per_second", "bytes_per_second", "roof_share",
        "joules_per_gitem", "label", "error_occurred", "error_message", "skipped")


def trimmed(text):
    """A run's JSON with what Run reads of it, a row a line."""
    data = json.loads(text)
    rows = [json.dumps({key: row[key] for key in KEPT if key in row}) for row in data["benchmarks"]
            if row.get("aggregate_name", "median") in ("median", "min", "max")]
    return f'{{"context": {json.dumps(data["context"])},\n"benchmarks": [\n' + ",\n".join(rows) + "\n]}\n"


class Ladder:
    """One operation of a run at one n, with all its variants: rows[name] is {time, gb_per_s, roof_share}, where a
    name is that of a variant or of who else did it, or with_copy or with_transfer."""

    def __init__(self, run, op, type_, distribution, n):
        self.run, self.op, self.type, self.distribution, self.n = run, op, type_, distribution, n
        at = {(key[1], key[5]): row for key, row in run.rows.items()
              if (key[0], key[2], key[4], key[3]) == (op, type_, distribution, n)}
        self.rows = {}
        for (implementation, timing), row in at.items():
            if timing == "throughput":
                self.rows[implementation.partition(":")[2] or implementation] = row
            elif timing in ("with_copy", "with_transfer"):
                self.rows[timing] = row
        if ("cub", "event") in at and at["cub", "event"]["time"] < at["cub", "throughput"]["time"]:
            self.rows["cub"] = at["cub", "event"]
        found = [implementation.partition(":")[2] for implementation, _ in at if implementation.startswith("clprim:")]
        listed = [line["row"] for line in ladder_lines(run.stem)]
        self.variants = sorted(dict.fromkeys(found), key=lambda name: listed.index(name) if name in listed else 99)
        self.baseline = next((name for name in ("c", "std", "std_stable", "std_par") if name in self.rows), None)

    @property
    def title(self):
        return f"{op_text(self.op, self.distribution)}, {self.type}, n = {size_text(self.n)}"


def ladder_lines(stem):
    """The lines of ladders.csv that are about this primitive, in the course's order."""
    with (HERE / "ladders.csv").open(newline="") as file:
        return [line for line in csv.DictReader(file) if line["primitive"] == stem]


def why_of(stem, variant):
    """The sentence "Why: ..." in the head of a variant's kernel: why it is as fast as it is."""
    path = HERE.parent / "kernels" / stem / f"{variant}.cl"
    found = re.search(r"Why: ([^.]+\.)", path.read_text(encoding="utf-8")) if path.is_file() else None
    return found[1].replace("\n * ", " ") if found else ""


def counted_of(stem, variant):
    """What its reason ends with: what a trace of its kernels has counted."""
    text = counted.read().get((stem, variant))
    return f" ({text})" if text else ""


def ladders(run, log2=None):
    """One for each operation that was timed with its variants: at 2^log2 elements; or at the largest n with nearly as
    many of them as at any n (the slowest steps stop early, those for small arrays earlier)."""
    counts = {}
    for op, implementation, type_, n, distribution, _ in run.rows:
        if implementation.startswith("clprim:"):
            sizes = counts.setdefault((op, type_, distribution), {})
            sizes[n] = sizes.get(n, 0) + 1
    made = []
    for (op, type_, distribution), sizes in counts.items():
        if log2 is not None:
            wanted = [n for n in sizes if n == 1 << log2]
        else:
            wanted = [n for n, count in sizes.items() if 4 * count >= 3 * max(sizes.values())]
        if wanted and max(sizes.values()) >= 3:  # fewer are no ladder, but a choice of rows
            made.append(Ladder(run, op, type_, distribution, max(wanted)))
    return made


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


def spread_text(row):
    """The least and the most time of the repetitions, in one unit."""
    if "min" not in row:
        return "–"
    scale, unit = (1e-3, "ms") if row["max"] >= 1e4 else (1, "µs")
    return f"{digits_text(row['min'] * scale)} – {digits_text(row['max'] * scale)} {unit}"


def digits_text(value, digits=3):
    """So many significant digits at least, without an exponent."""
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


def rate_text(per_second):
    return f"{per_second:.0f}" if per_second >= 100 else f"{per_second:.1f}" if per_second >= 1 else f"{per_second:.2g}"


def times_text(ratio):
    """Three digits, or two."""
    for least, form in ((99.5, ".0f"), (9.95, ".1f"), (0.095, ".2f")):
        if ratio >= least:
            return f"{ratio:{form}}"
    return f"{ratio:.2g}"


def share_text(share):
    return f"{digits_text(share * 100, 2)} %"


MANY = 1 << 20  # elements: beside CUB, less is mostly launches
FITS, READS = "¹", "²"  # why something is faster than the copy of a large array


def above_copy(run, row):
    """The mark of a share that is shown as more than 100 %; else nothing."""
    if round(row["roof_share"] * 100) <= 100:
        return ""
    moved = row["gb_per_s"] * 1e9 * row["time"] * 1e-6
    return FITS if moved <= run.cache_bytes else READS


def above_copy_notes(run, marks):
    texts = {FITS: f"the data fit the device's cache ({run.cache_bytes / 2**20:.3g} MiB), the copied arrays do not",
             READS: "a copy writes as much as it reads; this writes less, or has part of its data in a cache"}
    return "\n\n".join(f"{mark} Faster than the copy: {text}." for mark, text in texts.items() if mark in marks)


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


def variants_table(run):
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


def ladder_table(ladder, why=False):
    """A line for each step. What is no step, but stands aside, is compared with the step before it. why: each line ends
    with the reason why the step is as fast as it is."""
    lines = {line["row"]: line for line in ladder_lines(ladder.run.stem)}
    base = ladder.rows.get(ladder.baseline)
    rows, marks = [], set()

    def add(name, text, before):
        row = ladder.rows[name]
        mark = above_copy(ladder.run, row)
        marks.add(mark)
        rows.append([text, lines.get(name, {}).get("step", ""), time_text(row["time"]), spread_text(row),
                     times_text(ladder.rows[before]["time"] / row["time"]) if before else "–",
                     times_text(base["time"] / row["time"]) if base else "–", digits_text(row["gb_per_s"]),
                     share_text(row["roof_share"]) + mark, why_of(ladder.run.stem, name) + counted_of(ladder.run.stem, name)])

    for name, text in ON_CPU.items():
        if name in ladder.rows:
            add(name, text, None)
    before = None
    for name in ladder.variants:
        add(name, f"`{name}`", before)
        if not lines or lines.get(name, {}).get("kind") == "step":
            before = name
    for name, text in (("clprim", "AUTO"), ("with_copy", "AUTO, and the input copied on the device"),
                       ("with_transfer", "AUTO, and from and to the host"), ("boost_compute", "Boost.Compute"),
                       ("cub", "CUB")):
        if name in ladder.rows:
            taken = ladder.rows[name]["label"] if name == "clprim" else ""
            add(name, f"{text}: `{taken}`" if taken else text, None)
    header = ["", "step", "time", "min – max", "× before", ON_CPU_SHORT.get(ladder.baseline, "× CPU"), "GB/s",
              "of copy", "why"]
    left_out = ({3} if all(row[3] == "–" for row in rows) else set()) | (set() if why else {8})  # an older run
    header, *rows = ([cell for i, cell in enumerate(row) if i not in left_out] for row in [header] + rows)
    parts = [table(header, rows), above_copy_notes(ladder.run, marks), published_table(ladder)]
    return "\n\n".join(part for part in parts if part)


def published_table(ladder):
    """What the course published of these steps. It has a table of its own, so that nobody compares its times with those
    that were measured here."""
    rows, before = [], None
    for line in ladder_lines(ladder.run.stem):
        if line["of"] != f"{ladder.op}/{ladder.type}":
            continue
        ms = float(line["ms"]) if line["ms"] else None
        rows.append([f"`{line['row']}`", f"{line['ms']} ms" if ms else line["said"],
                     times_text(before / ms) if before and ms else "–",
                     line["n"] or "not published", line["device"] or "not published"])
        if line["kind"] == "step":
            before = ms
    if not rows:
        return ""
    return ("The course's own figures for these steps. Its device and n are others, so compare them only with each "
            "other:\n\n" + table(["step", "time, or what the course says", "× before", "n", "device"], rows))


def inside_table(run):
    """AUTO alone, with a copy, with transfers; and the host. A line for each op, type and n that has all."""
    hosts = [peer for peer in ("c", "std", "std_par") if any(key[1] == peer for key in run.rows)]
    rows = []
    for key in (key for key in run.rows if key[1] == "clprim" and key[5] == "with_transfer"):
        times = [run.rows.get(key[:5] + (timing,)) for timing in ("throughput", "with_copy", "with_transfer")]
        times += [run.rows.get((key[0], host) + key[2:5] + ("throughput",)) for host in hosts]
        fastest = min(row["time"] for row in times[2:] if row)
        rows.append([op_text(key[0], key[4]), key[2], size_text(key[3])]
                    + [f"{time_text(row['time'])}, {rate_text(row['gb_per_s'])}" if row else "–" for row in times]
                    + ["host" if fastest < times[2]["time"] else "device"])
    if not rows:
        return ""
    return table(["op", "type", "n", "on the device", "with a copy there", "from and to the host"] + hosts
                 + ["data on the host: faster on the"], rows)


LACKING = "clprim_without_"  # how these implementations begin


def shares(runs, device, lacking, op="*", type_="*", n=None):
    """What remains of clPRIM's speed, by row, without what the device shall lack: in one run, on the same input."""
    found = {}
    for run in runs:
        if run.device == device:
            for key, row in run.rows.items():
                full = run.rows.get((key[0], "clprim", *key[2:]))
                if (full and key[1] == LACKING + lacking and n in (None, key[3])
                        and fnmatch.fnmatch(key[0], op) and fnmatch.fnmatch(key[2], type_)):
                    found[key] = full["time"] / row["time"]
    return found


def lacking_names(runs, device):
    return list(dict.fromkeys(key[1][len(LACKING):] for run in runs if run.device == device for key in run.rows
                              if key[1].startswith(LACKING)))


def lacking_table(runs, device):
    """A line for each operation: the geometric mean of all types, sizes and distributions, and the row that loses most."""
    lines = {}
    names = lacking_names(runs, device)
    for name in names:
        for key, share in shares(runs, device, name).items():
            lines.setdefault(key[0], {}).setdefault(name, []).append((share, key))
    rows = []
    for op, by_name in lines.items():
        cells = []
        for name in names:
            found = by_name.get(name)
            least, key = min(found) if found else (None, None)
            cells += [f"{statistics.geometric_mean(share for share, _ in found):.2f} ({len(found)})",
                      f"{least:.2f}: {key[2]} {op_text(size_text(key[3]), key[4])}"] if found else ["–", "–"]
        rows.append([op] + cells)
    return table(["op"] + [cell for name in names for cell in (f"without {name.replace('_', '-')} (rows)", "least")], rows)


def lacking_rows_table(run):
    """All rows of a run that was timed without what other devices lack."""
    names = lacking_names([run], run.device)
    by_name = [shares([run], run.device, name) for name in names]
    rows = [[op_text(key[0], key[4]), key[2], size_text(key[3]), time_text(row["time"])]
            + [times_text(found[at]) if (at := (key[0], LACKING + name, *key[2:])) in found else "–"
               for name, found in zip(names, by_name)]
            for key, row in run.rows.items() if key[1] == "clprim" and key[5] == "throughput"]
    return table(["op", "type", "n", "with everything"] + [f"without {name.replace('_', '-')}" for name in names], rows)


def energy_text(runs, device):
    """Joules per 10^9 elements beside CUB, of the rows that have both, and the watts that they are drawn at."""
    lines = []
    for run in runs:
        for key, row in run.rows.items():
            cub = run.rows.get((key[0], "cub", *key[2:])) if key[1] == "clprim" else None
            if run.device == device and cub and row["joules"] and cub["joules"]:
                watts = [each["joules"] * each["gitems_per_s"] for each in (row, cub)]
                lines.append([op_text(key[0], key[4]), key[2], size_text(key[3]), digits_text(row["joules"]),
                              digits_text(cub["joules"]), f"{cub['joules'] / row['joules']:.2f}",
                              *(f"{each:.0f}" for each in watts)])
    idle = {run.context["idle_watts"] for run in runs if run.device == device and "idle_watts" in run.context}
    return lines and (table(["op", "type", "n", "clPRIM, J", "CUB, J", "× CUB", "clPRIM, W", "CUB, W"], lines)
                      + f"\n\nWith nothing running, the board drew {' and '.join(sorted(idle, key=int))} W.")


def cpu_ms(line):
    """Processor time of a plan and its first call."""
    return line["plan_cpu_ms"] + line["call_cpu_ms"]


def measured(goal, runs, startups):
    if goal["measure"] == "worst_cpu_ms":
        lines = [line for line in startups.get(goal["device"], [])
                 if line["mode"] == "plan" and line["state"] == goal["timing"]]
        return max(map(cpu_ms, lines)) if lines else None
    if goal["measure"].startswith("least_share:without_"):
        lacking = goal["measure"].partition("without_")[2]
        found = shares(runs, goal["device"], lacking, goal["op"], goal["type"], int(goal["n"]))
        return min(found.values()) if found else None
    if goal["measure"] == "ms":
        lines = [line for line in startups.get(goal["device"], [])
                 if line["mode"] == "clprim" and line["kernels"] == goal["timing"]]
        return statistics.median(line.get("since_exec_ms", line["total_ms"]) for line in lines) if lines else None
    if goal["measure"].startswith("least_ratio:"):
        peer = goal["measure"].partition(":")[2]
        ratios = [time / run.rows[key]["time"] for run in runs if run.device == goal["device"] for key in run.rows
                  if key[:4] == (goal["op"], "clprim", goal["type"], int(goal["n"])) and key[5] == goal["timing"]
                  and (time := run.peer_time(peer, key))]
        return min(ratios, default=None)
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


def is_reached(goal, value):
    bound = float(goal["goal"][2:])
    return value >= bound if goal["goal"].startswith(">=") else value <= bound


def goals_table(goals, runs, startups):
    """The Markdown, and whether all that was measured was reached."""
    rows, all_reached = [], True
    for goal in goals:
        value = measured(goal, runs, startups)
        if value is None:
            outcome = "not measured"
        else:
            reached = is_reached(goal, value)
            all_reached = all_reached and reached
            outcome = "reached" if reached else "**not reached**"
        text = "–" if value is None else f"{value:.4g}"
        rows.append([goal["device"], op_text(goal["op"], goal["distribution"]), goal["type"],
                     size_text(int(goal["n"])), goal["timing"], goal["measure"],
                     goal["goal"].replace(">=", "≥ ").replace("<=", "≤ "), text, outcome])
    header = ["device", "op", "type", "n", "timing", "measure", "goal", "measured", ""]
    return table(header, rows), all_reached


def stem_of(goal, runs):
    """Which program measures a goal."""
    if goal["measure"] in ("ms", "worst_cpu_ms"):
        return "startup"
    of_device = (run for run in runs if run.device == goal["device"])
    return next((run.stem for run in of_device if any(key[0] == goal["op"] for key in run.rows)), None)


def host_time(run, key):
    times = [time for time in (run.peer_time(peer, key) for peer in ON_CPU) if time]
    return min(times) if times else None


def mean_cells(runs, stem, device, peer):
    """How many times as fast as the peer in the device's run: the mean over all rows that both have, and over those of
    many elements; the least and the most."""
    ratios = []
    for run in runs:
        if (run.stem, run.device) == (stem, device):
            for key in run.rows:
                if key[1] == "clprim" and key[5] == "throughput":
                    time = host_time(run, key) if peer == "host" else run.peer_time(peer, key)
                    ratios += [(key[3], time / run.rows[key]["time"])] if time else []
    means = []
    for chosen in ([ratio for _, ratio in ratios], [ratio for n, ratio in ratios if n >= MANY]):
        means.append(f"{times_text(statistics.geometric_mean(chosen))} ({len(chosen)})" if chosen else "–")
    bounds = [times_text(bound([ratio for _, ratio in ratios])) for bound in (min, max) if ratios]
    return [*means, " – ".join(bounds) or "–"]


def operations_table(columns, goals, runs, startups, folder):
    """A line for each program with committed runs. The columns are pairs of a device and a peer."""
    outcomes = {}
    for goal in goals:
        value = measured(goal, runs, startups)
        if value is not None:
            outcomes.setdefault(stem_of(goal, runs), []).append(is_reached(goal, value))
    rows = []
    for stem in sorted({run.stem for run in runs}) + (["startup"] if startups else []):
        met = outcomes.get(stem, [])
        count = f"{sum(met)} of {len(met)}" if met else "–"
        links = [f"[{text}]({link(page, folder)})" if page.exists() else other
                 for page, text, other in ((DOCS / "performance" / f"{stem}.md", stem, stem),
                                           (DOCS / "notebook" / f"{stem}.md", "notebook", "–"))]
        rows.append([links[0]] + [cell for column in columns for cell in mean_cells(runs, stem, *column)]
                    + [count if all(met) else f"**{count}**", links[1]])
    header = [cell for device, peer in columns
              for cell in (f"{device}: × {peer} (rows)", f"n ≥ {size_text(MANY)}", "least – most")]
    return table(["figures", *header, "goals reached", "experiments"], rows)


# What is no operation: functions for the caller's own kernels, and a guide's kernel made of them.
NO_OPERATIONS = ("group", "compaction")
# Rows in which CUB calls a function for each segment, or sorts all for a few: they say little of the other operations.
LARGE_RATIOS = re.compile(r"segmented_|.*_by_offsets|top_k|nth_element")
LEAST = 1 << 12  # elements: beside CUB, of rows that a table of slower ones lists
LADDER_ALONE = "bitonic_sort"  # what is there for the course: its rows are not compared with CUB's
OVERLAPPED = ("transform",)  # CUB's launches begin before the one before has ended, which OpenCL's cannot
# Rows with an empty kernel of an operation's arguments, for each of which OpenCL's launches pay, and CUDA's do not.
ARGUMENTS = {"adjacent_difference": "empty_numbers", "scan_by_offsets": "empty_arguments", "unique_by_key": "empty_arguments"}


def launch_difference(run, op):
    """How much longer a launch of a kernel that does no work takes with OpenCL than with CUDA, as CUB launches the
    operation, in the run (us)."""
    def difference(own, *others):
        row = run.rows.get((own, "device", "u32", 1, "uniform", "throughput"))
        times = [run.peer_time("cub", (other, "cub", "u32", 1, "uniform", "throughput")) for other in others]
        cub = next((time for time in times if time), None)
        return max(0.0, row["time"] - cub) if row and cub else 0.0
    if op in OVERLAPPED:  # whichever is the limit, the host or the device
        return max(difference("empty", "empty_overlapped", "empty"), difference("busy", "busy_overlapped"))
    return max(difference("empty", "empty"), difference(ARGUMENTS[op], ARGUMENTS[op]) if op in ARGUMENTS else 0)


def beside(runs, device, peer_time):
    """(run, key, the peer's time, how many times as fast as the peer) of all rows of clPRIM's that the peer has, too."""
    for run in runs:
        if run.device == device and run.stem not in (LADDER_ALONE, "empty"):
            for key in run.rows:
                if key[1] == "clprim" and key[5] == "throughput" and key[0] != "empty":
                    if time := peer_time(run, key):
                        yield run, key, time, time / run.rows[key]["time"]


def mean_by_operation(rows):
    """The geometric mean over operations of each one's geometric mean, so that the operations with the most rows do not
    count more than others; and the number of operations."""
    operations = {}
    for run, _, _, ratio in rows:
        operations.setdefault(run.stem, []).append(ratio)
    return statistics.geometric_mean(statistics.geometric_mean(ratios) for ratios in operations.values()), len(operations)


def slower_rows(rows):
    """Those of beside() that are slower than CUB's with at least LEAST elements, the slowest first, each with its ratio
    less what a launch costs more; and how many are not slower then."""
    slower = [(row, row[2] / (row[0].rows[row[1]]["time"] - launch_difference(row[0], row[1][0])))
              for row in sorted(rows, key=lambda row: row[3]) if row[3] < 0.995 and row[1][3] >= LEAST]
    return slower, sum(rest >= 0.995 for _, rest in slower)


def headline_text(runs, device, name):
    """README's sentence about the device beside CUB; `name` is what it says that the device is."""
    rows = [row for row in beside(runs, device, lambda run, key: run.peer_time("cub", key))
            if row[0].stem not in NO_OPERATIONS]
    if not rows:
        return ""
    mean, _ = mean_by_operation(rows)
    others, count = mean_by_operation([row for row in rows if not LARGE_RATIOS.match(row[1][0])])
    slower, by_launch = slower_rows(rows)
    these = "each" if by_launch == len(slower) else f"{by_launch} of them"
    return (f"On {name} clPRIM is {others:.1f} times as fast as CUB 3.5, as a geometric mean over {count} operations, and "
            f"{mean:.1f} times with segmented operations, `top_k` and `nth_element`. Of {len(rows)} rows, {len(slower)} "
            f"with at least {LEAST} elements are [slower](docs/performance.md#beside-cub-35), {these} by no more than "
            "a launch costs with OpenCL beyond what it costs with CUDA.")


def headline_host_text(runs, device, name):
    """README's sentence about a CPU beside the fastest of the host's functions."""
    rows = [row for row in beside(runs, device, host_time) if row[1][3] >= MANY]
    if not rows:
        return ""
    mean, count = mean_by_operation(rows)
    return (f"On {name} it is {mean:.1f} times as fast as the fastest of plain C, the standard library and TBB, as a "
            f"geometric mean over {count} operations with at least {size_text(MANY)} elements. Of {len(rows)} rows, "
            f"{sum(row[3] < 0.995 for row in rows)} are "
            "[slower](docs/performance.md#on-two-cores-beside-the-hosts-functions).")


def behind_host_text(runs, device):
    """Of many elements: for few, a launch takes most of the time."""
    rows = [row for row in beside(runs, device, host_time) if row[1][3] >= MANY]
    if not rows:
        return ""
    slower = sorted((row for row in rows if row[3] < 0.995), key=lambda row: row[3])
    lines = [[op_text(key[0], key[4]), key[2], size_text(key[3]), time_text(run.rows[key]["time"]), time_text(time),
              f"{ratio:.2f}"] for run, key, time, ratio in slower]
    return (f"Over all {len(rows)} rows with at least {size_text(MANY)} elements clPRIM is "
            f"{statistics.geometric_mean(row[3] for row in rows):.2f} times as fast as the fastest function on the host "
            f"(geometric mean). {len(slower)} of them are slower.\n\n"
            + table(["op", "type", "n", "clPRIM", "host", "× host"], lines))


def behind_text(runs, device):
    rows = list(beside(runs, device, lambda run, key: run.peer_time("cub", key)))
    if not rows:
        return ""
    slower, by_launch = slower_rows(rows)
    lines = [[op_text(key[0], key[4]), key[2], size_text(key[3]), time_text(run.rows[key]["time"]), time_text(time),
              f"{ratio:.2f}", "launch" if rest >= 0.995 else f"{rest:.2f}"]
             for (run, key, time, ratio), rest in slower]
    of_operations = [row for row in rows if row[0].stem not in NO_OPERATIONS]
    without_large = [row for row in of_operations if not LARGE_RATIOS.match(row[1][0])]
    means = []
    for title, chosen in (("all", of_operations),
                          ("without segmented operations, `top_k` and `nth_element`", without_large)):
        for size, some in (("all sizes", chosen), (f"n ≥ {size_text(MANY)}", [row for row in chosen if row[1][3] >= MANY])):
            if some:
                mean, count = mean_by_operation(some)
                of_rows = statistics.geometric_mean(row[3] for row in some)
                means.append([title, size, str(count), f"{mean:.2f}", str(len(some)), f"{of_rows:.2f}"])
    return (table(["operations", "elements", "operations", "mean of operations", "rows", "mean of rows"], means) +
            "\n\nHow many times as fast as CUB clPRIM is. *Mean of operations*: the geometric mean of each operation's "
            "geometric mean. "
            f"Of the rows with at least {size_text(LEAST)} elements, those of functions for one's own kernels among them, "
            f"{len(slower)} are slower, {by_launch} of them by no more than a launch of nothing takes longer with OpenCL than "
            "with CUDA in the same run, as CUB launches the operation.\n\n"
            + table(["op", "type", "n", "clPRIM", "CUB", "× CUB", "× CUB, less the launch"], lines))


def plans_table(lines):
    """A line for each sample of each operation."""
    pairs = {}
    for line in lines:
        pairs.setdefault((line["operation"], line["sample"]), {})[line["state"]] = line
    rows = []
    for (operation, sample), pair in pairs.items():
        first, again = pair["first"], pair["again"]
        rows.append([operation, sample, str(first["programs"])]
                    + [f"{first[key]:.0f}" for key in ("plan_cpu_ms", "call_cpu_ms")] + [f"{cpu_ms(first):.0f}"]
                    + [f"{line['plan_ms'] + line['call_ms']:.0f}" for line in (first,)]
                    + [f"{cpu_ms(again):.1f}", f"{again['plan_ms'] + again['call_ms']:.1f}"])
    return table(["operation", "sample", "programs", "first: plan, cpu", "first call, cpu", "both, cpu", "both, wall",
                  "again: both, cpu", "both, wall"], rows)


def first_plans_text(startups):
    """The tables of all devices that have such runs."""
    texts = []
    for device, lines in startups.items():
        plans = [line for line in lines if line["mode"] == "plan"]
        if plans:
            first = sorted(cpu_ms(line) for line in plans if line["state"] == "first")
            texts.append(f"## {device}: the first plan of each operation, ms\n\n{plans[0]['device']}. The first plan and its first "
                         f"call take {statistics.median(first):.0f} ms of processor time (median), {first[-1]:.0f} at most.\n\n"
                         + plans_table(plans))
    return "\n\n".join(texts)


def startup_table(device, lines):
    rows = []
    lines = [line for line in lines if line["mode"] != "plan"]
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


def link(path, folder):
    """As a document in the folder writes it."""
    return pathlib.Path(os.path.relpath(path, folder.resolve())).as_posix()


def plots_text(run, folder):
    """Those that are there, for a document in the folder."""
    device = run.context["device"]
    texts = {"": f"{run.stem} on {device}: speeds over n, and how many times as fast as others",
             "-ladder": f"{run.stem} on {device}: the speed of every variant",
             "-inside": f"{run.stem} on {device} and on the host, with and without transfers"}
    names = {f"{run.name}{kind}.svg": text for kind, text in texts.items()}
    return [f"![{text}]({link(DOCS / 'plots' / name, folder)})" for name, text in names.items()
            if (DOCS / "plots" / name).exists()]


def run_text(run, plots=()):
    """All there is to say about one run."""
    parts = [heading(run), *plots, main_table(run)] + [f"**Failed:** {name}" for name in run.errors]
    if inside := inside_table(run):
        parts += ["### What the timing has inside: time, GB/s", inside]
    if lacking_names([run], run.device):
        parts += ["### The share of its speed that remains", lacking_rows_table(run)]
    if variants := variants_table(run):
        parts += ["### Variants: time, GB/s", variants]
    if ladder_lines(run.stem):
        for ladder in ladders(run):
            parts += [f"### Ladder: {ladder.title}", ladder_table(ladder)]
    return "\n\n".join(parts)


def runs_text(runs, folder):
    """All there is to say about these runs, after a list of them."""
    names = [f"- [{run.device}: {run.stem}](#{run.device}-{run.stem}): "
             f"{run.context['device']}, {run.context['date'][:10]}" for run in runs]
    return "\n\n".join((["\n".join(names)] if len(runs) > 1 else [])
                       + [run_text(run, plots_text(run, folder)) for run in runs])


def aligned(text):
    """Markdown's tables with columns as wide as they are, for a terminal."""
    lines, made = text.splitlines() + [""], []
    block = []
    for line in lines:
        if line.startswith("|"):
            block.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        widths = [max(map(len, column)) for column in zip(*block)] if block else []
        for cells in block:
            rule = set(cells[0]) == {"-"}
            made.append("  ".join("-" * width if rule else cell.ljust(width) if i < 2 or block[0][i] == "why" else cell.rjust(width)
                                  for i, (cell, width) in enumerate(zip(cells, widths))).rstrip())
        block = []
        made.append(line)
    return "\n".join(made)


def caption(ladder):
    context = ladder.run.context
    return (f"{context['device']}, driver {context['driver']}, which copies at {context['copy_roof_gb_per_s']} GB/s: "
            f"{ladder.title}")


def ladders_text(runs, primitive, log2, why=False):
    parts = []
    for run in runs:
        if primitive and run.stem != primitive:
            continue
        for ladder in ladders(run, log2):
            parts += [caption(ladder), ladder_table(ladder, why)]
    return "\n\n".join(parts)


def no_ladder_text(runs, primitive, log2):
    """What to ask for instead."""
    there = sorted({run.stem for run in runs if ladders(run, log2)})
    asked = (f" of {primitive}" if primitive else "") + (f" at 2^{log2} elements" if log2 is not None else "")
    return f"no ladder{asked}; there are " + (", ".join(there) if there else "none in these files")


def startups_text(startups):
    return "\n\n".join(f"## {device}: from process start to the first result\n\n{startup_table(device, lines)}"
                       for device, lines in startups.items() if any(line["mode"] != "plan" for line in lines))


def efficiency(line, lines):
    """How much of so many ranks' work is done in the time, by what one rank does alone."""
    alone = [one["total_ms"] for one in lines
             if one["ranks"] == 1 and all(one[name] == line[name] for name in ("op", "by", "scaling", "memory"))]
    if not alone:
        return None
    return alone[0] / line["total_ms"] / (line["ranks"] if line["scaling"] == "strong" else 1)


SCALE_OPS = {"sort": "Sort of u32 keys", "pairs": "Sort of u32 keys with u32 values", "scan": "Sums (scan) of u32",
             "histogram": "Histogram of u32, 256 bins", "top_k": "The 1000 largest of u32", "copy": "Copy through the devices"}


def link_bytes(op, ranks):
    """So many bytes of each element cross the link between a host and a device that have memory of their own."""
    passes = {"scan": 3, "histogram": 1, "top_k": 1, "copy": 2}.get(op) or (2 if ranks == 1 else 4 - 1 / ranks)
    return passes * (8 if op == "pairs" else 4)


def has_links(lines):
    """Sorts of a device that shares the host's memory send elements from rank to rank."""
    return not any(line.get("exchange_ms") for line in lines)


def scale_table(lines, op):
    """Of one device and operation, with the steps of a sort; strong scaling first."""
    lines = [line for line in lines if line["op"] == op]
    steps = {"own_sort": "own sort", "splitters": "splitters", "exchange": "exchange", "second_sort": "second sort",
             "total": "whole"}
    steps = {step: text for step, text in steps.items() if f"{step}_ms" in lines[0]}
    rows, links = [], has_links(lines)
    for line in sorted(lines, key=lambda one: (one["scaling"] != "strong", one["memory"], one["by"], one["ranks"])):
        share = efficiency(line, lines)
        rate = line["keys"] / line["total_ms"] * 1e-3
        rows.append([line["scaling"], line["memory"], line["by"], str(line["ranks"]), f"{line['keys']:,}".replace(",", " ")]
                    + [f"{line[step + '_ms']:.4g}" for step in steps]
                    + [f"{rate:.0f}" if rate >= 1000 else f"{rate:.4g}"]
                    + ([f"{rate * link_bytes(op, line['ranks']) * 1e-3:.3g}"] if links else [])
                    + ["–" if share is None else f"{share:.2f}"])
    return table(["scaling", "memory", "by", "ranks", "keys"] + [f"{text}, ms" for text in steps.values()]
                 + ["million keys/s"] + (["GB/s"] if links else []) + ["efficiency"], rows)


def scale_tables(lines):
    """Of one device, one table for each operation."""
    return "\n\n".join(f"{SCALE_OPS[op]}:\n\n{scale_table(lines, op)}" for op in SCALE_OPS
                       if any(line["op"] == op for line in lines))


def scale_text(device, lines, folder):
    picture = DOCS / "plots" / f"{device}-scale.svg"
    text = f"Operations on several ranks on {lines[0]['device']}: keys per second and efficiency over the number of ranks"
    return scale_tables(lines) + (f"\n\n![{text}]({link(picture, folder)})" if picture.exists() else "")


def lines_of(files, kind):
    """By device, what a program printed line by line. Older lines of `scale` name neither the memory, which is ordinary,
    nor the operation."""
    first = {"memory": "ordinary", "op": "sort"} if kind == "scale" else {}
    return {path.stem.rpartition("-")[0]: [first | json.loads(line) for line in path.read_text().splitlines() if line]
            for path in files if path.stem.endswith(f"-{kind}")}


def is_run(path):
    return not path.stem.endswith(("-startup", "-plans", "-scale"))


def runs_of(files):
    return [Run(path) for path in files if is_run(path)]


def startups_of(files):
    """What `startup` printed, and startup_plans.py."""
    startups = lines_of(files, "startup")
    for device, lines in lines_of(files, "plans").items():
        startups.setdefault(device, []).extend(line | {"mode": "plan"} for line in lines)
    return startups


def committed():
    return sorted((HERE / "results").glob("*.json"))


def read(files, path=HERE / "goals.csv"):
    """The runs, the lines of `startup` and `scale`, and the goals for their devices."""
    runs, startups, scales = runs_of(files), startups_of(files), lines_of(files, "scale")
    devices = {run.device for run in runs} | set(startups)
    with path.open(newline="") as file:
        return runs, startups, scales, [goal for goal in csv.DictReader(file) if goal["device"] in devices]


def generated(what, runs, startups, scales, goals, folder=DOCS):
    """What stands under that name in a document of the folder."""
    name, *words = what.split()
    by_name = {run.name: run for run in runs}
    if name == "goals":
        return goals_table(goals, runs, startups)[0]
    if name == "operations":
        return operations_table([word.split(":") for word in words], goals, runs, startups, folder)
    if name == "runs":
        return runs_text(sorted((run for run in runs if run.stem == words[0]), key=lambda run: run.device), folder)
    if name == "behind":
        return behind_text(runs, words[0])
    if name == "headline":
        return headline_text(runs, words[0], " ".join(words[1:]))
    if name == "headline-host":
        return headline_host_text(runs, words[0], " ".join(words[1:]))
    if name == "behind-host":
        return behind_host_text(runs, words[0])
    if name == "energy":
        return energy_text(runs, words[0])
    if name == "lacking":
        return lacking_table(runs, words[0])
    if name == "startups":
        return startups_text(startups)
    if name == "first-plans":
        return first_plans_text(startups)
    if name == "scale":
        return scale_text(words[0], scales[words[0]], folder) if words[0] in scales else ""
    if name not in ("inside", "plots", "ladder"):
        raise ValueError(f"nothing is generated under the name {what}")
    if words[0] not in by_name:
        return ""
    if name == "inside":
        return inside_table(by_name[words[0]])
    if name == "plots":
        return "\n\n".join(plots_text(by_name[words[0]], folder))
    found = (ladder for ladder in ladders(by_name[words[0]]) if f"{ladder.op}/{ladder.type}" == words[1])
    ladder = next(found, None)
    if ladder is None:
        return ""
    return f"{caption(ladder)} (`benchmarks/results/{ladder.run.name}.json`):\n\n{ladder_table(ladder)}"


def documents():
    """Those that may have something generated."""
    return [HERE.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


def update(text, make):
    """The document with make(WHAT) between the comments, which are all that is seen of what is not measured yet."""

    def replace(match):
        made = make(match[2])
        return match[1] + (f"\n{made}\n\n" if made else "") + match[3]

    return re.sub(r"(<!-- generated: (.*?) -->\n).*?(<!-- end -->)", replace, text, flags=re.DOTALL)


def updated(document, runs, startups, scales, goals):
    """What should be in the document's file."""
    folder = document.resolve().parent
    return update(document.read_text(), lambda what: generated(what, runs, startups, scales, goals, folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--goals", type=pathlib.Path, default=HERE / "goals.csv")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--ladder", nargs="?", const="", metavar="PRIMITIVE")
    parser.add_argument("--log2", type=int, metavar="K")
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--trim", action="store_true")
    arguments = parser.parse_args()
    if arguments.trim:
        for path in filter(is_run, arguments.files or committed()):
            path.write_text(trimmed(path.read_text()))
        return 0
    files = arguments.files if arguments.files and not arguments.update else committed()
    runs, startups, scales, goals = read(files, arguments.goals)

    if arguments.ladder is not None:
        text = ladders_text(runs, arguments.ladder, arguments.log2, arguments.why)
        print(aligned(text) if text else no_ladder_text(runs, arguments.ladder, arguments.log2))
        return 0 if text else 1
    if arguments.update:
        for document in arguments.files or documents():
            document.write_text(updated(document, runs, startups, scales, goals))
        return 0
    text, all_reached = goals_table(goals, runs, startups)
    print("## Goals\n\nMedians of one run. A ratio is the peer's time divided by clPRIM's: above 1, clPRIM is faster.")
    print(f"\n{text}")
    for run in runs:
        print(f"\n{run_text(run)}")
    if startups:
        print(f"\n{startups_text(startups)}")
    for device, lines in scales.items():
        print(f"\n## {device}: several ranks\n\n{scale_tables(lines)}")
    failed = any("/clprim" in name for run in runs for name in run.errors)
    return 1 if arguments.check and (failed or not all_reached) else 0


if __name__ == "__main__":
    sys.exit(main())
