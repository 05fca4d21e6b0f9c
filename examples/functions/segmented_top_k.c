// SPDX-License-Identifier: MIT
/* segmented_top_k.c: the two best answers to each question: the columns of the largest numbers of each row. It prints
 *
 *     row 0: column 2 with 0.75
 *     row 0: column 0 with 0.5
 *     row 1: column 1 with 1
 *     row 1: column 3 with 0.5 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float scores[] = {0.5F,  0.25F, 0.75F, 0.125F, /* first row */
                      0.25F, 1,     0,     0.5F};
    float best[2 * 2];
    uint32_t columns[2 * 2];
    const clprim_segmented_top_k_desc desc = {.key_type = CLPRIM_F32, .k = 2, .indices = true, .segment_length = 4};
    const clprim_segmented_top_k_call call = {.keys_in = {.host = scores},
                                              .count = 8,
                                              .segment_count = 2,
                                              .keys_out = {.host = best},
                                              .values_out = {.host = columns}};
    if (clprim_segmented_top_k_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 4; i++)
        printf("row %d: column %u with %g\n", i / 2, (unsigned)columns[i], (double)best[i]);
    return 0;
}
