// SPDX-License-Identifier: MIT
/* floats.c: of the guide of that name: the one order of all floats, where NaNs stand, and sums with the same bits
 * everywhere. */
#include "guide.h"

#include <math.h>

enum { COUNT = 100000 };

static clprim_status order(void)
{
    float numbers[] = {NAN, 1, 0.0F, -0.0F, INFINITY};
    clprim_indexed least = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc find = {.type = CLPRIM_F32, .op = CLPRIM_ARGMIN};
    TRY(clprim_reduce_run(NULL, &find,
                          &(clprim_reduce_call){.in = {.host = numbers}, .count = 5, .out = {.host = &least}}));
    EXPECT(least.index == 3 && signbit(least.value.f32)); /* not the NaN, not +0.0 */
done:
    return status;
}

static clprim_status nans(void)
{
    float most = 0;
    clprim_status status = CLPRIM_SUCCESS;
    float numbers[] = {2, copysignf(NAN, -1), 1}; /* as x86 computes it */
    clprim_radix_sort_desc sort = {.key_type = CLPRIM_F32};
    TRY(clprim_radix_sort_run(
        NULL, &sort,
        &(clprim_radix_sort_call){.keys_in = {.host = numbers}, .count = 3, .keys_out = {.host = numbers}}));
    EXPECT(isnan(numbers[0]) && numbers[1] == 1 && numbers[2] == 2);
    sort.nan_order = CLPRIM_NAN_LAST;
    TRY(clprim_radix_sort_run(
        NULL, &sort,
        &(clprim_radix_sort_call){.keys_in = {.host = numbers}, .count = 3, .keys_out = {.host = numbers}}));
    EXPECT(numbers[0] == 1 && numbers[1] == 2 && isnan(numbers[2]));
    clprim_reduce_desc maximum = {.type = CLPRIM_F32, .op = CLPRIM_MAX};
    TRY(clprim_reduce_run(NULL, &maximum,
                          &(clprim_reduce_call){.in = {.host = numbers}, .count = 3, .out = {.host = &most}}));
    EXPECT(most == 2);
    maximum.nan_order = CLPRIM_NAN_LAST;
    TRY(clprim_reduce_run(NULL, &maximum,
                          &(clprim_reduce_call){.in = {.host = numbers}, .count = 3, .out = {.host = &most}}));
    EXPECT(isnan(most));
done:
    return status;
}

static clprim_status same_bits(void)
{
    static float terms[COUNT];
    float sum = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < COUNT; i++)
        terms[i] = 1 / (float)(i + 1);
    const clprim_reduce_desc add = {.type = CLPRIM_F32, .op = CLPRIM_SUM, .reproducible = true};
    TRY(clprim_reduce_run(NULL, &add,
                          &(clprim_reduce_call){.in = {.host = terms}, .count = COUNT, .out = {.host = &sum}}));
    printf("%a\n", (double)sum);
    EXPECT(sum == 0x1.82e278p+3F); /* on every device that keeps denormals and rounds to nearest */
done:
    return status;
}

int main(void)
{
    return order() != CLPRIM_SUCCESS || nans() != CLPRIM_SUCCESS || same_bits() != CLPRIM_SUCCESS;
}
