#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clprim.run_distributed against NumPy: by threads, or, with the argument mpi, by mpi4py's processes. CTest runs it with
CLPRIM_LIBRARY set, the second one by mpirun. Every case is done by all ranks, each of which compares its piece."""
import itertools
import pathlib
import sys
import threading
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

BY_MPI = sys.argv[1:] == ["mpi"]
system_python.need("numpy", *(["mpi4py"] if BY_MPI else []))
import numpy

import clprim

THREADS = 3
SIZE_BASE = 700  # elements of rank 0; each rank has another number, and rank 1 none


def counts(size):
    return [0 if rank == 1 else SIZE_BASE + 100 * rank for rank in range(size)]


def whole(size, dtype, most=1000):
    """The same on all ranks."""
    return numpy.random.default_rng(5).integers(0, most, sum(counts(size))).astype(dtype)


def split(array, lengths):
    """The parts of an array on the ranks; each is a copy."""
    ends = list(itertools.accumulate(lengths))
    return [array[end - length:end].copy() for end, length in zip(ends, lengths)]


def same(got, expected):
    numpy.testing.assert_array_equal(got, expected)


def raises(kind, text, function, **arguments):
    try:
        function(**arguments)
    except kind as error:
        assert text in str(error), f"{text!r} is not in {error}"
        return error
    raise AssertionError(f"{kind.__name__} is not raised: {text}")


def check_sort(comm):
    """With values, into rooms other than the ranks' own: the first rank gets everything that the last one had, too."""
    keys, lengths = whole(comm.size, "f4"), counts(comm.size)
    rooms = [*lengths[:-1], 0]
    rooms[0] += lengths[-1]
    values = numpy.arange(keys.size, dtype="u4")
    order = numpy.argsort(keys, kind="stable")
    mine, mine_values = split(keys, lengths)[comm.rank], split(values, lengths)[comm.rank]
    room = rooms[comm.rank]
    out, out_values = numpy.empty(room, "f4"), numpy.empty(room, "u4")
    part = clprim.run_distributed("radix_sort", {"key_type": "f32", "value_size": 4}, comm=comm, room=room,
                                  keys_in=mine, values_in=mine_values, keys_out=out, values_out=out_values)
    same(out, split(keys[order], rooms)[comm.rank])
    same(out_values, split(order.astype("u4"), rooms)[comm.rank])
    assert part == clprim.Part(sum(rooms[:comm.rank]), room, keys.size), part


def check_sort_in_place(comm):
    keys, lengths = whole(comm.size, "i8"), counts(comm.size)
    mine = split(keys, lengths)[comm.rank]
    clprim.run_distributed("radix_sort", {"key_type": "i64"}, comm=comm, keys_in=mine, keys_out=mine)
    same(mine, split(numpy.sort(keys), lengths)[comm.rank])


def check_whole_results(comm):
    array, lengths = whole(comm.size, "i4"), counts(comm.size)
    mine = split(array, lengths)[comm.rank]
    sum_, sums = numpy.empty(1, "i4"), numpy.empty(mine.size, "i4")
    assert clprim.run_distributed("reduce", {"type": "i32"}, comm=comm, in_=mine, out=sum_) is None
    assert sum_[0] == array.sum()
    clprim.run_distributed("scan", {"type": "i32"}, comm=comm, in_=mine, out=sums)
    same(sums, split(numpy.cumsum(array), lengths)[comm.rank])


def check_select(comm):
    """A share is proportional to the room: floor(n * rooms before / rooms)."""
    array, lengths = whole(comm.size, "i4"), counts(comm.size)
    selected = array[array > 400]
    ends = [selected.size * end // sum(lengths) for end in [0, *itertools.accumulate(lengths)]]
    begin, end = ends[comm.rank:comm.rank + 2]
    out, count = numpy.empty(lengths[comm.rank], "i4"), numpy.empty(1, "u4")
    part = clprim.run_distributed("select", {"type": "i32", "predicate": "x > 400"}, comm=comm,
                                  in_=split(array, lengths)[comm.rank], out=out, out_count=count)
    assert part == clprim.Part(begin, end - begin, selected.size) and count[0] == end - begin, part
    same(out[:end - begin], selected[begin:end])


def check_two_arrays(comm):
    """Both arrays are divided among the ranks; without `room`, a rank has room for its elements of both."""
    a, lengths = numpy.sort(whole(comm.size, "i4")), counts(comm.size)
    b = numpy.arange(0, 2 * a.size, 2, "i4")
    mine, other = split(a, lengths)[comm.rank], split(b, lengths[::-1])[comm.rank]
    rooms = [x + y for x, y in zip(lengths, lengths[::-1])]
    out = numpy.empty(rooms[comm.rank], "i4")
    part = clprim.run_distributed("merge", {"key_type": "i32"}, comm=comm, a_keys=mine, b_keys=other, keys_out=out)
    same(out, split(numpy.sort(numpy.concatenate([a, b])), rooms)[comm.rank])
    assert part == clprim.Part(sum(rooms[:comm.rank]), out.size, 2 * a.size), part
    count, unique = numpy.empty(1, "u4"), numpy.unique(a)
    common = numpy.intersect1d(unique, b)
    first = sum(lengths[:comm.rank])
    mine = unique[unique.size * first // a.size:unique.size * (first + lengths[comm.rank]) // a.size].copy()
    arrays = {"a_keys": mine, "b_keys": other, "out_count": count}
    part = clprim.run_distributed("set_operation", {"key_type": "i32", "op": "intersection"}, comm=comm, keys_out=out,
                                  room=out.size, **arrays)
    assert part.total == common.size and part.count == count[0]
    same(out[:part.count], common[part.first:part.first + part.count])
    short = numpy.empty(mine.size + other.size - (comm.rank == 0), "i4")  # rank 0 has room for fewer than it passes
    kind, text = (ValueError, "keys_out must have room for") if comm.rank == 0 else (clprim.Error, "rank 0: ValueError")
    raises(kind, text, clprim.run_distributed, operation="set_operation", comm=comm, keys_out=short,
           desc={"key_type": "i32", "op": "intersection"}, **arrays)


def check_shuffle(comm):
    array, lengths = whole(comm.size, "i8"), counts(comm.size)
    out, expected = numpy.empty(lengths[comm.rank], "i8"), numpy.empty_like(array)
    clprim.run("shuffle", {"element_size": 8}, in_=array, seed=7, out=expected)
    clprim.run_distributed("shuffle", {"element_size": 8}, comm=comm, in_=split(array, lengths)[comm.rank], seed=7, out=out)
    same(out, split(expected, lengths)[comm.rank])


def check_refused(comm):
    """Errors that Python finds on one rank, and errors that C finds: all ranks raise an exception, and go on."""
    last = comm.size - 1
    mine = numpy.arange(10, dtype="f4" if comm.rank == last else "u4")
    kind, text = (ValueError, "must be an array of uint32") if comm.rank == last else \
        (clprim.Error, f"rank {last}: ValueError: keys_in must be")
    error = raises(kind, text, clprim.run_distributed, operation="radix_sort", comm=comm, keys_in=mine, keys_out=mine)
    assert comm.rank == last or error.status == -30001
    mine = numpy.arange(10, dtype="u4")[::-1].copy()
    desc = {"variant": "onesweep", "count_at_type": "u32"} if comm.rank == last else {}
    raises(clprim.Error, f"rank {last}: " if comm.size > 1 else "not supported", clprim.run_distributed,
           operation="radix_sort", desc=desc, comm=comm, keys_in=mine, keys_out=mine)
    same(mine, numpy.arange(10)[::-1])
    check_sort_in_place(comm)


def check_names(comm):
    raises(ValueError if comm.rank == 0 else (ValueError, clprim.Error), "search is not there", clprim.run_distributed,
           operation="search", comm=comm)
    raises((TypeError, clprim.Error), "reduce takes no room", clprim.run_distributed, operation="reduce", comm=comm,
           room=3)
    raises(TypeError, "comm must be", clprim.run_distributed, operation="reduce", comm=comm.rank)


CASES = [check_sort, check_sort_in_place, check_whole_results, check_select, check_two_arrays, check_shuffle, check_refused,
         check_names]


def run_cases(comm):
    """The error on this rank, as text."""
    try:
        for case in CASES:
            case(comm)
    except BaseException:
        return f"rank {comm.rank}:\n{traceback.format_exc()}"
    return ""


def check_failing(MPI):
    """An exception in a callback is the cause of the Error. One rank is enough to test that."""
    class Failing:
        def __init__(self, calls):
            self.calls = calls

        def __getattr__(self, name):
            return getattr(MPI.COMM_SELF, name)

        def Dup(self):
            return self

        def Allreduce(self, *arguments):
            self.calls -= 1
            if self.calls < 0:
                raise MemoryError("the network is full")
            MPI.COMM_SELF.Allreduce(*arguments)

    for calls, text in [(0, "a callback of the communicator"), (1, "all_reduce_sum of the communicator")]:
        mine = numpy.arange(10, dtype="u4")
        error = raises(clprim.Error, text, clprim.run_distributed, operation="radix_sort",
                       comm=clprim.Communicator(Failing(calls)), keys_in=mine, keys_out=mine)
        assert error.status == -30013 and isinstance(error.__cause__, MemoryError), error
    raises(TypeError, "communicator of mpi4py", clprim.Communicator, mpi=3)
    raises(ValueError, "max_message", clprim.Communicator, mpi=MPI.COMM_SELF, max_message=2**31)


def by_mpi():
    from mpi4py import MPI

    said = ""
    check_failing(MPI)
    for most in (2**30, 1000, 10):  # all of them also in pieces
        comm = clprim.Communicator(MPI.COMM_WORLD, max_message=most)
        said = said or run_cases(comm)
        if said:
            print(said, flush=True)
            MPI.COMM_WORLD.Abort(1)  # the others may wait for this rank
        comm.close()
    return 0


def by_threads():
    comms = clprim.Communicator.threads(THREADS)
    said = [""] * THREADS

    def work(rank):
        said[rank] = run_cases(comms[rank])

    threads = [threading.Thread(target=work, args=(rank,), daemon=True) for rank in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    print("".join(said))
    return 1 if any(said) or any(thread.is_alive() for thread in threads) else 0


sys.exit(by_mpi() if BY_MPI else by_threads())
