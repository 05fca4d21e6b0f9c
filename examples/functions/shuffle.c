// SPDX-License-Identifier: MIT
/* shuffle.c: eight cards in an order that the seed chooses: the same one on every device. It prints
 *
 *     5
 *     8
 *     3
 *     7
 *     4
 *     1
 *     6
 *     2 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t cards[] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t shuffled[8];
    const clprim_shuffle_desc desc = {.element_size = sizeof *cards};
    const clprim_shuffle_call call = {.in = {.host = cards}, .count = 8, .seed = 2026, .out = {.host = shuffled}};
    if (clprim_shuffle_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 8; i++)
        printf("%u\n", (unsigned)shuffled[i]);
    return 0;
}
