/* test_run_length_encode.c: every variant finds the runs and lengths that the reference finds, for elements of every
 * type, lengths of both types, all sizes of arrays, offsets, data and lengths of runs. By default the variants share
 * the sizes of elements among them; with CLPRIM_TEST_FULL everything meets everything. */
#include <clprim/run_length_encode.h>

#include "call.h"

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK};

/* Elements that seem to go on before and behind themselves. */
static void check(test_call *self, size_t count, test_pattern pattern, test_runs runs, uint64_t seed)
{
    static unsigned char in[TEST_MAX_SIZE * sizeof(uint64_t)];
    const clprim_run_length_encode_desc *desc = (const void *)self->desc.bytes;
    test_fill(in, desc->type, CLPRIM_MIN, pattern, count, seed);
    test_make_runs(in, clprim_type_size(desc->type), runs, count, seed);
    self->goes_on = seed % 2 == 0;
    test_call_fill(self, &(clprim_run_length_encode_call){.in = {.host = in}, .count = count}, seed);
    test_call_check(self, "%zu elements (%s, %s, seed %llx)", count, test_pattern_name(pattern), test_runs_name(runs),
                    (unsigned long long)seed);
}

/* All sizes, with the rest in turn; then all patterns and runs at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, clprim_run_length_encode_desc desc)
{
    test_call self;
    uint64_t turn = TEST_SEED + (uint64_t)desc.type * 7 + (uint64_t)desc.variant;
    if (!test_call_create(&self, runtime, &clprim_run_length_encode_operation, &desc))
        return;
    for (size_t i = 0; i < TEST_SIZES; i++, turn += 5)
        check(&self, test_size(i, turn), (test_pattern)(turn % TEST_PATTERN_END), (test_runs)(turn % TEST_RUNS_END),
              turn);
    for (int runs = 0; runs < TEST_RUNS_END; runs++)
        for (int many = 0; many < 2; many++, turn++)
            check(&self, many ? 33333 : 613, (test_pattern)(turn % TEST_PATTERN_END), (test_runs)runs, turn);
    for (int pattern = 0; pattern < TEST_PATTERN_END; pattern++, turn++)
        check(&self, 5001, (test_pattern)pattern, pattern % 2 == 0 ? TEST_RUNS_AS_THEY_ARE : TEST_RUNS_SHORT, turn);
    test_call_destroy(&self);
}

/* Elements of one size are one kernel: each size meets some lengths and counts of runs, and some of the slower
 * variants. */
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
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
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
