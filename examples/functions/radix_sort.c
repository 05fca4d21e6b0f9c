// SPDX-License-Identifier: MIT
/* radix_sort.c: splats from far to near: their depths in descending order, and which splat each one is. It prints
 *
 *     splat 1 at depth 9
 *     splat 3 at depth 4
 *     splat 0 at depth 2.5
 *     splat 2 at depth 0.5 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float depths[] = {2.5F, 9, 0.5F, 4};
    float sorted[4];
    uint32_t splats[4];
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_F32, .argsort = true, .descending = true};
    const clprim_radix_sort_call call = {
        .keys_in = {.host = depths}, .count = 4, .keys_out = {.host = sorted}, .values_out = {.host = splats}};
    if (clprim_radix_sort_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 4; i++)
        printf("splat %u at depth %g\n", (unsigned)splats[i], (double)sorted[i]);
    return 0;
}
