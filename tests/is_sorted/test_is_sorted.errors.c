/* test_is_sorted.errors.c: the reference's refusals, and no elements. */
#include <clprim/is_sorted.h>
#include <clprim/reference.h>

#include "support.h"

Test(is_sorted_errors, no_elements)
{
    uint32_t until = 77;
    const uint32_t two[2] = {2, 1};
    ASSERT_STATUS(clprim_reference_is_sorted(NULL, NULL, two, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_is_sorted_run(NULL, NULL, &(clprim_is_sorted_call){.out = {.host = &until}}));
    cr_assert_eq(until, 0, "no elements are sorted");
}
