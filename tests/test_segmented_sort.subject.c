/* test_segmented_sort.subject.c: segments, and a plan with its arrays among guards. */
#include <stdio.h>
#include <stdlib.h>

#include "test_segmented_sort.h"

enum { TAIL = 64 };

static const char *const shape_names[SEGMENTS_SHAPE_END] = {"none",  "one",   "all empty", "singles", "short",
                                                            "edges", "giant", "giants",    "inside",  "half empty"};

const char *segment_shape_name(segment_shape shape)
{
    return shape_names[shape];
}

const char *segment_variant_name(clprim_segmented_sort_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_segmented_sort_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_reference_sort_how segment_how(const clprim_segmented_sort_desc *desc)
{
    return (clprim_reference_sort_how){.key_type = desc->key_type,
                                       .value_size = segment_value_size(desc),
                                       .argsort = desc->argsort,
                                       .descending = desc->descending,
                                       .nan_order = desc->nan_order};
}

size_t segment_value_size(const clprim_segmented_sort_desc *desc)
{
    return !desc->argsort ? desc->value_size : desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

void segment_fill_values(void *values, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t words[2] = {i, ~(uint64_t)i};
        memcpy((char *)values + i * size, words, size);
    }
}

/* The length of the next segment, which begins at `begin`. */
static size_t length_of(segment_shape shape, size_t begin, size_t count, uint64_t *random)
{
    static const size_t edges[] = {0,   1,   31,  32,  33,  0,    95,   96,   97,  127,  128,  129,  191,  192,  193,
                                   255, 256, 257, 511, 512, 513,  767,  768,  769, 1023, 1024, 1025, 0,    0,    2047,
                                   2,   3,   5,   7,   8,   9,    4,    2048, 63,  64,   65,   6,    3072, 4095, 4096,
                                   15,  16,  17,  1,   1,   4097, 2049, 6144, 1,   8191, 8192, 8193};
    const size_t r = test_random_below(random, 1000);
    switch (shape) {
    case SEGMENTS_ONE: return count;
    case SEGMENTS_ALL_EMPTY: return 0;
    case SEGMENTS_SINGLES: return 1;
    case SEGMENTS_SHORT: return r % 21;
    case SEGMENTS_EDGES: return edges[r % (sizeof edges / sizeof *edges)];
    case SEGMENTS_GIANT: return begin >= count / 8 && begin < count / 4 ? count / 4 * 3 : r % 12;
    case SEGMENTS_GIANTS: return r % 3 == 0 ? 0 : 1000 + r * 9;
    case SEGMENTS_INSIDE: return r < 300 ? 0 : r < 900 ? r % 90 : r * 2;
    default: return r < 700 ? 0 : r % 3;
    }
}

size_t segment_fill(uint64_t *offsets, segment_shape shape, size_t count, size_t longest, size_t max_segments,
                    uint64_t seed)
{
    uint64_t random = seed;
    const bool is_inside = shape == SEGMENTS_INSIDE || shape == SEGMENTS_ALL_EMPTY;
    const size_t end = is_inside ? count - count / 16 : count;
    size_t begin = is_inside ? count / 32 : 0;
    size_t segments = 0;
    if (shape == SEGMENTS_NONE)
        return 0;
    offsets[0] = begin;
    while (segments < max_segments && (begin < end || segments == 0)) {
        size_t length = length_of(shape, begin, count, &random);
        length = length < longest ? length : longest;
        length = length < end - begin ? length : end - begin;
        begin += length;
        offsets[++segments] = begin;
        if (shape == SEGMENTS_ONE)
            break;
    }
    return segments;
}

void segment_pack(void *out, const uint64_t *offsets, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)out + i * size, &offsets[i], size); /* little-endian, as all the devices there are */
}

static bool must_work(const clprim_segmented_sort_desc *desc, const clprim_device_info *info)
{
    const bool is_short = desc->max_segment_size != 0 && desc->max_segment_size <= info->local_memory_size / 256 &&
                          desc->max_segment_size <= 2 * info->max_work_group_size;
    switch (desc->variant) {
    case CLPRIM_SEGMENTED_SORT_LOCAL: return is_short;
    case CLPRIM_SEGMENTED_SORT_MIXED:
    case CLPRIM_SEGMENTED_SORT_CPU_CHUNK: return desc->max_count <= UINT32_MAX;
    default: return true;
    }
}

static void describe(char *out, size_t room, const clprim_segmented_sort_desc *desc)
{
    (void)snprintf(out, room, "%s of %s, %s of %zu bytes%s, by %s, segments of up to %zu, groups of %zu, %s",
                   desc->argsort ? "argsort" : "sort", clprim_type_name(desc->key_type),
                   desc->argsort ? "indices" : "values", segment_value_size(desc),
                   desc->descending ? ", descending" : "", clprim_type_name(desc->offsets_type), desc->max_segment_size,
                   desc->work_group_size, segment_variant_name(desc->variant));
}

bool segment_create(segment_subject *out, clprim_runtime *runtime, clprim_segmented_sort_desc desc, size_t max_count)
{
    segment_subject self = {.runtime = runtime,
                            .desc = desc,
                            .how = segment_how(&desc),
                            .max_count = max_count,
                            .max_segments = 2 * max_count + 100};
    describe(self.name, sizeof self.name, &desc);
    const clprim_status status = clprim_segmented_sort_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED && !must_work(&desc, clprim_runtime_info(runtime))) {
        cr_assert_gt(strlen(clprim_last_error()), 0, "%s: refused without a sentence", self.name);
        cr_assert_null(self.plan);
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const clprim_segmented_sort_variant used = (clprim_segmented_sort_variant)clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_SEGMENTED_SORT_AUTO &&
                  (desc.variant == CLPRIM_SEGMENTED_SORT_AUTO || used == desc.variant),
              "%s: %s", self.name, segment_variant_name(used));
    for (int a = 0; a < SEGMENT_ARRAYS; a++) {
        const bool is_keys = a == SEGMENT_KEYS_IN || a == SEGMENT_KEYS_OUT;
        const size_t size = is_keys ? clprim_type_size(desc.key_type) : segment_value_size(&desc);
        const size_t bytes = (SEGMENT_MAX_OFFSET + max_count + TAIL) * size;
        self.arrays[a] = (segment_array){size, test_buffer(runtime, bytes), test_allocate(bytes + 1)};
    }
    self.offset_size = desc.offsets_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    const size_t bounds = SEGMENT_MAX_OFFSET + self.max_segments + 1;
    self.offsets = test_allocate(bounds * sizeof *self.offsets);
    self.packed = test_allocate(bounds * self.offset_size);
    self.offsets_memory = test_buffer(runtime, bounds * self.offset_size);
    self.found = test_allocate((SEGMENT_MAX_OFFSET + max_count + TAIL) * 16);
    *out = self;
    return true;
}

void segment_destroy(segment_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (int a = 0; a < SEGMENT_ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->arrays[a].memory));
        free(self->arrays[a].expected);
    }
    ASSERT_CL(clReleaseMemObject(self->offsets_memory));
    free(self->offsets);
    free(self->packed);
    free(self->found);
}

/* Where the result of an input goes. */
static int target_of(const segment_call *c, int input)
{
    return c->in_place[input] ? input : input + SEGMENT_KEYS_OUT;
}

/* The bytes of an array that a check looks at; those beyond are far from everything that the call may touch. */
static size_t bytes_of(const segment_subject *self, const segment_call *c, int array)
{
    return (c->offsets[array] + c->count + TAIL) * self->arrays[array].size;
}

static unsigned char *elements_of(const segment_subject *self, const segment_call *c, int array)
{
    return self->arrays[array].expected + c->offsets[array] * self->arrays[array].size;
}

/* Write all arrays as they are before the call. */
static void prepare(const segment_subject *self, const segment_call *c, size_t segments)
{
    const size_t bounds = segments > 0 ? segments + 1 : 0;
    for (int a = 0; a < SEGMENT_ARRAYS; a++) {
        const segment_array *array = &self->arrays[a];
        const size_t bytes = bytes_of(self, c, a);
        memset(array->expected, SEGMENT_POISON, bytes);
        if (a == SEGMENT_KEYS_IN || a == SEGMENT_VALUES_IN)
            test_fill_margin(array->expected, bytes);
        if (a == SEGMENT_KEYS_IN)
            test_fill(elements_of(self, c, a), self->desc.key_type, CLPRIM_MIN, c->pattern, c->count, c->seed);
        if (a == SEGMENT_VALUES_IN)
            segment_fill_values(elements_of(self, c, a), array->size, c->count);
        test_write(self->runtime, array->memory, array->expected, bytes);
    }
    memset(self->packed, 0xff, (c->offsets_offset + bounds) * self->offset_size);
    segment_pack(self->packed + c->offsets_offset * self->offset_size, self->offsets, self->offset_size, bounds);
    test_write(self->runtime, self->offsets_memory, self->packed, (c->offsets_offset + bounds) * self->offset_size);
}

/* Make of what is on the host what the calls are to make of the arrays. Where no segment is, outputs stay as they are.
 */
static void expect(const segment_subject *self, const segment_call *c, size_t segments)
{
    const bool has_values = self->arrays[SEGMENT_VALUES_IN].size != 0;
    unsigned char *sorted[2];
    const size_t first = segments > 0 ? (size_t)self->offsets[0] : 0;
    const size_t covered = segments > 0 ? (size_t)self->offsets[segments] - first : 0;
    for (int input = SEGMENT_KEYS_IN; input <= SEGMENT_VALUES_IN; input++) {
        const size_t size = self->arrays[input].size;
        sorted[input] = elements_of(self, c, target_of(c, input));
        memmove(sorted[input] + first * size, elements_of(self, c, input) + first * size, covered * size);
    }
    ASSERT_OK(clprim_reference_segmented_sort(sorted[0], has_values ? sorted[1] : NULL, &self->how, c->count,
                                              CLPRIM_U64, self->offsets, segments));
}

clprim_status segment_enqueue(const segment_subject *self, const segment_call *c, size_t segments,
                              cl_command_queue queue, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    const int keys_to = target_of(c, SEGMENT_KEYS_IN);
    const int values_to = target_of(c, SEGMENT_VALUES_IN);
    const cl_mem keys = self->arrays[SEGMENT_KEYS_IN].memory;
    const cl_mem keys_out = self->arrays[keys_to].memory;
    clprim_segmented_sort_call call = {.keys_in = {keys, c->offsets[SEGMENT_KEYS_IN]},
                                       .offsets = {self->offsets_memory, c->offsets_offset},
                                       .count = c->count,
                                       .segment_count = segments,
                                       .keys_out = {keys_out, c->offsets[keys_to]}};
    if (self->arrays[SEGMENT_VALUES_OUT].size > 0)
        call.values_out = (clprim_array){.buffer = self->arrays[values_to].memory, .offset = c->offsets[values_to]};
    if (self->arrays[SEGMENT_VALUES_OUT].size > 0 && !self->desc.argsort)
        call.values_in =
            (clprim_array){.buffer = self->arrays[SEGMENT_VALUES_IN].memory, .offset = c->offsets[SEGMENT_VALUES_IN]};
    return clprim_segmented_sort_enqueue(self->plan, queue, &call, num_waits, waits, done);
}

static void run(const segment_subject *self, const segment_call *c, size_t segments)
{
    cl_event done = NULL;
    for (unsigned i = 0; i < c->repeat; i++)
        ASSERT_OK(segment_enqueue(self, c, segments, NULL, 0, NULL, i + 1 == c->repeat ? &done : NULL));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
}

static void make_possible(const segment_subject *self, segment_call *c)
{
    c->in_place[SEGMENT_VALUES_IN] = c->in_place[SEGMENT_VALUES_IN] && !self->desc.argsort;
    c->repeat = c->repeat > 0 ? c->repeat : 1;
}

static const char *const array_names[SEGMENT_ARRAYS] = {"keys_in", "values_in", "keys_out", "values_out"};

size_t segment_prepare(segment_subject *self, segment_call *c)
{
    const size_t longest = self->desc.max_segment_size != 0 ? self->desc.max_segment_size : SIZE_MAX;
    const size_t segments = segment_fill(self->offsets, c->shape, c->count, longest, self->max_segments, c->seed);
    make_possible(self, c);
    prepare(self, c, segments);
    for (unsigned i = 0; i < c->repeat; i++)
        expect(self, c, segments);
    return segments;
}

void segment_verify(const segment_subject *self, const segment_call *c, size_t segments)
{
    for (int a = 0; a < SEGMENT_ARRAYS; a++) {
        const segment_array *array = &self->arrays[a];
        char what[448];
        (void)snprintf(what, sizeof what,
                       "%s: %zu elements (%s, seed %llx) in %zu segments (%s) at %zu, keys%s from %zu to %zu, values%s "
                       "from %zu to %zu, %u times: %s",
                       self->name, c->count, test_pattern_name(c->pattern), (unsigned long long)c->seed, segments,
                       segment_shape_name(c->shape), c->offsets_offset, c->in_place[0] ? " in place" : "",
                       c->offsets[SEGMENT_KEYS_IN], c->offsets[SEGMENT_KEYS_OUT], c->in_place[1] ? " in place" : "",
                       c->offsets[SEGMENT_VALUES_IN], c->offsets[SEGMENT_VALUES_OUT], c->repeat, array_names[a]);
        test_read(self->runtime, self->found, array->memory, bytes_of(self, c, a));
        if (array->size > 0)
            test_expect_same(array->expected, self->found, array->size, bytes_of(self, c, a) / array->size, what);
    }
}

void segment_verify_untouched(const segment_subject *self, const segment_call *c, const char *what)
{
    for (int a = SEGMENT_KEYS_OUT; a <= SEGMENT_VALUES_OUT; a++) {
        test_read(self->runtime, self->found, self->arrays[a].memory, bytes_of(self, c, a));
        for (size_t i = 0; i < bytes_of(self, c, a); i++)
            cr_assert_eq(self->found[i], SEGMENT_POISON, "%s, %s: byte %zu of %s was written", self->name, what, i,
                         array_names[a]);
    }
}

void segment_check(segment_subject *self, const segment_call *wanted)
{
    segment_call c = *wanted;
    const size_t segments = segment_prepare(self, &c);
    run(self, &c, segments);
    segment_verify(self, &c, segments);
}

void segment_check_malformed(segment_subject *self, const segment_call *wanted, uint64_t seed)
{
    segment_call c = *wanted;
    const uint64_t limits[] = {c.count, 2 * c.count + 1, UINT32_MAX, UINT64_MAX, c.count / 2 + 1};
    const uint64_t limit = limits[seed % 5];
    const size_t segments = 1 + test_random_below(&seed, c.count / 2 + 2);
    for (size_t s = 0; s <= segments; s++)
        self->offsets[s] = test_random(&seed) % limit;
    make_possible(self, &c);
    prepare(self, &c, segments);
    run(self, &c, segments);
    for (int a = 0; a < SEGMENT_ARRAYS; a++) {
        const segment_array *array = &self->arrays[a];
        const size_t begin = c.offsets[a] * array->size;
        const bool is_target = a == target_of(&c, a % 2);
        test_read(self->runtime, self->found, array->memory, bytes_of(self, &c, a));
        test_expect_kept(array->expected, self->found, begin, begin + (is_target ? c.count * array->size : 0),
                         bytes_of(self, &c, a), self->name);
    }
}
