# SPDX-License-Identifier: MIT
"""Operations on arrays that are distributed over several ranks (include/clprim/distributed.h), and their communicators
(include/clprim/comm.h): threads of this process, or mpi4py's processes. Python's callbacks call MPI, so every MPI works
that mpi4py was built for, and the C library needs none."""
import ctypes
import dataclasses

from . import _c
from ._types import whole

_SENTENCE = 512  # bytes that tell the other ranks why one of them failed
_DEFAULT_MESSAGE = 2**30  # bytes


@dataclasses.dataclass(frozen=True)
class Part:
    """The part that a rank got: elements `first` to first + count - 1 of `total`."""

    first: int
    count: int
    total: int


def has_shares(operation):
    """Whether the operation distributes its output over the ranks."""
    if operation not in _c.DISTRIBUTED:
        raise ValueError(f"{operation} is not there for arrays in pieces on ranks, only {', '.join(_c.DISTRIBUTED)}")
    return _c.DISTRIBUTED[operation]


def _view(address, size):
    """Memory of C as a writable buffer of so many bytes."""
    return (ctypes.c_char * size).from_address(address) if size else bytearray()


def _places(sizes):
    places = [0]
    for size in sizes:
        places.append(places[-1] + size)
    return places


class _Mpi:
    """The callbacks, by a duplicate of mpi4py's communicator. Messages of more than `most` bytes are sent in pieces: MPI
    counts in int."""

    def __init__(self, mpi, most):
        from mpi4py import MPI

        self._MPI, self._most = MPI, most
        self._mpi = mpi.Dup()
        self.rank, self.size = mpi.Get_rank(), mpi.Get_size()

    def all_gather(self, _user, mine, size, gathered):
        most = max(self._most // self.size, 1)
        for begin in range(0, size, most):
            count = min(size - begin, most)
            part = bytearray(count * self.size)
            self._mpi.Allgather([_view(mine + begin, count), count, self._MPI.BYTE], [part, count, self._MPI.BYTE])
            for rank in range(self.size):
                _view(gathered + rank * size + begin, count)[:] = bytes(part[rank * count:(rank + 1) * count])

    def all_reduce_sum(self, _user, sums, count):
        most = max(self._most // 8, 1)
        for begin in range(0, count, most):
            size = min(count - begin, most)
            part = _view(ctypes.addressof(sums.contents) + 8 * begin, 8 * size)
            self._mpi.Allreduce(self._MPI.IN_PLACE, [part, size, self._MPI.UINT64_T], self._MPI.SUM)

    def all_to_all(self, _user, out, out_bytes, in_, in_bytes):
        sent, received = out_bytes[:self.size], in_bytes[:self.size]
        is_large = int(max(sum(sent), sum(received)) > self._most)
        if self._mpi.allreduce(is_large, self._MPI.MAX):
            self._by_pairs(out or 0, sent, in_ or 0, received)
        else:
            self._mpi.Alltoallv([_view(out, sum(sent)), (sent, _places(sent)[:-1]), self._MPI.BYTE],
                                [_view(in_, sum(received)), (received, _places(received)[:-1]), self._MPI.BYTE])

    def _by_pairs(self, out, sent, in_, received):
        """In each step, send to the rank that is as far above this one as the rank to receive from is below."""
        out_places, in_places = _places(sent), _places(received)
        for step in range(self.size):
            to, source = (self.rank + step) % self.size, (self.rank - step) % self.size
            for begin in range(0, max(sent[to], received[source]), self._most):
                sizes = [min(max(size - begin, 0), self._most) for size in (sent[to], received[source])]
                self._mpi.Sendrecv([_view(out + out_places[to] + begin, sizes[0]), sizes[0], self._MPI.BYTE],
                                   to if sizes[0] else self._MPI.PROC_NULL, 1,
                                   [_view(in_ + in_places[source] + begin, sizes[1]), sizes[1], self._MPI.BYTE],
                                   source if sizes[1] else self._MPI.PROC_NULL, 1)

    def free(self):
        self._mpi.Free()


class _Threads:
    """The communicators of all threads, which exist as long as one of them does."""

    def __init__(self, size):
        self.comms = (_c.Comm * size)()
        self._is_made = False
        _c.call("comm_threads_create", self.comms, size)
        self._is_made = True

    def __del__(self):
        if self._is_made:
            _c.destroy("comm_threads", self.comms)


class Communicator:
    """One rank's view of all ranks.

    Communicator(mpi4py.MPI.COMM_WORLD) is for processes; it is collective, as it makes a duplicate of the communicator.
    Messages of more than max_message bytes are sent in pieces. close() frees the duplicate, and is collective, too.
    Communicator.threads(4) returns four of them, for four threads of this process."""

    def __init__(self, mpi, *, max_message=_DEFAULT_MESSAGE):
        if not all(hasattr(mpi, name) for name in ("Dup", "Allgather", "Allreduce", "Alltoallv", "Sendrecv")):
            raise TypeError(f"mpi must be a communicator of mpi4py, such as mpi4py.MPI.COMM_WORLD, not {mpi!r}")
        max_message = whole("max_message", max_message)
        if not 1 <= max_message < 2**31:
            raise ValueError(f"max_message must be from 1 to 2^31 - 1 bytes, not {max_message}")
        self._failure = None
        self._engine = _Mpi(mpi, max_message)
        kinds = dict(_c.Comm._fields_)
        functions = {name: kinds[name](self._guarded(getattr(self._engine, name)))
                     for name in ("all_gather", "all_reduce_sum", "all_to_all")}
        self._c = _c.Comm(rank=self._engine.rank, size=self._engine.size, **functions)

    @classmethod
    def threads(cls, size):
        """A list of communicators for as many threads: that of rank 0, of rank 1, and so on."""
        made = _Threads(whole("size", size, 31))
        comms = []
        for each in made.comms:
            comm = cls.__new__(cls)
            comm._failure, comm._engine, comm._c = None, made, each
            comms.append(comm)
        return comms

    def _guarded(self, function):
        """What C can call: no exception leaves it."""
        def guarded(*arguments):
            try:
                function(*arguments)
                return 0
            except BaseException as failure:  # also KeyboardInterrupt: C must return first
                self._failure = failure
                return 1
        return guarded

    @property
    def rank(self):
        """This rank's number, from 0 on."""
        return self._c.rank

    @property
    def size(self):
        """The number of ranks."""
        return self._c.size

    def agree(self, failure):
        """Agree on failures. If a rank has failed, raise on all ranks: there its own exception, elsewhere an Error."""
        failed = (ctypes.c_uint64 * 1)(failure is not None)
        code = self._c.all_reduce_sum(self._c.user, failed, 1)
        sentences = self._sentences(failure) if code == 0 and failed[0] else []
        if failure is not None:
            raise failure
        if sentences is None or code != 0:
            if self._c.abort:
                self._c.abort(self._c.user)
            raise _c.Error(_c.COMM_FAILED, "clprim: a callback of the communicator failed") from self._taken()
        for rank, sentence in enumerate(sentences):
            if sentence:
                raise _c.Error(_c.INVALID_ARGUMENT, f"rank {rank}: {sentence}")

    def _sentences(self, failure):
        """Each rank's failure as text. None: communication failed."""
        said = f"{type(failure).__name__}: {failure}".encode()[:_SENTENCE] if failure is not None else b""
        mine = ctypes.create_string_buffer(said, _SENTENCE)
        every = ctypes.create_string_buffer(_SENTENCE * self.size)
        code = self._c.all_gather(self._c.user, ctypes.addressof(mine), _SENTENCE, ctypes.addressof(every))
        return [every.raw[rank * _SENTENCE:(rank + 1) * _SENTENCE].rstrip(b"\0").decode(errors="replace")
                for rank in range(self.size)] if code == 0 else None

    def call(self, operation, *arguments):
        """Call clprim_distributed_<operation> of C. An exception in a callback is the cause of the Error."""
        try:
            _c.call(f"distributed_{operation}", ctypes.byref(self._c), *arguments)
        except _c.Error as error:
            raise error from self._taken()

    def _taken(self):
        failure, self._failure = self._failure, None
        return failure

    def close(self):
        """Free the duplicate of mpi4py's communicator; collective. The communicator must not be used again."""
        if isinstance(self._engine, _Mpi):
            self._engine.free()
