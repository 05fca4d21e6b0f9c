# SPDX-License-Identifier: MIT
"""NumPy's own tests with clPRIM's functions in NumPy's place: a plugin of pytest, which ./dev numpy runs. A test that calls
one of them must pass, or end with one of the sentences in SENTENCES, or be in DIFFERENCES. Then it is an expected failure,
and has a reason."""
import functools
import re
import types

import numpy
import pytest

import clprim

NAMES = [name for name in clprim.__all__ if callable(getattr(clprim, name)) and hasattr(numpy, name)]

# What clPRIM says instead of a result, and why.
SENTENCES = {
    "clPRIM computes with bools": "devices have no such numbers: complex, longdouble, dates, text, structures",
    "holds Python objects": "devices have no Python",
    "must be an array or a list of numbers": "devices have no Python",
    "is a masked array": "masks are refused, not ignored",
    "is a numpy.matrix": "matrices are refused, because they keep two dimensions",
}
# What is not as in NumPy: the beginning of a test's name, and why.
DIFFERENCES = {
    "TestSetOps::test_isin_mixed_dtype[table": 'isin(kind="table") makes no table, which could be too large',
    "TestUnique::test_unique_subclass": "results are arrays of no subclass",
    "TestMedian::test_subclass": "results are arrays of no subclass",
    "TestPercentile::test_api": "`out` for one number is an array without dimensions, not one of one element",
    "TestPercentile::test_scalar_q": "`out` for one number is an array without dimensions, not one of one element",
    "TestMedian::test_empty": "a median of nothing warns once, not once for each of NumPy's steps",
    "TestUnique::test_unique_axis_float": "the sentence about an axis that is no integer has other words",
}


class Swapped(types.ModuleType):
    """numpy, but with clPRIM's functions."""

    def __getattr__(self, name):
        return counted(name) if name in NAMES else getattr(numpy, name)


_called = False


@functools.lru_cache(maxsize=None)
def counted(name):
    function = getattr(clprim, name)

    @functools.wraps(function)
    def call(*arguments, **keywords):
        global _called
        _called = True
        return function(*arguments, **keywords)
    return call


def pytest_collection_modifyitems(items):
    swapped = Swapped("numpy")
    for module in {item.module for item in items}:
        for name, thing in list(vars(module).items()):
            if thing is numpy:
                setattr(module, name, swapped)
            else:
                ours = next((each for each in NAMES if thing is getattr(numpy, each)), None)
                if ours:
                    setattr(module, name, counted(ours))


def _reason(item, sentence):
    name = item.nodeid.partition("::")[2]
    return next((why for begin, why in DIFFERENCES.items() if name.startswith(begin)), None) or \
        next((why for pattern, why in SENTENCES.items() if re.search(pattern, sentence)), None)


_counts = {"tests that call clPRIM": 0, "as in NumPy": 0}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    global _called
    if call.when == "setup":
        _called = False
    report = yield
    if call.when == "call" and _called:
        why = None if report.passed or report.skipped else _reason(item, str(call.excinfo.value))
        if why is not None:
            report.outcome, report.wasxfail = "skipped", why
        _counts["tests that call clPRIM"] += 1
        for kind in ["as in NumPy"] if report.passed else [why] if why else []:
            _counts[kind] = _counts.get(kind, 0) + 1
    return report


def pytest_terminal_summary(terminalreporter):
    for kind, count in _counts.items():
        terminalreporter.write_line(f"{count:5} {kind}")
