// SPDX-License-Identifier: MIT
/* sort_by_key.c: a table sorted by one of its columns. It prints
 *
 *     1987: 22 costs 3
 *     1999: 11 costs 7.5
 *     2004: 33 costs 9.25 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t years[] = {1999, 1987, 2004};
    uint64_t ids[] = {11, 22, 33};
    float prices[] = {7.5F, 3, 9.25F};
    const clprim_sort_by_key_desc desc = {
        .key_type = CLPRIM_U32, .num_arrays = 2, .element_sizes = {sizeof *ids, sizeof *prices}};
    const clprim_sort_by_key_call call = {.keys_in = {.host = years},
                                          .arrays_in = {{.host = ids}, {.host = prices}},
                                          .count = 3,
                                          .keys_out = {.host = years},
                                          .arrays_out = {{.host = ids}, {.host = prices}}};
    if (clprim_sort_by_key_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%u: %u costs %g\n", (unsigned)years[i], (unsigned)ids[i], (double)prices[i]);
    return 0;
}
