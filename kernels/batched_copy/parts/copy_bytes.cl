// SPDX-License-Identifier: MIT
/* copy_bytes.cl: one work-item copies bytes between places of any alignment, for CPUs. If the processor has byte masks,
 * runs of up to 64 bytes are copied without a branch that depends on their length: a mispredicted branch takes as long
 * as such a copy. Structures of bytes are moved in whole registers. Operands of vload16 and vstore16 of uchar are not:
 * PoCL 3.1 moves them byte by byte.
 *
 * Parameters: UNIT_SIZE; all sizes are multiples of it. */
#ifndef UNIT_SIZE
#error "UNIT_SIZE must be given"
#endif

#ifdef __x86_64__ /* PoCL compiles for the host's processor */
#define FETCH(place) __builtin_prefetch(place)
#else
#define FETCH(place)
#endif

#define BYTES(N)                                                                                                       \
    typedef struct __attribute__((packed)) {                                                                           \
        uchar byte[N];                                                                                                 \
    } bytes##N;
BYTES(2)
BYTES(4)
BYTES(8)
BYTES(16)
BYTES(32)
BYTES(64)
#define LOAD(N, i)     (*(const __global bytes##N *)(in + (i)))
#define STORE(N, i, x) (*(__global bytes##N *)(out + (i)) = (x))
/* Copy the first and the last N bytes, which may overlap, of a run of N to 2 N bytes. */
#define COPY_BOTH_ENDS(N)                                                                                              \
    {                                                                                                                  \
        const bytes##N first = LOAD(N, 0);                                                                             \
        const bytes##N last = LOAD(N, size - N);                                                                       \
        STORE(N, 0, first);                                                                                            \
        STORE(N, size - N, last);                                                                                      \
    }

static inline void copy_few_bytes(const __global uchar *in, __global uchar *out, uint size)
{
#ifdef __AVX512BW__
#pragma clang loop vectorize(enable) interleave(disable) vectorize_width(64) unroll(disable)
    for (uchar b = 0; b < 64; b++)
        if (b < (uchar)size)
            out[b] = in[b];
#else
    if (size >= 32)
        COPY_BOTH_ENDS(32)
    else if (size >= 16)
        COPY_BOTH_ENDS(16)
    else if (size >= 8)
        COPY_BOTH_ENDS(8)
    else if (size >= 4)
        COPY_BOTH_ENDS(4)
    else if (size >= 2)
        COPY_BOTH_ENDS(2)
    else if (size > 0)
        *out = *in;
#endif
}

static inline void copy_bytes(const __global uchar *in, __global uchar *out, ulong size)
{
    if (size <= 64) {
        copy_few_bytes(in, out, (uint)size);
        return;
    }
    for (ulong i = 0; i < size - 64; i += 64)
        STORE(64, i, LOAD(64, i));
    STORE(64, size - 64, LOAD(64, size - 64));
}
