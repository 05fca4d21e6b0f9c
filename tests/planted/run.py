#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plant the bugs of planted.txt one at a time, and see whether the tests find them.

    run.py --check SOURCE              are all old texts where the list says? Plants nothing
    run.py SOURCE WORK [NAME...]       plant all bugs, or those named, in a copy of SOURCE in WORK

The tests must pass without a planted bug: a test that always fails would find them all. SOURCE is not changed. WORK is kept, so
that the next run builds only what has changed. Every bug is undone before the next one is planted.

A bug is found if a test fails. The expected test runs first, then those that the list names as further tests, then all others.
A bug that does not compile, on the host or on the device, is an error in the list: it would be found by anything.
"""
import collections
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'support'))
import checkout

LIST = Path('tests/planted/planted.txt')
PRESET = 'dev'
LIMIT = 1200  # seconds for one run of ctest: a bug may make a test wait for ever, which finds it
NOT_OPERATIONS = {'runtime', 'self_test', 'operations'}


class Mistake(Exception):
    """Something is wrong with the list, or with the build: it says nothing about the tests."""


class Bug:
    """An entry of the list."""

    def __init__(self, name, entry):
        fields = collections.defaultdict(list)
        for line in entry.splitlines():
            field = re.match(r'([-+])(?: |$)|(file|shows|test|only)\s+(?=\S)', line)
            if field:
                fields[field[1] or field[2]].append(line[field.end():])
            elif line:
                raise Mistake(f'{name}: this cannot be understood: {line}')
        self.name, self.old, self.new = name, '\n'.join(fields['-']), '\n'.join(fields['+'])
        self.file, self.shows, self.test, self.only = (''.join(fields[f]) for f in ('file', 'shows', 'test', 'only'))

    def texts(self, root):
        """The file's text without and with the bug; a Mistake if the bug cannot be planted in it."""
        if not (self.file and self.shows and self.test):
            raise Mistake(f'{self.name}: file, shows or test is missing')
        if not (root / self.file).is_file():
            raise Mistake(f'{self.name}: there is no file {self.file}')
        text = (root / self.file).read_text(encoding='utf-8')
        if not self.old or self.old == self.new:
            raise Mistake(f'{self.name}: there is no old text, or it is the same as the new one')
        if text.count(self.old) != 1:
            raise Mistake(f'{self.name}: {self.file} contains the old text {text.count(self.old)} times, not once')
        return text, text.replace(self.old, self.new)


def read_list(root):
    """All bugs by name, and the names of further tests."""
    head, *rest = re.split(r'^\[(\w+)\]\n', (root / LIST).read_text(encoding='utf-8'), flags=re.MULTILINE)
    names = rest[::2]
    if len(set(names)) < len(names):
        raise Mistake(f'{LIST}: two bugs have the same name')
    further = ' '.join(re.findall(r'^further\s+(.*)', head, re.MULTILINE)).split()
    return {name: Bug(name, entry) for name, entry in zip(names, rest[1::2])}, further


def check(root):
    bugs, _ = read_list(root)
    operations = {path.stem for path in root.glob('lib/*/*.c') if path.stem == path.parent.name} - NOT_OPERATIONS
    mistakes = [f'there is no bug in {stem}' for stem in sorted(operations)
                if not any(name.startswith(f'{stem}_') for name in bugs)]
    for bug in bugs.values():
        try:
            bug.texts(root)
        except Mistake as mistake:
            mistakes.append(str(mistake))
    print('\n'.join(mistakes) or f'{len(bugs)} bugs can be planted')
    return 1 if mistakes or not bugs else 0


def run(command, log, limit=None, **environment):
    """The exit status and the output, which also goes to the log; None for a command that did not end in time."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               env={**os.environ, **environment})
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    text = output.decode('utf-8', 'replace')
    with log.open('a', encoding='utf-8') as file:
        file.write(f'$ {" ".join(map(str, command))}\n{text}\n')
    return status, text


class Tree:
    """The copy, its build, and its tests."""

    def __init__(self, source, work):
        self.root = work / 'tree'
        self.build = self.root / 'build' / PRESET
        self.log = work / 'log.txt'
        checkout.copy(source, self.root)
        self.build.mkdir(parents=True, exist_ok=True)
        self.log.write_text('', encoding='utf-8')
        status, text = run(['cmake', '-S', self.root, '--preset', PRESET], self.log)
        if status != 0:
            raise Mistake(f'cmake fails:\n{text}')
        self.tests = self.find_tests()

    def find_tests(self):
        """All tests, each with the files that have to be built for it."""
        _, text = run(['ninja', '-C', self.build, '-t', 'targets', 'all'], self.log)
        targets = {line.split(': ')[0] for line in text.splitlines() if ': ' in line}
        tests = {}
        for path in sorted(self.build.rglob('CTestTestfile.cmake')):
            lines = r'^(?:add_test|set_tests_properties)\((.*)\)' # the environment names files, too
            for line in re.findall(lines, path.read_text(encoding='utf-8'), re.MULTILINE):
                name = re.match(r'(?:\[=*\[|")?([^\]"\s]+)', line)[1]
                inside = re.findall(rf'{re.escape(str(self.build))}/([^"\s;]+)', line)
                tests.setdefault(name, []).extend(file for file in inside if file in targets)
        return tests

    def compile(self, test):
        files = self.tests[test] or ['all']
        status, text = run(['ninja', '-C', self.build, f'-j{os.cpu_count()}', *files], self.log)
        if status != 0:
            raise Mistake(f'does not compile:\n{text[-3000:]}')

    def fails(self, test, only):
        """Where the test failed, or None."""
        self.compile(test)
        filtered = {'CRITERION_TEST_PATTERN': only} if only else {}
        status, text = run(['ctest', '--test-dir', self.build, '--output-on-failure', '-R', f'^{re.escape(test)}$'],
                           self.log, LIMIT, CRITERION_FAIL_FAST='1', **filtered)
        if status is None:
            return f'{test}, which does not end'
        if status == 0:
            if '***Skipped' in text:
                print(f'  {test} is skipped here', flush=True)
            return None
        if re.search(r'kernels/\S+ did not compile', text) and 'double: found: ' not in text:
            raise Mistake(f'does not compile on the device; see {self.log}')
        if re.search(r'cannot be preloaded|status 12[67]$', text, re.MULTILINE): # it fails without a bug, too
            raise Mistake(f'a file of {test} is not there; see {self.log}')
        where = re.search(r'^\[(?:FAIL|----)\] (\w+::\w+)', text, re.MULTILINE)
        return f'{test} ({where[1]})' if where else test

    def plan(self, bug, further):
        """The tests in the order in which they run, each with the part to run."""
        expected = [test for test in self.tests if re.search(bug.test, test)]
        if bug.only:
            yield from ((test, bug.only) for test in expected)
        order = dict.fromkeys(expected + further + sorted(self.tests))
        yield from ((test, None) for test in order if test in self.tests and test != 'planted_apply')

    def plant(self, bug, further):
        """Where the bug was found, or None."""
        path = self.root / bug.file
        before, after = bug.texts(self.root)
        try:
            path.write_text(after, encoding='utf-8')
            for test, only in self.plan(bug, further):
                found = self.fails(test, only)
                if found:
                    return found
            return None
        finally:
            path.write_text(before, encoding='utf-8')


def main(arguments):
    if arguments[:1] == ['--check'] and len(arguments) == 2:
        return check(Path(arguments[1]))
    if len(arguments) < 2 or arguments[0].startswith('-'):
        print(__doc__, file=sys.stderr)
        return 2
    source, work = (Path(argument).resolve() for argument in arguments[:2])
    bugs, further = read_list(source)
    unknown = set(arguments[2:]) - set(bugs)
    if unknown:
        raise Mistake(f'there is no bug {", ".join(sorted(unknown))}')
    wanted = [bugs[name] for name in arguments[2:]] or list(bugs.values())
    tree = Tree(source, work)
    missed = 0
    for bug in wanted:
        began = time.monotonic()
        try:
            found = tree.plant(bug, further)
            said = f'found by {found} in {time.monotonic() - began:.0f} s' if found else 'NOT FOUND'
        except Mistake as mistake:
            found, said = None, f'ERROR: {mistake}'
        missed += not found
        print(f'{bug.name}: {said}', flush=True)
    print(f'{len(wanted) - missed} of {len(wanted)} planted bugs found')
    return 1 if missed else 0


if __name__ == '__main__':
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # undoes the bug, and ends what runs
    try:
        sys.exit(main(sys.argv[1:]))
    except Mistake as problem:
        print(f'planted: {problem}', file=sys.stderr)
        sys.exit(1)
