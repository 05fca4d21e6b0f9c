// SPDX-License-Identifier: MIT
/* top_k.c: the three highest bids, and who made them. It prints
 *
 *     40 by 1
 *     40 by 4
 *     31 by 3 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float bids[] = {12.5F, 40, 7, 31, 40, 22};
    float highest[3];
    uint32_t bidders[3];
    const clprim_top_k_desc desc = {.key_type = CLPRIM_F32, .k = 3, .indices = true};
    const clprim_top_k_call call = {
        .keys_in = {.host = bids}, .count = 6, .keys_out = {.host = highest}, .values_out = {.host = bidders}};
    if (clprim_top_k_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%g by %u\n", (double)highest[i], (unsigned)bidders[i]);
    return 0;
}
