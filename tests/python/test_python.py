#!/usr/bin/env python3
"""bindings/python against numpy, on numpy's and PyOpenCL's arrays, and its structures against the headers. CTest runs
it with CLPRIM_LIBRARY set, CLPRIM_TEST_CC and CLPRIM_TEST_INCLUDES for the headers, and the operations in
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
import pydoc
import re
import shlex
import subprocess
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bindings" / "python"))
import clprim
from clprim import _arrays, _c, _operations, _types

N = 3001
RNG = numpy.random.default_rng(7)


STRUCTURES = {thing.__name__: thing for thing in vars(_c).values()
              if isinstance(thing, type) and issubclass(thing, ctypes.Structure)}

# The functions that the structures point to, and those that are called by name, as pointers in C.
POINTERS = {
    "clprim_member.element": "clprim_element (*)(const void *, size_t)",
    "clprim_member.length": "size_t (*)(const void *, const void *)",
    "clprim_member.is_whole": "bool (*)(const void *)",
    "clprim_member.is_read": "bool (*)(const void *)",
    "clprim_operation.variants": "const clprim_variant_info *(*)(size_t *)",
    "clprim_operation.create": "clprim_status (*)(clprim_plan **, clprim_runtime *, const void *)",
    "clprim_operation.enqueue": "clprim_status (*)(clprim_plan *, cl_command_queue, const void *, cl_uint, "
                                "const cl_event *, cl_event *)",
    "clprim_operation.run": "clprim_status (*)(clprim_runtime *, const void *, const void *)",
    "operations": "const clprim_operation *const *(*)(size_t *)",
    "plan_destroy": "void (*)(clprim_plan *)",
    "plan_scratch_size": "clprim_status (*)(size_t *, const clprim_plan *, const void *)",
    "plan_set_scratch": "clprim_status (*)(clprim_plan *, cl_mem)",
    "plan_variant": "const clprim_variant_info *(*)(const clprim_plan *)",
    "runtime_create": "clprim_status (*)(clprim_runtime **, const clprim_runtime_desc *)",
    "runtime_default": "clprim_status (*)(clprim_runtime **)",
    "runtime_destroy": "void (*)(clprim_runtime *)",
    "runtime_info": "const clprim_device_info *(*)(const clprim_runtime *)",
    "version_text": "const char *(*)(void)",
    "last_error": "const char *(*)(void)",
}


class Headers(unittest.TestCase):
    """What the structures say is what a C compiler sees. What the library's tables say is tests/contract's to test."""

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
        for name, structure in STRUCTURES.items():
            for field, _ in structure._fields_:
                member = getattr(structure, field)
                said[f"{name}.{field}"] = (member.offset, member.size)
                text += (f'    printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                         f'sizeof((({name} *)0)->{field}));\n')
            if name != "clprim_device_info":  # which is only the beginning
                said[name] = (ctypes.sizeof(structure), 0)
                text += f'    printf("{name} %zu 0\\n", sizeof({name}));\n'
        seen = {name: (int(a), int(b)) for name, a, b in
                (line.split() for line in self.build(text + "    return 0;\n}\n").splitlines())}
        self.assertEqual(said, seen)
        self.assertGreater(len(seen), 60)

    def test_kinds(self):
        """A field's C type, too: sizes alone would not tell a text from a pointer, or functions from each other."""
        c_types = {ctypes.c_size_t: "size_t", ctypes.c_bool: "_Bool", ctypes.c_char_p: "const char *"}
        fields = [(f"{name}.{field}", f"(({name} *)0)->{field}", kind) for name, structure in STRUCTURES.items()
                  for field, kind in structure._fields_]
        fields += [(name, f"&clprim_{name}", ctypes.CFUNCTYPE(result, *arguments))
                   for name, (result, arguments) in _c._FUNCTIONS.items()]
        text, functions = "", []
        for name, expression, kind in fields:
            if hasattr(kind, "_restype_"):
                functions.append(name)
                arguments = POINTERS[name].split("(*)")[1]
                self.assertEqual(len(kind._argtypes_), 0 if arguments == "(void)" else arguments.count(",") + 1, name)
                c_type = POINTERS[name]
            elif kind is ctypes.c_void_p:
                text += f'_Static_assert(_Generic({expression}, const char *: 0, default: 1), "{name}");\n'
                continue
            elif hasattr(kind, "contents"):
                c_type = f"const {kind._type_.__name__} *"
            elif kind in c_types:
                c_type = c_types[kind]
            else:
                continue  # an enumeration's number, or an array of characters
            text += f'_Static_assert(_Generic({expression}, {c_type}: 1, default: 0), "{name}");\n'
        self.build(text, link=False)
        self.assertEqual(sorted(functions), sorted(POINTERS))

    def test_numbers(self):
        expected = {f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.TYPES) if i > 0}
        expected.update({f"CLPRIM_MEMBER_{name.upper()}": i for i, name in enumerate(_c.MEMBER_KINDS)})
        expected["CLPRIM_TYPE_END"] = len(_c.TYPES)
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
        """Every operation is there."""
        stems = os.environ.get("CLPRIM_TEST_STEMS", "").split(":")
        if stems == [""]:
            self.skipTest("CLPRIM_TEST_STEMS is not set")
        self.assertEqual(sorted(stems), sorted(clprim.operations()))


def numbers(dtype, count=N, below=120):
    return RNG.integers(0, below, count).astype(dtype)


class Types(unittest.TestCase):
    """Types are what they are called, or refused."""

    def test_exact(self):
        for name in _c.TYPES[1:]:
            dtype = _types.DTYPES[name]
            self.assertEqual((8 * dtype.itemsize, dtype.kind), (int(name[1:]), name[0]))
            for value in [name, dtype.name, dtype, dtype.type, dtype.newbyteorder("=")]:
                with self.subTest(value):
                    self.assertEqual(_types.type_of(value), name)
            self.assertEqual(_types.dtype_of(dtype.name), dtype)
        self.assertEqual([_types.type_of(t) for t in (int, float, ctypes.c_int16)], ["i64", "f64", "i16"])
        self.assertEqual(_types.dtype_of("f8"), numpy.float64)
        self.assertEqual(_types.dtype_of("i32"), numpy.int32)

    def test_refused(self):
        for value in ["i4", "u4", "f8", "<i8", "l", "int", "I64", "", 7, 1.5, True, bool, complex, object, "bool", None,
                      numpy.int64(3), numpy.zeros(3), numpy.dtype(">i8"), numpy.dtype(">f4"), numpy.longdouble, "M8[s]",
                      numpy.dtype([("x", "i4")]), numpy.dtype("S4"), numpy.dtype(("i4", (2,)))]:
            with self.subTest(value), self.assertRaises(TypeError):
                _types.type_of(value)
        for value in ["i8", "u8", 7, None, "i5"]:
            with self.subTest(value), self.assertRaises(TypeError):
                _types.dtype_of(value)

    def test_of_descriptions(self):
        """A dtype is not the type that its number, or numpy's code, would be."""
        a = numbers(numpy.int64) + 2**40
        for value in [numpy.dtype("int64"), numpy.dtype(numpy.int64), numpy.int64, "int64", "i64"]:
            total = numpy.zeros(1, numpy.int64)
            clprim.run("reduce", {"type": value}, in_=a, out=total)
            self.assertEqual(total[0], a.sum())
        narrow = a.astype(numpy.int32)
        clprim.run("reduce", {"type": None}, in_=narrow, out=numpy.zeros(1, numpy.int32))  # C's default
        for desc in [{"type": 7}, {"type": "i8x"}, {"type": numpy.dtype(">i8")}, {"op": 3}, {"op": numpy.int64(1)}]:
            with self.subTest(desc), self.assertRaises((TypeError, ValueError)):
                clprim.run("reduce", desc, in_=a, out=total)
        with self.assertRaisesRegex(TypeError, "numpy.int64 or numpy.int8"):
            clprim.sum(a, dtype="i8")
        self.assertEqual(clprim.sum(a, dtype="int64"), a.sum())

    def test_fields(self):
        """Numbers that C would cut off, and texts that are none."""
        for stem, desc in [("radix_sort", {"value_size": -1}), ("radix_sort", {"begin_bit": 2**32 + 3}),
                           ("radix_sort", {"variant": 2**32 + 1}), ("radix_sort", {"value_size": 2.5}),
                           ("radix_sort", {"descending": "no"}), ("select", {"predicate": lambda x: x > 0}),
                           ("select", {"predicate": b"x > 0"}), ("select", {"predicate": "x > 0\0 && x < 3"}),
                           ("histogram", {"type": "i64", "high": 2**53 + 1}),
                           ("histogram", {"bins": 3, "boundaries": [0.0, 1.0]}),
                           ("histogram", {"bins": 2, "type": "i64", "boundaries": [0, 0.5, 1]}),
                           ("histogram", {"bins": 2, "type": "u64", "boundaries": [-1, 0, 1]}),
                           ("histogram", {"bins": 2, "type": "i64", "boundaries": [-1, 0, 2**63]}),
                           ("scan", {"initial": 2**31}), ("scan", {"initial": [1, 2]}), ("scan", {"custom": "a + b"}),
                           ("scan", {"custom": {"combine": lambda a, b: a + b}}),
                           ("sort_by_key", {"element_sizes": [4] * 17}), ("sort_by_key", {"variant": 2**32 + 1}),
                           ("radix_sort", {"nan_order": "first"}), ("radix_sort", {"nan_order": 1}),
                           ("radix_sort", {"variant": 1}), ("merge", {"variant": "onesweep"}),
                           ("scan", {"custom": {"combin": "a"}}), ("radix_sort", {"keytype": "u32"})]:
            with self.subTest(desc), self.assertRaises((TypeError, ValueError)):
                clprim.Plan(stem, **desc)
        big = numpy.array([0, 2**62, 2**62 + 1], numpy.int64)
        counts = clprim.histogram(big, [-2**63, 2**62 + 1, 2**63 - 1])
        self.assertEqual(list(counts), [2, 1])
        out = numpy.zeros(4, numpy.float32)
        clprim.run("scan", {"type": "f32", "initial": 5}, in_=numpy.ones(4, numpy.float32), out=out)
        self.assertEqual(list(out), [6, 7, 8, 9])

    def test_enumerators(self):
        """They have names; a variant has that of its description."""
        for variant in ["merge_path", "cpu_chunk"]:
            self.assertEqual(clprim.Plan("merge", variant=variant).variant, variant)
        self.assertNotEqual(clprim.Plan("merge", variant="auto").variant, "auto")
        with self.assertRaisesRegex(ValueError, "^op must be one of sum, prod, .*, not 'mean'"):
            clprim.Plan("reduce", op="mean")


COUNTS = {"count": 37, "segment_count": 3, "needle_count": 5, "a_count": 20, "b_count": 17}
OPERATOR = {"type_name": "uchar3_", "type_size": 3, "source": "typedef struct { uchar x, y, z; } uchar3_;",
            "combine": "a", "identity": "(uchar3_){0, 0, 0}"}
THREE = {key: OPERATOR[key] for key in ("type_name", "type_size", "source")}

# Calls whose arrays differ in what they hold or how much of it.
LAYOUTS = [
    ("reduce", {"type": "u8", "accumulator_type": "i64"}),
    ("reduce", {"type": "f64", "op": "argmin"}),
    ("reduce", {"custom": OPERATOR}),
    ("scan", {}),
    ("scan", {"type": "i16", "op": "argmax"}),
    ("scan", {"segments": "by_flag"}),
    ("scan", {"segments": "by_key"}),
    ("histogram", {}),
    ("histogram", {"bins": 5, "channels": 3, "active_channels": 2, "counter_type": "u64"}),
    ("histogram", {"bins": 5, "weights_type": "i32", "variant": "global_atomic"}),
    ("radix_sort", {"key_type": "f64", "value_size": 2}),
    ("radix_sort", {"argsort": True}),
    ("bitonic_sort", {"value_size": 8}),
    ("bitonic_sort", {"value_size": 8, "segmented": True}),
    ("comparison_sort", {**THREE, "less": "a.x < b.x", "value_size": 1}),
    ("sort_by_key", {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}),
    ("segmented_sort", {"argsort": True, "index_type": "u64", "offsets_type": "u64"}),
    ("select", {"type": "f64"}),
    ("unique", {}),
    ("run_length_encode", {"index_type": "u64"}),
    ("reduce_by_key", {"key_type": "u8", "type": "u8", "op": "max"}),
    ("top_k", {"k": 3, "indices": True}),
    ("merge", {"key_type": "i64", "value_size": 4}),
    ("is_sorted", {"index_type": "u64"}),
    ("search", {"type": "f32", "index_type": "u64"}),
]
BEHIND = 0xa5  # every byte behind an array


def layout(name, desc):
    """(the counts of a call, its arrays as [(member, index in it or None, dtype, length)])."""
    operation = _operations.operation(name)
    made = operation.description(_types.fields(operation, desc))
    counts = {count: COUNTS[count] for count in operation.counts if count != "segment_count" or
              operation.arrays["offsets"].element_of(made).size > 0}
    call = _arrays.Layout(operation, made).counts({**dict.fromkeys(operation.counts, 0), **counts})
    arrays = []
    for member in operation.arrays.values():
        for i in range(member.repeat or 1):
            need = _types.need_of(member.element_of(made, i))
            if need.size > 0:
                arrays.append((member, None if member.repeat is None else i, need.dtype or numpy.dtype(f"V{need.size}"),
                               member.length_of(made, call)))
    return counts, arrays


def put(call, member, index, array):
    """The call with another array there."""
    if index is None:
        return {**call, member.name: array}
    arrays = list(call.get(member.name, []))
    arrays[index:index + 1] = [array]
    return {**call, member.name: arrays}


def label(member, index):
    return member.name if index is None else rf"{member.name}\[{index}\]"


def spoilt(array):
    """What must be refused in place of an array of numpy's."""
    yield array[:-1], "room for"
    yield numpy.zeros(array.size, "V5"), "must be an array of"
    if array.size > 1:
        yield numpy.zeros(2 * array.size, array.dtype)[::2], "contiguous"
    yield numpy.ma.masked_array(array), "masked"
    yield array.tolist(), "must be a numpy.ndarray"
    yield 4096, "must be a numpy.ndarray"


class Arrays(unittest.TestCase):
    """Nothing is called with arrays that are too short, of another type, or not to be written to."""

    @classmethod
    def setUpClass(cls):
        Device.setUpClass()
        cls.context, cls.queue = Device.context, Device.queue
        cls.runtime = clprim.Runtime(context=cls.context)

    def test_host(self):
        for name, desc in LAYOUTS:
            call, arrays = layout(name, desc)
            wholes = []  # each array with bytes behind it that nothing may write to
            for member, index, dtype, length in arrays:
                size = dtype.itemsize * length
                wholes.append((numpy.full(size + 64, BEHIND, numpy.uint8), size))
                wholes[-1][0][:size] = 0
                call = put(call, member, index, wholes[-1][0][:size].view(dtype))
            with self.subTest(name, desc=desc):
                clprim.run(name, desc, runtime=self.runtime, **call)
                for memory, size in wholes:
                    self.assertTrue((memory[size:] == BEHIND).all())
                self.refused(name, desc, call, arrays)

    def refused(self, name, desc, call, arrays):
        for member, index, _, _ in arrays:
            array = call[member.name] if index is None else call[member.name][index]
            locked = array.view()
            locked.flags.writeable = False
            wrong = [*spoilt(array), *([(locked, "read-only")] if member.is_written else [])]
            for bad, sentence in wrong:
                with self.subTest(name=member.name, sentence=sentence):
                    with self.assertRaisesRegex((TypeError, ValueError), f"^{label(member, index)} .*{sentence}"):
                        clprim.run(name, desc, runtime=self.runtime, **put(call, member, index, bad))
        for count in COUNTS.keys() & call.keys():
            for bad in [-1, 1.5, 2**64]:
                with self.assertRaisesRegex((TypeError, ValueError), f"^{count} must be"):
                    clprim.run(name, desc, runtime=self.runtime, **{**call, count: bad})
        for member in _operations.operation(name).arrays.values():
            if member.name not in call:
                with self.assertRaisesRegex(ValueError, f"^{member.name} must be left out"):
                    clprim.run(name, desc, runtime=self.runtime, **{**call, member.name: numpy.zeros(99, numpy.uint8)})
        with self.assertRaisesRegex(TypeError, f"^{name} has no keys: its calls have {'|'.join(call)}"):
            clprim.run(name, desc, runtime=self.runtime, **call, keys=None)

    def test_null(self):
        """Without an array that C wants it says so itself."""
        for name, desc in LAYOUTS:
            call, arrays = layout(name, desc)
            for member, index, dtype, length in arrays:
                call = put(call, member, index, numpy.zeros(length, dtype))
            for member, index, _, _ in arrays:
                if member.name != "outside_out":
                    with self.subTest(name, array=member.name):
                        with self.assertRaisesRegex(clprim.Error, f"^{member.name.rstrip('_')} "):
                            clprim.run(name, desc, runtime=self.runtime, **put(call, member, index, None))

    def test_counts(self):
        """They follow from the arrays that are read."""
        for name, desc in LAYOUTS:
            operation = _operations.operation(name)
            counts, arrays = layout(name, desc)
            call = {}
            for member, index, dtype, length in arrays:
                call = put(call, member, index, numpy.zeros(length, dtype))
            made = _arrays.Layout(operation, operation.description(_types.fields(operation, desc)))
            with self.subTest(name, desc=desc):
                found = made.counts(call)
                self.assertEqual({count: getattr(found, count) for count in counts}, counts)
                with self.assertRaisesRegex(TypeError, f"^{name} takes {next(iter(counts))}"):
                    clprim.run(name, desc, runtime=self.runtime)
        sort = self.runtime.plan("segmented_sort")
        for offsets, expected in [(0, 0), (1, 0), (2, 1)]:
            call = sort._layout.counts({"count": 3, "offsets": numpy.zeros(offsets, numpy.uint32)})
            self.assertEqual(call.segment_count, expected)
        with self.assertRaisesRegex(ValueError, "^count does not follow from the 7 elements of in_"):
            self.runtime.plan("histogram", channels=3)._layout.counts({"in_": numpy.zeros(7, numpy.uint8)})
        with self.assertRaisesRegex(TypeError, "takes count"):
            self.runtime.plan("reduce").enqueue(self.queue, in_=self.buffer(16), out=self.buffer(4))
        self.assertGreaterEqual(sort.scratch_size(count=2**20, segment_count=2), 2**20)
        with self.assertRaisesRegex(TypeError, "has no segments"):
            sort.scratch_size(count=9, segments=2)

    def test_device(self):
        """What is said to be needed is what C asks of buffers, to the byte; and arrays are held against it."""
        for name, desc in LAYOUTS:
            call, arrays = layout(name, desc)
            plan = self.runtime.plan(name, **desc)
            for member, index, dtype, length in arrays:
                call = put(call, member, index, self.buffer(dtype.itemsize * length))
            with self.subTest(name, desc=desc):
                plan.enqueue(self.queue, **call).wait()
                for member, index, dtype, length in arrays:
                    self.held_against(plan, call, member, index, dtype, length)

    def buffer(self, size):
        return pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR,
                               hostbuf=numpy.zeros(size, numpy.uint8))

    def held_against(self, plan, call, member, index, dtype, length):
        name = label(member, index)
        with self.subTest(name=name):
            if dtype.itemsize * length > 1:
                with self.assertRaises(clprim.Error) as caught:
                    plan.enqueue(self.queue, **put(call, member, index, self.buffer(dtype.itemsize * length - 1)))
                self.assertEqual(caught.exception.status, -30003)
            memory = pyopencl.array.zeros(self.queue, dtype.itemsize * (length + 1), numpy.uint8)
            plan.enqueue(self.queue, **put(call, member, index, memory.view(dtype)[1:])).wait()
            other = pyopencl.array.empty(self.queue, length, numpy.dtype("V5"))
            for bad, sentence in [(memory.view(dtype)[2:], "room for"), (other, "must be an array of"),
                                  (numpy.zeros(length, dtype), "must be a pyopencl"),
                                  ((self.buffer(16), -1), "offset"), (self.queue, "must be a pyopencl")]:
                with self.assertRaisesRegex((TypeError, ValueError), f"{name} .*{sentence}|{sentence} of {name}"):
                    plan.enqueue(self.queue, **put(call, member, index, bad))

    def test_sort_by_key(self):
        keys, a, b = numbers(numpy.uint8), numpy.arange(N, dtype=numpy.int16), RNG.random(N).astype(numpy.float32)
        order, mine = numpy.argsort(keys, kind="stable"), [a.copy(), b.copy()]
        desc = {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}  # the other has the default, 4
        def call(arrays, out):
            return {"keys_in": keys, "keys_out": keys.copy(), "arrays_in": arrays, "arrays_out": out}

        for bad in [None, mine[:1], [*mine, mine[0]], [mine[1], mine[0]], [mine[0], mine[1][:-1]], mine[0], [a, None],
                    [*mine, *[None] * 15]]:
            for given in [call(mine, bad), call(bad, mine)]:
                with self.assertRaises((TypeError, ValueError, clprim.Error)):
                    clprim.run("sort_by_key", desc, **given)
        numpy.testing.assert_array_equal(mine[0], a)
        clprim.run("sort_by_key", desc, **call(mine, mine))
        numpy.testing.assert_array_equal(mine[0], a[order])
        numpy.testing.assert_array_equal(mine[1], b[order])
        there = [pyopencl.array.to_device(self.queue, x) for x in (keys, a, b)]
        plan = self.runtime.plan("sort_by_key", **desc)
        for bad in [there[1], there[1:2], there[:0:-1], [there[1], there[2][1:]]]:
            with self.assertRaises((TypeError, ValueError, clprim.Error)):
                plan.enqueue(self.queue, keys_in=there[0], keys_out=there[0], arrays_in=there[1:], arrays_out=bad)
        plan.enqueue(self.queue, keys_in=there[0], keys_out=there[0], arrays_in=there[1:], arrays_out=there[1:]).wait()
        numpy.testing.assert_array_equal(there[1].get(), a[order])
        numpy.testing.assert_array_equal(there[2].get(), b[order])

    def test_objects(self):
        """What is no memory object, queue or event is not asked for its handle."""
        plan, a = self.runtime.plan("reduce"), pyopencl.array.zeros(self.queue, 4, numpy.int32)
        for queue, waits in [(self.context, None), ("gpu", None), (self.queue, [self.queue]), (self.queue, [1])]:
            with self.assertRaises(TypeError):
                plan.enqueue(queue, in_=a, out=a[:1], wait_for=waits)
        for bad in [a, self.queue, 7]:
            with self.assertRaises(TypeError):
                plan.set_scratch(bad)
        for bad in [lambda: clprim.Runtime("gpu"), lambda: clprim.Runtime(context=self.queue),
                    lambda: clprim.Runtime.of("gpu"), lambda: clprim.Plan("reduce", self.queue),
                    lambda: clprim.run("unique", count=0, runtime=7)]:
            with self.assertRaises(TypeError):
                bad()


class Inputs(unittest.TestCase):
    """Arrays of numpy's as they come: copied where C could not take them, or refused with what to do."""

    def setUp(self):
        self.a = numbers(numpy.int32)
        self.expected = numpy.sort(self.a)

    def test_copied(self):
        a = self.a
        odd = numpy.zeros(4 * N + 1, numpy.uint8)
        odd[1:] = a.view(numpy.uint8)
        locked = a.copy()
        locked.flags.writeable = False
        for given in [a.astype(">i4"), numpy.repeat(a, 2)[::2], a[::-1], odd[1:].view(numpy.int32), locked, a.tolist()]:
            before = numpy.array(given)
            result = clprim.sort(given)
            self.assertTrue(result.dtype.isnative)
            numpy.testing.assert_array_equal(result, self.expected)
            numpy.testing.assert_array_equal(given, before)
            self.assertEqual(clprim.sum(given), a.sum())
        pairs = numpy.zeros(N, [("key", ">u4"), ("at", ">u4")])
        pairs["key"], pairs["at"] = a, numpy.arange(N)
        result = clprim.select(pairs, "x.key > 50", type_name="pair", source="typedef struct { uint key, at; } pair;")
        numpy.testing.assert_array_equal(result["at"], numpy.flatnonzero(a > 50))

    def test_refused(self):
        a = self.a
        masked = numpy.ma.masked_array(a, a > 50)
        objects = numpy.array([{}, []], object)
        for bad, sentence in [(masked, r"compressed\(\)"), (numpy.int32(5), "one dimension"),
                              (a.reshape(1, N), "one dimension"), (objects, "Python objects"),
                              (numpy.zeros(3, "c8"), "no type"), (["a", "b"], "no type"),
                              (numpy.zeros(3, [("x", "i4")]), "type_name"), (numpy.zeros(3, "M8[s]"), "no type")]:
            for function in [clprim.sort, clprim.sum, clprim.argsort, clprim.unique, clprim.histogram,
                             clprim.inclusive_scan, lambda x: clprim.top_k(x, 1), lambda x: clprim.select(x, "1"),
                             lambda x: clprim.sort_pairs(x, x), clprim.comparison_sort]:
                with self.subTest(sentence=sentence):
                    with self.assertRaisesRegex((TypeError, ValueError), sentence):
                        function(bad)
        with self.assertRaisesRegex(TypeError, "Python objects"):
            clprim.sort_pairs(a[:2], objects)
        with self.assertRaisesRegex(TypeError, "1, 2, 4, 8 or 16 bytes"):
            clprim.sort_pairs(a[:2], numpy.zeros(2, "S3"))
        with self.assertRaisesRegex(TypeError, "OpenCL C"):
            clprim.comparison_sort(a, lambda a, b: a > b)
        with self.assertRaisesRegex(TypeError, "OpenCL C"):
            clprim.unique(a, lambda a, b: a == b)

    def test_out(self):
        """It has to be what is written there; then it holds it, and it is handed back."""
        a, swapped = self.a, self.a.astype(">i4")
        locked = numpy.zeros(N, numpy.int32)
        locked.flags.writeable = False
        odd = numpy.zeros(4 * N + 1, numpy.uint8)[1:].view(numpy.int32)
        for bad, sentence in [(locked, "read-only"), (swapped, "byte order|not of"), (odd, "aligned"),
                              (numpy.ma.zeros(N, numpy.int32), "masked"), (numpy.zeros((1, N), numpy.int32), "shape"),
                              (numpy.zeros(N + 1, numpy.int32), "shape"), (list(a), "numpy.ndarray")]:
            for function in [clprim.sort, clprim.comparison_sort, clprim.inclusive_scan, clprim.exclusive_scan]:
                with self.subTest(sentence=sentence), self.assertRaisesRegex((TypeError, ValueError), sentence):
                    function(a, out=bad)
        out = numpy.zeros(N, numpy.int32)
        with self.assertRaises(clprim.Error):
            clprim.comparison_sort(a, "a plus b", out=out)
        self.assertFalse(out.any())
        for given in [out, a]:
            self.assertIs(clprim.sort(a, out=given), given)
            numpy.testing.assert_array_equal(given, self.expected)


class Process(unittest.TestCase):
    def test_help(self):
        """Whatever is public says what it does; nothing private is shown."""
        text = pydoc.render_doc(clprim, renderer=pydoc.plaintext)
        contents = text.split("PACKAGE CONTENTS")[1].split("CLASSES")[0]  # files, as of any package
        self.assertEqual(re.findall(r"(?m)^[ |]*(_[a-z]\w*|class _\w+)", text.replace(contents, "")), [])
        for name in clprim.__all__:
            thing = getattr(clprim, name)
            public = vars(thing).items() if isinstance(thing, type) else []
            for name, part in [(name, thing), *((f"{name}.{key}", getattr(thing, key)) for key, _ in public
                                                if not key.startswith("_"))]:
                with self.subTest(name):
                    self.assertRegex(part.__doc__ or "", r"\w+.*[.:]")
        self.assertEqual(repr(clprim.Error), "<class 'clprim.Error'>")

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_fork(self):
        """In a forked process calls do not hang: they say why not. Where clPRIM was not used before, they work."""
        code = """if True:
            import os, sys, numpy, clprim
            if sys.argv[1] == "used":
                plan = clprim.Plan("reduce")
            child = os.fork()
            if child == 0:
                try:
                    code = 10 + clprim.sum(numpy.ones(5, numpy.int32))
                except RuntimeError as error:
                    code = 1 if "spawn" in str(error) else 2
                plan = None
                os._exit(code)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(clprim.__file__).parent.parent)}
        for use, expected in [("used", 1), ("unused", 15)]:
            done = subprocess.run([sys.executable, "-B", "-c", code, use], env=environment, timeout=60)
            self.assertEqual(done.returncode, expected)


class Readme(unittest.TestCase):
    def test_example(self):
        """It runs as it is printed."""
        text = (pathlib.Path(__file__).resolve().parent.parent.parent / "README.md").read_text()
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

    def nans(self, dtype):
        """Floats with both zeros, infinities, and NaNs of both signs: x86's has its sign bit set, numpy.nan has not."""
        a = RNG.integers(-50, 50, N).astype(dtype)
        a[5:N:11], a[7:N:13], a[9:N:17], a[10:N:19] = -numpy.nan, numpy.nan, -numpy.inf, numpy.inf
        a[11:N:23] = -0.0
        self.assertEqual(set(numpy.signbit(a[numpy.isnan(a)])), {False, True})
        return a

    def test_nans(self):
        """They are last, as in numpy, whatever their sign; with nan="total" the sign decides on the end."""
        for dtype in [numpy.float16, numpy.float32, numpy.float64]:
            a = self.nans(dtype)
            there = self.there(a)
            with self.subTest(dtype):
                self.equal(clprim.sort(there), numpy.sort(a))
                self.equal(clprim.sort(there, descending=True), numpy.sort(a)[::-1])
                self.assertTrue(numpy.isnan(self.back(clprim.sort(there, descending=True))[0]))
                self.equal(clprim.comparison_sort(there), numpy.sort(a))
                order = self.back(clprim.argsort(there))
                self.assertEqual(sorted(order), list(range(N)))
                self.equal(clprim.sort(there), a[order])
                signs = list(numpy.signbit(a[order][numpy.isnan(a[order])]))
                self.assertEqual(signs, sorted(signs))  # +NaN before -NaN, which numpy does not tell apart
                for nan in [numpy.nan, -numpy.nan]:
                    one = numpy.where(a == 0, dtype(0), numpy.where(numpy.isnan(a), dtype(nan), a))
                    expected = numpy.argsort(one, kind="stable").astype(numpy.uint32)
                    self.equal(clprim.argsort(self.there(one)), expected)
                    self.equal(clprim.sort_pairs(self.there(one), self.there(numpy.arange(N)))[1],
                               expected.astype(numpy.int64))
                keys, indices = clprim.top_k(there, N // 2)
                self.equal(keys, numpy.sort(a)[::-1][:N // 2])
                self.equal(keys, a[self.back(indices)])
                self.equal(clprim.top_k(there, 50, smallest=True)[0], numpy.sort(a)[:50])

    def test_nans_in_folds(self):
        """min, max and their indices propagate them, as in numpy."""
        a = self.nans(numpy.float32)
        finite = a[~numpy.isnan(a)]
        for given in [a, a[::-1].copy(), finite, numpy.append(finite, -numpy.float32(numpy.nan)),
                      numpy.append(finite, numpy.float32(numpy.nan))]:
            there = self.there(given)
            for mine, numpys in [(clprim.min, numpy.min), (clprim.max, numpy.max)]:
                numpy.testing.assert_array_equal(self.scalar(mine(there)), numpys(given))
            for mine, numpys in [(clprim.argmin, numpy.argmin), (clprim.argmax, numpy.argmax)]:
                found = self.scalar(mine(there))
                if numpy.isnan(given).any():
                    self.assertEqual(found, numpys(given))
                numpy.testing.assert_array_equal(given[found], given[numpys(given)])
            for op, ufunc in [("min", numpy.minimum), ("max", numpy.maximum)]:
                running = ufunc.accumulate(given)
                self.equal(clprim.inclusive_scan(there, op), running)
                self.equal(clprim.exclusive_scan(there, op)[1:], running[:-1])

    def test_nans_in_the_total_order(self):
        a = numpy.array([1, numpy.inf, -numpy.nan, -numpy.inf, numpy.nan, -2], numpy.float32)
        there = self.there(a)
        expected = a[[2, 3, 5, 0, 1, 4]]
        for result in [clprim.sort(there, nan="total"), clprim.comparison_sort(there, nan="total"),
                       clprim.sort_pairs(there, there, nan="total")[1],
                       clprim.top_k(there, 6, smallest=True, nan="total")[0]]:
            result = self.back(result)
            self.assertEqual(result.tobytes(), expected.tobytes())
        self.assertEqual(list(self.back(clprim.argsort(there, nan="total"))), [2, 3, 5, 0, 1, 4])
        for function, where in [(clprim.argmin, 2), (clprim.argmax, 4)]:
            self.assertEqual(self.scalar(function(there, nan="total")), where)
        no_positive = self.there(a[[0, 2, 5]])  # max passes over x86's NaN
        self.assertEqual(self.scalar(clprim.max(no_positive, nan="total")), 1)
        self.assertTrue(numpy.isnan(self.scalar(clprim.min(no_positive, nan="total"))))
        self.assertEqual(list(self.back(clprim.inclusive_scan(no_positive, "max", nan="total"))), [1, 1, 1])
        for call in [clprim.sort, clprim.argsort, clprim.min, clprim.argmax, clprim.comparison_sort,
                     clprim.inclusive_scan, lambda x, nan: clprim.top_k(x, 1, nan=nan)]:
            for bad in ["first", None, 1, True]:
                if bad is None and call is clprim.comparison_sort:
                    continue
                with self.assertRaisesRegex(ValueError, '^nan must be "last" or "total"'):
                    call(there, nan=bad)
        with self.assertRaisesRegex(ValueError, "less or nan"):
            clprim.comparison_sort(there, "a > b", nan="last")
        self.equal(clprim.comparison_sort(there[:2], "a > b"), a[[1, 0]])  # where the text alone decides
        self.equal(clprim.sort(self.there(numpy.array([2, 1])), nan="total"), numpy.array([1, 2]))

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
        best = self.scalar(clprim.reduce(there, "argmax"))
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
        for function in [clprim.min, clprim.max, clprim.argmin, clprim.argmax, lambda a: clprim.reduce(a, "max")]:
            with self.assertRaisesRegex(ValueError, "empty"):
                function(nothing)

    def test_indices(self):
        """argmax is an index, as numpy's is."""
        a = RNG.permutation(N).astype(numpy.float32)
        there = self.there(a)
        for function, expected in [(clprim.argmin, a.argmin()), (clprim.argmax, a.argmax())]:
            index = self.scalar(function(there))
            self.assertEqual((index, index.dtype), (expected, numpy.int64))
            self.assertEqual(self.scalar(there[function(there)]), a[expected])

    def test_outputs(self):
        """What does not fit is refused before anything is written."""
        a = numbers(numpy.int32, 100)
        there = self.there(a)
        indexed = numpy.dtype({"names": ["index", "value"], "formats": ["u8", "i4"], "offsets": [0, 8], "itemsize": 16})
        for out, call in [
                (numpy.int32, lambda out: clprim.inclusive_scan(there, "argmin", out=out)),
                (numpy.int32, lambda out: clprim.exclusive_scan(there, "argmax", out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, "max", out=out)),
                (numpy.bool_, lambda out: clprim.inclusive_scan(there, out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, dtype=numpy.int32, out=out)),
                (numpy.uint32, lambda out: clprim.sort(there, out=out)),
                (numpy.float32, lambda out: clprim.comparison_sort(there, "a > b", out=out)),
                (numpy.int32, lambda out: clprim.sort(there, out=out[:99])),
                (numpy.int32, lambda out: clprim.comparison_sort(there, "a > b", out=out[::2])),
                (numpy.int32, lambda out: clprim.inclusive_scan(there, out=out[:99])),
                (numpy.int32, lambda out: clprim.sort(there, out=self.back(out).tolist()))]:
            memory = self.there(numpy.full(100, 1, out))
            with self.assertRaises((ValueError, TypeError)):
                call(memory)
            self.equal(memory, numpy.full(100, 1, out))
        out = self.there(numpy.zeros(100, indexed))
        lowest = self.back(clprim.inclusive_scan(there, "argmin", out=out))
        numpy.testing.assert_array_equal(lowest["value"], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(a[lowest["index"]], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(self.back(clprim.inclusive_scan(there, "argmin")), self.back(out))
        with self.assertRaises(TypeError):
            clprim.reduce(there, "max", dtype=numpy.float64)

    def test_bins(self):
        """There is at least one, and floats have to be told where."""
        a, floats = self.there(numbers(numpy.uint8)), self.there(RNG.random(N))
        for bins in [0, -1, [], [1], 2.5, "10", [[0, 1], [2, 3]]]:
            with self.subTest(bins), self.assertRaises((TypeError, ValueError)):
                clprim.histogram(a, bins)
        with self.assertRaisesRegex(ValueError, r"range=\(low, high\)"):
            clprim.histogram(floats, 10)
        for range in [(0,), 1, (0, 1, 2), "01"]:
            with self.subTest(range), self.assertRaises((TypeError, ValueError)):
                clprim.histogram(floats, 10, range)
        with self.assertRaises(ValueError):
            clprim.histogram(floats, [0, 1], (0, 1))
        self.equal(clprim.histogram(floats, [0, 1]), numpy.array([N], numpy.uint32))

    def test_bools(self):
        a = numbers(numpy.bool_, below=2)
        a[:3] = True, False, True
        there = self.there(a)
        self.equal(clprim.sort(there), numpy.sort(a))
        self.equal(clprim.sort_pairs(there, there)[1], numpy.sort(a))
        self.equal(self.compacted(clprim.unique(there)), a[numpy.append(True, a[1:] != a[:-1])])
        self.equal(self.compacted(clprim.select(there, "x")), a[a])
        self.equal(clprim.histogram(there, 2), numpy.bincount(a).astype(numpy.uint32))
        self.equal(clprim.inclusive_scan(there), numpy.cumsum(a))
        self.equal(clprim.exclusive_scan(there), numpy.cumsum(a) - a)
        self.equal(clprim.inclusive_scan(there, dtype=numpy.uint8), numpy.cumsum(a, dtype=numpy.uint8))
        for op, fold in [("min", numpy.logical_and), ("and", numpy.logical_and), ("or", numpy.logical_or)]:
            with self.subTest(op):
                first = op in ("min", "and")  # the identity
                self.bytes(clprim.reduce(there, op), fold.reduce(a, keepdims=True))
                self.bytes(clprim.inclusive_scan(there, op), fold.accumulate(a).astype(numpy.bool_))
                before = numpy.append(first, fold.accumulate(a)[:-1]).astype(numpy.bool_)
                self.bytes(clprim.exclusive_scan(there, op), before)
        self.bytes(clprim.reduce(self.there(a[:0]), "and"), numpy.array([True]))
        for function, expected in [(clprim.sum, a.sum()), (clprim.min, a.min()), (clprim.argmin, a.argmin())]:
            result = self.scalar(function(there))
            self.assertEqual((result, result.dtype), (expected, expected.dtype))
        for bad in [lambda: clprim.sum(there, dtype=bool), lambda: clprim.inclusive_scan(there, dtype=bool)]:
            with self.assertRaisesRegex(TypeError, "cannot be a bool"):
                bad()

    def bytes(self, result, expected):
        """The same bools, each 0 or 1."""
        result = self.back(result) if not isinstance(result, numpy.generic) else result
        self.assertEqual(result.dtype, numpy.bool_)
        numpy.testing.assert_array_equal(numpy.atleast_1d(result).view(numpy.uint8), expected.view(numpy.uint8))

    def test_flags(self):
        """An array of bools, or of integers, selects as it does in numpy."""
        a, flags = numbers(numpy.float32), numbers(numpy.int16, below=3)
        there = self.there(a)
        self.equal(self.compacted(clprim.select(there, self.there(flags == 1))), a[flags == 1])
        self.equal(self.compacted(clprim.select(there, self.there(flags))), a[flags != 0])
        for bad in [flags[1:], flags.astype(numpy.float32)]:
            with self.assertRaises(ValueError):
                clprim.select(there, self.there(bad))
        for bad in [lambda x: x > 0, None]:
            with self.assertRaisesRegex(TypeError, "OpenCL C"):
                clprim.select(there, bad)

    def test_at(self):
        there = self.there(numbers(numpy.int32))
        for at in ["gpu", 0, there]:
            with self.assertRaisesRegex(TypeError, r"Runtime\(select="):
                clprim.sum(there, at=at)

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
        scratch = pyopencl.Buffer(self.context, flags.READ_WRITE, sort.scratch_size(count=N))
        sort.set_scratch(scratch)
        gate = pyopencl.UserEvent(self.context)
        done = sort.enqueue(self.queue, keys_in=given, count=N, keys_out=(result, 1), wait_for=[gate])
        self.assertNotEqual(done.command_execution_status, pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        out = numpy.empty(N + 1, numpy.uint32)
        pyopencl.enqueue_copy(self.queue, out, result, wait_for=[done]).wait()
        numpy.testing.assert_array_equal(out[1:], numpy.sort(a))
        with self.assertRaises(clprim.Error) as caught:
            sort.enqueue(self.queue, keys_in=given, count=N + 1, keys_out=given)
        self.assertEqual(caught.exception.status, -30003)
        with self.assertRaises(TypeError):
            clprim.Plan("radix_sort", runtime, keytype="u32")
        with self.assertRaisesRegex(ValueError, "there is no operation 'sort', only reduce, "):
            clprim.Plan("sort", runtime)
        self.assertEqual(sort.operation, "radix_sort")
        del sort, runtime
        gc.collect()

    def test_other_operations(self):
        """What has no function of its own."""
        a, b = numpy.sort(numbers(numpy.uint32)), numpy.sort(numbers(numpy.uint32, 100))
        out, where = numpy.empty(N + 100, numpy.uint32), numpy.empty(100, numpy.uint32)
        clprim.run("merge", a_keys=a, b_keys=b, keys_out=out)
        numpy.testing.assert_array_equal(out, numpy.sort(numpy.concatenate([a, b])))
        clprim.run("search", in_=a, needles=b, out=where)
        numpy.testing.assert_array_equal(where, numpy.searchsorted(a, b))
        add = _c.CustomOp(combine=b"a + b", identity=b"0")
        total = numpy.empty(1, numpy.uint32)
        clprim.run("reduce", {"type": "u32", "custom": add}, in_=a, out=total)
        self.assertEqual(total[0], a.sum())

    def test_nans_in_other_operations(self):
        last = {"nan_order": "last"}
        for nan in numpy.float32([numpy.nan, -numpy.nan]):
            a = numpy.array([1, 2, 2, numpy.inf, nan, nan], numpy.float32)
            needles = numpy.array([-numpy.inf, 2, numpy.inf, nan], numpy.float32)
            found = numpy.empty(4, numpy.uint32)
            for bound, side in [("lower", "left"), ("upper", "right")]:
                clprim.run("search", {"type": "f32", "bound": bound, **last}, in_=a, needles=needles, out=found)
                numpy.testing.assert_array_equal(found, numpy.searchsorted(a, needles, side))
            merged, sorted_until = numpy.empty(8, numpy.float32), numpy.zeros(1, numpy.uint32)
            clprim.run("merge", {"key_type": "f32", **last}, a_keys=a[:5], b_keys=a[3:], keys_out=merged)
            numpy.testing.assert_array_equal(merged, numpy.sort(numpy.append(a[:5], a[3:])))
            clprim.run("is_sorted", {"type": "f32", **last}, in_=merged, out=sorted_until)
            self.assertEqual(sorted_until[0], 8)

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
