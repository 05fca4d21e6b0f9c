/* test_sort_by_key.calls.c: how much scratch memory of the caller's a call takes, in place and not. */
#include "test_sort_by_key.h"

/* What is asked for is what is checked: a byte less is refused, also by the call with no array in place, which could do
 * without the copy. */
Test(sort_by_key_calls, every_call_takes_what_scratch_size_says, .timeout = 120)
{
    enum { COUNT = 20011 };
    static const clprim_sort_by_key_desc desc = {.num_arrays = 3, .element_sizes = {4, 12, 64}};
    clprim_runtime *runtime = test_runtime(NULL);
    by_key_subject self;
    cr_assert(by_key_create(&self, runtime, desc, COUNT));
    for (int in_place = 0; in_place < 2; in_place++) {
        by_key_call c = by_key_call_of_turn(1, COUNT);
        size_t bytes = 0;
        for (size_t a = 0; a < self.num_arrays; a++)
            c.in_place[a] = in_place == 1;
        ASSERT_OK(clprim_plan_scratch_size(&bytes, self.plan, &(clprim_sort_by_key_call){.count = COUNT}));
        cr_assert(bytes >= COUNT * (64 + 4) && bytes <= COUNT * (64 + 4) + 4096, "%zu bytes", bytes);
        for (size_t missing = 0; missing < 2; missing++) {
            cl_mem scratch = test_buffer(runtime, bytes - missing);
            ASSERT_OK(clprim_plan_set_scratch(self.plan, scratch));
            ASSERT_CL(clReleaseMemObject(scratch));
            if (missing == 0)
                by_key_check(&self, &c);
            else
                ASSERT_STATUS(by_key_enqueue(&self, &c, NULL, 0, NULL, NULL), CLPRIM_INVALID_SCRATCH);
        }
    }
    by_key_destroy(&self);
    clprim_runtime_destroy(runtime);
}
