/* test_run_length_encode.c: every variant finds the runs and lengths that the reference finds, for elements of every
 * type, lengths of both types, all sizes of arrays, offsets, data and lengths of runs. By default the variants share
 * the sizes of elements among them; with CLPRIM_TEST_FULL everything meets everything. */
#include <clprim/reference.h>
#include <clprim/run_length_encode.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* Around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    17,   255,  256,  257,   511,   512,   513,
                               1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 65535, 65536, 65537, 91003};
static const size_t offsets[] = {0, 1, 3, 7};

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK};

/* TAIL: a tile that is written as a whole does not fit into it unseen. */
enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    NUM_VARIANTS = sizeof variants / sizeof *variants,
    MAX_COUNT = 91003,
    MAX_OFFSET = 7,
    TAIL = 2048,
    POISON = 0xa5
};

/* A plan and what it is fed with. */
typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_run_length_encode_desc desc;
    char name[128];
    size_t size;         /* of an element */
    size_t lengths_size; /* of a length */
    unsigned char *in;
    unsigned char *expected;
    unsigned char *expected_lengths;
    unsigned char *found;
    uint64_t *lengths;
    cl_mem in_memory;
    cl_mem out_memory;
    cl_mem lengths_memory;
    test_output runs;
} subject;

/* False where the device cannot run it, and says so. */
static bool subject_create(subject *out, clprim_runtime *runtime, clprim_run_length_encode_desc desc)
{
    const size_t room = MAX_OFFSET + MAX_COUNT + TAIL;
    subject self = {.runtime = runtime, .desc = desc, .size = clprim_type_size(desc.type)};
    self.lengths_size = clprim_type_size(desc.index_type);
    (void)snprintf(self.name, sizeof self.name, "runs of %s with %s%s by variant %d", clprim_type_name(desc.type),
                   clprim_type_name(desc.index_type), desc.max_count > UINT32_MAX ? " (many)" : "", (int)desc.variant);
    const clprim_status status = clprim_run_length_encode_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    self.in = malloc(room * self.size);
    self.expected = malloc(room * self.size);
    self.expected_lengths = malloc(room * self.lengths_size);
    self.lengths = malloc(room * sizeof *self.lengths);
    self.found = malloc(room * sizeof(uint64_t));
    cr_assert(self.in != NULL && self.expected != NULL && self.expected_lengths != NULL && self.lengths != NULL &&
              self.found != NULL);
    self.in_memory = test_buffer(runtime, room * self.size);
    self.out_memory = test_buffer(runtime, room * self.size);
    self.lengths_memory = test_buffer(runtime, room * self.lengths_size);
    self.runs = test_output_create(runtime, self.lengths_size, 3);
    *out = self;
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in_memory));
    ASSERT_CL(clReleaseMemObject(self->out_memory));
    ASSERT_CL(clReleaseMemObject(self->lengths_memory));
    test_output_destroy(&self->runs);
    free(self->in);
    free(self->expected);
    free(self->expected_lengths);
    free(self->lengths);
    free(self->found);
}

/* One call. */
typedef struct call {
    size_t count;
    size_t in_offset;
    size_t out_offset;
    size_t lengths_offset;
    test_pattern pattern;
    test_runs runs;
    uint64_t seed;
} call;

/* Elements, which seem to go on before and behind themselves, and poisoned outputs. */
static void prepare(subject *self, const call *c)
{
    const size_t size = self->size;
    const size_t all = c->in_offset + c->count + TAIL;
    unsigned char *elements = self->in + c->in_offset * size;
    test_fill(self->in, self->desc.type, CLPRIM_MIN, c->pattern, all, c->seed);
    test_make_runs(elements, size, c->runs, c->count, c->seed);
    for (size_t i = c->in_offset; i > 0 && c->count > 0; i--)
        memcpy(self->in + (i - 1) * size, elements, size);
    for (size_t i = c->count; i < c->count + TAIL && c->count > 0 && c->seed % 2 == 0; i++)
        memcpy(elements + i * size, elements + (i - 1) * size, size);
    test_write(self->runtime, self->in_memory, self->in, all * size);
    memset(self->expected, POISON, (c->out_offset + c->count + TAIL) * size);
    test_write(self->runtime, self->out_memory, self->expected, (c->out_offset + c->count + TAIL) * size);
    memset(self->expected_lengths, POISON, (c->lengths_offset + c->count + TAIL) * self->lengths_size);
    test_write(self->runtime, self->lengths_memory, self->expected_lengths,
               (c->lengths_offset + c->count + TAIL) * self->lengths_size);
    test_output_poison(self->runtime, &self->runs);
}

/* The runs, their lengths and their number, poison behind them, and an input that is as it was. */
static void check_result(const subject *self, const call *c, const char *what)
{
    const size_t size = self->size;
    size_t elements = c->out_offset + c->count + TAIL;
    size_t expected = 0;
    cl_ulong runs = 0;
    ASSERT_OK(clprim_reference_run_length_encode(self->expected + c->out_offset * size, self->lengths, &expected, size,
                                                 self->in + c->in_offset * size, c->count));
    for (size_t i = 0; i < expected; i++) /* little-endian, as all the devices there are */
        memcpy(self->expected_lengths + (c->lengths_offset + i) * self->lengths_size, &self->lengths[i],
               self->lengths_size);
    test_output_read(self->runtime, &self->runs, &runs, what);
    cr_assert_eq(runs, expected, "%s: %llu runs, not %zu", what, (unsigned long long)runs, expected);
    test_read(self->runtime, self->found, self->out_memory, elements * size);
    test_expect_same(self->expected, self->found, size, elements, what);
    elements = c->in_offset + c->count + TAIL;
    test_read(self->runtime, self->found, self->in_memory, elements * size);
    test_expect_same(self->in, self->found, size, elements, "the input");
    elements = c->lengths_offset + c->count + TAIL;
    test_read(self->runtime, self->found, self->lengths_memory, elements * self->lengths_size);
    test_expect_same(self->expected_lengths, self->found, self->lengths_size, elements, what);
}

static void check_once(subject *self, const call *c)
{
    char what[320];
    cl_event done = NULL;
    (void)snprintf(what, sizeof what, "%s: %zu elements (%s, %s, seed %llx) from %zu to %zu, lengths to %zu",
                   self->name, c->count, test_pattern_name(c->pattern), test_runs_name(c->runs),
                   (unsigned long long)c->seed, c->in_offset, c->out_offset, c->lengths_offset);
    prepare(self, c);
    ASSERT_OK(clprim_run_length_encode_enqueue(
        self->plan, NULL,
        &(clprim_run_length_encode_call){.in = {self->in_memory, c->in_offset},
                                         .count = c->count,
                                         .out = {self->out_memory, c->out_offset},
                                         .lengths_out = {self->lengths_memory, c->lengths_offset},
                                         .out_count = {self->runs.buffer, self->runs.slot}},
        0, NULL, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    check_result(self, c, what);
}

/* The turn decides on offsets, pattern and runs. */
static call call_of_turn(size_t turn, size_t count)
{
    return (call){.count = count,
                  .in_offset = offsets[turn % 4],
                  .out_offset = offsets[(turn + 1 + turn / 4 % 3) % 4],
                  .lengths_offset = offsets[(turn + 2 + turn / 12 % 3) % 4],
                  .pattern = (test_pattern)(turn % TEST_PATTERN_END),
                  .runs = (test_runs)(turn % TEST_RUNS_END),
                  .seed = TEST_SEED + turn};
}

/* All sizes, with the rest in turn; then all patterns and runs at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, clprim_run_length_encode_desc desc)
{
    subject self;
    size_t turn = (size_t)desc.type * 7 + (size_t)desc.variant;
    if (!subject_create(&self, runtime, desc))
        return;
    for (size_t i = 0; i < NUM_SIZES; i++, turn += 5) {
        const call c = call_of_turn(turn, sizes[i]);
        check_once(&self, &c);
    }
    for (int runs = 0; runs < TEST_RUNS_END; runs++)
        for (int many = 0; many < 2; many++, turn++) {
            call c = call_of_turn(turn, many ? 33333 : 613);
            c.runs = (test_runs)runs;
            check_once(&self, &c);
        }
    for (int pattern = 0; pattern < TEST_PATTERN_END; pattern++, turn++) {
        call c = call_of_turn(turn, 5001);
        c.pattern = (test_pattern)pattern;
        c.runs = pattern % 2 == 0 ? TEST_RUNS_AS_THEY_ARE : TEST_RUNS_SHORT;
        check_once(&self, &c);
    }
    subject_destroy(&self);
}

/* Elements of one size are one kernel: each size meets some lengths and counts of runs, and some of the slower
 * variants.
 */
static bool is_sampled(clprim_run_length_encode_desc desc)
{
    const size_t size = clprim_type_size(desc.type);
    const bool is_wide = size == 2 || size == 8;
    return (desc.index_type == CLPRIM_U64) == is_wide && (desc.max_count != 0) == (size == 8) &&
           (desc.variant != CLPRIM_SCAN_REDUCE_THEN_SCAN || size == 2) &&
           (desc.variant != CLPRIM_SCAN_LOOK_BACK || size == 1);
}

Test(run_length_encode, types_by_lengths, .timeout = 240)
{
    static const struct {
        clprim_type type;
        size_t max_count;
    } lengths[] = {{CLPRIM_U32, 0}, {CLPRIM_U64, 0}, {CLPRIM_U64, (size_t)1 << 40}};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (size_t v = 0; v < NUM_VARIANTS; v++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                const clprim_run_length_encode_desc desc = {.type = (clprim_type)type,
                                                            .index_type = lengths[l].type,
                                                            .variant = variants[v],
                                                            .max_count = lengths[l].max_count};
                if (test_is_full() || is_sampled(desc))
                    check_desc(runtime, desc);
            }
    clprim_runtime_destroy(runtime);
}

Test(run_length_encode, defaults)
{
    static const clprim_run_length_encode_desc zeroed = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int given = 0; given < 2; given++) {
        subject self;
        cr_assert(subject_create(&self, runtime,
                                 (clprim_run_length_encode_desc){.type = CLPRIM_I32, .index_type = CLPRIM_U32}));
        clprim_plan_destroy(self.plan);
        ASSERT_OK(clprim_run_length_encode_create(&self.plan, runtime, given ? &zeroed : NULL));
        const call c = call_of_turn(2, 4099);
        check_once(&self, &c);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
