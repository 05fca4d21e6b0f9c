#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Give an exercise of the course, and judge what the reader has made of it; ./dev exercise calls this.

    exercise.py --judge PROGRAM --tool CLPRIM          list the exercises
    exercise.py --judge PROGRAM --tool CLPRIM LADDER NUMBER [ANSWER] [--hint] [--solution] [--again]

The first call makes a copy of the kernels, with a hole in one of them, in exercises/mine. Later calls compile what is there and
compare its results with the reference's: right or wrong, at which element, and how fast beside the library's own kernel. Where
local memory matters, `clprim trace` counts how often lanes want different words of one bank. The exercises are in exercises.txt,
their solutions are the library's kernels. Where the locale is Russian, all this is said in Russian (docs/catalogue.py).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LIST = HERE / "exercises.txt"
KERNELS = ROOT / "kernels"
MINE = HERE / "mine"
COMPILER_LIMIT = 180  # seconds
LIMIT = 60  # seconds after that: a kernel that waits for what never comes is wrong
SLOW = 50  # times as slow as the library's kernel
RIGHT, WRONG, MISUSED, UNSUPPORTED = 0, 1, 2, 3

sys.path += [str(ROOT / "benchmarks"), str(ROOT / "docs")]
import catalogue  # noqa: E402

LOCALE = next(filter(None, map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "")
RUSSIAN = catalogue.read() if LOCALE.startswith("ru") else {}

# What the judge says; names in braces stand for what is in their place.
JUDGED = """wrong: n = {n}: element {place} of the result is {got}, and should be {right}; {some} of {all} are wrong
wrong: n = {n}: element {place} of the result was not written, and should be {right}; {some} of {all} are wrong
right: n = 1 to {n}
wrong: it does not compile: {log}
unsupported: {reason}""".splitlines()
QUALIFIED = [", all equal", ", an operator that does not commute"]  # an n

# What this program says.
ENDLESS = "wrong: it does not end ({limit} seconds after it was compiled)."
ENDLESS_AT_FIRST = ("it has not ended after {limit} seconds: the device's compiler takes so long, or the kernel does not end for one "
                    "element.")
ENDLESS_WHY = "Does a work-item wait for what never comes?"
VERY_SLOW = "right, but it has not ended after {limit} seconds more."
SLOW_BY = "But it is {times} times as slow as the library's own."
CRASHED = "wrong: {signal}: does it write outside of its arrays?"
MANY_TURNS = ("wrong: the result is right, but with 8 lanes and 8 banks {place} in line {line} takes {turns} turns: lanes want "
              "different words of one bank. clprim trace shows which.")
FEW_TURNS = "right: turns of the worst access to local memory: {turns}"
TIME = "{time} for {count} elements on {device}; the library's own kernel takes {own} (the least of several runs)"
KERNEL = "The kernel: {path}"
HOLES = {"turns": "It still has its hole (it computes the right result). This is what the judge says of it:",
         "hole": "It still has its hole (in its place is a comment). This is what the judge says of it:",
         "nothing": "It still has its hole (nothing shows where it is). This is what the judge says of it:"}
COMPARE = "Compare it with the solution: --solution"
EDIT = ("Edit the kernel and run this again; --hint helps. Nothing else is compiled: the judge, and every other program, reads "
        "kernels from CLPRIM_KERNEL_DIR={folder}")
ASK = "Answer: ./dev exercise {name} ANSWER; --hint helps."
NO = "{answer}: wrong. --hint helps."
YES = "{answer}: right."
OR = "or"


def say(text, **values):
    """A text in the reader's language, in lines."""
    text = " ".join(text.split())
    text = RUSSIAN.get(text, text).replace(" {table}", "\n{table}")
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return "\n".join(map(wrapped, text.splitlines()))


def wrapped(line):
    return textwrap.fill(line, 110, break_long_words=False, break_on_hyphens=False)


def say_judged(said):
    """The judge's lines in the reader's language."""
    lines = said.splitlines()
    for i, line in enumerate(lines):
        for text in JUDGED if RUSSIAN else []:
            found = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(text)), line)
            if found:
                lines[i] = say(text, **found.groupdict())
                for qualified in QUALIFIED:
                    lines[i] = lines[i].replace(qualified, say(qualified))
    return "\n".join(lines)


def messages():
    """All that is to be translated."""
    texts = [field for one in read_list() for field in (one.title, *(one.fields.get(name) for name in ("task", "hint", "why", "again", "slow", "endless")))]
    texts += [*JUDGED, *QUALIFIED, ENDLESS, ENDLESS_AT_FIRST, ENDLESS_WHY, VERY_SLOW, SLOW_BY, CRASHED, MANY_TURNS, FEW_TURNS, TIME, KERNEL, *HOLES.values(), COMPARE, EDIT, ASK, NO, YES, OR,
              "yes", "no"]
    return [" ".join(text.split()) for text in texts if text]



class Mistake(Exception):
    """Something is wrong with the list of exercises."""


class Exercise:
    def __init__(self, ladder, number, title, entry):
        self.ladder, self.number, self.title = ladder, int(number), title
        self.name = f"{ladder} {number}"
        fields, last, self.hole, self.before_kernel, self.written = {}, None, [], [], []
        for line in entry.splitlines():
            field = re.match(r"(kernel|from|lines|like|turns|again|forced|slow|endless|task|hint|ask|why)\s+(.*)", line)
            if field:
                last = field[1]
                fields[last] = [field[2]]
            elif line.startswith("+"):
                self.hole.append(line[2:])
            elif line.startswith("="):
                self.written.append(line[2:] + "\n")
            elif line.startswith("!"):
                self.before_kernel.append(line[2:] + "\n")
            elif line.startswith("  ") and last:
                fields[last].append(line.strip())
            elif line:
                raise Mistake(f"{self.name}: this cannot be understood: {line}")
        self.fields = {name: "\n".join(lines) for name, lines in fields.items()}
        for needed in ("task", "hint") + (("ask", "why") if self.is_question else ("kernel", "from", "lines")):
            if needed not in self.fields:
                raise Mistake(f"{self.name} has no {needed}")

    @property
    def is_question(self):
        return "ask" in self.fields

    @property
    def kernel(self):
        return pathlib.PurePosixPath(self.fields["kernel"])

    @property
    def folder(self):
        return MINE / f"{self.ladder}-{self.number}"

    def place(self):
        """The kernel's lines, and the range of the solution among them."""
        return self.find(self.kernel, self.fields["from"], int(self.fields["lines"]))

    def find(self, kernel, first, count):
        lines = (KERNELS / kernel).read_text(encoding="utf-8").splitlines(keepends=True)
        found = [i for i, line in enumerate(lines) if line.lstrip().startswith(first)]
        if len(found) != 1:
            raise Mistake(f"{self.name}: {kernel} has {len(found)} lines that begin with {first}, not one")
        end = found[0] + count
        block = "".join(lines[found[0]:end])
        if end > len(lines) or block.count("{") != block.count("}"):
            raise Mistake(f"{self.name}: what begins with {first} does not end after {count} lines")
        return lines, found[0], end

    def of_the_library(self):
        lines, begin, end = self.place()
        return "".join(lines[begin:end])

    def solution(self):
        return "".join(self.written) or self.of_the_library()

    def text(self):
        """The kernel with the hole."""
        lines, begin, end = self.place()
        hole = [line + "\n" for line in self.hole]
        if "like" in self.fields:
            kernel, count, first = self.fields["like"].split(" ", 2)
            others, other_begin, other_end = self.find(kernel, first, int(count))
            hole += others[other_begin:other_end]
        return "".join(lines[:begin] + hole + lines[end:])

    def lay_out(self, folder, text):
        """A folder for CLPRIM_KERNEL_DIR: this text as the exercise's kernel, all others by links to the library's."""
        shutil.rmtree(folder, ignore_errors=True)
        own = folder / self.kernel.parent
        own.mkdir(parents=True)
        for path in KERNELS.iterdir():
            if path.name != self.kernel.parts[0]:
                (folder / path.name).symlink_to(path)
        for path in (KERNELS / self.kernel.parent).iterdir():
            if path.name != self.kernel.name:
                (own / path.name).symlink_to(path)
        (folder / self.kernel).write_text(text, encoding="utf-8")

    def answers(self):
        """What is right: the first one is shown."""
        how, _, rest = self.fields["ask"].partition(" ")
        if how == "turns":
            banks = [eval(rest, {"__builtins__": {}}, {"t": t}) % 32 for t in range(32)]  # the list is ours
            return [str(max(banks.count(bank) for bank in banks))]
        words = rest.split()
        rows = self.rows()
        if how == "fastest":
            best = min(row["time"] for row in rows.values())
            return sorted((name for name, row in rows.items() if row["time"] < 1.05 * best),
                          key=lambda name: rows[name]["time"])
        if how == "pays":
            return ["yes" if rows[words[3]]["time"] < rows[words[2]]["time"] else "no"]
        raise Mistake(f"{self.name}: nobody knows how to ask for {how}")

    def rows(self):
        """The times of the variants that the question is about, in a committed run."""
        import summary
        how, run, work, *names = self.fields["ask"].split()
        run = summary.Run(summary.HERE / "results" / f"{run}.json")
        ladder = next(one for one in summary.ladders(run) if f"{one.op}/{one.type}" == work)
        steps = [line["row"] for line in summary.ladder_lines(run.stem) if line["kind"] == "step"]
        return {name: ladder.rows[name] for name in names or steps if name in ladder.rows}

    def why(self):
        values = {"answer": f" {say(OR)} ".join(map(say, self.answers()))}
        if "{table}" in self.fields["why"]:
            import summary
            values["table"] = "; ".join(f"{name} {summary.time_text(row['time'])}" for name, row in self.rows().items())
        return say(self.fields["why"], **values)


def read_list():
    _, *rest = re.split(r"^\[(\w+) (\d+)\] (.*)\n", LIST.read_text(encoding="utf-8"), flags=re.M)
    found = [Exercise(*rest[i:i + 4]) for i in range(0, len(rest), 4)]
    for ladder in {one.ladder for one in found}:
        numbers = [one.number for one in found if one.ladder == ladder]
        if numbers != list(range(1, len(numbers) + 1)):
            raise Mistake(f"the exercises of {ladder} are not numbered 1, 2, ...")
    return found


def run_judge(program, exercise, options, environment, limit):
    """(exit status, what the judge says). None: it did not end in time; the limit is for what comes after compiling, and after a
    call for one element."""
    with tempfile.TemporaryDirectory() as folder:
        said, errors = pathlib.Path(folder) / "said", pathlib.Path(folder) / "errors"
        with said.open("w") as out, errors.open("w") as err:
            ran = subprocess.Popen([program, exercise.ladder, exercise.kernel.stem, *options], env=environment, stdout=out, stderr=err)
        end, is_compiled, status = time.monotonic() + COMPILER_LIMIT, False, None
        while status is None and time.monotonic() < end:
            try:
                status = ran.wait(0.1)
            except subprocess.TimeoutExpired:
                if not is_compiled and "compiled\n" in said.read_text(errors="replace"):
                    is_compiled, end = True, time.monotonic() + limit
        if status is None:
            ran.kill()
            ran.wait()
        if status is None and not is_compiled:
            return WRONG, say(ENDLESS_AT_FIRST, limit=COMPILER_LIMIT) + "\n"
        # the compiler's warnings are among the errors, too
        text = re.sub("^compiled\n", "", said.read_text(errors="replace"), flags=re.M) or errors.read_text(errors="replace")
        return status, (errors.read_text(errors="replace") if status is not None and status < 0 else "") + text


def judge(program, exercise, folder, *options, limit=LIMIT):
    """(exit status, what the judge says) of the kernels in this folder; None: the library's own."""
    environment = dict(os.environ, CLPRIM_SELF_TEST="off")  # a wrong kernel shall run, and show what is wrong
    environment.pop("CLPRIM_KERNEL_DIR", None)
    if folder is not None:
        environment["CLPRIM_KERNEL_DIR"] = str(folder)
    status, said = judge_as_it_is(program, exercise, options, environment, limit)
    if status != RIGHT or "again" not in exercise.fields or folder is None:
        return status, said
    with tempfile.TemporaryDirectory() as other:
        if "forced" in exercise.fields:
            tuning = pathlib.Path(other) / "tuning.txt"
            tuning.write_text(exercise.fields["forced"] + "\n")
            environment.update(CLPRIM_TUNING=str(tuning), CLPRIM_WITHOUT="forward_progress")
        else:
            kernels = pathlib.Path(other) / "kernels"
            text = (folder / exercise.kernel).read_text(encoding="utf-8")
            exercise.lay_out(kernels, text.replace("\n__kernel ", "\n" + "".join(exercise.before_kernel) + "__kernel "))
            environment["CLPRIM_KERNEL_DIR"] = str(kernels)
        status, more = judge_as_it_is(program, exercise, ["--quick"], environment, limit)
    return (status, said) if status == RIGHT else (status, f"{more.rstrip()}\n{say(exercise.fields['again'])}\n")


def judge_as_it_is(program, exercise, options, environment, limit):
    status, said = run_judge(program, exercise, options, environment, limit)
    if status is None and said.startswith("right: "):
        return RIGHT, said + wrapped(f"{say(VERY_SLOW, limit=limit)} {say(exercise.fields.get('slow', ''))}") + "\n"
    if status is None:
        return WRONG, wrapped(f"{say(ENDLESS, limit=limit)} {say(exercise.fields.get('endless', ENDLESS_WHY))}") + "\n"
    if status < 0:
        return WRONG, f"{said}{say(CRASHED, signal=signal.Signals(-status).name)}\n"
    return status, said


def count_turns(tool, exercise, folder):
    """In how many turns the banks serve the worst access of a sub-group to local memory, in a small run."""
    values = [str(i * 7 % 10) for i in range(32)]
    ran = subprocess.run([tool, "trace", exercise.ladder, exercise.kernel.stem, *values, "--group", "16", "--lanes", "8",
                          "--banks", "8", "--json"], env=dict(os.environ, CLPRIM_KERNEL_DIR=str(folder)),
                         capture_output=True, text=True, timeout=COMPILER_LIMIT, check=True)
    return max((lanes["turns"], access["place"], access["line"]) for access in json.loads(ran.stdout)["accesses"]
               if access["space"] == "local" for lanes in access["sub_groups"])


def judge_turns(tool, exercise, folder):
    """A right kernel of an exercise about banks is wrong if lanes meet in one."""
    if "turns" not in exercise.fields:
        return RIGHT, ""
    turns, place, line = count_turns(tool, exercise, folder)
    if turns > int(exercise.fields["turns"]):
        return WRONG, say(MANY_TURNS, place=place, line=line, turns=turns)
    return RIGHT, say(FEW_TURNS, turns=turns)


def speed(said):
    found = re.search(r"^time: (\S+) s for (\d+) elements on (.*)", said, re.M)
    return (float(found[1]), int(found[2]), found[3]) if found else None


def slow_text(exercise, mine, own):
    """What is said of a kernel whose time shows that something is missing."""
    if mine is None or own is None or mine[0] < SLOW * own[0]:
        return ""
    return wrapped(f"{say(SLOW_BY, times=round(mine[0] / own[0]))} {say(exercise.fields.get('slow', ''))}".strip())


def speed_text(mine, own):
    if mine is None or own is None:
        return ""
    seconds, count, device = mine
    unit, scale = ("s", 1) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("us", 1e6)
    return say(TIME, time=f"{seconds * scale:.3g} {unit}", count=count, device=device, own=f"{own[0] * scale:.3g} {unit}")


def do_kernel(program, tool, exercise, again):
    path = exercise.folder / exercise.kernel
    is_new = again or not path.exists()
    if is_new:
        exercise.lay_out(exercise.folder, exercise.text())
    shown = path.relative_to(ROOT)
    print(f"{say(exercise.fields['task'])}\n\n{say(KERNEL, path=shown)}\n")
    if path.read_text(encoding="utf-8") == exercise.text():
        print(say(HOLES["turns" if "turns" in exercise.fields else "hole" if exercise.hole else "nothing"]))
    status, said = judge(program, exercise, exercise.folder)
    print(say_judged(re.sub(r"^time: .*\n?", "", said, flags=re.M).rstrip()))
    if status == RIGHT:
        status, more = judge_turns(tool, exercise, exercise.folder)
        print(more, end="\n" if more else "")
    if status == RIGHT:
        mine, own = speed(said), speed(judge(program, exercise, None)[1])
        for text in (speed_text(mine, own), slow_text(exercise, mine, own), say(COMPARE)):
            print(text, end="\n" if text else "")
    elif status != UNSUPPORTED:
        print(say(EDIT, folder=exercise.folder.relative_to(ROOT)))
    return status


def do_question(exercise, answer):
    print(say(exercise.fields["task"]))
    if answer is None:
        print(f"\n{say(ASK, name=exercise.name)}")
        return RIGHT
    given = answer.strip("`").lower()
    if not any(given in (one, say(one)) for one in exercise.answers()):
        print(f"\n{say(NO, answer=answer)}")
        return WRONG
    print(f"\n{say(YES, answer=answer)} {exercise.why()}")
    return RIGHT


def main():
    parser = argparse.ArgumentParser(prog="./dev exercise", description=__doc__.split("\n")[0])
    parser.add_argument("ladder", nargs="?")
    parser.add_argument("number", nargs="?", type=int)
    parser.add_argument("answer", nargs="?")
    parser.add_argument("--judge", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--hint", action="store_true")
    parser.add_argument("--solution", action="store_true")
    parser.add_argument("--again", action="store_true", help="begin once more, with the hole")
    arguments = parser.parse_args()
    exercises = read_list()
    chosen = [one for one in exercises if arguments.ladder in (None, one.ladder) and arguments.number in (None, one.number)]
    if len(chosen) != 1:
        for one in chosen or exercises:
            print(f"{one.name:16}{say(one.title)}")
        return RIGHT if chosen else MISUSED
    (exercise,) = chosen
    print(f"{exercise.name}: {say(exercise.title)}\n")
    if arguments.hint:
        print(say(exercise.fields["hint"]))
    elif arguments.solution:
        print(exercise.why() if exercise.is_question else f"kernels/{exercise.kernel}:\n\n{exercise.solution()}", end="\n")
    elif exercise.is_question:
        return do_question(exercise, arguments.answer)
    else:
        return do_kernel(arguments.judge, arguments.tool, exercise, arguments.again)
    return RIGHT


if __name__ == "__main__":
    sys.exit(main())
