# SPDX-License-Identifier: MIT
"""NumPy's own tests of the functions that clPRIM has, with clPRIM's functions in NumPy's place: a plugin of pytest.

    export CLPRIM_LIBRARY=build/dev/libclprim.so PYTHONPATH=tests/python:bindings/python
    python3 -m pytest -p numpys_tests --pyargs numpy.lib.tests.test_arraysetops numpy.lib.tests.test_histograms

bindings/python/README.md says which tests fail, and why."""
import types

import numpy

import clprim

NAMES = [name for name in clprim.__all__ if callable(getattr(clprim, name)) and hasattr(numpy, name)]


class Swapped(types.ModuleType):
    """numpy, but with clPRIM's functions."""

    def __getattr__(self, name):
        return getattr(clprim if name in NAMES else numpy, name)


def pytest_collection_modifyitems(items):
    swapped = Swapped("numpy")
    for module in {item.module for item in items}:
        for name, thing in list(vars(module).items()):
            if thing is numpy:
                setattr(module, name, swapped)
            else:
                ours = next((each for each in NAMES if thing is getattr(numpy, each)), None)
                if ours:
                    setattr(module, name, getattr(clprim, ours))
