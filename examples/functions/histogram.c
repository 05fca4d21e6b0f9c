// SPDX-License-Identifier: MIT
/* histogram.c: how many pixels of an image are dark, middle and bright. It prints
 *
 *     dark 3, middle 3, bright 2 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint8_t pixels[] = {12, 200, 31, 90, 255, 140, 7, 170};
    uint32_t counts[3];
    const clprim_histogram_desc desc = {
        .type = CLPRIM_U8, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 3, .low = 0, .high = 256};
    const clprim_histogram_call call = {.in = {.host = pixels}, .count = 8, .out = {.host = counts}};
    if (clprim_histogram_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("dark %u, middle %u, bright %u\n", (unsigned)counts[0], (unsigned)counts[1], (unsigned)counts[2]);
    return 0;
}
