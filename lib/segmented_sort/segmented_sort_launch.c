// SPDX-License-Identifier: MIT
/* segmented_sort_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"

#include "segmented_sort/args.h"

enum {
    WHOLE_ELEMENTS = 1 << 21, /* of a call with a group for each segment; else launches take little of the time */
    JOINED_BYTES = 1 << 22,   /* of keys or values, up to which long segments are sorted in the same launch */
    WARP = 32,                /* work-items that look for a window's first segment, where they can do so together */
    LONG_ENTRIES = 4 * sizeof(cl_uint) /* of a piece: bytes of both */
};

/* How the array is divided, and where the parts of scratch memory begin, in bytes. At 0 is what the sorts take that
 * this one is built on. */
typedef struct layout {
    size_t sorts_size;
    cl_ulong window; /* elements */
    cl_uint windows;
    cl_uint longest; /* elements of a segment that is not long */
    cl_ulong firsts_at, longs_at;
    cl_ulong keys_at, values_at; /* in between, of CPU_CHUNK; codes or keys, and values */
    cl_ulong indices_at, numbers_at;
    cl_ulong end;
} layout;

static size_t groups_at_once(const clprim__segmented_sort_plan *self)
{
    return (size_t)2 * self->base.runtime->info.compute_units;
}

static bool has_long(const clprim__segmented_sort_plan *self)
{
    return self->by_codes && self->row->sort != NULL;
}

/* Windows, and from which length on a segment is long. */
static void divide(layout *l, const clprim__segmented_sort_plan *self, size_t n)
{
    size_t windows = clprim__divide_up(n, self->window);
    l->window = self->window;
    if (self->row->in_chunks && windows > self->max_groups) {
        l->window = clprim__divide_up(n, self->max_groups);
        windows = clprim__divide_up(n, (size_t)l->window);
    }
    l->windows = (cl_uint)windows;
    l->longest = (cl_uint)self->tile;
    if (self->row->in_chunks) {
        const cl_ulong least = CLPRIM__SEGMENTED_SORT_LEAST_SHARE;
        const cl_ulong longest = !self->by_codes || l->window > UINT32_MAX ? UINT32_MAX : l->window;
        l->longest = (cl_uint)(longest > least ? longest : least);
    }
}

/* No more tiles of long segments than kernels/segmented_sort/parts/segments.cl counts. */
static size_t long_tiles(const layout *l, const clprim__long_shape *shape, size_t n)
{
    return n / shape->tile + n / l->longest + 2;
}

/* Are the parts that windows have of long segments merged? Merges take fewer launches, but longer where there is much to
 * merge: if even an average segment is long, passes are faster. */
static bool are_merged(const clprim__segmented_sort_plan *self, const clprim_segmented_sort_call *call)
{
    const bool are_mostly_long = call->segment_count > 0 && call->count / call->segment_count > self->tile;
    return call->count > self->tile && call->count <= self->most_merged && !are_mostly_long;
}

/* The same if long segments are sorted by passes: keys and values in between, and the words that tiles look back over. */
static void add_passes(layout *l, const clprim__segmented_sort_plan *self, const clprim__long_shape *shape, size_t n)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t most = long_tiles(l, shape, n);
    l->keys_at = clprim__scratch_behind(clprim__plus((size_t)l->longs_at, CLPRIM__LONG_HEADER), most,
                                        LONG_ENTRIES + (shape->counters + 1) * sizeof(cl_uint));
    l->values_at = clprim__scratch_behind(l->keys_at, n, keys->key_size);
    l->numbers_at = clprim__scratch_behind(l->values_at, n, keys->value_size);
    l->end = clprim__scratch_behind(l->numbers_at, most, shape->statuses * sizeof(cl_ulong));
}

static layout layout_for(const clprim__segmented_sort_plan *self, const clprim__long_shape *shape, size_t n)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t index_size = keys->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const bool has_between = self->by_codes || self->row->in_chunks;
    const size_t key_size = self->by_codes ? self->code_size : keys->key_size;
    const bool has_copies = !self->is_wide || !keys->indices || self->row->in_chunks;
    layout l = {0};
    divide(&l, self, n);
    if (self->by_code != NULL)
        l.sorts_size = clprim__radix_sort_scratch(self->by_code, n);
    if (self->by_number != NULL && clprim__radix_sort_scratch(self->by_number, n) > l.sorts_size)
        l.sorts_size = clprim__radix_sort_scratch(self->by_number, n);
    l.firsts_at = clprim__scratch_align(l.sorts_size);
    l.longs_at = clprim__scratch_behind(l.firsts_at, 2 * (clprim__divide_up(n, (size_t)l.window) + 1), sizeof(cl_uint));
    l.keys_at = l.longs_at;
    if (self->by_codes && self->by_passes) {
        add_passes(&l, self, shape, n);
        return l;
    }
    if (has_long(self))
        l.keys_at = clprim__scratch_behind(clprim__plus((size_t)l.longs_at, CLPRIM__LONG_HEADER), n / l.longest + 1,
                                           LONG_ENTRIES);
    l.values_at = clprim__scratch_behind(l.keys_at, n, has_between ? key_size : 0);
    l.indices_at = clprim__scratch_behind(l.values_at, n, has_between && has_copies ? keys->value_size : 0);
    l.numbers_at = clprim__scratch_behind(l.indices_at, n, self->by_codes && self->is_wide ? index_size : 0);
    /* the keys once sorted, which nobody needs; then the numbers */
    l.end = clprim__scratch_behind(l.numbers_at, n, self->by_codes && self->is_wide ? key_size : 0);
    return l;
}

/* Elements of a call, up to which long segments are sorted in the same launch. */
static size_t most_joined(const clprim__segmented_sort_plan *self)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t most = JOINED_BYTES / (keys->value_size > keys->key_size ? keys->value_size : keys->key_size);
    return most > self->tile ? most : self->tile;
}

/* Are there so few segments that each has a group of its own? */
static bool are_few(const clprim__segmented_sort_plan *self, const clprim_segmented_sort_call *call)
{
    return self->kernels[CLPRIM__SEGMENTED_SORT_WHOLE].kernel != NULL && call->segment_count <= self->max_whole &&
           call->count <= WHOLE_ELEMENTS && !are_merged(self, call);
}

/* Has each segment a group of its own, whatever their number? */
static bool are_rows(const clprim__segmented_sort_plan *self, const clprim_segmented_sort_call *call)
{
    const size_t average = call->segment_count == 0 ? 0 : call->count / call->segment_count;
    return self->kernels[CLPRIM__SEGMENTED_SORT_ROWS].kernel != NULL && average >= CLPRIM__LEAST_ROW &&
           average <= self->tile && !are_merged(self, call);
}

/* And are long ones sorted in the same launch, by smaller tiles than those of a kernel of its own? */
static bool are_joined(const clprim__segmented_sort_plan *self, const clprim_segmented_sort_call *call)
{
    return are_few(self, call) && !self->by_sweeps && call->count <= most_joined(self);
}

static layout layout_of(const clprim__segmented_sort_plan *self, const clprim_segmented_sort_call *call)
{
    return layout_for(self, are_joined(self, call) ? &self->few : &self->shape, call->count);
}

/* Behind the layout the keys, sorted, if the call has no room for them. */
static size_t with_keys(const clprim__segmented_sort_plan *self, layout l, size_t n)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    return (size_t)clprim__scratch_behind(l.end, clprim__radix_sort_may_leave_out_keys(keys) ? n : 0, keys->key_size);
}

/* Enough for any number of segments, and for smaller calls. */
size_t clprim__segmented_sort_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_sort_plan *self = (const void *)plan;
    const size_t n = ((const clprim_segmented_sort_call *)call)->count;
    const size_t few = clprim__smaller(n, most_joined(self));
    const size_t size = with_keys(self, layout_for(self, &self->shape, n), n);
    const size_t few_size = self->kernels[CLPRIM__SEGMENTED_SORT_WHOLE].kernel != NULL
                                ? with_keys(self, layout_for(self, &self->few, few), few)
                                : 0;
    return size > few_size ? size : few_size;
}

size_t clprim__segmented_sort_pooled(const clprim_plan *plan, const clprim__call *call)
{
    const clprim__segmented_sort_plan *self = (const void *)plan;
    const clprim_segmented_sort_call *given = call->given;
    const layout l = layout_of(self, given);
    return given->keys_out.buffer != NULL ? (size_t)l.end : with_keys(self, l, given->count);
}

/* Keys that the call has no room for are behind all else in scratch memory; with_keys. */
static segmented_sort_args args_of(const clprim__segmented_sort_plan *self, const clprim__call *c, const layout *l)
{
    const clprim_plan *plan = &self->base;
    const clprim_segmented_sort_call *call = c->given;
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const clprim_array behind = {.buffer = c->scratch, .offset = (size_t)l->end / keys->key_size};
    const bool has_values = keys->value_size > 0;
    segmented_sort_args args = {
        .buffers = {.scratch = c->scratch},
        .numbers = {.segment_length = self->setting.segment_length,
                    .segments = call->segment_count,
                    .n = call->count,
                    .window = l->window,
                    .firsts_at = l->firsts_at,
                    .longs_at = l->longs_at,
                    .keys_at = l->keys_at,
                    .values_at = l->values_at,
                    .indices_at = l->indices_at,
                    .numbers_at = l->numbers_at,
                    .longest = l->longest,
                    .windows = l->windows,
                    .in_place = CLPRIM__IS_IN_PLACE(plan, c, segmented_sort, keys_out) ||
                                CLPRIM__IS_IN_PLACE(plan, c, segmented_sort, values_out) ||
                                clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, segmented_sort, keys_out)) ||
                                clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, segmented_sort, values_out))}};
    CLPRIM__PUT(&args, keys_in, call->keys_in);
    CLPRIM__PUT(&args, keys_out, call->keys_out.buffer != NULL ? call->keys_out : behind);
    CLPRIM__PUT_IF(has_values, &args, values_in, keys->indices ? call->values_out : call->values_in);
    CLPRIM__PUT_IF(has_values, &args, values_out, call->values_out);
    CLPRIM__PUT_IF(self->setting.segment_length == 0, &args, offsets, call->offsets);
    return args;
}

/* Groups for elements that any work-item can have. */
static size_t groups_for(const clprim__segmented_sort_plan *self, const clprim__kernel *kernel, size_t n)
{
    const size_t groups = clprim__divide_up(n, kernel->group_size);
    return groups < self->max_groups ? groups : self->max_groups;
}

static clprim_status launch_windows(clprim__segmented_sort_plan *self, clprim__chain *chain, const layout *l,
                                    const segmented_sort_args *args)
{
    const size_t entries = has_long(self) && !self->by_passes ? (size_t)(args->numbers.n / l->longest) + 1 : 0;
    const size_t searching = ((size_t)l->windows + 1) * (self->row->sort != NULL && !self->row->in_chunks ? WARP : 1);
    const size_t most = entries > searching ? entries : searching;
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_SORT_WINDOWS];
    return clprim__launch_segmented_sort_windows(chain, kernel, args, groups_for(self, kernel, most), false);
}

static clprim_status launch_sort(clprim__segmented_sort_plan *self, clprim__chain *chain, segmented_sort_args args,
                                 bool is_last)
{
    const cl_uint windows = args.numbers.windows;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->kernels[CLPRIM__SEGMENTED_SORT_SHORT].kernel != NULL) {
        const size_t plenty = windows / groups_at_once(self);
        args.numbers.each = (cl_uint)(plenty == 0 ? 1 : plenty < self->windows_each ? plenty : self->windows_each);
        CLPRIM__TRY(clprim__launch_segmented_sort_short(chain, &self->kernels[CLPRIM__SEGMENTED_SORT_SHORT], &args,
                                                        clprim__divide_up(windows, args.numbers.each), false));
    }
    status = clprim__launch_segmented_sort_short(chain, &self->kernels[CLPRIM__SEGMENTED_SORT_SORT], &args, windows,
                                                 is_last);
done:
    return status;
}

/* With groups for the tiles of long segments, no more of them than run at once; or with one that counts these tiles. */
static clprim_status launch_whole(clprim__segmented_sort_plan *self, clprim__chain *chain, segmented_sort_args args,
                                  bool is_one_launch)
{
    const size_t tiles = (size_t)args.numbers.n / self->tile;
    const size_t most = is_one_launch ? groups_at_once(self) : 1;
    const size_t groups = !self->by_codes ? 0 : tiles < most ? tiles : most;
    const bool has_state = self->by_codes && !self->by_sweeps;
    clprim__state *state = &self->base.state;
    clprim_status status = CLPRIM_SUCCESS;
    if (has_state)
        CLPRIM__TRY(clprim__state_begin(state, chain, CLPRIM__FEW_STATE, 1));
    args.buffers.state = has_state ? state->memory : CLPRIM__ABSENT;
    args.buffers.scratch = self->by_codes ? args.buffers.scratch : CLPRIM__ABSENT;
    args.numbers.are_apart = !is_one_launch;
    status = clprim__launch_segmented_sort_whole(chain, &self->kernels[CLPRIM__SEGMENTED_SORT_WHOLE], &args,
                                                 (size_t)args.numbers.segments + groups, is_one_launch);
done:
    if (has_state)
        clprim__state_end(state, chain, status);
    return status;
}

/* A sort that this one is built on, in the memory that was left for it. How many elements long segments have is in
 * scratch memory: that is the count of its call. */
static clprim_status launch_base(clprim_plan *base, clprim__chain *chain, clprim__radix_sort_call *sort,
                                 const segmented_sort_args *args)
{
    const cl_mem scratch = args->buffers.scratch;
    const clprim__arguments *counts = chain->counts;
    clprim__arguments total;
    clprim__count_at(&total, scratch, args->numbers.longs_at / sizeof(cl_uint));
    chain->counts = &total;
    sort->n = args->numbers.n;
    const clprim_status status = clprim__radix_sort_launch_in(base, chain, sort, scratch);
    chain->counts = counts;
    return status;
}

/* Codes, and the values that go with them, where they lie. */
static clprim_status sort_codes(clprim__segmented_sort_plan *self, clprim__chain *chain,
                                const segmented_sort_args *args)
{
    const cl_mem scratch = args->buffers.scratch;
    const size_t value_size = self->setting.keys.value_size;
    clprim__pairs codes = {.keys = scratch, .keys_offset = args->numbers.keys_at / self->code_size};
    if (value_size > 0) {
        codes.values = scratch;
        codes.values_offset = args->numbers.values_at / value_size;
    }
    return launch_base(self->by_code, chain,
                       &(clprim__radix_sort_call){.in = codes, .out = codes, .flags = CLPRIM__RADIX_SORT_IN_PLACE},
                       args);
}

/* Indices in the order of their keys, and then in that of their segments. */
static clprim_status sort_indices(clprim__segmented_sort_plan *self, clprim__chain *chain,
                                  const segmented_sort_args *args)
{
    const cl_mem scratch = args->buffers.scratch;
    const cl_ulong numbers_at = args->numbers.numbers_at;
    const size_t key_size = self->setting.keys.key_size;
    const size_t index_size = self->setting.keys.max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const cl_ulong indices = args->numbers.indices_at / index_size;
    const clprim__pairs numbers = {scratch, scratch, numbers_at / sizeof(cl_uint), indices};
    clprim__radix_sort_call by_key = {.in = {scratch, scratch, args->numbers.keys_at / key_size, 0},
                                      .out = {scratch, scratch, numbers_at / key_size, indices},
                                      .flags = CLPRIM__RADIX_SORT_MUST_MOVE};
    clprim__radix_sort_call by_number = {.in = numbers, .out = numbers, .flags = CLPRIM__RADIX_SORT_IN_PLACE};
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_SORT_NUMBERS];
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_base(self->by_code, chain, &by_key, args));
    CLPRIM__TRY(clprim__launch_segmented_sort_windows(chain, kernel, args,
                                                      groups_for(self, kernel, (size_t)args->numbers.n), false));
    status = launch_base(self->by_number, chain, &by_number, args);
done:
    return status;
}

static clprim_status launch_codes(clprim__segmented_sort_plan *self, clprim__chain *chain,
                                  const segmented_sort_args *args)
{
    clprim__kernel *encode = &self->kernels[CLPRIM__SEGMENTED_SORT_ENCODE];
    clprim__kernel *decode = &self->kernels[CLPRIM__SEGMENTED_SORT_DECODE];
    const size_t n = (size_t)args->numbers.n;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__launch_segmented_sort_encode(chain, encode, args, groups_for(self, encode, n), false));
    CLPRIM__TRY(self->is_wide ? sort_indices(self, chain, args) : sort_codes(self, chain, args));
    status = clprim__launch_segmented_sort_decode(chain, decode, args, groups_for(self, decode, n), true);
done:
    return status;
}

/* So many launches merge what `count` windows have of a segment. */
static cl_uint merges_for(const clprim__segmented_sort_plan *self, size_t count)
{
    const size_t ways = clprim__segmented_sort_ways(self->kernels[CLPRIM__SEGMENTED_SORT_MERGE].group_size);
    size_t reach = ways * ways;
    cl_uint merges = 2;
    for (; reach < count; merges += 2)
        reach *= ways * ways;
    return merges;
}

static clprim_status launch_merges(clprim__segmented_sort_plan *self, clprim__chain *chain, segmented_sort_args args)
{
    const cl_uint merges = args.numbers.merges;
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_SORT_MERGE];
    clprim_status status = CLPRIM_SUCCESS;
    for (args.numbers.turn = 0; args.numbers.turn < merges && status == CLPRIM_SUCCESS; args.numbers.turn++)
        status = clprim__launch_segmented_sort_decode(chain, kernel, &args, args.numbers.windows,
                                                      args.numbers.turn + 1 == merges);
    return status;
}

/* All passes in one launch, or one for each, by as many groups as run at once, with some to spare. */
static clprim_status launch_passes(clprim__segmented_sort_plan *self, clprim__chain *chain, segmented_sort_args args)
{
    const size_t tiles = (size_t)args.numbers.n / self->shape.tile + 1;
    const size_t groups = clprim__smaller(tiles, groups_at_once(self));
    const cl_uint launches = self->by_sweeps ? self->passes : 1;
    clprim__kernel *kernels = self->kernels;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->by_sweeps)
        CLPRIM__TRY(
            clprim__launch_segmented_sort_long(chain, &kernels[CLPRIM__SEGMENTED_SORT_COUNT], &args, groups, false));
    for (args.numbers.turn = 0; args.numbers.turn < launches; args.numbers.turn++)
        CLPRIM__TRY(clprim__launch_segmented_sort_long(chain, &kernels[CLPRIM__SEGMENTED_SORT_LONG], &args, groups,
                                                       args.numbers.turn + 1 == launches));
done:
    return status;
}

clprim_status clprim__segmented_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__segmented_sort_plan *self = (void *)plan;
    const clprim_segmented_sort_call *call = c->given;
    const layout l = layout_of(self, call);
    const bool are_all_short = !self->by_codes || (self->row->sort != NULL && call->count <= l.longest);
    segmented_sort_args args = args_of(self, c, &l);
    clprim_status status = CLPRIM_SUCCESS;
    if (call->segment_count == 0)
        return clprim__chain_marker(chain);
    if (are_merged(self, call))
        args.numbers.merges = merges_for(self, l.windows);
    if (are_few(self, call)) {
        const bool is_one_launch = are_all_short || are_joined(self, call);
        CLPRIM__TRY(launch_whole(self, chain, args, is_one_launch));
        if (is_one_launch)
            goto done;
    } else if (are_rows(self, call)) {
        if (has_long(self)) /* counters are cleared there */
            CLPRIM__TRY(launch_windows(self, chain, &l, &args));
        CLPRIM__TRY(clprim__launch_segmented_sort_short(chain, &self->kernels[CLPRIM__SEGMENTED_SORT_ROWS], &args,
                                                        call->segment_count, are_all_short));
    } else {
        CLPRIM__TRY(launch_windows(self, chain, &l, &args));
        if (self->row->sort != NULL)
            CLPRIM__TRY(launch_sort(self, chain, args, are_all_short));
    }
    if (!are_all_short) /* or all are sorted by codes */
        status = args.numbers.merges > 0 ? launch_merges(self, chain, args)
                 : self->by_passes       ? launch_passes(self, chain, args)
                                         : launch_codes(self, chain, &args);
done:
    return status;
}
