"""The tool's devices, and its trials of them."""
import ctypes

import tool


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

    def test_a_device_that_is_not_there_is_a_failure_of_the_device(self):
        for arguments in [("devices",), ("sum", self.npy("a.npy", [1], "i4"))]:
            self.refused(1, "device", "no such device", *arguments, "--device", "no such device")
            self.refused(1, "device", 'matches "gup"; did you mean gpu?', *arguments, "--device", "gup")
