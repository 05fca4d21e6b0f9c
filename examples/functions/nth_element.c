// SPDX-License-Identifier: MIT
/* nth_element.c: the median and the largest of some times. It prints
 *
 *     median 4, largest 30 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float times[] = {9, 2.5F, 30, 4, 3.5F};
    uint32_t ranks[] = {2, 4};
    float found[2];
    const clprim_nth_element_desc desc = {.key_type = CLPRIM_F32};
    const clprim_nth_element_call call = {
        .keys_in = {.host = times}, .count = 5, .ranks = {.host = ranks}, .rank_count = 2, .keys_out = {.host = found}};
    if (clprim_nth_element_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("median %g, largest %g\n", (double)found[0], (double)found[1]);
    return 0;
}
