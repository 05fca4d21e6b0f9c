"""figures.py LOG: what the tests of one run of ctest have looked at, from what they printed; LOG is its LastTest.log.

The lines go into docs/reliability.md as they are.
"""

import re
import sys


def sections(log):
    """Pairs of a test's name and what it printed."""
    heads = list(re.finditer(r"^\d+/\d+ Test: (\S+)$", log, re.MULTILINE))
    starts = [head.end() for head in heads]
    ends = [head.start() for head in heads[1:]] + [len(log)]
    return [(head[1], log[start:end]) for head, start, end in zip(heads, starts, ends)]


def races(texts):
    """One line for all primitives, and one for the mistakes that must be found."""
    lines = []
    calls = launches = findings = stems = 0
    for name, text in texts:
        sums = re.search(r"^(\w+): (\d+) calls, (\d+) launches, (\d+) failed$", text, re.MULTILINE)
        if not name.startswith("races_") or sums is None:
            continue
        if name == "races_planted":
            lines.append(f"races: {len(re.findall(': found$', text, re.MULTILINE))} of {sums[2]} planted mistakes found")
            continue
        stems += 1
        calls, launches, findings = calls + int(sums[2]), launches + int(sums[3]), findings + int(sums[4])
    if stems > 0:
        lines.append(f"races: {launches} kernels run on Oclgrind, in {calls} calls of {stems} primitives: {findings} wrong")
    return lines


def fuzz(texts):
    """One line for all targets of either driver: ours counts inputs by itself, libFuzzer as units."""
    inputs = targets = 0
    for name, text in texts:
        ours = re.search(r": (\d+) files and (\d+) changed inputs", text)
        units = re.search(r"stat::number_of_executed_units: +(\d+)", text)
        if name.startswith("fuzz_") and (ours or units):
            targets += 1
            inputs += int(ours[1]) + int(ours[2]) if ours else int(units[1])
    return [f"fuzz: {inputs} inputs for {targets} targets"] if targets > 0 else []


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        texts = sections(file.read())
    for _, text in texts:
        for line in re.findall(r"^(?:faults|cache|soak): .*$", text, re.MULTILINE):
            print(line)
    for line in races(texts) + fuzz(texts):
        print(line)


main()
