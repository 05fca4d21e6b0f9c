// SPDX-License-Identifier: MIT
/* status.c: a call that is refused, and what is known about it. It prints
 *
 *     -30001, an argument is NULL, unknown or contradicts another: k is 0 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float numbers[] = {1, 2, 3};
    float best = 0;
    const clprim_top_k_desc desc = {.key_type = CLPRIM_F32}; /* .k is missing */
    const clprim_top_k_call call = {.keys_in = {.host = numbers}, .count = 3, .keys_out = {.host = &best}};
    const clprim_status status = clprim_top_k_run(NULL, &desc, &call);
    if (status != CLPRIM_SUCCESS)
        printf("%d, %s: %s\n", (int)status, clprim_status_string(status), clprim_last_error());
    return status == CLPRIM_SUCCESS;
}
