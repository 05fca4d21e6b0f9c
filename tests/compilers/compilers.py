#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compilers.py headers|library|documents|device ROOT BUILD: compiles with every gcc and clang that is installed, and fails where one warns.

headers  The public headers, from C and C++, and a program that calls each function of clprim.hpp, at -O0 to -O3, as
         users' programs are: some warnings need the optimizer.
library  The library and the tool for a processor of 32 bits, by one gcc and one clang, with the C library's
         headers for it (Debian's libc6-dev-i386).
documents
         The programs of the documents and of the guides, by one gcc and one clang: readers copy them.
device   The functions for callers' kernels, by one clang for devices that are not here: by all means of sub-groups, with
         groups that wait and groups that do not."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "docs"))
import markdown

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]
FAMILIES = {"gcc": "g++", "clang": "clang++"}


def run(command, folder=None):
    """The compiler's messages; empty if it succeeds."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"{shlex.join(command)}\n{done.stdout}{done.stderr}"


def compilers():
    """Pairs of a C compiler and its C++ compiler or None. If one program has several names, only the first is used."""
    found = {}
    for family, cpp_name in FAMILIES.items():
        for suffix in ["", *(f"-{version}" for version in range(9, 40))]:
            c, cpp = shutil.which(family + suffix), shutil.which(cpp_name + suffix)
            if c:
                version = subprocess.run([c, "--version"], capture_output=True, text=True, check=True).stdout
                # gcc and gcc-12 differ only in the name
                found.setdefault(re.sub(r"\S+", family, version, count=1).splitlines()[0], (c, cpp))
    return list(found.values())


def one_of_each_family():
    """The first gcc and the first clang: those without a version number, if they are installed."""
    found = {}
    for c, cpp in compilers():
        found.setdefault(re.match(r"[a-z]+", pathlib.Path(c).name)[0], (c, cpp))
    return list(found.values())


def every_function_is_called(root):
    """The names of functions in clprim.hpp that the program does not call, and how many functions there are."""
    header = (root / "include" / "clprim" / "clprim.hpp").read_text()
    header = re.sub(r"(?s)^namespace detail \{.*?^\} // namespace detail$", "", header, flags=re.M)
    header = re.sub(r"\\\n\s*", "", header)
    names = set(re.findall(r"(?m)^(?:outcome|result<[\w:]+>|auto) (\w+)\(", header))
    for macro, made in re.findall(r"(?m)^CLPRIM_CPP_(SORT|COMPACT|FLAGGED)\((\w+)\)", header):
        names |= {made + {"SORT": "_pairs", "COMPACT": "", "FLAGGED": "_flagged"}[macro], made}
    program = (HERE / "every_function.cpp").read_text()
    return sorted(name for name in names if not re.search(rf"clprim::{name}\b", program)), len(names)


def older_standards(cpp, includes, unit):
    """Before C++17 there is exactly one error, which says so. The C headers compile as C++11."""
    for standard in ("c++98", "c++11", "c++14"):
        command = [cpp, f"-std={standard}", "-fsyntax-only", *includes, "-x", "c++", "-include", "clprim/clprim.hpp", os.devnull]
        said = run(command)
        if said.count("error:") != 1 or "clprim/clprim.hpp needs C++17" not in said:
            yield f"one error was expected of\n{said[:2000]}"
    said = run([cpp, "-std=c++11", "-fsyntax-only", *WARNINGS, *includes, str(unit)])
    if said:
        yield said


def headers(root, build):
    folder = pathlib.Path(tempfile.mkdtemp())
    includes = [f"-I{root / 'include'}", f"-I{build / 'include'}"]
    public = [f"clprim/{path.name}" for path in sorted((root / "include" / "clprim").glob("*.h")) if path.name != "mpi.h"]
    (folder / "all.c").write_text("".join(f"#include <{name}>\n" for name in public) + "extern int unused;\n")
    (folder / "all.cpp").write_text((folder / "all.c").read_text())
    commands, problems = [], []
    for c, cpp in compilers():
        print(c)
        problems += older_standards(cpp, includes, folder / "all.cpp") if cpp else []
        commands.append([c, "-std=c11", *WARNINGS, *includes, "-fsyntax-only", str(folder / "all.c")])
        for more in ("-O0", "-O1", "-O2", "-O3", "-O2 -fno-exceptions"):
            if cpp:
                commands.append([cpp, "-std=c++17", *more.split(), *WARNINGS, *includes, "-c", "-o", os.devnull,
                                 str(HERE / "every_function.cpp")])
    missing, known = every_function_is_called(root)
    problems += [f"every_function.cpp does not call clprim::{name}" for name in missing]
    if known < 40:
        problems.append(f"only {known} functions were found in clprim.hpp")
    problems += each(commands)
    shutil.rmtree(folder)
    return len(commands), problems


def library(root, build):
    """With the options of the build, which both gcc and clang have."""
    commands = []
    for_32_bits = ["-m32", "-fsyntax-only", "-idirafter", "/usr/include/x86_64-linux-gnu"]  # Linux's headers
    probe = ["-x", "c", "-include", "CL/cl.h", "-include", "errno.h", "-include", "stdint.h", os.devnull]
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if any(folder in pathlib.Path(entry["file"]).parents for folder in (root / "lib", root / "cli", build / "kernels"))
               and not entry["file"].endswith(("/mpi_comm.c", "/ranks.c"))]  # MPI's headers support only one processor
    for c, _ in one_of_each_family():
        if run([c, *for_32_bits, *probe]):
            print(f"{c}: left out, for it does not compile for 32 bits here")
            continue
        print(c)
        for entry in entries:
            options = [word for word in shlex.split(entry["command"]) if re.match(r"-[DIWf]|-std=", word)]
            if "clang" in c:  # cmake/ClprimTargets.cmake
                options.append("-Wno-missing-field-initializers")
            commands.append([c, *options, *for_32_bits, "-Werror", entry["file"]])
    return len(commands), each(commands)


def programs_of(document):
    """The programs in a document, with their languages: those that a reader can compile as they are, and parts of
    functions. Blocks that are lines of a file are compiled with it."""
    for block in markdown.blocks(document.read_text()):
        marks = dict(block.marks)
        if block.language == "c" and "given" in marks:
            yield block.line, "c", markdown.as_function(block.text, marks["given"])
        elif block.language in ("c", "cpp") and "from" not in marks and re.search(r"\bmain\(", block.text):
            yield block.line, block.language, block.text


def positional_arrays(root):
    """Examples in the headers' comments, which are parts of programs, with an array about which clang would warn."""
    for path in sorted((root / "include" / "clprim").glob("*.h")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r" \*     .*[.]\w+ = \{+[a-z]\w*(, \w+)?\}", line):
                yield f"{path.name}:{number}: clang warns of members left out: {line}"


def documents(root, build):
    includes = [f"-I{root / 'include'}", f"-I{build / 'include'}", "-D_POSIX_C_SOURCE=200809L"]
    units = [(path, "c") for path in sorted((root / "docs" / "guides").glob("*.c"))]
    with tempfile.TemporaryDirectory() as folder:
        for name in markdown.documents(root):
            for line, language, text in programs_of(root / name):
                unit = pathlib.Path(folder, f"{str(name).replace('/', '_')}_{line}.{language}")
                unit.write_text(text)
                units.append((unit, language))
        commands = []
        for c, cpp in one_of_each_family():
            for unit, language in units:
                compiler = [c, "-std=c11"] if language == "c" else [cpp, "-std=c++17"]
                if compiler[0]:
                    commands.append([*compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-variable", "-Werror",
                                     *includes, str(unit)])
        return len(commands), [*positional_arrays(root), *each(commands)]


# Clang's options for a device with these features. Its OpenCL C has no `asm`, unlike NVIDIA's, and lacks Intel's
# functions.
WAITING = " -DCLPRIM_FORWARD_PROGRESS=1"
WIDE = " -DCLPRIM_INT64_ATOMICS=1"
NVIDIA = "-cl-std=CL1.2 -target nvptx64 -Xclang -target-cpu -Xclang sm_80 -Dasm=__asm__ -DCLPRIM_SUB_GROUP_MEANS=1"
DEVICES = ["-cl-std=CL1.2 -target spir64",
           "-cl-std=CL1.2 -target spir64" + WAITING + WIDE,
           NVIDIA,
           NVIDIA + WAITING + " -DCLPRIM_GROUPS_IN_ORDER=1",
           NVIDIA + " -DCLPRIM_MATCH_ANY -DCLPRIM_REDUX=1",
           "-cl-std=CL2.0 -target spir64 -DCLPRIM_SUB_GROUP_MEANS=2",
           "-cl-std=CL3.0 -target spir64 -DCLPRIM_SUB_GROUP_MEANS=2" + WIDE,
           "-cl-std=CL3.0 -target spir64 -DCLPRIM_SUB_GROUP_MEANS=2 -DONLY_BY_DISTANCE",
           "-cl-std=CL3.0 -target spir64 -DCLPRIM_SUB_GROUP_MEANS=3 -Dintel_sub_group_shuffle=sub_group_shuffle" + WIDE,
           "-cl-std=CL3.0 -target spir64 -DCLPRIM_SUB_GROUP_MEANS=2 -DCLPRIM_SUB_GROUP_WIDTH=16",
           "-cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -DCLPRIM_SUB_GROUP_MEANS=2" + WAITING + WIDE,
           "-cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib -DCLPRIM_SUB_GROUP_MEANS=2" + WAITING + WIDE]


def device(root, _build):
    clang = [c for c, _ in one_of_each_family() if "clang" in c]
    options = ["-x", "cl", "-Xclang", "-finclude-default-header", "-O1", "-S", "-emit-llvm", "-o", os.devnull, "-Wall",
               "-Wno-unused-function", "-Wno-ignored-pragmas", "-Werror", f"-I{root / 'include'}"]
    commands = [[c, *options, *how.split(), f"-DSIZE={size}", str(HERE / "device_functions.cl")]
                for c in clang for how in DEVICES for size in (100, 256)]
    return len(commands), each(commands)


def each(commands):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [said for said in pool.map(run, commands) if said]


def main():
    what, *folders = sys.argv[1:]
    number, problems = {"headers": headers, "library": library, "documents": documents, "device": device}[what](*(pathlib.Path(folder) for folder in folders))
    for problem in problems:
        print(problem)
    print(f"{number} compiled, {len(problems)} problems")
    if what in ("library", "device") and number == 0:
        return 77
    return 1 if problems or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
