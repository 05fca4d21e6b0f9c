// SPDX-License-Identifier: MIT
/* search.c: which step of a table each income belongs to. It prints
 *
 *     700: step 0
 *     5000: step 2
 *     90000: step 3 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t steps[] = {0, 1000, 5000, 20000};
    uint32_t incomes[] = {700, 5000, 90000};
    uint32_t above[3];
    const clprim_search_desc desc = {.type = CLPRIM_U32, .bound = CLPRIM_BOUND_UPPER};
    const clprim_search_call call = {
        .in = {.host = steps}, .needles = {.host = incomes}, .count = 4, .needle_count = 3, .out = {.host = above}};
    if (clprim_search_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%u: step %u\n", (unsigned)incomes[i], (unsigned)above[i] - 1);
    return 0;
}
