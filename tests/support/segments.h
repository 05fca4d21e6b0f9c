/* segments.h: segments of arrays that are hard to sort, and offsets that are none. */
#ifndef CLPRIM_TEST_SEGMENTS_H
#define CLPRIM_TEST_SEGMENTS_H

#include "support.h"

/* What segments look like. */
typedef enum test_shape {
    TEST_SEGMENTS_NONE = 0,
    TEST_SEGMENTS_ONE, /* or where that is too long, as long as may be */
    TEST_SEGMENTS_ALL_EMPTY,
    TEST_SEGMENTS_SINGLES,    /* an element each */
    TEST_SEGMENTS_SHORT,      /* up to 20 elements */
    TEST_SEGMENTS_EDGES,      /* around powers of two, and what tiles and windows are made of them */
    TEST_SEGMENTS_GIANT,      /* most elements in one, and many tiny ones before and behind it */
    TEST_SEGMENTS_GIANTS,     /* some of them, of thousands of elements, with empty ones between */
    TEST_SEGMENTS_INSIDE,     /* of any length, empty ones between, elements before the first and behind the last */
    TEST_SEGMENTS_HALF_EMPTY, /* more segments than elements */
    TEST_SEGMENTS_LAST,       /* empty but for the last one */
    TEST_SEGMENTS_END,
    TEST_SEGMENTS_MALFORMED = TEST_SEGMENTS_END /* offsets that descend, or lie behind the array */
} test_shape;

typedef struct test_segments {
    test_shape shape;
    uint64_t *bounds; /* count + 1 of them, until the next segments are made */
    size_t count;
} test_segments;

/* Segments of an array of `length` elements, each of at most `longest`; of malformed ones at most so many. */
test_segments test_make_segments(test_shape shape, size_t length, size_t longest, uint64_t seed);
/* The bounds as U64 or as U32, which is the default; until the next segments are packed. */
void *test_pack_bounds(const test_segments *segments, clprim_type type);
/* What an output of `length` elements holds before its segments are sorted: the input where segments are, elsewhere
 * what was there before: poison, or the input in whose place it is. */
void test_copy_segments(void *out, const void *in, size_t size, size_t length, const test_segments *segments,
                        bool in_place);

#endif
