/* floats.c: of the guide of that name: the one order of all floats, and sums with the same bits everywhere. */
#include "guide.h"

#include <math.h>

enum { COUNT = 100000 };

static clprim_status order(void)
{
    const float numbers[] = {NAN, 1, 0.0F, -0.0F, INFINITY};
    clprim_indexed least = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc find = {.type = CLPRIM_F32, .op = CLPRIM_ARGMIN};
    TRY(clprim_reduce_host(&least, NULL, &find, numbers, 5));
    EXPECT(least.index == 3 && signbit(least.value.f32)); /* not the NaN, not +0.0 */
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
    TRY(clprim_reduce_host(&sum, NULL, &add, terms, COUNT));
    printf("%a\n", (double)sum);
    EXPECT(sum == 0x1.82e278p+3F); /* on every device that keeps denormals and rounds to nearest */
done:
    return status;
}

int main(void)
{
    return order() != CLPRIM_SUCCESS || same_bits() != CLPRIM_SUCCESS;
}
