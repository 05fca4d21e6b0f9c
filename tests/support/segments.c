/* segments.c: segments of arrays that are hard to sort, and offsets that are none. */
#include "segments.h"

#include "call.h"

enum { BOUNDS = 60, PACKED }; /* places in memory */

/* The length of the next segment, which begins at `begin`; before it there are `segments`. */
static size_t length_of(test_shape shape, size_t segments, size_t begin, size_t length, uint64_t *random)
{
    static const size_t edges[] = {0,   1,   31,  32,  33,  0,    95,   96,   97,  127,  128,  129,  191,  192,  193,
                                   255, 256, 257, 511, 512, 513,  767,  768,  769, 1023, 1024, 1025, 0,    0,    2047,
                                   2,   3,   5,   7,   8,   9,    4,    2048, 63,  64,   65,   6,    3072, 4095, 4096,
                                   15,  16,  17,  1,   1,   4097, 2049, 6144, 1,   8191, 8192, 8193};
    const size_t r = test_random_below(random, 1000);
    switch (shape) {
    case TEST_SEGMENTS_ONE: return length;
    case TEST_SEGMENTS_ALL_EMPTY: return 0;
    case TEST_SEGMENTS_SINGLES: return 1;
    case TEST_SEGMENTS_SHORT: return r % 21;
    case TEST_SEGMENTS_EDGES: return edges[r % (sizeof edges / sizeof *edges)];
    case TEST_SEGMENTS_GIANT: return begin >= length / 8 && begin < length / 4 ? length / 4 * 3 : r % 12;
    case TEST_SEGMENTS_GIANTS: return r % 3 == 0 ? 0 : 1000 + r * 9;
    case TEST_SEGMENTS_INSIDE: return r < 300 ? 0 : r < 900 ? r % 90 : r * 2;
    case TEST_SEGMENTS_LAST: return segments < 4000 ? 0 : length;
    default: return r < 700 ? 0 : r % 3;
    }
}

static void fill_malformed(test_segments *out, size_t length, size_t most, uint64_t seed)
{
    const uint64_t limits[] = {length, 2 * length + 1, UINT32_MAX, UINT64_MAX, length / 2 + 1};
    const uint64_t limit = limits[seed % 5];
    const bool descends = seed / 5 % 3 == 0;
    out->count = 1 + test_random_below(&seed, most < length / 2 + 2 ? most : length / 2 + 2);
    for (size_t s = 0; s <= out->count; s++)
        out->bounds[s] = descends ? (uint64_t)(out->count - s) * 100 : test_random(&seed) % limit;
}

test_segments test_make_segments(test_shape shape, size_t length, size_t longest, uint64_t seed)
{
    const size_t room = 2 * length + 4100;
    const bool is_inside = shape == TEST_SEGMENTS_INSIDE || shape == TEST_SEGMENTS_ALL_EMPTY;
    const size_t end = is_inside ? length - length / 16 : length;
    size_t begin = is_inside ? length / 32 : 0;
    test_segments self = {.shape = shape, .bounds = test_memory(BOUNDS, (room + 1) * sizeof *self.bounds)};
    self.bounds[0] = begin;
    if (shape == TEST_SEGMENTS_MALFORMED)
        fill_malformed(&self, length, longest, seed);
    while (shape != TEST_SEGMENTS_NONE && shape != TEST_SEGMENTS_MALFORMED && self.count < room &&
           (begin < end || self.count == 0) && (shape != TEST_SEGMENTS_ONE || self.count == 0)) {
        size_t next = length_of(shape, self.count, begin, length, &seed);
        next = next < longest ? next : longest;
        begin += next < end - begin ? next : end - begin;
        self.bounds[++self.count] = begin;
    }
    return self;
}

void *test_pack_bounds(const test_segments *segments, clprim_type type)
{
    const size_t size = type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    char *packed = test_memory(PACKED, (segments->count + 1) * size);
    for (size_t i = 0; i <= segments->count; i++)
        memcpy(packed + i * size, &segments->bounds[i], size); /* little-endian, as all the devices there are */
    return packed;
}

void test_copy_segments(void *out, const void *in, size_t size, size_t length, const test_segments *segments,
                        bool in_place)
{
    const size_t first = in_place ? 0 : (size_t)segments->bounds[0];
    const size_t end = in_place ? length : (size_t)segments->bounds[segments->count];
    memset(out, TEST_POISON, length * size);
    memcpy((char *)out + first * size, (const char *)in + first * size, (end - first) * size);
}
