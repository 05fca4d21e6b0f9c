// SPDX-License-Identifier: MIT
/* segmented_sort.c: the scores of each player, sorted. Player p has those from offsets[p] on. It prints
 *
 *     20
 *     50
 *     90
 *     70
 *     10
 *     30
 *     60 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t scores[] = {50, 20, 90, 70, 10, 30, 60};
    uint32_t offsets[] = {0, 3, 4, 7};
    const clprim_segmented_sort_desc desc = {.key_type = CLPRIM_U32};
    const clprim_segmented_sort_call call = {.keys_in = {.host = scores},
                                             .offsets = {.host = offsets},
                                             .count = 7,
                                             .segment_count = 3,
                                             .keys_out = {.host = scores}};
    if (clprim_segmented_sort_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 7; i++)
        printf("%u\n", (unsigned)scores[i]);
    return 0;
}
