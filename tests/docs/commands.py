#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commands.py ROOT SCRATCH [DOCUMENT...]: runs what the documents of a checkout tell their readers to run, as it is
written there, in a copy of the checkout in SCRATCH with a home of its own.

README.md comes first; the others begin with the environment that it leaves. A block without a language, or with sh or
console, is run by bash and must succeed; lines with a "$ " in a console block must print what is below them. Python is
run, C and CMake are built: C where a comment names its file or says what is given, CMake as the project of the C program
that was written down last. The comments are right before a block:

    <!-- run: no, WHY -->                   not at all; its commands must be known
    <!-- run: without ./dev test, WHY -->   but for the lines that begin so
    <!-- run: ending in --check, WHY -->    each line ends in that, too
    <!-- run: instead of A: B, WHY -->      A, wherever it stands, is B
    <!-- run: with NAME=VALUE, WHY -->      with a variable
    <!-- example: FILE -->                  FILE is what the block says
    <!-- given: DECLARATIONS -->            C that is a part of a function with these parameters
    <!-- from: FILE -->                     so many lines of it, which fragments.py compares; what is built there"""
import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

import markdown

SHELL = ("", "sh", "bash", "console")
RULE = re.compile(r"(no|without|ending in|instead of|with)\b\s*([^,]*),\s*(.+)")
LIMIT = 300  # seconds for a block


class Failure(Exception):
    pass


def without_remark(line):
    return re.sub(r"\s+#\s.*$", "", line).rstrip()


def system_python():
    """A Python with everything that the documents require of one; python3 may be another than the system's."""
    needs = "import venv, ensurepip, setuptools, wheel, numpy, pyopencl"
    for python in (shutil.which("python3"), "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", needs], capture_output=True).returncode == 0:
            return python
    return None


class Reader:
    """Runs the documents' instructions."""

    def __init__(self, root, scratch, python):
        self.copy, self.home, self.bin = scratch / "clprim", scratch / "home", scratch / "bin"
        self.project = scratch / "project"
        for folder in (self.home, self.bin, self.project):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        markdown.checkout.copy(root, self.copy)
        (self.bin / "python3").write_text(f'#!/bin/sh\nexec {python} "$@"\n')
        (self.bin / "python3").chmod(0o755)
        unwanted = ("CLPRIM_", "PYTHON", "PIP_", "LD_LIBRARY_PATH", "PKG_CONFIG", "CMAKE_", "XDG_")
        kept = ("CLPRIM_CACHE", "CLPRIM_CACHE_DIR", "CLPRIM_BENCH_CUB", "CLPRIM_BENCH_BOOST")  # options that would only
                                                                                               # take time
        self.environment = {name: value for name, value in os.environ.items()
                            if name in kept or not name.startswith(unwanted)}
        self.environment.update(HOME=str(self.home), LC_ALL="C.UTF-8", PATH=f"{self.bin}:{os.environ['PATH']}")
        # The system's tools build the module: pip would use the network.
        self.environment.update(PIP_NO_INDEX="1", PIP_NO_BUILD_ISOLATION="0", PIP_DISABLE_PIP_VERSION_CHECK="1")
        self.environment.setdefault("POCL_CACHE_DIR", os.path.expanduser("~/.cache/pocl"))  # PoCL's cache would be in
                                                                                            # the home
        self.folder = self.copy
        self.state = scratch / "state"
        self.program = None
        self.known = markdown.commands_of_dev(root)

    def shell(self, text, variables=None, may_fail=False):
        """Runs the block in the state that the previous block left, and saves the environment and the folder."""
        script = f"set -eu -o pipefail\n{text}\n{{ pwd; env -0; }} >{shlex.quote(str(self.state))}\n"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=LIMIT,
                              env={**self.environment, **(variables or {})})
        if done.returncode == 0:
            folder, _, rest = self.state.read_text().partition("\n")
            self.folder = pathlib.Path(folder)
            self.environment = dict(entry.split("=", 1) for entry in rest.split("\0") if entry)
            for name in variables or {}:
                self.environment.pop(name, None)
        elif not may_fail:
            raise Failure(f"status {done.returncode}\n{done.stdout}")
        return done.stdout

    def check_known(self, text):
        """Files and commands that are not run must at least exist."""
        for line in text.splitlines():
            words = without_remark(line).split()
            while words and re.match(r"[A-Z_]+=", words[0]):
                words.pop(0)
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "./dev" and len(words) > 1 and words[1] not in self.known:
                raise Failure(f"./dev has no command {words[1]}")
            if "cmake --install" in line and "--prefix" not in line and "ldconfig" not in text:
                raise Failure("programs do not find an installed library before ldconfig has run")
            if "/" in words[0] and not words[0].startswith("build/") and not (self.copy / words[0]).exists():
                raise Failure(f"{words[0]} is not there")

    def run_commands(self, text, rules, variables):
        lines = []
        for rule in rules["without"] + [rule.split(": ", 1)[0] for rule in rules["instead of"]]:
            if rule not in text:
                raise Failure(f"{rule} is not in it")
        for line in text.splitlines():
            if any(line.startswith(rule) for rule in rules["without"]):
                self.check_known(line)
                continue
            for rule in rules["instead of"]:
                line = line.replace(*rule.split(": ", 1))
            if rules["ending in"] and without_remark(line):
                line = " ".join([without_remark(line), *rules["ending in"]])
            lines.append(line)
        return self.shell("\n".join(lines), variables)

    def run_console(self, text):
        """Commands with their output, in which a line of three dots stands for any lines."""
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
            said = self.shell(command, may_fail=True)
            pattern = ".*".join(re.escape(part) for part in re.split(r"^\.\.\.\n", printed, flags=re.M))
            if not re.fullmatch(pattern, said, re.S):
                raise Failure(f"$ {command} prints\n{said}")

    def build_c(self, text, given):
        unit = self.copy / "build" / "given.c"
        unit.write_text(markdown.as_function(text, given))
        command = ["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-variable", "-Werror",
                   f"-I{self.copy}/include", f"-I{self.copy}/build/demo/include", str(unit)]
        self.shell(shlex.join(command))

    def build_cmake(self, text):
        """A project for the last example, which finds clPRIM as the text says."""
        if not self.program:
            raise Failure("no example is before it")
        folder = self.project / str(len(list(self.project.iterdir())))
        folder.mkdir()
        shutil.copy(self.copy / self.program, folder)
        (folder / "clprim").symlink_to(self.copy)
        (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.18)\nproject(my_program LANGUAGES C)\n"
                                               f"add_executable(my_program {self.program})\n{text}")
        self.shell(f"(cd {shlex.quote(str(folder))}; cmake -S . -B build -G Ninja; cmake --build build --target my_program; "
                   "build/my_program)")

    def take(self, block):
        """Returns whether there was something to do."""
        rules, marks = collections.defaultdict(list), dict(block.marks)
        for name, value in block.marks:
            if name == "run":
                rule = RULE.fullmatch(value)
                if not rule:
                    raise Failure(f"this is no rule, or has no reason: {value}")
                rules[rule[1]].append(rule[2])
        variables = dict(pair.split("=", 1) for pair in " ".join(rules.get("with", [])).split())
        if "example" in marks:
            self.program = marks["example"]
            (self.copy / self.program).write_text(block.text)
        elif "from" in marks:
            return False
        elif "given" in marks:
            self.build_c(block.text, marks["given"])
        elif "no" in rules:
            self.check_known(block.text)
        elif block.language == "console":
            self.run_console(block.text)
        elif block.language in SHELL:
            self.run_commands(block.text, rules, variables)
        elif block.language == "python":
            program = self.copy / "build" / "block.py"
            program.write_text(block.text)
            self.shell(f"python3 {shlex.quote(str(program))}", variables)
        elif block.language == "cmake":
            self.build_cmake(block.text)
        elif rules:
            raise Failure(f"{block.language} is not run")
        else:
            return False
        return True


def main():
    root, scratch = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    wanted = [pathlib.Path(name) for name in sys.argv[3:]]
    python = system_python()
    if not python:
        print("skipped: no Python with venv, pip, setuptools, wheel, numpy and PyOpenCL (Debian's python3-venv, python3-pip, "
              "python3-wheel, python3-numpy, python3-pyopencl)")
        return 77
    reader = Reader(root, scratch, python)
    after_readme = None
    taken = failures = 0
    for name in markdown.documents(root):
        if wanted and name not in wanted and name != pathlib.Path("README.md"):
            continue
        for block in markdown.blocks((root / name).read_text()):
            begin = time.monotonic()
            try:
                if not reader.take(block):
                    continue
            except (Failure, subprocess.TimeoutExpired) as problem:
                print(f"{name}:{block.line}: {problem}", flush=True)
                failures += 1
            taken += 1
            print(f"{time.monotonic() - begin:7.1f} s  {name}:{block.line}", flush=True)
        if after_readme is None:
            after_readme = reader.environment
        reader.environment, reader.folder = dict(after_readme), reader.copy
    print(f"{taken} blocks, {failures} failed")
    return 1 if failures or not taken else 0


if __name__ == "__main__":
    sys.exit(main())
