/* test_radix_sort.calls.c: sorts of what other sorts left, in place; how much scratch memory they take. */
#include "test_radix_sort.h"

enum { MAX_COUNT = 1000 };

/* Pairs of 16 bits, so that keys may be taken for values. */
static void for_all_variants(void (*body)(clprim_runtime *runtime, clprim_plan *plan))
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_RADIX_SORT_AUTO; variant < SORT_VARIANTS; variant++) {
        const bool is_single = variant == CLPRIM_RADIX_SORT_SINGLE_GROUP;
        const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U16,
                                             .value_size = sizeof(uint16_t),
                                             .max_count = is_single ? MAX_COUNT : 0,
                                             .variant = (clprim_radix_sort_variant)variant};
        clprim_plan *plan = NULL;
        const clprim_status status = clprim_radix_sort_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED && variant != CLPRIM_RADIX_SORT_AUTO) {
            cr_log_info("%s skipped: %s", sort_variant_name(desc.variant), clprim_last_error());
            continue;
        }
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", sort_variant_name(desc.variant), clprim_last_error());
        body(runtime, plan);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

/* Numbers of which keys are one half and values the other: sorted by the low halves, then with keys and values
 * exchanged by the high ones, they are sorted by all. Each call sorts what the one before it left, where it lies. */
static void check_chain(clprim_runtime *runtime, clprim_plan *plan, cl_command_queue queue)
{
    enum { COUNT = MAX_COUNT, STEPS = 6 };
    uint32_t numbers[COUNT];
    uint16_t halves[2][COUNT], found[2][COUNT];
    cl_mem memory[2];
    cl_event events[STEPS] = {NULL};
    sort_fill(numbers, CLPRIM_U32, SORT_RANDOM, COUNT, TEST_SEED);
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] &= 0x00ff7fff; /* so that high halves are often equal */
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < COUNT; i++)
            halves[half][i] = (uint16_t)(numbers[i] >> 16 * half);
        memory[half] = test_upload(runtime, halves[half], sizeof halves[half]);
    }
    for (int i = 0; i < STEPS; i++)
        ASSERT_OK(clprim_radix_sort_enqueue(plan, queue,
                                            &(clprim_radix_sort_call){.keys_in = {memory[i % 2]},
                                                                      .values_in = {memory[1 - i % 2]},
                                                                      .count = COUNT,
                                                                      .keys_out = {memory[i % 2]},
                                                                      .values_out = {memory[1 - i % 2]}},
                                            i > 0, i > 0 ? &events[i - 1] : NULL, &events[i]));
    ASSERT_CL(clWaitForEvents(1, &events[STEPS - 1]));
    ASSERT_OK(clprim_reference_sort(numbers, NULL, NULL, COUNT));
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < COUNT; i++)
            halves[half][i] = (uint16_t)(numbers[i] >> 16 * half);
        test_read(runtime, found[half], memory[half], sizeof found[half]);
        test_expect_same(halves[half], found[half], sizeof found[half][0], COUNT, clprim_plan_variant(plan)->name);
        ASSERT_CL(clReleaseMemObject(memory[half]));
    }
    for (size_t i = 0; i < STEPS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
}

static void check_chains(clprim_runtime *runtime, clprim_plan *plan)
{
    const cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    for (size_t i = 0; i < 2; i++) {
        cl_command_queue queue = test_queue(runtime, kinds[i]);
        check_chain(runtime, plan, queue);
        ASSERT_CL(clReleaseCommandQueue(queue));
    }
}

Test(radix_sort_calls, low_halves_then_high_halves_in_place, .timeout = 120)
{
    for_all_variants(check_chains);
}

/* Room for keys and values once more, and some per cent: no more than a quarter, and what is there however few. */
static void check_scratch_size(clprim_runtime *runtime, clprim_plan *plan)
{
    const size_t count = (size_t)1 << 26;
    size_t bytes = 0;
    if (clprim_plan_variant(plan)->id == CLPRIM_RADIX_SORT_SINGLE_GROUP)
        return; /* which takes none */
    (void)runtime;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, plan, &(clprim_radix_sort_call){.count = count}));
    cr_assert_leq(bytes, count * 2 * sizeof(uint16_t) / 4 * 5 + (1 << 20), "%s: %zu bytes",
                  clprim_plan_variant(plan)->name, bytes);
}

Test(radix_sort_calls, how_much_scratch_memory)
{
    for_all_variants(check_scratch_size);
}
