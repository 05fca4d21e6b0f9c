// SPDX-License-Identifier: MIT
/* comparison_sort.c: results of a race in the order of points, and where these are equal, of times. It prints
 *
 *     9 points in 64 s
 *     7 points in 62 s
 *     5 points in 60.25 s
 *     5 points in 61.5 s */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    struct result {
        uint32_t points;
        float time;
    } results[] = {{5, 61.5F}, {9, 64}, {5, 60.25F}, {7, 62}};
    const clprim_comparison_sort_desc desc = {
        .less = "a.points != b.points ? a.points > b.points : a.time < b.time",
        .text.source = "typedef struct { uint points; float time; } result;",
        .type_name = "result",
        .type_size = sizeof(struct result),
    };
    const clprim_comparison_sort_call call = {.keys_in = {.host = results}, .count = 4, .keys_out = {.host = results}};
    if (clprim_comparison_sort_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 4; i++)
        printf("%u points in %g s\n", (unsigned)results[i].points, (double)results[i].time);
    return 0;
}
