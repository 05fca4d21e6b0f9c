/* scan_launch.c: the launches of each shape. */
#include "error.h"
#include "runtime_internal.h"
#include "scan_internal.h"
#include "segments.h"

enum {
    MAX_LEVELS = 64, /* blocks have two values at least */
    PIECE_BYTES = 8 << 20,
    LEAST_PIECES = 4,
    MOST_PIECES = 4096 /* each chunk folds the sums of all before */
};

/* What one call works on; counts and offsets in elements. */
typedef struct scan_call {
    cl_mem in, heads, out;
    cl_ulong in_offset, heads_offset, out_offset;
    size_t n;
    size_t ends;                    /* of segments by offsets, which are the heads */
    cl_mem keys_out, runs, offsets; /* of runs */
    cl_ulong keys_out_offset, runs_offset, offsets_offset;
    cl_ulong keys_room, results_room, offsets_room; /* runs that fit in the outputs */
} scan_call;

static const size_t LARGEST_TREE = SIZE_MAX / 2 + 1;

/* The least number of bits, 1 at least, with n <= 2^bits; n <= LARGEST_TREE. */
static cl_uint bits_for(size_t n)
{
    cl_uint bits = 1;
    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

/* Values of each level of blocks, down to the one with one block; returns their number. */
static size_t block_levels(size_t counts[MAX_LEVELS], const clprim__scan_plan *self, size_t n)
{
    size_t levels = 0;
    do {
        counts[levels++] = n;
        n = clprim__divide_up(n, self->block);
    } while (counts[levels - 1] > self->block);
    return levels;
}

/* Tiles begin up to a packet before the first element, the last of them may then be empty; but not those of blocks. */
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

/* How many pieces cpu_chunk makes of an array, so that the second launch for each finds in the caches what the first has
 * read: 1, if all of it may be there, or if an element may be read for a result behind it. */
static size_t pieces_for(const clprim__scan_plan *self, size_t n)
{
    const size_t pieces = clprim__times(n, self->element_size) / PIECE_BYTES;
    const bool is_plain = self->segments == CLPRIM_SEGMENTS_NONE && self->runs == CLPRIM__SCAN_NO_RUNS;
    return self->row->in_tiles || !is_plain || pieces < LEAST_PIECES ? 1 : clprim__smaller(pieces, MOST_PIECES);
}

/* What kernels/scan/parts/fixed.cl publishes: the folds of tiles, and the folds and prefixes of the blocks above. It
 * reads whole blocks. */
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
    return !self->has_marks ? own : clprim__plus(clprim__scratch_align(own), mark_bytes(n));
}

static void add_input(clprim__arguments *list, const scan_call *call)
{
    clprim__add_array(list, call->in, call->in_offset);
    clprim__add_ulong(list, call->n);
}

static void add_output(clprim__arguments *list, const clprim__scan_plan *self, const scan_call *call)
{
    clprim__add_array(list, call->out, call->out_offset);
    clprim__add_scalar(list, self->initial, self->result_size);
    CLPRIM__ADD_SCALAR(list, self->has_initial);
}

static void add_heads(clprim__arguments *list, const clprim__scan_plan *self, const scan_call *call)
{
    if (self->segments == CLPRIM_SEGMENTS_NONE)
        return;
    clprim__add_array(list, call->heads, call->heads_offset);
    if (self->offset_size > 0 && !self->has_marks)
        clprim__add_ulong(list, call->ends);
    if (self->runs == CLPRIM__SCAN_NO_RUNS)
        return;
    clprim__add_array(list, call->keys_out, call->keys_out_offset);
    CLPRIM__ADD_SCALAR(list, call->keys_room);
    CLPRIM__ADD_SCALAR(list, call->results_room);
    clprim__add_array(list, call->runs, call->runs_offset);
    if (!self->has_offsets)
        return;
    clprim__add_array(list, call->offsets, call->offsets_offset);
    CLPRIM__ADD_SCALAR(list, call->offsets_room);
    CLPRIM__ADD_SCALAR(list, self->first_index);
}

static clprim_status launch(clprim__scan_plan *self, clprim__chain *chain, size_t kernel, const clprim__arguments *list,
                            size_t groups, bool is_last)
{
    return clprim__launch(chain, &self->kernels[kernel], list, groups, is_last);
}

static size_t groups_of(const clprim__scan_plan *self, size_t items)
{
    return clprim__divide_up(items, self->kernels[0].group_size);
}

static clprim_status launch_load(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem work,
                                 size_t padded, cl_uint bits)
{
    CLPRIM__ARGUMENTS(list);
    add_input(&list, call);
    clprim__add_buffer(&list, work);
    clprim__add_ulong(&list, padded);
    CLPRIM__ADD_SCALAR(&list, bits);
    add_heads(&list, self, call);
    return launch(self, chain, 0, &list, groups_of(self, padded), false);
}

static clprim_status launch_store(clprim__scan_plan *self, clprim__chain *chain, size_t kernel, const scan_call *call,
                                  cl_mem work, cl_ulong work_offset, cl_uint bits)
{
    CLPRIM__ARGUMENTS(list);
    add_input(&list, call);
    add_output(&list, self, call);
    clprim__add_array(&list, work, work_offset);
    CLPRIM__ADD_SCALAR(&list, bits);
    add_heads(&list, self, call);
    return launch(self, chain, kernel, &list, groups_of(self, call->n), true);
}

static clprim_status launch_steps(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem work)
{
    cl_ulong from = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_load(self, chain, call, work, call->n, 0));
    for (cl_ulong distance = 1; distance < call->n; distance *= 2) {
        const cl_ulong to = call->n - from; /* the two buffers take turns */
        CLPRIM__ARGUMENTS(list);
        clprim__add_buffer(&list, work);
        CLPRIM__ADD_SCALAR(&list, from);
        CLPRIM__ADD_SCALAR(&list, to);
        clprim__add_ulong(&list, call->n);
        CLPRIM__ADD_SCALAR(&list, distance);
        CLPRIM__TRY(launch(self, chain, 1, &list, groups_of(self, call->n), false));
        from = to;
    }
    status = launch_store(self, chain, 2, call, work, from, 0);
done:
    return status;
}

static clprim_status launch_sweep(clprim__scan_plan *self, clprim__chain *chain, size_t kernel, cl_mem work,
                                  cl_uint level, cl_uint bits)
{
    CLPRIM__ARGUMENTS(list);
    clprim__add_buffer(&list, work);
    CLPRIM__ADD_SCALAR(&list, level);
    CLPRIM__ADD_SCALAR(&list, bits);
    return launch(self, chain, kernel, &list, groups_of(self, (size_t)1 << (bits - level - 1)), false);
}

static clprim_status launch_tree(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem work)
{
    const cl_uint bits = bits_for(call->n);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_load(self, chain, call, work, (size_t)1 << bits, bits));
    for (cl_uint level = 0; level + 1 < bits; level++) /* the fold of all is not needed */
        CLPRIM__TRY(launch_sweep(self, chain, 1, work, level, bits));
    for (cl_uint level = bits; level > 0; level--)
        CLPRIM__TRY(launch_sweep(self, chain, 2, work, level - 1, bits));
    status = launch_store(self, chain, 3, call, work, 0, bits);
done:
    return status;
}

/* A level of blocks: scanned (kernel 0), or given the prefixes of the blocks (kernel 1). */
static clprim_status launch_level(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem work,
                                  size_t kernel, size_t n, size_t own, cl_uint flags)
{
    scan_call level = *call;
    CLPRIM__ARGUMENTS(list);
    level.n = n;
    add_input(&list, &level);
    if (kernel == 1)
        add_output(&list, self, call);
    clprim__add_array(&list, work, own);
    clprim__add_ulong(&list, own + n);
    CLPRIM__ADD_SCALAR(&list, flags);
    add_heads(&list, self, call);
    return launch(self, chain, kernel, &list, kernel == 0 ? clprim__divide_up(n, self->block) : groups_of(self, n),
                  kernel == 1 && (flags & CLPRIM__FIRST_LEVEL) != 0);
}

static clprim_status launch_blocks(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem work)
{
    size_t counts[MAX_LEVELS];
    size_t own = 0;
    const size_t levels = block_levels(counts, self, call->n);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t level = 0; level < levels; level++) {
        const cl_uint flags = (level == 0 ? CLPRIM__FIRST_LEVEL : 0) | (level + 1 == levels ? CLPRIM__LAST_LEVEL : 0);
        CLPRIM__TRY(launch_level(self, chain, call, work, 0, counts[level], own, flags));
        own += counts[level];
    }
    for (size_t level = levels; level > 0; level--) {
        const cl_uint flags = (level == 1 ? CLPRIM__FIRST_LEVEL : 0) | (level == levels ? CLPRIM__LAST_LEVEL : 0);
        own -= counts[level - 1];
        if (level == 1 || level < levels) /* the one block of the last level has its prefixes */
            CLPRIM__TRY(launch_level(self, chain, call, work, 1, counts[level - 1], own, flags));
    }
done:
    return status;
}

/* The launches for some chunks, of which the last one's sum is read only by those behind it. */
static clprim_status launch_some_chunks(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call,
                                        cl_mem sums, cl_uint first_chunk, cl_uint groups, cl_uint chunks)
{
    const bool is_last = first_chunk + groups == chunks;
    CLPRIM__ARGUMENTS(first);
    CLPRIM__ARGUMENTS(second);
    add_input(&first, call);
    clprim__add_buffer(&first, sums);
    add_input(&second, call);
    add_output(&second, self, call);
    clprim__add_buffer(&second, sums);
    if (!self->row->in_tiles) {
        CLPRIM__ADD_SCALAR(&first, first_chunk);
        CLPRIM__ADD_SCALAR(&first, chunks);
        CLPRIM__ADD_SCALAR(&second, first_chunk);
        CLPRIM__ADD_SCALAR(&second, chunks);
    }
    add_heads(&first, self, call);
    add_heads(&second, self, call);
    const clprim_status status =
        groups > 1 || !is_last ? launch(self, chain, 0, &first, groups, false) : CLPRIM_SUCCESS;
    return status == CLPRIM_SUCCESS ? launch(self, chain, 1, &second, groups, is_last) : status;
}

static clprim_status launch_chunks(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem sums)
{
    const cl_uint groups = (cl_uint)chunks_for(self, call->n);
    const cl_uint chunks = (cl_uint)(groups * pieces_for(self, call->n));
    clprim_status status = CLPRIM_SUCCESS;
    for (cl_uint first = 0; first < chunks && status == CLPRIM_SUCCESS; first += groups)
        status = launch_some_chunks(self, chain, call, sums, first, groups, chunks);
    return status;
}

/* One block has no prefix, and the prefixes of few are made by the last kernel. */
static clprim_status launch_fixed_chunks(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call,
                                         cl_mem folds)
{
    const size_t groups = chunks_for(self, call->n);
    CLPRIM__ARGUMENTS(fold);
    CLPRIM__ARGUMENTS(prefixes);
    CLPRIM__ARGUMENTS(scan);
    clprim_status status = CLPRIM_SUCCESS;
    if (call->n > self->block) {
        add_input(&fold, call);
        clprim__add_buffer(&fold, folds);
        add_heads(&fold, self, call);
        CLPRIM__TRY(launch(self, chain, 0, &fold, groups, false));
    }
    if (call->n > self->block * self->block) {
        clprim__add_buffer(&prefixes, folds);
        clprim__add_ulong(&prefixes, call->n);
        CLPRIM__TRY(launch(self, chain, 1, &prefixes, 1, false));
    }
    add_input(&scan, call);
    add_output(&scan, self, call);
    clprim__add_buffer(&scan, folds);
    add_heads(&scan, self, call);
    CLPRIM__TRY(launch(self, chain, 2, &scan, groups, true));
done:
    return status;
}

static clprim_status launch_look_back(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call)
{
    CLPRIM__ARGUMENTS(list);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__scan_bytes(self, call->n), 1));
    add_input(&list, call);
    add_output(&list, self, call);
    clprim__add_buffer(&list, self->base.state.memory);
    CLPRIM__ADD_SCALAR(&list, self->base.state.epoch);
    add_heads(&list, self, call);
    CLPRIM__TRY(launch(self, chain, 0, &list, tiles_for(self, call->n), true));
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

/* All launches of a call; n > 0, but for runs. */
static clprim_status launch_all(clprim__scan_plan *self, clprim__chain *chain, const scan_call *call, cl_mem scratch)
{
    switch (self->row->shape) {
    case CLPRIM__SCAN_STEPS: return launch_steps(self, chain, call, scratch);
    case CLPRIM__SCAN_TREE: return launch_tree(self, chain, call, scratch);
    case CLPRIM__SCAN_BLOCKS: return launch_blocks(self, chain, call, scratch);
    case CLPRIM__SCAN_CHUNKS: return launch_chunks(self, chain, call, scratch);
    case CLPRIM__SCAN_FIXED_CHUNKS: return launch_fixed_chunks(self, chain, call, scratch);
    default: return launch_look_back(self, chain, call);
    }
}

/* Make bits of the offsets, behind what the variant takes of the scratch memory; they become the call's heads. */
static clprim_status launch_marks(clprim__scan_plan *self, clprim__chain *chain, scan_call *call, cl_mem scratch)
{
    const size_t at = clprim__scratch_align(clprim__scan_bytes(self, call->n));
    CLPRIM__ARGUMENTS(list);
    clprim__add_array(&list, call->heads, call->heads_offset);
    clprim__add_ulong(&list, call->ends);
    clprim__add_ulong(&list, call->n);
    call->heads = scratch;
    call->heads_offset = at / sizeof(cl_uint);
    clprim__add_array(&list, call->heads, call->heads_offset);
    const clprim_status status = clprim__fill_zeros(chain, scratch, at, mark_bytes(call->n));
    if (status != CLPRIM_SUCCESS)
        return status;
    return clprim__launch(chain, &self->mark, &list,
                          clprim__divide_up(call->ends + (call->ends == 0), CLPRIM__SCAN_MARKS * self->mark.group_size),
                          false);
}

clprim_status clprim__scan_launch_call(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__scan_plan *self = (void *)plan;
    const clprim__range *in = CLPRIM__RANGE(plan, c, scan, in);
    const clprim__range *heads =
        self->offset_size > 0 ? CLPRIM__RANGE(plan, c, scan, offsets) : CLPRIM__RANGE(plan, c, scan, heads);
    const clprim__range *out = CLPRIM__RANGE(plan, c, scan, out);
    const clprim_scan_call *given = c->given;
    clprim_status status = CLPRIM_SUCCESS;
    scan_call call = {.in = in->memory,
                      .heads = heads->memory,
                      .out = out->memory,
                      .in_offset = in->offset,
                      .heads_offset = heads->offset,
                      .out_offset = out->offset,
                      .n = given->count /* there may be no array */,
                      .ends = given->segment_count > 0 ? given->segment_count + 1 : 0};
    if (self->has_marks)
        CLPRIM__TRY(launch_marks(self, chain, &call, c->scratch));
    status = launch_all(self, chain, &call, c->scratch);
done:
    return status;
}

clprim_status clprim__scan_launch_runs(clprim_plan *plan, clprim__chain *chain, cl_mem scratch,
                                       const clprim__scan_run_arrays *arrays)
{
    const clprim__range *keys_in = arrays->keys_in;
    const clprim__range *in = arrays->values_in != NULL ? arrays->values_in : keys_in;
    const clprim__range *offsets = arrays->offsets_out != NULL ? arrays->offsets_out : arrays->out_count;
    const scan_call call = {.in = in->memory,
                            .heads = keys_in->memory,
                            .out = arrays->values_out->memory,
                            .in_offset = in->offset,
                            .heads_offset = keys_in->offset,
                            .out_offset = arrays->values_out->offset,
                            .n = keys_in->count,
                            .keys_out = arrays->keys_out->memory,
                            .runs = arrays->out_count->memory,
                            .offsets = offsets->memory,
                            .keys_out_offset = arrays->keys_out->offset,
                            .runs_offset = arrays->out_count->offset,
                            .offsets_offset = offsets->offset,
                            .keys_room = arrays->keys_out->count,
                            .results_room = arrays->values_out->count,
                            .offsets_room = offsets->count};
    return launch_all((void *)plan, chain, &call, scratch);
}
