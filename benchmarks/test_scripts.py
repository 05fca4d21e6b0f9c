#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks summary.py, plots.py and ladders.csv with a made-up run; ./dev test runs it. What is drawn is checked always,
the drawing itself where matplotlib is installed."""
import contextlib
import importlib.util
import io
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import unittest
from unittest import mock

import plots
import scale
import summary
import turns

N = 1 << 20
SMALL = 1 << 16
CONTEXT = {
    "suite": "reduce", "device": "Made up", "driver": "1.0", "platform": "None", "num_cpus": 4, "date": "2026-01-02T03",
    "clprim_version": "0.1.0", "git_commit": "abc", "copy_roof_gb_per_s": "100.0", "cub": "3.0",
    "cache_bytes": str(4 * SMALL),
}
# Microseconds by implementation and timing; the variants in another order than the course's.
TIMES = {
    ("clprim:fixed_tree", "throughput"): 55, ("clprim:single_pass", "throughput"): 50,
    ("clprim:interleaved", "throughput"): 400, ("clprim:strided", "throughput"): 200,
    ("clprim:sequential", "throughput"): 160, ("clprim:cpu_chunk", "throughput"): 1000,
    ("clprim", "throughput"): 50, ("clprim", "latency"): 60, ("clprim", "with_copy"): 100,
    ("clprim", "with_transfer"): 900, ("c", "throughput"): 800, ("std", "throughput"): 1000,
    ("cub", "throughput"): 70, ("cub", "event"): 65, ("cub", "latency"): 90,
}


def row(implementation, timing, time, n=N, distribution="uniform"):
    name = f"reduce/{implementation}/i32/{n}/{distribution}/{timing}"
    return {"run_name": name, "name": f"{name}_median", "aggregate_name": "median", "real_time": time,
            "items_per_second": n / time * 1e6, "bytes_per_second": 4 * n / time * 1e6,
            "roof_share": 4 * n / time * 1e6 / 100e9, "label": "single_pass" if implementation == "clprim" else ""}


def with_spread(median):
    """And the least and the most of its repetitions, as Google Benchmark writes them."""
    return [median] + [{**median, "aggregate_name": name, "real_time": median["real_time"] * factor}
                       for name, factor in (("min", 0.5), ("max", 3))]


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "some-device-reduce.json"
        rows = [row(*key, time) for key, time in TIMES.items()]
        rows += [row(*key, 10 if key[0] == "c" else time / 4, SMALL) for key, time in TIMES.items()
                 if not key[0].startswith("clprim:")]
        self.path.write_text(json.dumps({"context": CONTEXT, "benchmarks": rows}))
        self.run_ = summary.Run(self.path)

    def main(self, *arguments):
        """What summary.py says, and its exit status."""
        said = io.StringIO()
        with mock.patch("sys.argv", ["summary.py", *map(str, arguments)]), contextlib.redirect_stdout(said):
            status = summary.main()
        return said.getvalue(), status

    def write(self, rows):
        self.path.write_text(json.dumps({"context": CONTEXT, "benchmarks": rows}))
        return summary.Run(self.path)

    def cells(self, ladder):
        """The table's cells by the first or, of steps, the variant's name."""
        lines = summary.ladder_table(ladder).split("\n\n")[0].splitlines()[2:]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        return {cells[0].strip("`"): cells for cells in rows}

    def test_compares_two_builds(self):
        def write(name, times):
            rows = [row("clprim", "throughput", time, n) for n, time in times.items()]
            (self.folder / name).write_text(json.dumps({"benchmarks": rows}))
        self.path.unlink()
        write("reduce.old.0.json", {N: 50, SMALL: 10})
        write("reduce.old.1.json", {N: 60, SMALL: 9})
        write("reduce.new.0.json", {N: 49, SMALL: 12})
        (self.folder / "reduce.new.1.json").write_text("{")  # it was ended while it wrote
        self.assertEqual(turns.lines(self.folder, 0.03)[2:], [
            "| reduce | 2^16 | 1 | 0.750 | reduce/i32/uniform 0.75 |",
            "| reduce | 2^20 | 1 | 1.020 |  |",
            "2^16: 1 rows, 0.7500, 1 slower",
            "2^20: 1 rows, 1.0204, 0 slower"])

    def test_rows_behind_cub(self):
        def with_empty(path, own, launch):
            rows = [row("clprim", "throughput", own), row("cub", "throughput", 10),
                    row("clprim", "throughput", 30, 1024), row("cub", "throughput", 10, 1024)]
            for who, time in launch.items():
                op, who = {"overlapped": ("empty_overlapped", "cub"), "busy_overlapped": ("busy_overlapped", "cub"),
                           "busy": ("busy", "device"), "arguments": ("empty_arguments", "device"),
                           "cub_arguments": ("empty_arguments", "cub")}.get(who, ("empty", who))
                rows.append({**row(who, "throughput", time, 1), "run_name": f"{op}/{who}/u32/1/uniform/throughput"})
            path.write_text(json.dumps({"context": CONTEXT, "benchmarks": rows}))
            return summary.behind_text([summary.Run(path)], "made-up")

        path = self.folder / "made-up-reduce.json"
        self.assertIn("| all | all sizes | 1 | 0.53 | 2 | 0.53 |", with_empty(path, 12, {"device": 5, "cub": 3}))
        self.assertIn("1 are slower, 1 of them by no more than", with_empty(path, 12, {"device": 5, "cub": 3}))
        self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | launch |", with_empty(path, 12, {"device": 5, "cub": 3}))
        self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.87 |", with_empty(path, 12, {"device": 4.5, "cub": 4}))
        self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.83 |", with_empty(path, 12, {"device": 5}))
        launch = {"device": 4.5, "cub": 4, "overlapped": 2.5}
        self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.87 |", with_empty(path, 12, launch))
        with mock.patch("summary.OVERLAPPED", ("reduce",)):
            self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | launch |", with_empty(path, 12, launch))
            self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.87 |", with_empty(path, 12, {"device": 4.5, "cub": 4}))
            launch = {"device": 4.5, "cub": 4, "busy": 6, "busy_overlapped": 5}
            self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.91 |", with_empty(path, 12, launch))
        launch = {"device": 4.5, "cub": 4, "arguments": 6, "cub_arguments": 5}
        self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.87 |", with_empty(path, 12, launch))
        with mock.patch("summary.ARGUMENTS", {"reduce": "empty_arguments"}):
            self.assertIn("| 12.0 µs | 10.0 µs | 0.83 | 0.91 |", with_empty(path, 12, launch))
        self.assertIn("0 are slower", with_empty(path, 10, {"device": 5, "cub": 3}))
        self.assertEqual("", summary.behind_text([summary.Run(path)], "another"))

    def test_means_by_operation(self):
        runs = []
        for stem, times in {"reduce": (10, 20, 40), "top_k": (100,), "group": (1000,)}.items():
            path = self.folder / f"made-up-{stem}.json"
            path.write_text(json.dumps({"context": CONTEXT | {"suite": stem}, "benchmarks": [
                {**entry, "run_name": entry["run_name"].replace("reduce/", f"{stem}/", 1)}
                for i, time in enumerate(times) for entry in (row("clprim", "throughput", 10, 4096 << i),
                                                              row("cub", "throughput", time, 4096 << i))]}))
            runs.append(summary.Run(path))
        text = summary.behind_text(runs, "made-up")
        self.assertIn("| all | all sizes | 2 | 4.47 | 4 | 2.99 |", text)  # the root of 2 and 10, the fourth root of 80
        self.assertIn("`nth_element` | all sizes | 1 | 2.00 | 3 | 2.00 |", text)
        text = summary.generated("headline made-up a GPU", runs, {}, {}, [])
        self.assertIn("On a GPU clPRIM is 2.0 times as fast as CUB 3.5, as a geometric mean over 1 operations, and 4.5 times", text)
        self.assertIn("Of 4 rows, 0 with at least 4096 elements", text)
        self.assertEqual("", summary.generated("headline another a GPU", runs, {}, {}, []))

    def test_energy(self):
        path = self.folder / "made-up-energy-reduce.json"
        rows = [{**row(who, "throughput", 1000, 1 << 20), **({"joules_per_gitem": joules} if joules else {})}
                for who, joules in (("clprim", 50), ("cub", 100), ("std", None))]
        path.write_text(json.dumps({"context": CONTEXT | {"idle_watts": "80"}, "benchmarks": rows}))
        path.write_text(summary.trimmed(path.read_text()))
        text = summary.generated("energy made-up-energy", [summary.Run(path)], {}, {}, [])
        self.assertIn("| reduce | i32 | 2^20 | 50.0 | 100 | 2.00 | 52 | 105 |", text)
        self.assertIn("the board drew 80 W", text)
        self.assertFalse(summary.generated("energy another", [summary.Run(path)], {}, {}, []))

    def test_rows_behind_the_host(self):
        many = summary.MANY
        rows = [row("clprim", "throughput", 30, many), row("c", "throughput", 20, many), row("std", "throughput", 15, many),
                row("clprim", "throughput", 30, 1024), row("c", "throughput", 10, 1024)]
        path = self.folder / "made-up-reduce.json"
        path.write_text(json.dumps({"context": CONTEXT, "benchmarks": rows}))
        text = summary.generated("behind-host made-up", [summary.Run(path)], {}, {}, [])
        self.assertIn("Over all 1 rows with at least 2^20 elements clPRIM is 0.50 times", text)
        self.assertIn("1 of them are slower", text)
        self.assertIn("| 30.0 µs | 15.0 µs | 0.50 |", text)
        self.assertEqual("", summary.generated("behind-host another", [summary.Run(path)], {}, {}, []))
        text = summary.generated("headline-host made-up one core", [summary.Run(path)], {}, {}, [])
        self.assertIn("On one core it is 0.5 times as fast", text)
        self.assertIn("over 1 operations with at least 2^20 elements. Of 1 rows, 1 are", text)
        self.assertEqual("", summary.generated("headline-host another one core", [summary.Run(path)], {}, {}, []))

    def test_names(self):
        self.assertEqual((self.run_.device, self.run_.stem, self.run_.name),
                         ("some-device", "reduce", "some-device-reduce"))
        other = self.path.rename(self.folder / "bench_reduce.json")
        self.assertEqual((summary.Run(other).device, summary.Run(other).stem), ("Made up", "reduce"))

    def test_trimmed_runs_say_the_same(self):
        """And those that are committed are trimmed."""
        median = {**row("clprim", "throughput", 12), "family_index": 0, "cpu_time": 5e3}
        rows = with_spread(median) + [{**median, "aggregate_name": "cv"},
                                      {"run_name": "reduce/c/i32/1024/uniform/throughput", "error_occurred": True, "threads": 1}]
        before = vars(self.write(rows))
        self.assertEqual(self.main("--trim", self.path), ("", 0))
        text = self.path.read_text()
        self.assertEqual(vars(summary.Run(self.path)), before)
        self.assertEqual((summary.trimmed(text), len(json.loads(text)["benchmarks"])), (text, 4))
        self.assertNotIn("cpu_time", text)
        for path in filter(summary.is_run, summary.committed()):
            self.assertEqual(path.read_text(), summary.trimmed(path.read_text()), f"{path} is not trimmed: run ./dev plots")

    def test_ladder_climbs_in_the_courses_order(self):
        (ladder,) = summary.ladders(self.run_)
        self.assertEqual(ladder.n, N)
        self.assertEqual(ladder.variants,
                         ["interleaved", "strided", "sequential", "cpu_chunk", "single_pass", "fixed_tree"])

    def test_ladder_compares_each_step(self):
        cells = self.cells(summary.ladders(self.run_)[0])
        self.assertEqual(cells["interleaved"][3:5], ["–", "2.00"])  # no step before it; twice as fast as the C loop
        self.assertEqual(cells["strided"][3:5], ["2.00", "4.00"])
        self.assertEqual(cells["sequential"][3], "1.25")
        self.assertEqual(cells["cpu_chunk"][3], "0.16")  # beside the steps
        self.assertEqual(cells["single_pass"][3], "3.20")  # so this is after `sequential`
        self.assertEqual(cells["single_pass"][6], "84 %")
        self.assertEqual(cells["CUB"][2], "65.0 µs")  # the better of its clocks

    def test_what_was_published_stands_by_itself(self):
        (ladder,) = summary.ladders(self.run_)
        measured, *_, published = summary.ladder_table(ladder).split("\n\n")
        self.assertNotIn("19.09", measured)
        self.assertIn("The course's own figures", summary.ladder_table(ladder))
        for line in ("| `interleaved` | 19.09 ms | – | not published | not published |",
                     "| `strided` | 11.91 ms | 1.60 | not published | not published |",
                     "| `with_copy` | 281 GB/s, 28 % | – | 100 000 000 | a GPU of some 1000 GB/s |"):
            self.assertIn(line, published.splitlines())
        self.assertNotIn("fixed_tree", published)

    def test_published_figures_have_their_n_and_device_or_none(self):
        for stem in ("reduce", "bitonic_sort"):
            for line in summary.ladder_lines(stem):
                self.assertEqual(bool(line["n"]), bool(line["device"]), line)
                self.assertTrue(line["of"] or not (line["n"] or line["ms"] or line["said"]), line)

    def test_ladder_says_what_auto_took(self):
        cells = self.cells(summary.ladders(self.run_)[0])
        self.assertIn("AUTO: `single_pass", cells)
        self.assertIn("AUTO, and from and to the host", cells)

    def test_ladder_has_the_spread_of_each_time(self):
        self.assertNotIn("min – max", summary.ladder_table(summary.ladders(self.run_)[0]))  # an older run
        rows = [entry for key, time in TIMES.items() for entry in with_spread(row(*key, time))]
        rows += with_spread(row("clprim:naive", "throughput", 12345.0))
        (ladder,) = summary.ladders(self.write(rows))
        self.assertIn("| time | min – max | × before |", summary.ladder_table(ladder))
        cells = self.cells(ladder)
        self.assertEqual(cells["strided"][2:4], ["200 µs", "100 – 600 µs"])
        self.assertEqual(cells["naive"][2:4], ["12.3 ms", "6.17 – 37.0 ms"])

    def test_more_than_the_copy_is_marked_with_its_reason(self):
        (ladder,) = summary.ladders(self.run_)
        self.assertEqual(self.cells(ladder)["single_pass"][6], "84 %")
        self.assertNotIn("Faster than the copy", summary.ladder_table(ladder))
        times = {("clprim:tree", "throughput"): 1.0, ("clprim:master", "throughput"): 2.0,
                 ("clprim:strided", "throughput"): 30.0}
        for n, mark, reason in ((SMALL, "¹", "fit the device's cache (0.25 MiB)"), (2 * SMALL, "²", "writes less")):
            (ladder,) = summary.ladders(self.write([row(*key, time, n) for key, time in times.items()]))
            cells = self.cells(ladder)
            self.assertRegex(cells["tree"][6], rf"^\d+ %{mark}$")
            self.assertRegex(cells["strided"][6], r"^\d[\d.]* %$")
            self.assertIn(f"{mark} Faster than the copy: ", summary.ladder_table(ladder))
            self.assertIn(reason, summary.ladder_table(ladder))

    def test_slow_devices_have_digits(self):
        (ladder,) = summary.ladders(self.write([row(f"clprim:{name}", "throughput", 9e5)
                                                for name in ("interleaved", "strided", "tree")]))
        self.assertEqual(self.cells(ladder)["tree"][5:], ["0.00466", "0.0047 %"])
        self.assertEqual([summary.digits_text(x) for x in (1234.5, 12.34, 1, 0.0123456, 0)],
                         ["1234", "12.3", "1.00", "0.0123", "0"])
        self.assertEqual([summary.share_text(x) for x in (12.34, 0.123, 0.045, 1.23e-7)],
                         ["1234 %", "12 %", "4.5 %", "0.000012 %"])

    def test_an_unknown_ladder_lists_those_there_are(self):
        for name in ((), ("nonesuch",), ("sort_by_key",)):
            ran = subprocess.run([summary.HERE.parent / "dev", "bench", "ladder", *name], capture_output=True, text=True)
            self.assertEqual(ran.returncode, 1)
            self.assertRegex(ran.stderr, r"\bbitonic_sort\b.*\breduce\b.*\bscan\b")

    def test_ladder_from_the_command_line(self):
        text, status = self.main("--ladder", "reduce", self.path)
        self.assertEqual(status, 0)
        self.assertIn("lecture 3, reduction 2", text)
        self.assertNotIn("| ", text)
        self.assertEqual(self.main("--ladder", "scan", self.path), ("no ladder of scan; there are reduce\n", 1))
        self.assertEqual(self.main("--ladder", "reduce", "--log2", "16", self.path)[1], 1)

    def test_every_variant_is_in_the_table_of_ladders(self):
        library = summary.HERE.parent / "lib"
        for stem in ("reduce", "scan", "histogram", "radix_sort", "bitonic_sort"):
            source = (library / stem / f"{stem}_variants.c").read_text()
            names = re.findall(r"\{\{CLPRIM_\w+,\s*\"(\w+)\"", source)
            lines = summary.ladder_lines(stem)
            self.assertEqual([line["row"] for line in lines if not line["row"].startswith("with_")], names)
            self.assertLessEqual({line["kind"] for line in lines}, {"step", "aside"})

    def test_ladder_says_why(self):
        (ladder,) = summary.ladders(self.run_)
        self.assertNotIn("| why |", summary.ladder_table(ladder))
        lines = summary.ladder_table(ladder, why=True).splitlines()
        self.assertTrue(lines[0].endswith("| of copy | why |"))
        sequential = next(line for line in lines if line.startswith("| `sequential`"))
        self.assertTrue(sequential.endswith(" accesses to local memory in 54 turns, 8 accesses to 12 pieces of 32 bytes of global memory) |"))
        self.assertIn(f"| {summary.why_of('reduce', 'sequential')} (64 elements, 16 lanes abreast: 2 launches, 18 barriers, ", sequential)
        self.assertIn("why", self.main("--ladder", "reduce", "--why", self.path)[0].splitlines()[2])

    def test_every_step_says_why_in_one_sentence(self):
        for stem in ("reduce", "scan", "histogram", "radix_sort", "bitonic_sort"):
            for line in summary.ladder_lines(stem):
                why = summary.why_of(stem, line["row"])
                if not line["row"].startswith("with_"):
                    self.assertRegex(why, r"^[a-z][^\n*;\"]{20,240}\.$", f"{stem}/{line['row']}")

    def test_inside(self):
        lines = summary.inside_table(self.run_).splitlines()[2:]
        large = next(line for line in lines if "2^20" in line)
        self.assertIn("| 50.0 µs, 83.9 | 100 µs, 41.9 | 900 µs, 4.7 | 800 µs", large)
        self.assertTrue(all(line.endswith("| host |") for line in lines))

    def test_goals(self):
        goals = self.folder / "goals.csv"
        head = "device,op,type,n,distribution,timing,measure,goal\n"
        for wanted, status, outcome in ((">=1.3", 0, "reached"), (">=1.31", 1, "**not reached**")):
            goals.write_text(f"{head}some-device,reduce,i32,{N},uniform,throughput,ratio:cub,{wanted}\n")
            text, returned = self.main("--check", "--goals", goals, self.path)
            self.assertEqual(returned, status)
            self.assertIn(f"| 1.3 | {outcome} |", text)

    def test_least_ratio(self):
        path = self.folder / "some-device-reduce.json"
        times = {("clprim", "128x4"): 50, ("cub", "128x4"): 60, ("clprim", "256x4"): 50, ("cub", "256x4"): 45,
                 ("clprim", "512x4"): 50}
        path.write_text(json.dumps({"context": CONTEXT, "benchmarks": [
            row(name, "throughput", time, N, distribution=shape) for (name, shape), time in times.items()]}))
        run = summary.Run(path)
        goal = {"device": run.device, "op": "reduce", "type": "i32", "n": str(N), "distribution": "*",
                "timing": "throughput", "measure": "least_ratio:cub"}
        self.assertEqual(summary.measured(goal, [run], {}), 0.9)
        self.assertIsNone(summary.measured(goal | {"op": "scan"}, [run], {}))

    def test_what_remains_without_what_devices_lack(self):
        path = self.folder / "some-device-without-reduce.json"
        times = {"clprim": 50, "clprim_without_progress": 100, "clprim_without_anything": 125}
        path.write_text(json.dumps({"context": CONTEXT, "benchmarks": [
            row(name, "throughput", time * (n // SMALL), n) for n in (SMALL, N) for name, time in times.items()]
            + [row("clprim_without_progress", "throughput", 50, 3 * N), row("clprim", "throughput", 20, 3 * N)]}))
        run = summary.Run(path)
        self.assertIn("| reduce | 0.46 (3) | 0.40: i32 3145728 | 0.40 (2) | 0.40: i32 2^16 |",
                      summary.lacking_table([run], run.device))
        self.assertIn("| reduce | i32 | 3145728 | 20.0 µs | 0.40 | – |", summary.run_text(run))
        self.assertTrue(plots.is_aside(run))
        goal = {"device": run.device, "op": "r*", "type": "*", "n": str(N), "measure": "least_share:without_progress"}
        self.assertEqual(summary.measured(goal, [run], {}), 0.5)
        self.assertIsNone(summary.measured(goal | {"op": "scan"}, [run], {}))

    def test_update(self):
        document = ("before\n<!-- generated: ladder x -->\nold\n<!-- end -->\nbetween\n"
                    "<!-- generated: goals -->\n<!-- end -->\n")
        once = summary.update(document, lambda what: f"[{what}]")
        self.assertEqual(once, "before\n<!-- generated: ladder x -->\n\n[ladder x]\n\n<!-- end -->\nbetween\n"
                               "<!-- generated: goals -->\n\n[goals]\n\n<!-- end -->\n")
        self.assertEqual(summary.update(once, lambda what: f"[{what}]"), once)
        self.assertIn("`strided`", summary.generated("ladder some-device-reduce reduce/i32", [self.run_], {}, {}, []))
        self.assertEqual(summary.generated("ladder other-device-reduce reduce/i32", [self.run_], {}, {}, []), "")
        self.assertEqual(summary.update("<!-- generated: x -->\nold\n<!-- end -->", lambda what: ""),
                         "<!-- generated: x -->\n<!-- end -->")
        with self.assertRaises(ValueError):
            summary.generated("nonsense", [self.run_], {}, {}, [])

    def test_documents(self):
        """All committed runs are on their pages, and what is generated is what `summary.py --update` would write."""
        files = summary.committed()
        results = summary.read(files)
        shown = set()
        for document in summary.documents():
            text = document.read_text()
            self.assertEqual(text, summary.updated(document, *results), f"{document} is not up to date: run ./dev plots")
            shown.update(re.findall(r"<!-- generated: (runs \S+|startups|first-plans|scale \S+) -->", text))
        wanted = {f"runs {run.stem}" for run in results[0]} | {"startups", "first-plans"} | {f"scale {device}" for device in results[2]}
        self.assertEqual(wanted - shown, set())

    def test_operations(self):
        goals = [{"device": "some-device", "op": "reduce", "type": "i32", "n": str(N), "distribution": "uniform",
                  "timing": "throughput", "measure": "ratio:cub", "goal": goal} for goal in (">=1.3", ">=1.31")]
        text = summary.generated("operations some-device:cub some-device:host other-device:cub", [self.run_], {}, {}, goals)
        cells = [cell.strip() for cell in text.splitlines()[2].split("|")[1:-1]]
        cub = [self.run_.peer_time("cub", key) / row["time"] for key, row in self.run_.rows.items()
               if (key[1], key[5]) == ("clprim", "throughput")]
        self.assertEqual(cells[0], "[reduce](performance/reduce.md)")
        self.assertEqual(cells[1], f"{summary.times_text(statistics.geometric_mean(cub))} ({len(cub)})")
        self.assertEqual(cells[3], " – ".join(summary.times_text(bound(cub)) for bound in (min, max)))
        self.assertEqual(cells[7:], ["–", "–", "–", "**1 of 2**", "[notebook](notebook/reduce.md)"])

    def test_first_plans(self):
        def line(state, plan, call):
            return {"state": state, "device": "Some device", "operation": "reduce", "sample": "sum of i32", "programs": 2,
                    "runtime_ms": 30, "plan_cpu_ms": plan, "plan_ms": 2 * plan, "call_cpu_ms": call, "call_ms": 3 * call}
        path = self.folder / "some-device-plans.json"
        path.write_text("".join(json.dumps(one) + "\n" for one in (line("first", 600.4, 90), line("again", 20.5, 0.25))))
        startups = summary.startups_of([path, self.path])
        text = summary.generated("first-plans", [], startups, {}, [])
        self.assertIn("| reduce | sum of i32 | 2 | 600 | 90 | 690 | 1471 | 20.8 | 41.8 |", text)
        self.assertIn("690 ms of processor time (median), 690 at most", text)
        self.assertEqual(summary.generated("startups", [], startups, {}, []), "")
        goal = {"device": "some-device", "op": "startup", "type": "any", "n": "65536", "distribution": "first_plans",
                "timing": "first", "measure": "worst_cpu_ms", "goal": "<=700"}
        self.assertAlmostEqual(summary.measured(goal, [], startups), 690.4)
        self.assertTrue(summary.is_reached(goal, summary.measured(goal, [], startups)))
        self.assertEqual(summary.stem_of(goal, []), "startup")
        self.assertIsNone(summary.measured(goal | {"device": "other-device"}, [], startups))
        self.assertEqual(len(summary.runs_of([path, self.path])), 1)

    def scale_lines(self):
        lines = [{"device": "Some device", "ranks": ranks, "by": by, "scaling": scaling, "keys": keys, "own_sort_ms": 1,
                  "splitters_ms": 0, "exchange_ms": 0, "second_sort_ms": 2, "total_ms": time}
                 for ranks, by, scaling, keys, time in [
                     (2, "mpi", "weak", 2_000_000, 25), (1, "mpi", "weak", 1_000_000, 20), (1, "mpi", "strong", 4_000_000, 80),
                     (4, "mpi", "strong", 4_000_000, 25), (2, "threads", "strong", 4_000_000, 50)]]
        return lines + [{"op": op, "device": "Some device", "ranks": ranks, "by": "threads", "scaling": "strong",
                         "memory": "registered", "keys": 4_000_000, "total_ms": time}
                        for op, ranks, time in [("scan", 1, 10), ("scan", 2, 8), ("top_k", 2, 1)]]

    def test_scaling(self):
        path = self.folder / "some-device-scale.json"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.scale_lines()))
        read = summary.lines_of([path, self.path], "scale")
        lines = read["some-device"]
        self.assertEqual(lines, [{"memory": "ordinary", "op": "sort"} | line for line in self.scale_lines()])
        self.assertEqual([summary.efficiency(line, lines) for line in lines], [0.8, 1, 1, 0.8, None, 1, 0.625, None])
        self.assertEqual(plots.scaling(lines, "strong", lambda line: line["total_ms"]),
                         {("sort", "mpi", "ordinary"): [(1, 80), (4, 25)], ("sort", "threads", "ordinary"): [(2, 50)],
                          ("scan", "threads", "registered"): [(1, 10), (2, 8)], ("top_k", "threads", "registered"): [(2, 1)]})
        self.assertEqual(len(summary.runs_of([path, self.path])), 1)
        text = summary.generated("scale some-device", [], {}, read, [])
        self.assertIn("| strong | ordinary | mpi | 4 | 4 000 000 | 1 | 0 | 0 | 2 | 25 | 160 | 2.4 | 0.80 |", text)
        self.assertIn("| strong | registered | threads | 2 | 4 000 000 | 8 | 500 | 6 | 0.62 |", text)
        self.assertEqual([line for line in text.splitlines() if line.endswith(":")],
                         [f"{summary.SCALE_OPS[op]}:" for op in ("sort", "scan", "top_k")])
        sent = summary.scale_table([line | {"exchange_ms": 1} for line in lines if line["op"] == "sort"], "sort")
        self.assertIn("| strong | ordinary | mpi | 4 | 4 000 000 | 1 | 0 | 1 | 2 | 25 | 160 | 0.80 |", sent)
        self.assertEqual(summary.generated("scale other-device", [], {}, read, []), "")
        self.assertEqual([summary.link_bytes("pairs", ranks) for ranks in (1, 2, 4)], [16, 28, 30])

    def test_scale(self):
        """The programs of a run, in their order; a run goes on after one that has failed."""
        self.assertEqual([scale.ranks_up_to(gpus) for gpus in (0, 1, 3, 4, 8, 16)],
                         [[1], [1], [1, 2], [1, 2, 4], [1, 2, 4, 8], [1, 2, 4, 8]])
        program = self.folder / "scale"
        program.write_text(f"#!/bin/sh\n[ \"$1\" = --gpus ] && echo 2 && exit\necho \"$@\" >>'{self.folder}/given'\n"
                           "[ \"$6\" != --threads=1 ]\n")
        program.chmod(0o755)
        with mock.patch("sys.argv", ["scale.py", "--program", str(program), "--by", "threads", "--total", "4", "--n", "2"]), \
                mock.patch("sys.stderr", io.StringIO()):
            self.assertEqual(scale.main(), 1)
        self.assertEqual((self.folder / "given").read_text().splitlines(),
                         [f"--op=all --memory=all --total=4 --n=2 --repeats=5 --threads={ranks}" for ranks in (1, 2)])
        arguments = mock.Mock(by=["mpi"], program="scale", total=4, n=2, repeats=1)
        self.assertEqual(next(scale.commands(arguments, [2])), ["mpirun", "-n", "2", "scale", "--op=sort", "--memory=all", "--total=4", "--n=2", "--repeats=1"])

    def test_what_is_drawn(self):
        work = plots.main_work(self.run_)
        self.assertEqual(work, ("reduce", "i32", "uniform"))
        speeds = plots.speeds(self.run_, work)
        self.assertEqual(set(speeds), {"clprim", "cub", "c", "std"})
        self.assertEqual([n for n, _ in speeds["cub"]], [SMALL, N])
        self.assertAlmostEqual(speeds["cub"][1][1], 4 * N / 65e3)
        self.assertAlmostEqual(plots.ratios(self.run_, work)["cub"][1][1], 1.3)
        self.assertEqual(set(plots.crossing(self.run_, work)), {"c", "std", "latency", "with_transfer"})
        bars = plots.bars(summary.ladders(self.run_)[0])
        self.assertEqual([kind for _, _, kind in bars],
                         ["cpu", "cpu", "step", "step", "step", "aside", "step", "aside", "aside", "aside", "peer"])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib") and importlib.util.find_spec("PIL"), "no matplotlib")
    def test_drawing(self):
        drawn = []
        scaling = self.folder / "some-device-scale.json"
        scaling.write_text("".join(json.dumps(line) + "\n" for line in self.scale_lines()))
        for name in ("first", "second"):
            with mock.patch("sys.argv", ["plots.py", "--out", str(self.folder / name), str(self.path), str(scaling)]):
                self.assertEqual(plots.main(), 0)
            drawn.append({path.name: path.read_bytes() for path in (self.folder / name).iterdir()})
        self.assertEqual(set(drawn[0]), {f"some-device-{what}.{kind}" for what in ("reduce", "reduce-ladder", "reduce-inside", "scale")
                                         for kind in ("svg", "png")})
        self.assertEqual(drawn[0], drawn[1])
        for name, contents in drawn[0].items():
            self.assertLess(len(contents), 100_000 if name.endswith("svg") else 60_000, name)
            self.assertNotIn(str(self.folder).encode(), contents)


if __name__ == "__main__":
    unittest.main()
