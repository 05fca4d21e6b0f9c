// SPDX-License-Identifier: MIT
/* is_sorted.c: how far an array is sorted. It prints
 *
 *     not sorted: the first 4 are */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t times[] = {1, 3, 3, 8, 5, 9};
    uint32_t length = 0;
    const clprim_is_sorted_desc desc = {.type = CLPRIM_U32};
    const clprim_is_sorted_call call = {.in = {.host = times}, .count = 6, .out = {.host = &length}};
    if (clprim_is_sorted_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("%s: the first %u are\n", length == 6 ? "sorted" : "not sorted", (unsigned)length);
    return 0;
}
