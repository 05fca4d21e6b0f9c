// SPDX-License-Identifier: MIT
/* bitonic_sort.c: numbers sorted where they are, without other memory on the device. It prints
 *
 *     -20
 *     -7
 *     3
 *     8
 *     12
 *     40 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    int32_t numbers[] = {40, -7, 12, 3, -20, 8};
    const clprim_bitonic_sort_desc desc = {.key_type = CLPRIM_I32};
    const clprim_bitonic_sort_call call = {.keys_in = {.host = numbers}, .count = 6, .keys_out = {.host = numbers}};
    if (clprim_bitonic_sort_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 6; i++)
        printf("%d\n", (int)numbers[i]);
    return 0;
}
