# SPDX-License-Identifier: MIT
"""orders.py: the orders of sorts for numpy, bit by bit, and floats to test them."""
import numpy


def specials(dtype, count):
    """Zeros, denormals, infinities, and NaNs with several payloads, of both signs."""
    facts = numpy.finfo(dtype)
    mantissa = (1 << facts.nmant) - 1
    infinity = int(numpy.array(numpy.inf, dtype).view(f"u{facts.bits // 8}"))
    magnitudes = [0, 1, mantissa, infinity, infinity | 1, infinity | (mantissa + 1) // 2, infinity | mantissa]
    bits = magnitudes + [magnitude | 1 << facts.bits - 1 for magnitude in magnitudes]
    return numpy.random.default_rng(20261122).choice(numpy.array(bits, f"u{facts.bits // 8}"), count).view(dtype)


def order(values, nan="last", descending=False):
    """The indices of a stable sort."""
    keys = values
    if values.dtype.kind == "f":
        facts = numpy.finfo(values.dtype)
        bits = values.view(f"u{values.itemsize}")
        sign = bits.dtype.type(1 << facts.bits - 1)
        keys = numpy.where(bits & sign != 0, ~bits, bits | sign)
        if nan == "last":  # negative NaNs move to the end
            keys -= bits.dtype.type((1 << facts.nmant) - 1)
    return numpy.argsort(~keys if descending else keys, kind="stable").astype("u8")
