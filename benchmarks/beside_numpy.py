#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clPRIM's Python module beside NumPy, on arrays of the host: beside_numpy.py [OPERATION ...] > DEVICE-numpy.json

Both take a NumPy array and return one. Calls alternate, and each row is the median of its calls; the first call, which makes
the plan, does not count. cpu_time is processor time of all threads: on a device that is a CPU, two cores of clPRIM's may be
faster by the clock than one of NumPy's, and still do more work. CLPRIM_DEVICE chooses the device.

--log2 K,K,...   sizes (default: 10,16,20,24)
--seconds S      time for each row and module (default: 1)
--types T,...    NumPy's names (default: those of each operation)"""
import argparse
import datetime
import json
import os
import statistics
import time

import numpy

import clprim
from clprim import device

NUMBERS = ("uint32", "int32", "float32", "int64", "float64")
SELECTED = 0.25  # of random numbers


def uniform(dtype, n):
    """All bits random, of floats numbers from 0 to 1."""
    random = numpy.random.default_rng(n)
    if dtype.kind == "f":
        return random.random(n, dtype=dtype if dtype.itemsize >= 4 else "float32").astype(dtype)
    return random.integers(0, 2**(8 * dtype.itemsize), n, dtype=f"uint{8 * dtype.itemsize}").view(dtype)


def limit_of(a):
    return numpy.quantile(a[:4096], SELECTED).astype(a.dtype)


# name: (types, clPRIM, NumPy); both are told an array and a value near the end of its first quarter.
OPERATIONS = {
    "sort": (("uint8", "uint16", *NUMBERS), lambda a, _: device.sort(a), lambda a, _: numpy.sort(a)),
    "argsort": (NUMBERS, lambda a, _: device.argsort(a), lambda a, _: numpy.argsort(a, kind="stable")),
    "sum": (NUMBERS, lambda a, _: device.sum(a), lambda a, _: numpy.sum(a)),
    "max": (NUMBERS, lambda a, _: device.max(a), lambda a, _: numpy.max(a)),
    "inclusive_scan": (NUMBERS, lambda a, _: clprim.inclusive_scan(a), lambda a, _: numpy.cumsum(a, dtype=a.dtype)),
    "select": (NUMBERS, lambda a, limit: device.select(a, "x < limit", limit=limit), lambda a, limit: a[a < limit]),
    "unique": (("uint16", *NUMBERS), lambda a, _: device.unique(device.sort(a)), lambda a, _: numpy.unique(a)),
    "histogram": (("float32", "float64"), lambda a, _: device.histogram(a, 256, (0, 1)),
                  lambda a, _: numpy.histogram(a, 256, (0, 1))[0]),
}


def are_same(ours, theirs):
    ours, theirs = (numpy.asarray(result[0] if isinstance(result, tuple) else result) for result in (ours, theirs))
    return ours.shape == theirs.shape and (numpy.allclose(ours, theirs, rtol=1e-3) if ours.dtype.kind == "f"
                                           else numpy.array_equal(ours, theirs))


def timed(call, *arguments):
    wall, processor = time.perf_counter(), time.process_time()
    call(*arguments)
    return time.perf_counter() - wall, time.process_time() - processor


def copy_speed():
    """GB/s of the host's memory, bytes read and bytes written, as the other benchmarks have it of the device's."""
    a = numpy.ones(1 << 26, "uint8")
    to = numpy.empty_like(a)
    return 2 * a.nbytes / min(timed(numpy.copyto, to, a)[0] for _ in range(10)) * 1e-9


def rows(name, dtype, n, seconds, roof):
    """The rows of one operation, as Google Benchmark would write them; none if the results differ."""
    _, *calls = OPERATIONS[name]
    a = uniform(dtype, n)
    limit = limit_of(a)
    if not are_same(*(call(a, limit) for call in calls)):
        raise SystemExit(f"{name} of {n} {dtype}: the results differ")
    samples = ([], [])
    end = time.perf_counter() + 2 * seconds
    while len(samples[0]) < 3 or time.perf_counter() < end:
        for call, times in zip(calls, samples):
            times.append(timed(call, a, limit))
    type_ = f"{dtype.kind}{8 * dtype.itemsize}"  # such as u32
    for implementation, times in zip(("clprim", "numpy"), samples):
        wall, processor = (statistics.median(column) for column in zip(*times))
        run = f"{name}/{implementation}/{type_}/{n}/uniform/throughput"
        yield {"name": f"{run}_median", "run_name": run, "run_type": "aggregate", "aggregate_name": "median",
               "repetitions": len(times), "real_time": wall * 1e6, "cpu_time": processor * 1e6, "time_unit": "us",
               "items_per_second": n / wall, "bytes_per_second": a.nbytes / wall, "roof_share": 2 * a.nbytes / wall * 1e-9 / roof, "label": ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", metavar="OPERATION", default=list(OPERATIONS))
    parser.add_argument("--log2", default="10,16,20,24")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--types")
    arguments = parser.parse_args()
    roof = copy_speed()
    made = []
    for name in arguments.operations:
        types = arguments.types.split(",") if arguments.types else OPERATIONS[name][0]
        for dtype in map(numpy.dtype, types):
            for log2 in map(int, arguments.log2.split(",")):
                made += rows(name, dtype, 1 << log2, arguments.seconds, roof)
    context = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "suite": "numpy",
        "device": clprim.Runtime.default().device_name, "driver": f"unknown, NumPy {numpy.__version__}",
        "clprim_version": clprim.__version__, "git_commit": os.environ.get("CLPRIM_COMMIT", "unknown"),
        "copy_roof_gb_per_s": f"{roof:.1f}", "num_cpus": os.cpu_count()}
    print(json.dumps({"context": context, "benchmarks": made}, indent=1))


if __name__ == "__main__":
    main()
