/* test_scan.accumulators.c: integers scanned in floats that do not hold them. Each is rounded once, to nearest, ties to
 * even, before it is added, by every variant. test_reduce.accumulators.c has the reference. */
#include <clprim/reference.h>
#include <clprim/scan.h>

#include "support.h"

enum { COUNT = 4099 };

/* Sums of up to 2^18 of them are exact in any order once they are rounded, so all prefixes are. By default each variant
 * meets two pairs of types, and each pair three variants. */
Test(scan_accumulators, integers_are_rounded_before_they_are_added, .timeout = 120)
{
    static uint64_t data[COUNT];
    static uint64_t expected[COUNT];
    static uint64_t found[COUNT];
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < num_variants; v++)
        for (size_t p = 0; p < TEST_ROUNDED; p++) {
            const clprim_reference_scan_how how = {.exclusive = v % 2 == 1};
            const clprim_scan_desc desc = {.type = test_rounded[p][0],
                                           .accumulator_type = test_rounded[p][1],
                                           .exclusive = how.exclusive,
                                           .variant = (clprim_scan_variant)variants[v].id};
            if ((v + p) % 3 != 0 && !test_is_full())
                continue;
            test_fill_rounded(data, desc.type, desc.accumulator_type, COUNT, TEST_SEED + v);
            ASSERT_OK(clprim_reference_scan(expected, desc.type, CLPRIM_SUM, desc.accumulator_type, &how, data, COUNT));
            const clprim_status status = clprim_scan_run(
                runtime, &desc, &(clprim_scan_call){.in = {.host = data}, .count = COUNT, .out = {.host = found}});
            if (status == CLPRIM_UNSUPPORTED)
                continue;
            ASSERT_OK(status);
            test_expect_same(expected, found, clprim_type_size(desc.accumulator_type), COUNT, variants[v].name);
        }
    clprim_runtime_destroy(runtime);
}
