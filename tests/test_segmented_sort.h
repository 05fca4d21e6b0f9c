/* test_segmented_sort.h: a plan for sorts by segments with all its arrays, checked against the reference, and segments
 * that are hard to sort; test_segmented_sort.subject.c has the functions, the other parts use them. Everything asserts
 * by itself. */
#ifndef CLPRIM_TEST_SEGMENTED_SORT_H
#define CLPRIM_TEST_SEGMENTED_SORT_H

#include <clprim/reference.h>
#include <clprim/segmented_sort.h>
#include <clprim/types.h>

#include "support.h"

enum { SEGMENT_POISON = 0xa5, SEGMENT_VARIANTS = CLPRIM_SEGMENTED_SORT_CPU_CHUNK + 1, SEGMENT_MAX_OFFSET = 7 };

/* What segments look like. */
typedef enum segment_shape {
    SEGMENTS_NONE = 0,
    SEGMENTS_ONE, /* or where that is too long, as long as may be */
    SEGMENTS_ALL_EMPTY,
    SEGMENTS_SINGLES,    /* an element each */
    SEGMENTS_SHORT,      /* up to 20 elements */
    SEGMENTS_EDGES,      /* around powers of two, and what tiles and windows are made of them */
    SEGMENTS_GIANT,      /* most elements in one, and many tiny ones before and behind it */
    SEGMENTS_GIANTS,     /* some of them, of thousands of elements, with empty ones between */
    SEGMENTS_INSIDE,     /* of any length, empty ones between, elements before the first and behind the last */
    SEGMENTS_HALF_EMPTY, /* more segments than elements */
    SEGMENTS_SHAPE_END
} segment_shape;

const char *segment_shape_name(segment_shape shape);
/* Fill offsets for up to max_segments segments of at most `longest` elements; returns how many there are. */
size_t segment_fill(uint64_t *offsets, segment_shape shape, size_t count, size_t longest, size_t max_segments,
                    uint64_t seed);
/* As the device takes them: of `size` bytes each. */
void segment_pack(void *out, const uint64_t *offsets, size_t size, size_t count);

const char *segment_variant_name(clprim_segmented_sort_variant variant);
/* The same for the reference. */
clprim_reference_sort_how segment_how(const clprim_segmented_sort_desc *desc);
/* Bytes of a value, whoever makes it; 0: there are none. */
size_t segment_value_size(const clprim_segmented_sort_desc *desc);
/* Each value says where it was, as far as it has room for that. */
void segment_fill_values(void *values, size_t size, size_t count);

/* What a call reads and writes. */
enum { SEGMENT_KEYS_IN, SEGMENT_VALUES_IN, SEGMENT_KEYS_OUT, SEGMENT_VALUES_OUT, SEGMENT_ARRAYS };

typedef struct segment_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *expected;
} segment_array;

typedef struct segment_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_segmented_sort_desc desc;
    clprim_reference_sort_how how;
    char name[192];
    size_t max_count, max_segments, offset_size;
    segment_array arrays[SEGMENT_ARRAYS];
    uint64_t *offsets;
    unsigned char *packed;
    cl_mem offsets_memory;
    unsigned char *found;
} segment_subject;

typedef struct segment_call {
    size_t count;
    size_t offsets[SEGMENT_ARRAYS]; /* of the arrays, in elements */
    size_t offsets_offset;
    bool in_place[2]; /* keys, values: then the outputs' offsets mean nothing */
    unsigned repeat;  /* calls in a row, without waiting; 0: one */
    segment_shape shape;
    test_pattern pattern;
    uint64_t seed;
} segment_call;

/* The descriptions that are tested by default: plans for others would have to be compiled. */
const clprim_segmented_sort_desc *segment_descs(size_t *count);

/* Make the plan and arrays for `max_count` elements. False where the device cannot run it, and says so; where the
 * header promises that it can, that is an error. */
bool segment_create(segment_subject *out, clprim_runtime *runtime, clprim_segmented_sort_desc desc, size_t max_count);
void segment_destroy(segment_subject *self);
/* The result is the reference's, bit for bit, and nothing else was written. */
void segment_check(segment_subject *self, const segment_call *c);
/* The same in steps: write the arrays, and make of what is on the host what `repeat` calls are to make of them,
 * returning how many segments there are; enqueue; and what must be there in the end, or before anything has run. */
size_t segment_prepare(segment_subject *self, segment_call *c);
clprim_status segment_enqueue(const segment_subject *self, const segment_call *c, size_t segments,
                              cl_command_queue queue, cl_uint num_waits, const cl_event *waits, cl_event *done);
void segment_verify(const segment_subject *self, const segment_call *c, size_t segments);
void segment_verify_untouched(const segment_subject *self, const segment_call *c, const char *what);
/* With offsets that make no sense: what is around the outputs, and the inputs, are as before. */
void segment_check_malformed(segment_subject *self, const segment_call *c, uint64_t seed);

#endif
