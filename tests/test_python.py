#!/usr/bin/env python3
"""bindings/python against numpy, on numpy's and PyOpenCL's arrays, and its tables against the headers. CTest runs it
with CLPRIM_LIBRARY set, CLPRIM_TEST_CC and CLPRIM_TEST_INCLUDES for the headers, and the primitives in
CLPRIM_TEST_STEMS."""
import os
import sys

try:
    import numpy
    import pyopencl
    import pyopencl.array
except ImportError as error:
    system = "/usr/bin/python3"  # python3 may be another one than the system's, without its packages
    if os.path.exists(system) and not os.environ.get("CLPRIM_TEST_AGAIN"):
        os.environ["CLPRIM_TEST_AGAIN"] = "yes"
        os.execv(system, [system, "-B", *sys.argv])
    print(f"skipped: {error} (Debian's python3-numpy and python3-pyopencl)")
    sys.exit(77)

import contextlib
import ctypes
import gc
import io
import pathlib
import re
import shlex
import subprocess
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bindings" / "python"))
import clprim
from clprim import _c

N = 3001
RNG = numpy.random.default_rng(7)


class Headers(unittest.TestCase):
    """What the tables say is what a C compiler sees."""

    def build(self, text, link=True):
        compiler = os.environ.get("CLPRIM_TEST_CC")
        if not compiler:
            self.skipTest("CLPRIM_TEST_CC is not set")
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "check.c"), pathlib.Path(folder, "check")
            source.write_text(f"#include <clprim/clprim.h>\n#include <stdio.h>\n{text}")
            includes = [f"-I{path}" for path in os.environ["CLPRIM_TEST_INCLUDES"].split(":") if path]
            mode = ["-o", str(program)] if link else ["-fsyntax-only"]
            done = subprocess.run([*shlex.split(compiler), "-std=c11", "-Wall", "-Werror", "-Wno-unused-variable",
                                   *includes, *mode, str(source)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout if link else ""

    def test_structures(self):
        said = {}
        text = "int main(void)\n{\n"
        for name, structure in _c.STRUCTURES.items():
            c_name = name if name.startswith("clprim_") else f"clprim_{name}_desc"
            is_partial = name == "clprim_device_info"
            for field, _ in structure._fields_:
                member = getattr(structure, field)
                said[f"{c_name}.{field}"] = (member.offset, member.size)
                text += (f'    printf("{c_name}.{field} %zu %zu\\n", offsetof({c_name}, {field}), '
                         f'sizeof((({c_name} *)0)->{field}));\n')
            if not is_partial:
                said[c_name] = (ctypes.sizeof(structure), 0)
                text += f'    printf("{c_name} %zu 0\\n", sizeof({c_name}));\n'
        seen = {name: (int(a), int(b)) for name, a, b in
                (line.split() for line in self.build(text + "    return 0;\n}\n").splitlines())}
        self.assertEqual(said, seen)
        self.assertGreater(len(seen), 150)

    def test_kinds(self):
        """A field's kind, too: sizes alone would not tell a text from a pointer, or types from operators."""
        not_c_types = {"pointer": "const char *", "enum": "clprim_type"}
        c_types = {"type": "clprim_type", "op": "clprim_op", "size": "size_t", "unsigned": "unsigned", "bool": "_Bool",
                   "double": "double", "text": "const char *"}
        text = ""
        for name in _c.STRUCTURES:
            c_name = name if name.startswith("clprim_") else f"clprim_{name}_desc"
            for field, kind in _c.kinds_of(name).items():
                if kind in c_types:
                    text += (f'_Static_assert(_Generic((({c_name} *)0)->{field}, {c_types[kind]}: 1, default: 0), '
                             f'"{c_name}.{field}");\n')
                if kind in not_c_types:
                    text += (f'_Static_assert(_Generic((({c_name} *)0)->{field}, {not_c_types[kind]}: 0, default: 1), '
                             f'"{c_name}.{field}");\n')
        self.build(text, link=False)

    def test_numbers(self):
        expected = {f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.TYPES) if i > 0}
        expected.update({f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.OPS)})
        expected.update({f"CLPRIM_HISTOGRAM_{name.upper()}": i for i, name in enumerate(_c.HISTOGRAM_MAPPINGS)})
        expected["CLPRIM_TYPE_END"] = len(_c.TYPES)
        expected["CLPRIM_OP_END"] = len(_c.OPS)
        expected["CLPRIM_SORT_BY_KEY_MAX_ARRAYS"] = 16
        self.build("".join(f'_Static_assert({name} == {number}, "{name}");\n' for name, number in expected.items()) +
                   '_Static_assert(sizeof(clprim_indexed) == 16, "indexed");\n', link=False)
        major, minor, patch = _c.VERSION.split(".")
        self.build(f'_Static_assert(CLPRIM_VERSION_MAJOR == {major} && CLPRIM_VERSION_MINOR == {minor} && '
                   f'CLPRIM_VERSION_PATCH == {patch}, "version");\n', link=False)
        project = pathlib.Path(clprim.__file__).parent.parent / "pyproject.toml"
        self.assertIn(f'version = "{_c.VERSION}"', project.read_text())

    def test_library_of_another_version(self):
        self.assertEqual(_c.library().clprim_version_text().decode(), _c.VERSION)
        self.assertEqual(_c._same(10203), (1, 2))
        known, major_minor = _c.VERSION, _c._same(_c.VERSION)
        loaded = _c.library.__wrapped__  # what is behind the cache
        try:
            _c.VERSION = f"{major_minor[0]}.{major_minor[1]}.99"
            loaded()
            _c.VERSION = f"{major_minor[0]}.{major_minor[1] + 1}.0"
            with self.assertRaisesRegex(ImportError, "another version of libclprim"):
                loaded()
        finally:
            _c.VERSION = known

    def test_complete(self):
        """Every primitive is in both covers."""
        stems = os.environ.get("CLPRIM_TEST_STEMS", "").split(":")
        if stems == [""]:
            self.skipTest("CLPRIM_TEST_STEMS is not set")
        self.assertEqual(sorted(stems), sorted(_c.ENQUEUE))
        self.assertEqual(sorted(stems), sorted(_c.HOST))
        header = pathlib.Path(__file__).resolve().parent.parent / "include" / "clprim" / "clprim.hpp"
        self.assertEqual(sorted(stems), sorted(re.findall(r"^CLPRIM_CPP_API\((\w+),", header.read_text(), re.M)))

    def test_functions(self):
        """A pointer with the signature that the tables say can hold the function."""
        text = ""
        for stem, calls in _c.ENQUEUE.items():
            c = {"m": "cl_mem, size_t", "n": "size_t", "a": "const clprim_sort_by_key_array *", "o": "void *",
                 "i": "const void *", "s": "size_t *", "b": "bool *", "u": "uint64_t *",
                 "R": f"clprim_runtime *, const clprim_{stem}_desc *"}
            plan, ends = f"clprim_{stem} *", "cl_uint, const cl_event *, cl_event *"
            wanted = {name: f"{plan}, cl_command_queue, {', '.join(c[letter] for letter in letters)}, {ends}"
                      for name, letters in calls.items()}
            c["a"] = "void *const *"
            wanted["host"] = ", ".join(c[letter] for letter in _c.HOST[stem])
            wanted["create"] = f"{plan} *, clprim_runtime *, const clprim_{stem}_desc *"
            if stem not in _c.WITHOUT_SCRATCH:
                wanted["scratch_size"] = f"size_t *, const {plan}, size_t"
                wanted["set_scratch"] = f"{plan}, cl_mem"
            for name, arguments in wanted.items():
                text += f"static clprim_status (*{stem}_{name})({arguments}) = clprim_{stem}_{name};\n"
        text += "\n".join(f"static void (*{stem}_destroy)(clprim_{stem} *) = clprim_{stem}_destroy;"
                          for stem in _c.ENQUEUE)
        self.build(text + "\n", link=False)


def numbers(dtype, count=N, below=120):
    return RNG.integers(0, below, count).astype(dtype)


class Readme(unittest.TestCase):
    def test_example(self):
        """It runs as it is printed."""
        text = (pathlib.Path(__file__).resolve().parent.parent / "README.md").read_text()
        code = text.split("```python\n")[1].split("```")[0]
        said = io.StringIO()
        names = {}
        with contextlib.redirect_stdout(said):
            exec(code, names)
        numpy.testing.assert_array_equal(names["ordered"].get(), numpy.sort(names["prices"]))
        self.assertEqual(names["highest"][0], names["prices"].max())
        self.assertEqual(len(said.getvalue().splitlines()), 2)


class Host(unittest.TestCase):
    """On numpy's arrays. Device does the same on PyOpenCL's."""

    def there(self, a):
        return a

    def back(self, a):
        return a

    def compacted(self, result):
        return result

    def scalar(self, result):
        return result

    def equal(self, result, expected):
        result = self.back(result)
        self.assertEqual(result.dtype, expected.dtype)
        numpy.testing.assert_array_equal(result, expected)

    def test_sorts(self):
        for dtype in [numpy.float32, numpy.int64, numpy.uint8]:
            a = numbers(dtype)
            there = self.there(a)
            self.equal(clprim.sort(there), numpy.sort(a))
            self.equal(clprim.sort(there, descending=True), numpy.sort(a)[::-1])
            self.equal(there, a)
        order = numpy.argsort(a, kind="stable").astype(numpy.uint32)
        self.equal(clprim.argsort(there), order)
        values = RNG.random(N)
        keys, moved = clprim.sort_pairs(there, self.there(values))
        self.equal(keys, numpy.sort(a))
        self.equal(moved, values[order])
        clprim.sort(there, out=there)
        self.equal(there, numpy.sort(a))

    def test_floats(self):
        a = numpy.array([1, -0.0, numpy.nan, 0.0, -numpy.inf, -1, numpy.inf], numpy.float64)
        result = self.back(clprim.sort(self.there(a)))
        numpy.testing.assert_array_equal(result, [-numpy.inf, -1, -0.0, 0.0, 1, numpy.inf, numpy.nan])
        self.assertEqual(list(numpy.signbit(result[2:4])), [True, False])

    def test_comparison_sort(self):
        a = numbers(numpy.int32)
        self.equal(clprim.comparison_sort(self.there(a), "a > b"), numpy.sort(a)[::-1])
        pairs = numpy.zeros(N, [("begin", "u4"), ("end", "u4")])
        pairs["begin"], pairs["end"] = numbers(numpy.uint32), numpy.arange(N)
        result = self.back(clprim.comparison_sort(
            self.there(pairs), "a.begin < b.begin", stable=True, type_name="range",
            source="typedef struct { uint begin, end; } range;"))
        numpy.testing.assert_array_equal(result["end"], numpy.argsort(pairs["begin"], kind="stable"))

    def test_reductions(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        total = a.sum(dtype=numpy.int64)
        for function, expected in [(clprim.sum, total), (clprim.min, a.min()), (clprim.max, a.max())]:
            result = self.scalar(function(there))
            self.assertEqual((result, result.dtype), (expected, expected.dtype))
        self.assertEqual(self.scalar(clprim.sum(there, dtype=numpy.int32)).dtype, numpy.int32)
        best = self.scalar(clprim.argmax(there))
        self.assertEqual((best["index"], best["value"]), (a.argmax(), a.max()))
        self.assertEqual(self.scalar(clprim.reduce(there, "xor")), numpy.bitwise_xor.reduce(a))
        floats = RNG.random(N).astype(numpy.float32)
        self.assertAlmostEqual(float(self.scalar(clprim.sum(self.there(floats)))), float(floats.sum()), places=1)

    def test_scans(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        sums = numpy.cumsum(a, dtype=numpy.int32)
        self.equal(clprim.inclusive_scan(there), sums)
        self.equal(clprim.exclusive_scan(there), sums - a)
        self.equal(clprim.inclusive_scan(there, dtype=numpy.int64), numpy.cumsum(a, dtype=numpy.int64))
        self.equal(clprim.inclusive_scan(there, "max"), numpy.maximum.accumulate(a))

    def test_histograms(self):
        a = numbers(numpy.uint8)
        self.equal(clprim.histogram(self.there(a)), numpy.bincount(a, minlength=256).astype(numpy.uint32))
        floats = RNG.random(N).astype(numpy.float32)
        there = self.there(floats)
        self.equal(clprim.histogram(there, 16, (0, 1)), numpy.histogram(floats, 16, (0, 1))[0].astype(numpy.uint32))
        edges = [0, 0.25, 0.3, 0.9]
        self.equal(clprim.histogram(there, edges), numpy.histogram(floats, edges)[0].astype(numpy.uint32))

    def test_selections(self):
        a = numpy.sort(numbers(numpy.int32))
        there = self.there(a)
        self.equal(self.compacted(clprim.unique(there)), numpy.unique(a))
        self.equal(self.compacted(clprim.select(there, "x % 2 == 1 && i > 10")),
                   a[(a % 2 == 1) & (numpy.arange(N) > 10)])

    def test_top_k(self):
        a = RNG.permutation(N).astype(numpy.float32)
        keys, indices = clprim.top_k(self.there(a), 10)
        self.equal(keys, numpy.sort(a)[::-1][:10])
        self.equal(indices, numpy.argsort(-a)[:10].astype(numpy.uint32))
        keys, indices = clprim.top_k(self.there(a[:3].copy()), 10, smallest=True)
        self.equal(keys, numpy.sort(a[:3]))

    def test_nothing(self):
        nothing = self.there(numpy.empty(0, numpy.int32))
        self.equal(clprim.sort(nothing), numpy.empty(0, numpy.int32))
        self.equal(clprim.inclusive_scan(nothing), numpy.empty(0, numpy.int32))
        self.equal(self.compacted(clprim.unique(nothing)), numpy.empty(0, numpy.int32))
        self.assertEqual(self.scalar(clprim.sum(nothing)), 0)

    def test_errors(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        with self.assertRaises(clprim.Error) as caught:
            clprim.comparison_sort(there, "a plus b")
        self.assertEqual(caught.exception.status, -30010)
        self.assertIn("less", caught.exception.sentence)
        with self.assertRaises(clprim.Error) as caught:
            clprim.top_k(there, 0)
        self.assertEqual(caught.exception.status, -30001)
        with self.assertRaises(TypeError):
            clprim.sort(self.there(numpy.zeros(3, numpy.complex64)))
        with self.assertRaises(ValueError):
            clprim.sort(there, out=self.there(numpy.zeros(3, numpy.int32)))
        with self.assertRaises(ValueError):
            clprim.reduce(there, "mean")
        self.equal(there, a)


class Device(Host):
    """On PyOpenCL's context and queue."""

    @classmethod
    def setUpClass(cls):
        device = next(device for platform in pyopencl.get_platforms() for device in platform.get_devices())
        cls.context = pyopencl.Context([device])
        cls.queue = pyopencl.CommandQueue(cls.context)

    def there(self, a):
        return pyopencl.array.to_device(self.queue, a)

    def back(self, a):
        self.assertIsInstance(a, pyopencl.array.Array)
        return a.get()

    def compacted(self, result):
        elements, count = result
        return elements[:int(count.get()[0])] if elements.size else elements

    def scalar(self, result):
        return self.back(result)[0]

    def test_zero_copy(self):
        """Parts of arrays are written where they lie, on a queue that is out of order, after the events given."""
        queue = pyopencl.CommandQueue(
            self.context, properties=pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
        a = numbers(numpy.float32)
        there = self.there(a)
        part = there[1000:2000]
        clprim.sort(part, out=part, at=queue)
        pyopencl.wait_for_events(part.events)
        expected = a.copy()
        expected[1000:2000].sort()
        self.equal(there, expected)
        with self.assertRaises(ValueError):
            clprim.sort(there[::2])
        with self.assertRaises(ValueError):
            clprim.sort_pairs(there, a)

    def test_events(self):
        """Functions wait for the arrays' events, and their results' arrays have those of the calls."""
        a = numbers(numpy.int32)
        results = {}
        gate = pyopencl.UserEvent(self.context)
        there = self.there(a)  # waits for the queue
        there.add_event(gate)
        for name, function in [("sort", clprim.sort), ("argsort", clprim.argsort), ("sum", clprim.sum),
                               ("scan", clprim.inclusive_scan), ("histogram", lambda x: clprim.histogram(x, 120)),
                               ("unique", clprim.unique), ("top_k", lambda x: clprim.top_k(x, 5)),
                               ("comparison_sort", lambda x: clprim.comparison_sort(x, "a > b")),
                               ("sort_pairs", lambda x: clprim.sort_pairs(x, x))]:
            results[name] = function(there)
        for name, result in results.items():
            for array in result if isinstance(result, tuple) else [result]:
                with self.subTest(name):
                    self.assertEqual(len(array.events), 1)
                    self.assertNotEqual(array.events[0].command_execution_status,
                                        pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        self.equal(results["sort"], numpy.sort(a))
        self.equal(results["argsort"], numpy.argsort(a, kind="stable").astype(numpy.uint32))
        self.equal(results["sort_pairs"][1], numpy.sort(a))

    def test_plans(self):
        """Buffers, events and wait lists, and memory of the caller's."""
        runtime = clprim.Runtime(self.queue)
        self.assertEqual(runtime.device_name.strip(), self.queue.device.name.strip())
        a = numbers(numpy.uint32)
        flags = pyopencl.mem_flags
        given = pyopencl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a)
        result = pyopencl.Buffer(self.context, flags.READ_WRITE, a.nbytes + 4)
        sort = clprim.Plan("radix_sort", runtime, key_type=numpy.uint32)
        scratch = pyopencl.Buffer(self.context, flags.READ_WRITE, sort.scratch_size(N))
        sort.set_scratch(scratch)
        gate = pyopencl.UserEvent(self.context)
        done = sort.enqueue(self.queue, given, N, (result, 1), wait_for=[gate])
        self.assertNotEqual(done.command_execution_status, pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        out = numpy.empty(N + 1, numpy.uint32)
        pyopencl.enqueue_copy(self.queue, out, result, wait_for=[done]).wait()
        numpy.testing.assert_array_equal(out[1:], numpy.sort(a))
        with self.assertRaises(clprim.Error) as caught:
            sort.enqueue(self.queue, given, N + 1, given)
        self.assertEqual(caught.exception.status, -30003)
        with self.assertRaises(AttributeError):
            sort.enqueue_segments
        with self.assertRaises(TypeError):
            clprim.Plan("radix_sort", runtime, keytype="u32")
        del sort, runtime
        gc.collect()

    def test_other_primitives(self):
        """What has no function of its own."""
        a, b = numpy.sort(numbers(numpy.uint32)), numpy.sort(numbers(numpy.uint32, 100))
        out, where = numpy.empty(N + 100, numpy.uint32), numpy.empty(100, numpy.uint32)
        clprim.host("merge", out, None, a, None, N, b, None, 100)
        numpy.testing.assert_array_equal(out, numpy.sort(numpy.concatenate([a, b])))
        clprim.host("search", where, a, N, b, 100)
        numpy.testing.assert_array_equal(where, numpy.searchsorted(a, b))
        add = _c.STRUCTURES["clprim_custom_op"](combine=b"a + b", identity=b"0")
        total = numpy.empty(1, numpy.uint32)
        clprim.host("reduce", total, a, N, type="u32", custom=add)
        self.assertEqual(total[0], a.sum())

    def test_threads(self):
        """Calls run beside each other; a plan is used by one thread at a time."""
        a = [numbers(numpy.float32) for _ in range(4)]
        there = [self.there(x) for x in a]
        results = [None] * 4

        def work(i):
            for _ in range(5):
                results[i] = clprim.sort(there[i])

        threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for x, result in zip(a, results):
            self.equal(result, numpy.sort(x))


if __name__ == "__main__":
    unittest.main()
