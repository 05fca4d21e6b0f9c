// SPDX-License-Identifier: MIT
/* batched_copy.c: parts of a text, gathered one behind the other. It prints
 *
 *     odd or never */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    char text[] = "never odd or even";
    uint32_t begins[] = {6, 10, 0};
    uint32_t offsets[] = {0, 4, 7, 12};
    char out[13] = "";
    const clprim_batched_copy_desc desc = {.element_size = 1};
    const clprim_batched_copy_call call = {.in = {.host = text},
                                           .in_begins = {.host = begins},
                                           .offsets = {.host = offsets},
                                           .in_count = 17,
                                           .out_count = 12,
                                           .segment_count = 3,
                                           .out = {.host = out}};
    if (clprim_batched_copy_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("%s\n", out);
    return 0;
}
