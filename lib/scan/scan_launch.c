// SPDX-License-Identifier: MIT
/* scan_launch.c: the launches of each shape. */
#include "error.h"
#include "runtime_internal.h"
#include "scan_internal.h"
#include "segments.h"

enum {
    MAX_LEVELS = 64, /* blocks have at least two values */
    PIECE_BYTES = 8 << 20,
    LEAST_PIECES = 4,
    MOST_PIECES = 4096 /* a chunk folds the sums of all earlier chunks */
};

static const size_t LARGEST_TREE = SIZE_MAX / 2 + 1;

/* The number of elements or values; it came from a size_t. */
static size_t count_of(const scan_args *args)
{
    return (size_t)args->numbers.n;
}

/* The least number of bits >= 1 with n <= 2^bits. n <= LARGEST_TREE. */
static cl_uint bits_for(size_t n)
{
    cl_uint bits = 1;
    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

/* Count the values of each level of blocks, down to the level with one block. Returns the number of levels. */
static size_t block_levels(size_t counts[MAX_LEVELS], const clprim__scan_plan *self, size_t n)
{
    size_t levels = 0;
    do {
        counts[levels++] = n;
        n = clprim__divide_up(n, self->block);
    } while (counts[levels - 1] > self->block);
    return levels;
}

/* Tiles may begin up to a packet before the first element, so the last one may be empty. Tiles of blocks begin at the
 * first element. */
static size_t tiles_for(const clprim__scan_plan *self, size_t n)
{
    if (self->row->block != 0)
        return clprim__divide_up(n + (n == 0), self->tile);
    return clprim__divide_up(clprim__plus(n, self->packet_bytes / self->element_size + (n == 0)), self->tile);
}

static size_t chunks_for(const clprim__scan_plan *self, size_t n)
{
    const size_t groups = clprim__divide_up(n + (n == 0), self->tile);
    return groups < self->max_groups ? groups : self->max_groups;
}

/* Chunks of FIXED_TILES have 2^level tiles: at least one block, and at most one block of level 1, of which each chunk
 * is a subtree. */
static cl_uint chunk_level(const clprim__scan_plan *self, size_t n)
{
    const size_t tiles = tiles_for(self, n);
    cl_uint level = 0;
    while (self->tile << level < self->block || (self->tile << level < self->block * self->block &&
                                                 clprim__divide_up(tiles, (size_t)1 << level) > self->max_groups))
        level++;
    return level;
}

static size_t fixed_chunks_for(const clprim__scan_plan *self, size_t n)
{
    return clprim__divide_up(tiles_for(self, n), (size_t)1 << chunk_level(self, n));
}

/* An upper bound of fixed_chunks_for that does not decrease with n, although the number of chunks does when chunks
 * grow. Chunks of the smallest size are the most; if these are too many, the number is that before chunks grow, or the
 * number of chunks of the largest size. */
static size_t most_fixed_chunks_for(const clprim__scan_plan *self, size_t n)
{
    const size_t smallest = clprim__divide_up(tiles_for(self, n), (size_t)1 << chunk_level(self, 1));
    const size_t largest = clprim__divide_up(tiles_for(self, n), self->block * self->block / self->tile);
    return clprim__smaller(smallest, clprim__larger(self->max_groups, largest));
}

/* How many pieces cpu_chunk makes of an array, so that the second launch for each piece finds in the caches what the
 * first one has read. 1 if the whole array may be in the caches, or if results may depend on later elements. */
static size_t pieces_for(const clprim__scan_plan *self, size_t n)
{
    const size_t pieces = clprim__times(n, self->element_size) / PIECE_BYTES;
    const bool is_plain = self->segments == CLPRIM_SEGMENTS_NONE && self->runs == CLPRIM__SCAN_NO_RUNS;
    return self->row->in_tiles || !is_plain || pieces < LEAST_PIECES ? 1 : clprim__smaller(pieces, MOST_PIECES);
}

/* The slots that kernels/scan/parts/fixed.cl uses: the folds of tiles, and the folds and prefixes of the blocks above.
 * It reads whole blocks. */
static size_t slots_for(const clprim__scan_plan *self, size_t n)
{
    const size_t tiles = tiles_for(self, n);
    if (self->row->block == 0)
        return tiles;
    const size_t blocks = clprim__divide_up(tiles, self->block * self->block / self->tile);
    return tiles + 2 * blocks + 2 * clprim__divide_up(blocks, self->block) + self->block;
}

size_t clprim__scan_bytes(const clprim__scan_plan *self, size_t n)
{
    size_t counts[MAX_LEVELS];
    size_t values = 0;
    switch (self->row->shape) {
    case CLPRIM__SCAN_STEPS: return clprim__times(n, 2 * self->value_size);
    case CLPRIM__SCAN_TREE:
        return n > LARGEST_TREE ? SIZE_MAX : clprim__times((size_t)1 << bits_for(n), self->value_size);
    case CLPRIM__SCAN_BLOCKS:
        for (size_t level = block_levels(counts, self, n); level > 0; level--)
            values = clprim__plus(values, counts[level - 1]);
        return clprim__times(values, self->value_size);
    case CLPRIM__SCAN_CHUNKS: return clprim__times(chunks_for(self, n) * pieces_for(self, n), self->value_size);
    case CLPRIM__SCAN_FIXED_TILES:
        return clprim__larger(
            clprim__times(most_fixed_chunks_for(self, n), self->value_size),
            clprim__look_back_bytes(self->value_size, clprim__smaller(tiles_for(self, n), self->most_at_once)));
    case CLPRIM__SCAN_FIXED_CHUNKS:
        for (size_t level = block_levels(counts, self, n); level > 1; level--)
            values = clprim__plus(values, counts[level - 1]);
        return clprim__times(values + (values == 0), self->value_size);
    default: return clprim__look_back_bytes(self->prefix_size, slots_for(self, n));
    }
}

clprim_status clprim__scan_check(const clprim_plan *plan, const void *call)
{
    const size_t offset_size = ((const clprim__scan_plan *)(const void *)plan)->offset_size;
    const clprim_scan_call *c = call;
    if (offset_size == 0)
        return c->segment_count == 0
                   ? CLPRIM_SUCCESS
                   : clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                  "segment_count is %zu, but the plan was made without segments by offsets",
                                  c->segment_count);
    return clprim__segments_check(&c->offsets, offset_size, c->segment_count, CLPRIM__MOST_SEGMENTS, c->count);
}

static size_t mark_bytes(size_t n)
{
    return (n / 32 + 1) * sizeof(cl_uint);
}

size_t clprim__scan_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__scan_plan *self = (const void *)plan;
    const size_t n = plan->operation->count(call);
    const size_t own = clprim__scan_bytes(self, n);
    if (self->in_place != NULL)
        return clprim__larger(own, clprim__scan_scratch(self->in_place, call));
    return !self->has_marks ? own : clprim__plus(clprim__scratch_align(own), mark_bytes(n));
}

static size_t groups_of(const clprim__scan_plan *self, size_t items)
{
    return clprim__divide_up(items, self->kernels[0].group_size);
}

static clprim_status launch_load(clprim__scan_plan *self, clprim__chain *chain, const scan_args *args, size_t places)
{
    return clprim__launch_scan_read(chain, &self->kernels[0], args, groups_of(self, places), false);
}

static clprim_status launch_store(clprim__scan_plan *self, clprim__chain *chain, size_t kernel, const scan_args *args)
{
    return clprim__launch_scan_write(chain, &self->kernels[kernel], args, groups_of(self, count_of(args)), true);
}

static clprim_status launch_steps(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    const size_t n = count_of(args);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_load(self, chain, args, n));
    for (cl_uint step = 0; (size_t)1 << step < n; step++) {
        args->numbers.level = step;
        args->numbers.next_at = n - args->numbers.work_at; /* the two halves take turns */
        CLPRIM__TRY(clprim__launch_scan_work(chain, &self->kernels[1], args, groups_of(self, n), false));
        args->numbers.work_at = args->numbers.next_at;
    }
    status = launch_store(self, chain, 2, args);
done:
    return status;
}

static clprim_status launch_sweep(clprim__scan_plan *self, clprim__chain *chain, size_t kernel, scan_args *args,
                                  cl_uint level)
{
    args->numbers.level = level;
    return clprim__launch_scan_work(chain, &self->kernels[kernel], args,
                                    groups_of(self, (size_t)1 << (args->numbers.bits - level - 1)), false);
}

static clprim_status launch_tree(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    const cl_uint bits = bits_for(count_of(args));
    clprim_status status = CLPRIM_SUCCESS;
    args->numbers.bits = bits;
    CLPRIM__TRY(launch_load(self, chain, args, (size_t)1 << bits));
    for (cl_uint level = 0; level + 1 < bits; level++) /* the fold of all is not needed */
        CLPRIM__TRY(launch_sweep(self, chain, 1, args, level));
    for (cl_uint level = bits; level > 0; level--)
        CLPRIM__TRY(launch_sweep(self, chain, 2, args, level - 1));
    status = launch_store(self, chain, 3, args);
done:
    return status;
}

/* Scan the blocks of a level of `n` values, which begins at `own` (is_up), or distribute the prefixes to them. */
static clprim_status launch_level(clprim__scan_plan *self, clprim__chain *chain, scan_args *args, bool is_up, size_t n,
                                  size_t own, cl_uint flags)
{
    args->numbers.n = n;
    args->numbers.work_at = own;
    args->numbers.next_at = own + n;
    args->numbers.flags = flags;
    return is_up ? clprim__launch_scan_read(chain, &self->kernels[0], args, clprim__divide_up(n, self->block), false)
                 : clprim__launch_scan_write(chain, &self->kernels[1], args, groups_of(self, n),
                                             (flags & CLPRIM__FIRST_LEVEL) != 0);
}

static clprim_status launch_blocks(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    size_t counts[MAX_LEVELS];
    size_t own = 0;
    const size_t levels = block_levels(counts, self, count_of(args));
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t level = 0; level < levels; level++) {
        const cl_uint flags = (level == 0 ? CLPRIM__FIRST_LEVEL : 0) | (level + 1 == levels ? CLPRIM__LAST_LEVEL : 0);
        CLPRIM__TRY(launch_level(self, chain, args, true, counts[level], own, flags));
        own += counts[level];
    }
    for (size_t level = levels; level > 0; level--) {
        const cl_uint flags = (level == 1 ? CLPRIM__FIRST_LEVEL : 0) | (level == levels ? CLPRIM__LAST_LEVEL : 0);
        own -= counts[level - 1];
        if (level == 1 || level < levels) /* the single block of the last level already has its prefixes */
            CLPRIM__TRY(launch_level(self, chain, args, false, counts[level - 1], own, flags));
    }
done:
    return status;
}

/* The chunks of one piece after the other. Only later chunks read a chunk's sum. */
static clprim_status launch_chunks(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    const cl_uint groups = (cl_uint)chunks_for(self, count_of(args));
    const cl_uint chunks = (cl_uint)(groups * pieces_for(self, count_of(args)));
    clprim_status status = CLPRIM_SUCCESS;
    args->numbers.chunks = chunks;
    for (cl_uint first = 0; first < chunks; first += groups) {
        const bool is_last = first + groups == chunks;
        args->numbers.first_chunk = first;
        if (groups > 1 || !is_last)
            CLPRIM__TRY(clprim__launch_scan_read(chain, &self->kernels[0], args, groups, false));
        CLPRIM__TRY(clprim__launch_scan_write(chain, &self->kernels[1], args, groups, is_last));
    }
done:
    return status;
}

/* A single block has no prefix. The last kernel makes the prefixes of few blocks itself. */
static clprim_status launch_fixed_chunks(clprim__scan_plan *self, clprim__chain *chain, const scan_args *args)
{
    const size_t n = count_of(args);
    const size_t groups = chunks_for(self, n);
    clprim_status status = CLPRIM_SUCCESS;
    if (n > self->block)
        CLPRIM__TRY(clprim__launch_scan_read(chain, &self->kernels[0], args, groups, false));
    if (n > self->block * self->block)
        CLPRIM__TRY(clprim__launch_scan_work(chain, &self->kernels[1], args, 1, false));
    CLPRIM__TRY(clprim__launch_scan_write(chain, &self->kernels[2], args, groups, true));
done:
    return status;
}

/* The last chunk's fold is not needed. A single chunk, or few tiles if nothing that is read is replaced, take one
 * launch. */
static clprim_status launch_fixed_tiles(clprim__scan_plan *self, clprim__chain *chain, scan_args *args,
                                        bool is_replaced)
{
    const size_t n = count_of(args);
    const size_t chunks = fixed_chunks_for(self, n);
    const bool is_once = !is_replaced && chunks > 1 && tiles_for(self, n) <= self->most_at_once;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__scan_bytes(self, n), is_once ? 1 : 0));
    args->buffers.state = args->buffers.work = self->base.state.memory;
    args->numbers.epoch = self->base.state.epoch;
    args->numbers.level = chunk_level(self, n);
    if (is_once) {
        CLPRIM__TRY(clprim__launch_scan_look_back(chain, &self->kernels[2], args, tiles_for(self, n), true));
        goto done;
    }
    if (chunks > 1)
        CLPRIM__TRY(clprim__launch_scan_read(chain, &self->kernels[0], args, chunks - 1, false));
    CLPRIM__TRY(clprim__launch_scan_write(chain, &self->kernels[1], args, chunks, true));
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_look_back(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    const size_t n = count_of(args);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__scan_bytes(self, n), 1));
    args->buffers.state = self->base.state.memory;
    args->numbers.epoch = self->base.state.epoch;
    CLPRIM__TRY(clprim__launch_scan_look_back(chain, &self->kernels[0], args, tiles_for(self, n), true));
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

/* All launches of a call. n > 0, except for runs. is_replaced: the results may replace what is read. */
static clprim_status launch_all(clprim__scan_plan *self, clprim__chain *chain, scan_args *args, bool is_replaced)
{
    switch (self->row->shape) {
    case CLPRIM__SCAN_STEPS: return launch_steps(self, chain, args);
    case CLPRIM__SCAN_TREE: return launch_tree(self, chain, args);
    case CLPRIM__SCAN_BLOCKS: return launch_blocks(self, chain, args);
    case CLPRIM__SCAN_CHUNKS: return launch_chunks(self, chain, args);
    case CLPRIM__SCAN_FIXED_CHUNKS: return launch_fixed_chunks(self, chain, args);
    case CLPRIM__SCAN_FIXED_TILES: return launch_fixed_tiles(self, chain, args, is_replaced);
    default: return launch_look_back(self, chain, args);
    }
}

/* Make bits of the offsets, in the scratch memory after the variant's part. They become the call's heads. */
static clprim_status launch_marks(clprim__scan_plan *self, clprim__chain *chain, scan_args *args)
{
    const size_t n = count_of(args);
    const size_t ends = (size_t)args->numbers.ends;
    const size_t at = clprim__scratch_align(clprim__scan_bytes(self, n));
    scan_args marks = *args;
    clprim_status status = CLPRIM_SUCCESS;
    marks.numbers.work_at = at / sizeof(cl_uint);
    CLPRIM__TRY(clprim__fill_zeros(chain, args->buffers.work, at, mark_bytes(n)));
    CLPRIM__TRY(clprim__launch_scan_mark(
        chain, &self->mark, &marks, clprim__divide_up(ends + (ends == 0), CLPRIM__SCAN_MARKS * self->mark.group_size),
        false));
    args->buffers.heads = args->buffers.work;
    args->numbers.heads_offset = marks.numbers.work_at;
done:
    return status;
}

static clprim_array array_of(const clprim__range *range)
{
    return (clprim_array){.buffer = range->memory, .offset = range->offset};
}

static bool is_replaced(clprim_plan *plan, const clprim__call *c)
{
    return CLPRIM__IS_IN_PLACE(plan, c, scan, out) || clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, scan, out));
}

static clprim_status launch_with(clprim_plan *plan, clprim__chain *chain, const clprim__call *c, cl_mem scratch)
{
    clprim__scan_plan *self = (void *)plan;
    const clprim__range *heads =
        self->offset_size > 0 ? CLPRIM__RANGE(plan, c, scan, offsets) : CLPRIM__RANGE(plan, c, scan, heads);
    const clprim_scan_call *given = c->given;
    const bool has_heads = self->segments != CLPRIM_SEGMENTS_NONE;
    scan_args args = {
        .buffers = {.keys_out = CLPRIM__ABSENT, .runs = CLPRIM__ABSENT, .offsets = CLPRIM__ABSENT, .work = scratch},
        .numbers = {.n = given->count /* the array may be missing */,
                    .ends = given->segment_count > 0 ? given->segment_count + 1 : 0}};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__PUT(&args, in, array_of(CLPRIM__RANGE(plan, c, scan, in)));
    CLPRIM__PUT(&args, out, array_of(CLPRIM__RANGE(plan, c, scan, out)));
    CLPRIM__PUT_IF(has_heads, &args, heads, array_of(heads));
    if (self->has_marks)
        CLPRIM__TRY(launch_marks(self, chain, &args));
    status = launch_all(self, chain, &args, is_replaced(plan, c));
done:
    return status;
}

/* The state's memory serves as scratch memory. */
static clprim_status launch_in_place(clprim__scan_plan *self, clprim__chain *chain, const clprim__call *c)
{
    clprim__state *state = &self->base.state;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, clprim__scan_scratch(self->in_place, c->given), 0));
    status = launch_with(self->in_place, chain, c, state->memory);
done:
    clprim__state_end(state, chain, status);
    return status;
}

clprim_status clprim__scan_launch_call(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__scan_plan *self = (void *)plan;
    if (self->in_place != NULL && is_replaced(plan, c))
        return launch_in_place(self, chain, c);
    return launch_with(plan, chain, c, c->scratch);
}

clprim_status clprim__scan_launch_runs(clprim_plan *plan, clprim__chain *chain, cl_mem scratch,
                                       const clprim__scan_run_arrays *arrays)
{
    clprim__scan_plan *self = (void *)plan;
    const clprim__range *keys_in = arrays->keys_in;
    const clprim__range *in = arrays->values_in != NULL ? arrays->values_in : keys_in;
    const clprim__range *offsets = arrays->offsets_out != NULL ? arrays->offsets_out : arrays->out_count;
    scan_args args = {.buffers = {.work = scratch},
                      .numbers = {.n = keys_in->count,
                                  .keys_room = arrays->keys_out->count,
                                  .results_room = arrays->values_out->count,
                                  .offsets_room = offsets->count,
                                  .first_index = self->first_index}};
    CLPRIM__PUT(&args, in, array_of(in));
    CLPRIM__PUT(&args, heads, array_of(keys_in));
    CLPRIM__PUT(&args, out, array_of(arrays->values_out));
    CLPRIM__PUT(&args, keys_out, array_of(arrays->keys_out));
    CLPRIM__PUT(&args, runs, array_of(arrays->out_count));
    CLPRIM__PUT_IF(self->has_offsets, &args, offsets, array_of(offsets));
    return launch_all(self, chain, &args, false);
}
