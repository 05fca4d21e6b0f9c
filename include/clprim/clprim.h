/* clprim/clprim.h: everything. */
#ifndef CLPRIM_CLPRIM_H
#define CLPRIM_CLPRIM_H

#include <clprim/bitonic_sort.h>
#include <clprim/comparison_sort.h>
#include <clprim/histogram.h>
#include <clprim/is_sorted.h>
#include <clprim/merge.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>
#include <clprim/run_length_encode.h>
#include <clprim/runtime.h>
#include <clprim/scan.h>
#include <clprim/search.h>
#include <clprim/segmented_sort.h>
#include <clprim/select.h>
#include <clprim/self_test.h>
#include <clprim/sort_by_key.h>
#include <clprim/status.h>
#include <clprim/top_k.h>
#include <clprim/types.h>
#include <clprim/unique.h>
#include <clprim/version.h>

#endif
