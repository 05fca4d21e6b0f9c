#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nvidia.py OLD NEW [OPTION...]: compares the machine code that an H200 gets from the kernels of two
trees, without a GPU.

OLD and NEW are build folders with clprim, or folders of programs that CLPRIM_DOUBLE_DUMP wrote. The programs are those
that clprim self-test asks for where the driver is tests/double with the profile h200, except for the variants that only
CPUs take. clang 9 translates a program to LLVM's text, with the functions of OpenCL C from nvidia.h. NVIDIA's libnvvm
compiles that to PTX, and ptxas compiles it to machine code: the driver does the same, and counts the same registers.

--full      all programs whose text differs; without it one for each variant
--all       also programs whose text is the same, and a line for each kernel
--sass      write the instructions of kernels that differ to build/offline/nvidia/differ
--double    the layer libclprim_double.so; default: that of NEW
--jobs      how many programs are compiled at once; default: the number of cores
Compiled programs are kept in build/offline/nvidia/code. Ends with 0 where all kernels are the same, with 77 where the
compilers cannot be had, otherwise with 1."""
import argparse
import concurrent.futures
import ctypes
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import run

FOLDER = run.FOLDER / "nvidia"
HEADER = run.ROOT / "tests" / "offline" / "nvidia.h"
CLANG = ("debian11", "bullseye", "clang-9")
# The compilers are of CUDA 13.0, as driver 580's. PyPI has no disassembler that old, and newer ones read the same code.
WHEELS = ("nvidia-nvvm==13.0.88", "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-nvdisasm==13.5.37")
ARCH = "90a"
# Division and square root may be as inexact as OpenCL C allows, and FP_CONTRACT is off in all kernels.
NVVM_OPTIONS = (f"-arch=compute_{ARCH}", "-prec-div=0", "-prec-sqrt=0", "-fma=0")
LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-"
    "v64:64:64-v128:128:128-n16:32:64"
)
# What the machine code depends on besides a program.
RULES = HEADER.read_text() + pathlib.Path(__file__).read_text()
INSTRUCTION = 16  # bytes; the operation is in the lowest 9 bits
NOTHING = 0x918  # an operation: fills the code up to a multiple of 128 bytes
WAITS = (1 << 21) - 1 << 105  # how long to wait, and for what, before the instruction after this one


class Failed(Exception):
    """A program does not compile; the compiler's words."""


def key_of(*texts):
    """A name for what these texts become."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


class Program(run.Program):
    """What it is: its own file, its options, and the lines that the library wrote in front of its kernels."""

    def __init__(self, path):
        super().__init__(path)
        self.text = path.read_text()
        head = re.split(r'^#line 1 "kernels/', self.text, maxsplit=1, flags=re.M)[0]
        self.facts = frozenset(self.options) | frozenset(head.splitlines())
        self.head = head
        self.key = key_of(RULES, self.text, *self.options)

    def macros(self):
        """{name: value} of options and of the lines in front."""
        lines = re.findall(r"^#define (\w+) ([\w.]+)$", self.head, re.M)
        return dict(lines + [option[2:].split("=", 1) for option in self.options if re.match(r"-D\w+=", option)])


class Kernel:
    """What ptxas says of one kernel, and its instructions as numbers."""

    def __init__(self, registers, stack, spills, local, code):
        self.registers = registers
        self.stack = stack
        self.spills = spills
        self.local = local
        words = [code[at : at + INSTRUCTION] for at in range(0, len(code), INSTRUCTION)]
        self.code = [int.from_bytes(word, "little") for word in words]
        while self.code and self.code[-1] & 0xFFF == NOTHING:
            self.code.pop()

    def same(self, other):
        """Whether both run the same."""
        return (self.code, self.stack, self.local) == (other.code, other.stack, other.local)

    def alike(self, other):
        """How far the code is the same where it is not, in words."""
        if self.code == other.code:
            return ", code is the same"
        if [word & ~WAITS for word in self.code] == [word & ~WAITS for word in other.code]:
            return ", only waits differ"
        if [word & 0x1FF for word in self.code] == [word & 0x1FF for word in other.code]:
            return ", only operands differ"
        return ""

    def figures(self, old):
        """In words, as changes if `old` has others."""
        words = []
        for what, before, after, is_wanted in (
            ("registers", old.registers, self.registers, True),
            ("instructions", len(old.code), len(self.code), True),
            ("bytes spilled", old.spills, self.spills, old.spills or self.spills),
            ("bytes of stack", old.stack, self.stack, old.stack or self.stack),
            ("bytes of local memory", old.local, self.local, old.local != self.local),
        ):
            if is_wanted:
                words.append(f"{after} {what}" if before == after else f"{before} -> {after} {what}")
        return ", ".join(words)


def unpack():
    """Where the compilers lie: Debian's packages and NVIDIA's wheels, which are downloaded."""
    name, suite, packages = CLANG
    if subprocess.run([run.PACKAGES, run.FOLDER / name, suite, *packages.split()], check=False).returncode != 0:
        sys.exit(77)
    wheels = FOLDER / "wheels"
    done = wheels / "unpacked"
    if not done.exists() or done.read_text() != " ".join(WHEELS):
        shutil.rmtree(wheels, ignore_errors=True)
        wheels.mkdir(parents=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *WHEELS]
        status, said = run.call(command, cwd=wheels)
        if status != 0:
            print(f"not here: {' '.join(WHEELS)}: {said.strip()}")
            sys.exit(77)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(wheels)
            wheel.unlink()
        for program in wheels.glob("nvidia/*/bin/*"):
            program.chmod(0o755)
        done.write_text(" ".join(WHEELS))
    return run.FOLDER / name, next(wheels.glob("nvidia/*"))


def translate(home, program):
    """The program as LLVM 9's text. By cc1: the driver would start itself again, without the loader in front of it."""
    include = next((home / "usr/lib").glob("llvm-*/lib/clang/*/include/opencl-c-base.h")).parent
    done = subprocess.run(
        [home / "run", "usr/lib/llvm-9/bin/clang", "-cc1", "-triple", "nvptx64-nvidia-nvcl", "-x", "cl", "-O3"]
        + ["-disable-llvm-passes", "-emit-llvm", "-internal-isystem", include, "-include", "opencl-c-base.h"]
        + ["-include", HEADER, "-Dasm=__asm__", "-D__OPENCL_VERSION__=120"]
        + ["-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"]
        + [option for option in program.options if not option.startswith("-cl-nv-")]
        + ["-o", "-", "-"],
        input=program.text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0:
        raise Failed("\n".join(done.stderr.decode().splitlines()[:8]))
    return done.stdout.decode()


def as_nvvm(text):
    """LLVM 9's text as libnvvm reads it, which knows LLVM 7's, with the size of each kernel's groups."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"', text, flags=re.M)
    text = text.replace('"nvptx64-nvidia-nvcl"', '"nvptx64-nvidia-cuda"')
    text = re.sub(r"byval\([^)]*\)", "byval", text.replace("spir_kernel ", "").replace(" immarg", ""))
    lines = ["!nvvmir.version = !{!900000}", "!900000 = !{i32 2, i32 0}"]
    for name, number in re.findall(r"^define .*?@(\w+)\(.*!reqd_work_group_size !(\d+)", text, re.M):
        size = re.search(rf"^!{number} = !\{{i32 (\d+), i32 (\d+), i32 (\d+)\}}", text, re.M).groups()
        function, = re.search(rf'^!\d+ = !\{{(.*@{name}), !"kernel", i32 1\}}', text, re.M).groups()
        sizes = ", ".join(f'!"reqntid{axis}", i32 {length}' for axis, length in zip("xyz", size))
        lines.append(f"!{900000 + len(lines)} = !{{{function}, {sizes}}}")
    annotations = "".join(f", !{900000 + i}" for i in range(2, len(lines)))
    text = re.sub(r"^(!nvvm.annotations = !\{.*)\}$", rf"\1{annotations}}}", text, flags=re.M)
    return text + "\n".join(lines) + "\n"


def to_ptx(library, text):
    """By libnvvm."""
    nvvm = ctypes.CDLL(str(library))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()

    def take(ask_size, ask):
        ask_size(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        ask(program, out)
        return out.value.decode()

    options = (ctypes.c_char_p * len(NVVM_OPTIONS))(*[option.encode() for option in NVVM_OPTIONS])
    encoded = text.encode()
    nvvm.nvvmCreateProgram(ctypes.byref(program))
    status = nvvm.nvvmAddModuleToProgram(program, encoded, ctypes.c_size_t(len(encoded)), b"program")
    status = status or nvvm.nvvmCompileProgram(program, len(options), options)
    if status != 0:
        raise Failed(take(nvvm.nvvmGetProgramLogSize, nvvm.nvvmGetProgramLog))
    ptx = take(nvvm.nvvmGetCompiledResultSize, nvvm.nvvmGetCompiledResult)
    nvvm.nvvmDestroyProgram(ctypes.byref(program))
    return ptx


def compile_one(home, nvidia, program):
    """The file of a program's machine code, with what ptxas said beside it; or what a compiler said."""
    kept = FOLDER / "code"
    known = kept / f"{program.key}.is"  # the name of the code that this text became
    if known.exists():
        return kept / known.read_text()
    try:
        text = as_nvvm(translate(home, program))
        limits = ["-" + option[len("-cl-nv-") :] for option in program.options if option.startswith("-cl-nv-maxrreg")]
        # Another text may be the same to clang.
        cubin = kept / f"{key_of(text, *WHEELS, *NVVM_OPTIONS, *limits)}.cubin"
        if not cubin.exists():
            assemble(nvidia, to_ptx(next((nvidia / "lib").glob("libnvvm.so*")), text), limits, cubin)
    except Failed as failed:
        return str(failed)
    known.write_text(cubin.name)
    return cubin


def assemble(nvidia, ptx, limits, cubin):
    """By ptxas, to that file."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        file, made = pathlib.Path(folder) / "program.ptx", pathlib.Path(folder) / "program.cubin"
        file.write_text(ptx)
        status, said = run.call([nvidia / "bin" / "ptxas", "-v", f"-arch=sm_{ARCH}", *limits, "-o", made, file])
        if status != 0:
            raise Failed(said)
        cubin.with_suffix(".log").write_text(said)
        made.rename(cubin)


def kernels_of(cubin):
    """{name: Kernel}, and what else the program has: functions that are called, and constants."""
    log = cubin.with_suffix(".log").read_text()
    parts = run.sections(cubin.read_bytes())
    kernels = {}
    for name, said in re.findall(r"Compiling entry function '(\w+)'(.*?)Compile time", log, re.S):
        numbers = {what: int(value) for value, what in re.findall(r"(\d+) (?:bytes )?([a-z ]+)", said)}
        spills = numbers["spill stores"] + numbers["spill loads"]
        code = parts.pop(f".text.{name}")
        kernels[name] = Kernel(numbers["registers"], numbers["stack frame"], spills, numbers.get("smem", 0), code)
    rest = {name: parts[name] for name in parts if re.match(r"\.text\.|\.nv\.constant[1-9]|\.nv\.global", name)}
    return kernels, rest


def programs_of(where, double, folder):
    """The programs of a build folder, which are written to `folder`, or of a folder of programs."""
    if (where / "cli" / "clprim").exists():
        if not double.exists():
            sys.exit(f"there is no {double}: --double names it")
        run.programs_of(where, "h200", folder, double)
        where = folder
    programs = [Program(path) for path in sorted(where.glob("*.cl"))]
    if not programs:
        sys.exit(f"no programs in {where}")
    return [program for program in programs if not program.is_for_cpus]


def pair(old, new):
    """[(old, new)]: programs of the same file that have most in common, and those that are left, with None."""
    pairs = []
    for name in sorted({program.own_file for program in old + new}):
        left, right = [[p for p in programs if p.own_file == name] for programs in (old, new)]
        rows = [(len(a.facts ^ b.facts), i, k) for i, a in enumerate(left) for k, b in enumerate(right)]
        for _, i, k in sorted(rows):
            if left[i] and right[k]:
                pairs.append((left[i], right[k]))
                left[i] = right[k] = None
        pairs += [(a, None) for a in left if a] + [(None, b) for b in right if b]
    return pairs


def sample(pairs):
    """One for each variant, as run.sample chooses them; and all that have no counterpart."""
    chosen = set(run.sample([b for a, b in pairs if a and b]))
    return [(a, b) for a, b in pairs if a is None or b is None or b in chosen]


def describe(program, programs):
    """Its file, its name, and what distinguishes it from others of that file: macros that have several values."""
    values = {}
    for other in programs:
        if other.own_file == program.own_file:
            for name, value in other.macros().items():
                values.setdefault(name, set()).add(value)
    own = [f"{name}={value}" for name, value in program.macros().items() if len(values[name]) > 1]
    return " ".join([program.own_file.removeprefix("kernels/"), program.name, *own])


def instructions(nvidia, cubin, name):
    """A kernel's instructions as text, without addresses and with labels counted from its beginning."""
    listing = cubin.with_suffix(".sass")
    if not listing.exists():
        status, said = run.call([nvidia / "bin" / "nvdisasm", "-c", cubin])
        if status != 0:
            sys.exit(said)
        listing.write_text(said)
    text = re.search(rf"^\.text\.{name}:\n(.*?)(?=^//-----|\Z)", listing.read_text(), re.M | re.S)[1]
    labels = {}
    text = re.sub(r"\.L_x_\d+", lambda found: labels.setdefault(found[0], f".L{len(labels)}"), text)
    return "".join(re.sub(r"/\*[0-9a-f]+\*/", "", line).strip() + "\n" for line in text.splitlines())


class Report:
    """What is printed of pairs of programs, and what is counted."""

    def __init__(self, is_all, listing):
        self.is_all = is_all
        self.listing = listing  # a function that writes the instructions of two kernels that differ
        self.same = self.more = self.fewer = self.other = self.failed = 0

    def kernel(self, name, old, new):
        """A line, or None."""
        if old is None or new is None:
            self.other += 1
            return f"{name}: only in {'new' if old is None else 'old'}"
        if old.same(new):
            self.same += 1
            return f"{name}: the same, {new.figures(old)}" if self.is_all else None
        self.more += new.registers > old.registers
        self.fewer += new.registers < old.registers
        self.other += new.registers == old.registers
        return f"{name}: {new.figures(old)}{old.alike(new)}"

    def lines(self, old, new, made):
        """Of a pair of programs."""
        if old is None or new is None:
            self.failed += 1
            return [f"only in {'new' if old is None else 'old'}"]
        results = made[old.key], made[new.key]
        wrong = [f"{kind}: {said.strip()}" for kind, said in zip(("old", "new"), results) if isinstance(said, str)]
        if wrong:
            self.failed += 1
            return wrong
        (before, rest_before), (after, rest_after) = map(kernels_of, results)
        lines = []
        for name in sorted(before.keys() | after.keys()):
            both = before.get(name), after.get(name)
            lines.append(self.kernel(name, *both))
            if all(both) and not both[0].same(both[1]):
                self.listing(f"{new.name}-{name}", name, results)
        if rest_before != rest_after:
            self.other += 1
            lines.append("functions that are called or constants differ")
        return [line for line in lines if line]

    def summary(self):
        """The last line."""
        differ = self.more + self.fewer + self.other
        return (
            f"kernels: {self.same} the same, {differ} differ "
            f"({self.more} with more registers, {self.fewer} with fewer); "
            f"programs that could not be compared: {self.failed}"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sass", action="store_true")
    parser.add_argument("--double", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    home, nvidia = unpack()
    (FOLDER / "code").mkdir(exist_ok=True)
    shutil.rmtree(FOLDER / "differ", ignore_errors=True)
    (FOLDER / "differ").mkdir()

    def listing(file, name, cubins):
        for kind, cubin in zip(("old", "new"), cubins) if options.sass else ():
            (FOLDER / "differ" / f"{file}.{kind}").write_text(instructions(nvidia, cubin, name))

    double = (options.double or options.new / "tests" / "libclprim_double.so").resolve()
    old = programs_of(options.old.resolve(), double, FOLDER / "programs-old")
    new = programs_of(options.new.resolve(), double, FOLDER / "programs-new")
    pairs = pair(old, new)
    changed = [(a, b) for a, b in pairs if a is None or b is None or a.key != b.key]
    chosen = pairs if options.all else changed
    if not options.full:
        chosen = sample(chosen)
    texts = {program.key: program for both in chosen if all(both) for program in both}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        results = pool.map(functools.partial(compile_one, home, nvidia), texts.values())
        made = dict(zip(texts, results))
    report = Report(options.all, listing)
    for before, after in chosen:
        lines = report.lines(before, after, made)
        if lines:
            print("\n    ".join([describe(after or before, new if after else old), *lines]))
    print(f"programs: {len(pairs)}, {len(changed)} with another text, {len(chosen)} compiled; {report.summary()}")
    sys.exit(1 if report.more + report.fewer + report.other + report.failed else 0)


if __name__ == "__main__":
    main()
