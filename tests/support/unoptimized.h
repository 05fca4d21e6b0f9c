/* unoptimized.h: some kernels for GPUs are so long that PoCL's optimizer takes 10 seconds and more for each type. Nobody
 * runs them on a CPU, where AUTO takes kernels for CPUs. So tests compile them there without optimization, for all types.
 * Not all kernels are right that way: without optimization PoCL 3.1 gives wrong results for some in which a work-group
 * ends before a barrier that others meet.
 *
 * Tests without this file compile them as everywhere: self_test_poor_device, which tries all variants, faults and soak.
 * With CLPRIM_TEST_FULL all tests do. */
#ifndef CLPRIM_TEST_UNOPTIMIZED_H
#define CLPRIM_TEST_UNOPTIMIZED_H

#include <clprim/clprim.h>
#include <stdbool.h>

/* Programs that this thread builds are not optimized. */
extern _Thread_local bool test_builds_unoptimized;

/* Called before each build, for tests of compilers that crash and hang; NULL: nobody is. */
extern void (*test_before_build)(cl_program program);

/* Whether a plan of this variant is built so. test_call_create checks that AUTO never takes such a variant. */
bool test_is_unoptimized(const clprim_runtime *runtime, const clprim_operation *face, int variant);

#endif
