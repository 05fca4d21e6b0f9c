# SPDX-License-Identifier: MIT
"""A wheel as it is installed, with PoCL from PyPI and without a PATH (./dev wheel): what is inside, and that nothing of
the system's is used but Python, a shell and the C library. For Windows (./dev windows) with the system's OpenCL.dll."""
import importlib.metadata
import inspect
import os
import pathlib
import sys
import time

begin = time.monotonic()
import numpy

import clprim

there = pathlib.Path(clprim.__file__).parent
values = numpy.random.default_rng(1).random(1 << 20)  # too many for the host's own code: kernels are compiled and linked
assert (clprim.sort(values) == numpy.sort(values)).all()
first = time.monotonic() - begin

tags = importlib.metadata.distribution("clprim").read_text("WHEEL")
assert f"Tag: py3-none-{'win_amd64' if sys.platform == 'win32' else 'manylinux_2_17_x86_64'}" in tags, tags
files = {path.name for path in there.iterdir()}
assert {"py.typed", "__init__.pyi", "device.pyi"} <= files, files
assert importlib.metadata.version("clprim") == clprim.__version__
assert not [name for name in dir(clprim) + dir(clprim.device) if name.startswith("_") and name != "__version__"]
assert all(inspect.getdoc(getattr(clprim, name)) for name in clprim.__all__)

if sys.platform == "win32":
    assert os.path.samefile(clprim._c.library()._name, there / "libclprim.dll")
else:
    libraries = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
    of_opencl = [path for path in libraries if pathlib.Path(path).name.startswith(("libOpenCL", "libpocl", "libclprim"))]
    assert len(of_opencl) == 3 and all(path.startswith(sys.prefix) for path in of_opencl), of_opencl

    import pyopencl
    import pyopencl.array

    queue = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
    keys = pyopencl.array.to_device(queue, numpy.float32([2, 1, 3]))
    assert clprim.device.sort(keys).get().tolist() == [1, 2, 3]
print(f"the first sort took {first:.1f} s on {clprim.Runtime.default().device_name}")
