// SPDX-License-Identifier: MIT
/* test_runtime.link.c: transfer arrays between the host and a device with its own memory, through pinned memory. */
#include <clprim/radix_sort.h>
#include <clprim/scan.h>
#include <clprim/transform.h>
#include <stdlib.h>

#include "support.h"

enum { MIB = 1 << 20, MOST = 20 * MIB, ENOUGH = 256 /* in MiB: after this much, memory is pinned */ };

static uint32_t *in, *out;

/* PoCL's device, treated as if it had its own memory. */
static clprim_runtime *create_runtime(void)
{
    clprim_runtime *runtime = NULL;
    setenv("CLPRIM_WITHOUT", "unified_memory,native_kernels", 1);
    ASSERT_OK(clprim_runtime_create(&runtime, NULL));
    cr_assert_not(clprim_runtime_info(runtime)->is_unified_memory);
    in = malloc(MOST + sizeof *in);
    out = malloc(MOST + sizeof *out);
    for (size_t i = 0; i <= MOST / sizeof *in; i++)
        in[i] = (uint32_t)(i * 2654435761U);
    return runtime;
}

static void destroy_runtime(clprim_runtime *runtime)
{
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* Compute x + i for `bytes` bytes, in arrays that are not aligned for packets. */
static void check_transform(clprim_runtime *runtime, size_t bytes)
{
    static const clprim_transform_desc desc = {.expressions = {"x[i] + (uint)i"},
                                               .types = {CLPRIM_U32},
                                               .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}};
    const size_t count = bytes / sizeof *in;
    memset(out, 0x5a, MOST + sizeof *out);
    ASSERT_OK(clprim_transform_run(runtime, &desc,
                                   &(clprim_transform_call){.arguments = {{.host = in, .offset = 1}},
                                                            .count = count,
                                                            .out = {{.host = out, .offset = 1}}}));
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(out[i + 1], (uint32_t)((i + 1) * 2654435761U + i), "%zu bytes, element %zu", bytes, i);
    cr_assert_eq(out[0], 0x5a5a5a5aU);
    if (bytes < MOST)
        cr_assert_eq(out[count + 1], 0x5a5a5a5aU);
}

/* Before memory is pinned, while it is pinned, and after it was released; with sizes around those of slots, and around
 * those that are worth pinning. */
Test(runtime_link, transfers)
{
    static const size_t sizes[] = {8 * MIB - 4,  8 * MIB,      8 * MIB + 4, 10 * MIB - 4,
                                   10 * MIB + 4, 16 * MIB + 8, MOST - 4};
    clprim_runtime *runtime = create_runtime();
    for (size_t bytes = 0; bytes < (size_t)ENOUGH * MIB; bytes += 2 * MOST)
        check_transform(runtime, MOST);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_transform(runtime, sizes[i]);
    clprim_runtime_trim(runtime);
    clprim_runtime_trim(NULL);
    check_transform(runtime, MOST);
    destroy_runtime(runtime);
}

Test(runtime_link, registered_memory)
{
    clprim_runtime *runtime = create_runtime();
    ASSERT_OK(clprim_memory_register(runtime, in, MOST + sizeof *in));
    ASSERT_OK(clprim_memory_register(runtime, in, MOST));
    ASSERT_OK(clprim_memory_register(runtime, out, MOST));
    for (size_t bytes = 0; bytes <= (size_t)ENOUGH * MIB; bytes += 2 * MOST)
        check_transform(runtime, MOST);
    ASSERT_OK(clprim_memory_unregister(runtime, in));
    ASSERT_OK(clprim_memory_unregister(runtime, in));
    check_transform(runtime, MOST);
    ASSERT_REFUSED(clprim_memory_unregister(runtime, in), CLPRIM_INVALID_ARGUMENT, "registered");
    ASSERT_REFUSED(clprim_memory_unregister(NULL, in), CLPRIM_INVALID_ARGUMENT, "runtime");
    ASSERT_REFUSED(clprim_memory_register(NULL, in, 1), CLPRIM_INVALID_ARGUMENT, "runtime");
    ASSERT_REFUSED(clprim_memory_register(runtime, NULL, 1), CLPRIM_INVALID_ARGUMENT, "data");
    ASSERT_REFUSED(clprim_memory_register(runtime, in, 0), CLPRIM_INVALID_ARGUMENT, "bytes");
    destroy_runtime(runtime); /* out is still registered */
}

/* Both directions at once, through separate slots. */
Test(runtime_link, parts_of_arrays)
{
    enum { COUNT = 40 * MIB };
    static const clprim_transform_desc desc = {.expressions = {"x[i] + (uint)i"},
                                               .types = {CLPRIM_U32},
                                               .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}};
    clprim_runtime *runtime = create_runtime();
    uint32_t *large = malloc(sizeof *large * COUNT), *result = malloc(sizeof *result * COUNT);
    cr_assert(large != NULL && result != NULL);
    for (size_t i = 0; i < COUNT; i++)
        large[i] = (uint32_t)(i * 2654435761U);
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 64 * MIB}));
    ASSERT_OK(clprim_transform_run(
        runtime, &desc,
        &(clprim_transform_call){.arguments = {{.host = large}}, .count = COUNT, .out = {{.host = result}}}));
    size_t right = 0;
    while (right < COUNT && result[right] == (uint32_t)(right * 2654435761U + right))
        right++;
    cr_assert_eq(right, COUNT, "element %zu is wrong", right);
    free(large);
    free(result);
    destroy_runtime(runtime);
}

static int count_steps(void *user, const char *operation, size_t done, size_t total)
{
    (void)operation, (void)done, (void)total;
    ++*(size_t *)user;
    return 0;
}

/* The number of progress reports: one for each part. */
static size_t parts_of_run(clprim_runtime *runtime, uint32_t *from, uint32_t *to, size_t count)
{
    static const clprim_scan_desc desc = {.type = CLPRIM_U32};
    size_t steps = 0;
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.progress = count_steps, .user = &steps}));
    ASSERT_OK(clprim_scan_run(runtime, &desc,
                              &(clprim_scan_call){.in = {.host = from}, .count = count, .out = {.host = to}}));
    return steps;
}

/* The call would fit, but transferring in both directions at once halves the time. */
Test(runtime_link, much_both_ways)
{
    enum { COUNT = 64 * MIB };
    clprim_runtime *runtime = create_runtime();
    uint32_t *ones = malloc(sizeof *ones * COUNT), *sums = malloc(sizeof *sums * COUNT);
    cr_assert(ones != NULL && sums != NULL);
    for (size_t i = 0; i < COUNT; i++)
        ones[i] = 1;
    cr_expect_gt(parts_of_run(runtime, ones, sums, COUNT), 2);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(sums[i], i + 1);
    cr_expect_leq(parts_of_run(runtime, ones, sums, COUNT / 2), 1, "this is not worth it");
    free(ones);
    free(sums);
    destroy_runtime(runtime);
}

/* Parts would be faster, but there is not enough room for what they need. */
Test(runtime_link, much_that_cannot_be_cut)
{
    enum { COUNT = 64 * MIB };
    clprim_transform_desc desc = {.expressions = {"x[i] + (uint)i"}, .types = {CLPRIM_U32}};
    clprim_transform_call call = {.count = COUNT};
    clprim_runtime *runtime = create_runtime();
    static const uint32_t zero;
    static const char *const names[] = {"x", "b", "c", "d", "e", "f", "g", "h", "j", "k", "l", "m", "n", "o", "p", "q"};
    uint32_t *from = calloc(COUNT, sizeof *from), *to = calloc(COUNT, sizeof *to);
    cr_assert(from != NULL && to != NULL && sizeof names / sizeof *names == CLPRIM_MAX_PARAMETERS);
    for (size_t i = 0; i < CLPRIM_MAX_PARAMETERS; i++) {
        desc.text.parameters[i] = (clprim_parameter){names[i], CLPRIM_U32, .is_array = i == 0};
        call.arguments[i].host = i == 0 ? from : (void *)&zero;
    }
    call.out[0].host = to;
    ASSERT_OK(clprim_transform_run(runtime, &desc, &call));
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(to[i], i);
    free(from);
    free(to);
    destroy_runtime(runtime);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The data for a range of sorted keys are in many places on the host. At first, the driver copies them from there. */
Test(runtime_link, sorted_parts)
{
    enum { COUNT = 12 * MIB };
    clprim_runtime *runtime = create_runtime();
    uint32_t *keys = malloc(sizeof *keys * COUNT), *wanted = malloc(sizeof *keys * COUNT);
    cr_assert(keys != NULL && wanted != NULL);
    for (size_t i = 0; i < COUNT; i++)
        wanted[i] = (uint32_t)(i * 2654435761U);
    memcpy(keys, wanted, sizeof *keys * COUNT);
    qsort(wanted, COUNT, sizeof *wanted, by_value);
    for (size_t bytes = 0; bytes <= (size_t)ENOUGH * MIB; bytes += sizeof *keys * COUNT) {
        for (size_t i = 0; i < COUNT; i++)
            keys[i] = (uint32_t)(i * 2654435761U);
        ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 64 * MIB}));
        ASSERT_OK(clprim_radix_sort_run(
            runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_U32},
            &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = keys}}));
        cr_assert_eq(memcmp(keys, wanted, sizeof *keys * COUNT), 0, "after %zu bytes", bytes);
    }
    free(keys);
    free(wanted);
    destroy_runtime(runtime);
}
