// SPDX-License-Identifier: MIT
/* chunk_sort.c: the variant for CPUs: a sample sort whose work-groups have one work-item each. Elements move from the
 * input to buckets in scratch memory; each bucket is then sorted into the output. A small array is sorted by a single
 * work-item. */
#include "build.h"
#include "comparison_sort_internal.h"
#include "error.h"
#include "kernels_comparison_sort.h"
#include "runtime_internal.h"

#include "comparison_sort/args.h"

enum {
    LEAST_DIVIDED = 1024, /* elements */
    LEAST_BUCKET = 128,   /* average number of elements */
    WORTH_A_GROUP = 4096, /* elements of shared work */
    /* Parameters of kernels/comparison_sort/cpu_chunk.cl, as measured: */
    LANES = 8,
    DEPTH = 9,
    SAMPLES = 4,
    PART = 40,
    MERGED = 1024,
    SIDE_BY_SIDE = 7 /* with 8, compilers make vectors, and load their elements one by one */
};

/* Layout of scratch memory, in bytes. Keys are at 0. */
typedef struct layout {
    cl_ulong values_at;
    cl_ulong ids_at;
    cl_ulong counts_at;
    cl_ulong ends_at;
    cl_ulong end;
} layout;

static size_t groups_for(const clprim__comparison_sort_plan *self, size_t n)
{
    return clprim__smaller(clprim__divide_up(n, WORTH_A_GROUP), self->max_groups);
}

static cl_uint buckets_for(size_t n)
{
    return (cl_uint)clprim__smaller(n / LEAST_BUCKET, (size_t)1 << DEPTH);
}

static layout layout_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const bool is_divided = n > self->few_up_to;
    const size_t table = ((size_t)1 << DEPTH) * sizeof(cl_ulong); /* ulong is the largest type in which kernels count */
    layout l = {0};
    l.values_at = clprim__scratch_behind(0, n, self->setting.key_size);
    l.ids_at = clprim__scratch_behind(l.values_at, n, self->setting.value_size);
    l.counts_at = clprim__scratch_behind(l.ids_at, n, is_divided ? sizeof(cl_ushort) : 0);
    l.ends_at = clprim__scratch_behind(l.counts_at, groups_for(self, n), is_divided ? table : 0);
    l.end = clprim__scratch_behind(l.ends_at, 1, is_divided ? table : 0);
    return l;
}

clprim_status clprim__chunk_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude, size_t bytes)
{
    static const char *const names[CLPRIM__COMPARISON_SORT_KERNELS] = {
        [CLPRIM__COMPARISON_SORT_BLOCK] = "comparison_sort_chunk",
        [CLPRIM__COMPARISON_SORT_DRAW] = "comparison_sort_draw",
        [CLPRIM__COMPARISON_SORT_COUNT] = "comparison_sort_count",
        [CLPRIM__COMPARISON_SORT_DISTRIBUTE] = "comparison_sort_distribute",
        [CLPRIM__COMPARISON_SORT_BUCKET] = "comparison_sort_bucket"};
    size_t group_size = 1;
    clprim__text options = {0};
    const clprim__build what = {.source = &clprim__source_comparison_sort_cpu_chunk,
                                .names = names,
                                .count = CLPRIM__COMPARISON_SORT_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    self->few_up_to = clprim__larger(bytes / clprim__comparison_sort_item_size(self), LEAST_DIVIDED);
    clprim__text_format(&options, "-DLANES=%d -DDEPTH=%d -DSAMPLES=%d -DPART=%d -DMERGED=%d -DSIDE_BY_SIDE=%d", LANES,
                        DEPTH, SAMPLES, PART, MERGED, SIDE_BY_SIDE);
    const clprim_status status = clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    return status;
}

size_t clprim__chunk_sort_scratch(const clprim__comparison_sort_plan *self, size_t n)
{
    return (size_t)layout_for(self, n).end;
}

static comparison_sort_args args_of(const clprim__comparison_sort_plan *self, const clprim__bitonic_sort_call *call,
                                    cl_mem scratch)
{
    const size_t n = (size_t)call->n;
    const size_t value_size = self->setting.value_size;
    const layout l = layout_for(self, n);
    const clprim__pairs between = {scratch, scratch, 0, value_size > 0 ? l.values_at / value_size : 0};
    comparison_sort_args args = {
        .buffers = {.scratch = scratch},
        .numbers = {
            .n = n, .ids_at = l.ids_at, .counts_at = l.counts_at, .ends_at = l.ends_at, .buckets = buckets_for(n)}};
    CLPRIM__PUT_PAIRS(&args, in, value_size > 0, &call->in);
    CLPRIM__PUT_PAIRS(&args, out, value_size > 0, &call->out);
    CLPRIM__PUT_PAIRS(&args, between, value_size > 0, &between);
    return args;
}

clprim_status clprim__chunk_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                        const clprim__bitonic_sort_call *call, cl_mem scratch)
{
    const comparison_sort_args args = args_of(self, call, scratch);
    const size_t groups = groups_for(self, (size_t)call->n);
    clprim__kernel *kernels = self->kernels;
    clprim_status status = CLPRIM_SUCCESS;
    if (call->n <= self->few_up_to)
        return clprim__launch_comparison_sort_chunk(chain, &kernels[CLPRIM__COMPARISON_SORT_BLOCK], &args, 1, true);
    CLPRIM__TRY(clprim__launch_comparison_sort_draw(chain, &kernels[CLPRIM__COMPARISON_SORT_DRAW], &args, 1, false));
    CLPRIM__TRY(
        clprim__launch_comparison_sort_divide(chain, &kernels[CLPRIM__COMPARISON_SORT_COUNT], &args, groups, false));
    CLPRIM__TRY(clprim__launch_comparison_sort_divide(chain, &kernels[CLPRIM__COMPARISON_SORT_DISTRIBUTE], &args,
                                                      groups, false));
    status = clprim__launch_comparison_sort_bucket(chain, &kernels[CLPRIM__COMPARISON_SORT_BUCKET], &args,
                                                   args.numbers.buckets, true);
done:
    return status;
}
