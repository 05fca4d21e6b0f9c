# SPDX-License-Identifier: MIT
"""The tool's devices, and its trials of them."""
import ctypes
import json
import pathlib
import re
import shutil
import socket
import sys

import tool

sys.path.insert(0, str(tool.ROOT / "tests" / "docs"))
import reports  # noqa: E402


class Devices(tool.Case):
    def test_devices_lists_them_and_marks_the_chosen_one(self):
        devices = self.json("devices")["devices"]
        self.assertEqual([device["chosen"] for device in devices].count(True), 1)
        self.assertIn("-> ", self.ok("devices"))
        count = ctypes.c_size_t()
        self.library().clprim_runtime_devices(None, ctypes.c_size_t(0), ctypes.byref(count))
        self.assertEqual(len(devices), count.value)

    def test_self_test_lists_plans_and_fails_where_one_is_wrong(self):
        arguments = ("self-test", "--quick", "--primitive", "is_sorted")
        plans = self.json(*arguments)["plans"]
        self.assertIn("right", {plan["outcome"] for plan in plans})
        self.assertEqual({plan["primitive"] for plan in plans}, {"is_sorted"})
        self.assertIn("right        is_sorted", self.ok(*arguments))
        self.assertEqual(self.json(*arguments, "--again")["wrong"], 0)
        self.refused(2, "self-test", "no primitive sorting", "self-test", "--primitive", "sorting")
        self.assertEqual(self.run_tool(*arguments, variables={"CLPRIM_KERNEL_DIR": "/nowhere"})[0], 1)

    def test_report_has_the_device_its_results_and_speeds(self):
        path = self.folder / "report.json"
        cache = self.folder / "a place of its own"
        variables = {"CLPRIM_CACHE_DIR": str(cache), "CLPRIM_WITHOUT": "fp64"}
        arguments = ("self-test", "--quick", "--primitive", "is_sorted", "--report", str(path))
        status, out, err = self.run_tool(*arguments, "--json", variables=variables)
        self.assertEqual(status, 0, err)
        report = json.loads(path.read_text())
        self.assertEqual(reports.problems_of(report), [])
        self.assertEqual(report["plans"], json.loads(out)["plans"])
        self.assertEqual((report["quick"], report["again"], report["primitive"]), (True, False, "is_sorted"))
        chosen = next(device for device in self.json("devices")["devices"] if device["chosen"])
        self.assertEqual([report["device"][key] for key in ("name", "kind", "driver_version", "compute_units")],
                         [chosen[key] for key in ("name", "kind", "driver", "compute_units")])
        self.assertEqual(report["environment"]["CLPRIM_WITHOUT"], "fp64")
        self.assertEqual(report["environment"]["CLPRIM_CACHE_DIR"], "is set")
        self.assertFalse(report["device"]["has_fp64"])
        (speed,) = report["speeds"]
        self.assertEqual((speed["primitive"], speed["count"]), ("is_sorted", 1 << 18))
        self.assertAlmostEqual(speed["elements_per_second"] * speed["seconds"] / speed["count"], 1)
        self.expect_nothing_private(path.read_text())

    def expect_nothing_private(self, text):
        for word in {str(self.folder), self.folder.name, str(pathlib.Path.home()), "/tmp", "/home"}:
            self.assertNotIn(word, text)
        self.assertNotRegex(text, rf"\b{re.escape(socket.gethostname())}\b")

    @tool.posix
    def test_report_is_whole_also_where_something_fails(self):
        path = self.folder / "report.json"
        arguments = ("self-test", "--quick", "--primitive", "is_sorted", "--report", str(path))
        kernels = self.folder / "kernels"  # compiled, and wrong; what the compiler says has paths
        shutil.copytree(tool.ROOT / "kernels", kernels)
        broken = kernels / "find/cpu_chunk.cl"
        broken.write_text(f'#error "see {self.folder}/notes, or ~/notes" \n' + broken.read_text())
        status, _, err = self.run_tool(*arguments, variables={"CLPRIM_KERNEL_DIR": str(kernels)})
        self.assertEqual(status, 1, err)
        report = json.loads(path.read_text())
        self.assertEqual(reports.problems_of(report), [])
        self.assertGreater(report["numbers"]["wrong"], 0)
        self.assertEqual(len(report["set_aside"]), report["numbers"]["wrong"])
        self.assertIn("(path), or (path)", report["set_aside"][0])
        self.expect_nothing_private(path.read_text())
        # the test cannot go on
        status, _, err = self.run_tool(*arguments, variables={"CLPRIM_KERNEL_DIR": str(self.folder / "nowhere")})
        self.assertEqual(status, 1, err)
        report = json.loads(path.read_text())
        self.assertEqual(reports.problems_of(report), [])
        self.assertIn("(path)", report["error"])
        self.expect_nothing_private(path.read_text())
        # nothing is written if nothing is tested
        path.unlink()
        self.refused(2, "self-test", "no primitive sorting", "self-test", "--primitive", "sorting", "--report", path)
        self.refused(2, str(self.folder), "is a directory", "self-test", "--report", self.folder)
        self.assertEqual([str(file) for file in self.folder.glob("report*")], [])

    def test_reports_are_checked_before_they_are_listed(self):
        source = sorted((tool.ROOT / reports.FOLDER).glob("*.json"))[0]
        folder = self.folder / reports.FOLDER
        folder.mkdir(parents=True)
        shutil.copy(source, folder / "one.json")
        (row,) = reports.rows(self.folder).values()
        self.assertEqual(len(row(None)), len(reports.HEAD))
        self.assertEqual(row(None)[0], "[one](reports/one.json)")
        for change, words in ((lambda r: r.pop("speeds"), "speeds is missing"),
                              (lambda r: r["plans"].pop(), "plans are right, not"),
                              (lambda r: r["plans"][0].update(outcome="wrong"), "without a reason"),
                              (lambda r: r["device"].update(compute_units="2"), "compute_units is '2'"),
                              (lambda r: r["device"].update(has_fp64=1), "has_fp64 is 1"),
                              (lambda r: r["set_aside"].append("see /home/me/x.cl"), "has a path"),
                              (lambda r: r["speeds"][0].update(seconds=0), "the speed of"),
                              (lambda r: r.update(error="lost"), "it ended early: lost")):
            report = json.loads(source.read_text())
            change(report)
            (folder / "one.json").write_text(json.dumps(report))
            with self.assertRaises(SystemExit) as refusal:
                reports.rows(self.folder)
            self.assertIn(words, str(refusal.exception))

    def test_a_device_that_is_not_there_is_a_failure_of_the_device(self):
        for arguments in [("devices",), ("sum", self.npy("a.npy", [1], "i4"))]:
            self.refused(1, "device", "no such device", *arguments, "--device", "no such device")
            self.refused(1, "device", 'matches "gup"; did you mean gpu?', *arguments, "--device", "gup")
