/* unoptimized.h: most of the tests' time on PoCL is its optimizer's, which takes up to 10 seconds for a kernel for GPUs.
 * Nobody runs these on a CPU: AUTO takes kernels for CPUs, whose names begin with "cpu_", or a few others. So where a
 * test asks for a variant for GPUs by its number, its kernels are compiled without optimization. What AUTO takes is
 * compiled as everywhere.
 *
 * Tests without this file compile all kernels as everywhere: self_test_poor_device, which tries all variants, faults and
 * soak. With CLPRIM_TEST_FULL all tests do. */
#ifndef CLPRIM_TEST_UNOPTIMIZED_H
#define CLPRIM_TEST_UNOPTIMIZED_H

#include <clprim/clprim.h>
#include <stdbool.h>

/* Programs that this thread builds are not optimized. */
extern _Thread_local bool test_builds_unoptimized;

/* Whether a plan of this variant is built so. */
bool test_is_unoptimized(const clprim_runtime *runtime, const clprim_operation *face, int variant);

#endif
