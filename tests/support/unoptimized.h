// SPDX-License-Identifier: MIT
/* unoptimized.h: compile some kernels without optimization. Some kernels for GPUs are so long that PoCL's optimizer
 * takes 10 seconds and more for each type. Nobody runs them on a CPU, where AUTO chooses kernels for CPUs. So tests
 * compile them without optimization there, for all types. Not all kernels work that way: without optimization, PoCL 3.1
 * gives wrong results for some kernels in which a work-group ends before a barrier that other groups reach.
 *
 * Tests without this file compile them as usual: self_test_poor_device, which tries all variants, faults and soak. With
 * CLPRIM_TEST_FULL, all tests do. */
#ifndef CLPRIM_TEST_UNOPTIMIZED_H
#define CLPRIM_TEST_UNOPTIMIZED_H

#include <clprim/clprim.h>
#include <stdbool.h>

/* If set, programs that this thread builds are not optimized. */
extern _Thread_local bool test_builds_unoptimized;

/* Called before each build, for tests of compilers that crash and hang; NULL: not called. */
extern void (*test_before_build)(cl_program program);

/* Whether a plan of this variant is built without optimization. test_call_create checks that AUTO never chooses such a
 * variant. */
bool test_is_unoptimized(const clprim_runtime *runtime, const clprim_operation *face, int variant);

#endif
