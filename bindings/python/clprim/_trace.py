# SPDX-License-Identifier: MIT
"""What a kernel's work-items do with a few numbers: `clprim trace`, the tool's command (docs/cli.md)."""
import functools
import json
import operator
import os
import pathlib
import shutil
import subprocess
import tempfile

from ._types import whole

__all__ = ["Trace", "trace_kernel"]


class Trace:
    """What trace_kernel() has recorded. str() and print() give it as text, and a notebook shows the picture. The text, the
    picture and the page are each made when they are first asked for, by another run of the kernel on the same numbers.

    >>> traced = clprim.trace_kernel("reduce", "strided", [3, 1, 7, 0])
    >>> "all 4 work-items wait for each other" in str(traced), "<svg" in traced.svg
    (True, True)
    """

    def __init__(self, words):
        self._words = words
        #: the dictionary of `clprim trace --json`: each access of each work-item
        self.data = json.loads(_output(words, "--json"))

    def __str__(self):
        return self.text

    @functools.cached_property
    def text(self):
        """What each work-item read and wrote, step by step."""
        return _output(self._words)

    @functools.cached_property
    def svg(self):
        """A picture: a row for each access, a column for each work-item."""
        return _file(self._words, "--svg")

    @functools.cached_property
    def html(self):
        """A page that plays it in a browser, without a server."""
        return _file(self._words, "--html")

    def _repr_svg_(self):
        return self.svg


def trace_kernel(operation, variant, values, *, group=None, lanes=None, banks=None, device=None):
    """Run a step of a ladder on 1 to 64 whole numbers, and return a Trace of what its work-items read, wrote and waited for.

    The operation is reduce, scan, histogram, radix_sort or bitonic_sort, and the variant one step, not "all". Values of
    reduce and scan are from -999999 to 999999, of sorts from 0, and of histogram from 0 to 63. `group` is the number of
    work-items of a group; `lanes` and `banks` say how the picture divides it into sub-groups, and local memory into banks:
    powers of two up to 256. `device` is what the tool's --device takes. The tool `clprim` does it: it is where CLPRIM_TOOL
    says, or in the system's path. If it fails, for whatever reason, ValueError has what it says. Kernels of your own are
    read from the folder CLPRIM_KERNEL_DIR.

    >>> clprim.trace_kernel("scan", "blelloch", [3, 1, 7, 0, 4], banks=4).data["results"]
    [0, 3, 4, 11, 11]
    """
    options = {"group": group, "lanes": lanes, "banks": banks}
    numbers = [f"--{name}={whole(name, number)}" for name, number in options.items() if number is not None]
    where = [] if device is None else [f"--device={device}"]
    return Trace([*numbers, *where, "--", str(operation), str(variant), *(str(operator.index(value)) for value in values)])


def _output(words, *more):
    tool = os.environ.get("CLPRIM_TOOL") or shutil.which("clprim")
    if tool is None:
        raise FileNotFoundError("the tool clprim is not in the path; CLPRIM_TOOL may say where it is")
    done = subprocess.run([tool, "trace", *more, *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{tool} ended with status {done.returncode}")
    return done.stdout


def _file(words, option):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "made"
        _output(words, f"{option}={path}")
        return path.read_text(encoding="utf-8")
