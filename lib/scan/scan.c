/* scan.c: check what is asked for, pick the variant, build it; calls. */
#include <clprim/scan.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "host.h"
#include "operator.h"
#include "runtime_internal.h"
#include "scan_internal.h"

enum {
    PACKET_BYTES = 16,
    REGISTERS_FOR_VALUES = 32, /* of a work-item */
    MAX_ITEMS = 8,             /* each is unrolled into registers of its own */
    LOOK_BACK_VALUES = 64,     /* that the window of look_back.cl takes of local memory, kinds included */
    LAST_EPOCH = (1 << 30) - 1
};

static clprim_status choose_variant(clprim_scan *self, const clprim_scan_desc *desc, const clprim__operator *op)
{
    const clprim_device_info *info = &self->runtime->info;
    clprim_scan_variant variant = desc->variant;
    if (variant == CLPRIM_SCAN_AUTO)
        variant = clprim__scan_auto(info, desc->reproducible);
    self->row = clprim__scan_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of scan", (int)variant);
    clprim__trial_chose(&self->row->info);
    if (desc->segments != CLPRIM_SCAN_WHOLE && desc->reproducible)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "a scan by segments is not reproducible across devices");
    if (desc->segments != CLPRIM_SCAN_WHOLE && self->row->shape != CLPRIM__SCAN_CHUNKS &&
        self->row->shape != CLPRIM__SCAN_ONE_LAUNCH)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s knows no segments: use AUTO", self->row->info.name);
    const bool may_round = op->is_rounding || desc->custom != NULL;
    if (desc->reproducible && may_round && variant != CLPRIM_SCAN_FIXED_TREE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is not reproducible across devices: use fixed_tree or AUTO",
                            self->row->info.name);
    if (desc->reproducible && may_round && !info->has_denormals_f32)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s does not keep denormals and round to nearest", info->name);
    return clprim__scan_supported(self->row, info);
}

static clprim_status check_segments(clprim_scan *self, const clprim_scan_desc *desc)
{
    clprim_type type = desc->segments_type;
    if ((int)desc->segments < CLPRIM_SCAN_WHOLE || (int)desc->segments > CLPRIM_SCAN_BY_KEY)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown segments %d", (int)desc->segments);
    if (type == CLPRIM_TYPE_DEFAULT)
        type = desc->segments == CLPRIM_SCAN_BY_KEY ? CLPRIM_I32 : CLPRIM_U8;
    if (clprim_type_size(type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown segments_type %d", (int)type);
    if (desc->segments == CLPRIM_SCAN_HEAD_FLAGS && (type == CLPRIM_F16 || type == CLPRIM_F32 || type == CLPRIM_F64))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "flags are integers, not %s", clprim_type_name(type));
    self->segments = desc->segments;
    self->head_size = clprim_type_size(type);
    return CLPRIM_SUCCESS;
}

static clprim_status keep_initial(clprim_scan *self, const clprim_scan_desc *desc)
{
    const bool is_indexed = desc->custom == NULL && (desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX);
    if (desc->initial != NULL && is_indexed)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s takes no initial value", clprim_op_name(desc->op));
    self->initial = calloc(1, self->result_size);
    if (self->initial == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for an initial value");
    if (desc->initial != NULL)
        memcpy(self->initial, desc->initial, self->result_size);
    self->has_initial = desc->initial != NULL;
    return CLPRIM_SUCCESS;
}

/* What a variant in blocks or tiles has for one size of the group. */
typedef struct scan_shape {
    size_t group_size;
    size_t items;
    size_t local_bytes;
} scan_shape;

/* Results leave in 16 bytes; elements that become larger ones come in fewer. */
static size_t packet_bytes_of(const clprim_scan *self)
{
    const bool grows = self->result_size > self->element_size && PACKET_BYTES % self->result_size == 0 &&
                       self->runs == CLPRIM__SCAN_NO_RUNS;
    return grows ? PACKET_BYTES / self->result_size * self->element_size : PACKET_BYTES;
}

static size_t pack_of(const clprim_scan *self)
{
    return PACKET_BYTES % self->element_size == 0 ? self->packet_bytes / self->element_size : 1;
}

/* Values in local memory. Without sub-groups the totals of all packets go through it. */
static size_t local_values(const clprim_scan *self, size_t group_size, size_t items, size_t banks)
{
    if (self->row->shape == CLPRIM__SCAN_BLOCKS) {
        const size_t block = self->row->block != 0 ? self->row->block : 2 * group_size;
        return banks != 0 ? block + block / banks : block;
    }
    if (!self->row->in_tiles)
        return 0;
    const bool by_shuffles = self->runtime->info.sub_group_means == CLPRIM_SUB_GROUP_PTX;
    return (by_shuffles ? group_size / 32 : group_size * (items + 1) + group_size * items / 32) + LOOK_BACK_VALUES;
}

/* The largest group, halved from what is wanted, that the device has room for; its size is 0 where there is none. */
static scan_shape fit(const clprim_scan *self, const clprim__scan_tuning *tuning, size_t banks)
{
    const clprim_device_info *info = &self->runtime->info;
    const size_t value_words = (self->value_size + 3) / 4;
    scan_shape shape = {.group_size = tuning->group_size, .items = tuning->items};
    if (shape.items == 0)
        shape.items = REGISTERS_FOR_VALUES / (pack_of(self) * value_words);
    shape.items = shape.items < 1 ? 1 : shape.items > MAX_ITEMS ? MAX_ITEMS : shape.items;
    if (self->row->largest_group != 0 && shape.group_size > self->row->largest_group)
        shape.group_size = self->row->largest_group;
    for (; shape.group_size > 0; shape.group_size /= 2) {
        shape.local_bytes = local_values(self, shape.group_size, shape.items, banks) * self->value_size;
        /* Half of it: some drivers need local memory of their own. */
        if (shape.group_size <= info->max_work_group_size && shape.local_bytes <= info->local_memory_size / 2)
            break;
    }
    return shape;
}

static clprim_status describe_program(clprim_scan *self, const clprim_scan_desc *desc, size_t items, size_t banks,
                                      size_t group_size, clprim__text *options)
{
    static const char *const head_types[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    clprim__text_format(options, "-DEXCLUSIVE=%d -DSEGMENTS=%d -DRUNS=%d", desc->exclusive, (int)self->segments,
                        (int)self->runs);
    if (self->runs != CLPRIM__SCAN_NO_RUNS)
        clprim__text_format(options, " -DRUN_WORDS=%zu -DHEAD_SIZE=%zu", self->run_words, self->head_size);
    if (self->segments != CLPRIM_SCAN_WHOLE)
        clprim__text_format(options, " -DHEAD=%s", head_types[self->head_size]);
    if (self->row->in_tiles)
        clprim__text_format(options, " -DITEMS=%zu -DPACKET_BYTES=%zu", items, self->packet_bytes);
    if (self->row->shape == CLPRIM__SCAN_BLOCKS)
        clprim__text_format(options, " -DBLOCK=%zu -DBANKS=%zu",
                            self->row->block != 0 ? self->row->block : 2 * group_size, banks);
    return clprim__text_status(options);
}

static clprim_status create_kernels(clprim_scan *self, const clprim_scan_desc *desc, const clprim__prelude *prelude,
                                    const scan_shape *shape, size_t banks)
{
    cl_kernel kernels[CLPRIM__MAX_KERNELS] = {NULL};
    size_t group_size = shape->group_size;
    size_t count = 0;
    clprim__text options = {0};
    clprim__program_request request = {.callers = prelude->callers.data, .prelude = prelude->own.data};
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < CLPRIM__MAX_SOURCES; i++)
        request.sources[i] = self->row->sources[i];
    while (count < CLPRIM__MAX_KERNELS && self->row->kernels[count] != NULL)
        count++;
    for (size_t wanted = 0; wanted != group_size;) { /* blocks are as large as groups: try again with smaller ones */
        clprim__text_free(&options);
        for (size_t i = 0; i < count && kernels[i] != NULL; i++) {
            (void)clReleaseKernel(kernels[i]);
            kernels[i] = NULL;
        }
        wanted = group_size;
        CLPRIM__TRY(describe_program(self, desc, shape->items, banks, group_size, &options));
        request.options = options.data;
        CLPRIM__TRY(
            clprim__kernels_create(kernels, &group_size, self->runtime->programs, &request, self->row->kernels, count));
        if (self->row->shape != CLPRIM__SCAN_BLOCKS)
            break;
    }
    for (size_t i = 0; i < count; i++) {
        self->kernels[i] =
            (clprim__kernel){.kernel = kernels[i], .name = self->row->kernels[i], .group_size = group_size};
        for (int s = 0; s < CLPRIM__MAX_SOURCES && self->row->sources[s] != NULL; s++)
            self->kernels[i].program = self->row->sources[s]->path; /* the variant's own file is the last one */
    }
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status build(clprim_scan *self, const clprim_scan_desc *desc, const clprim__prelude *prelude)
{
    const clprim_device_info *info = &self->runtime->info;
    const clprim_scan_variant variant = (clprim_scan_variant)self->row->info.id;
    const size_t pack = pack_of(self);
    const size_t banks = variant != CLPRIM_SCAN_BLELLOCH_PADDED ? 0 : desc->banks != 0 ? desc->banks : 32;
    clprim__scan_tuning tuning = clprim__scan_tuning_of(variant, self->runtime, self->element_size);
    if (desc->work_group_size != 0)
        tuning.group_size = desc->work_group_size;
    if (desc->items_per_work_item != 0)
        tuning.items = (desc->items_per_work_item + pack - 1) / pack;
    const scan_shape shape = fit(self, &tuning, banks);
    if (shape.group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s with values of %zu bytes needs more local memory than %s has (%zu)",
                            self->row->info.name, self->value_size, info->name, info->local_memory_size);
    const clprim_status status = create_kernels(self, desc, prelude, &shape, banks);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t group_size = self->kernels[0].group_size;
    self->block = self->row->block != 0 ? self->row->block : 2 * group_size;
    self->tile = self->row->in_tiles ? group_size * shape.items * pack : 1024; /* of CPU_CHUNK: worth another thread */
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    if (self->row->in_tiles && self->max_groups > group_size * shape.items) /* which one tile of sums can hold */
        self->max_groups = group_size * shape.items;
    return CLPRIM_SUCCESS;
}

static clprim_status check_desc(const clprim_scan_desc *desc)
{
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    if ((desc->banks & (desc->banks - 1)) != 0 || desc->banks > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "banks %zu is not a power of two up to 1024", desc->banks);
    if (desc->items_per_work_item > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "items_per_work_item %zu is more than 1024",
                            desc->items_per_work_item);
    return CLPRIM_SUCCESS;
}

static clprim_status create(clprim_scan **out, clprim_runtime *runtime, const clprim_scan_desc *desc,
                            clprim__scan_runs runs, size_t max_count)
{
    clprim_scan *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a scan");
    self->runtime = clprim__runtime_retain(runtime);
    self->runs = runs;
    self->max_count = max_count;
    self->run_words = max_count > UINT32_MAX ? 2 : 1;

    clprim__operator op = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(desc));
    CLPRIM__TRY(check_segments(self, desc));
    CLPRIM__TRY(
        clprim__operator_create(&op, desc->type, desc->op, desc->accumulator_type, desc->custom, &runtime->info));
    self->element_size = runs == CLPRIM__SCAN_RUN_LENGTHS ? self->head_size : op.element_size;
    self->value_size = op.value_size;
    if (self->segments != CLPRIM_SCAN_WHOLE)
        self->value_size = (op.value_size + 3) / 4 * 4 + 4 * self->run_words; /* in words, and where segments begin */
    self->result_size = op.result_size;
    self->packet_bytes = packet_bytes_of(self);
    CLPRIM__TRY(choose_variant(self, desc, &op));
    CLPRIM__TRY(keep_initial(self, desc));
    CLPRIM__TRY(build(self, desc, &op.prelude));
    if (self->row->shape == CLPRIM__SCAN_ONE_LAUNCH)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, clprim__scan_scratch(self, 1), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim__operator_clear(&op);
    clprim_scan_destroy(self);
    return status;
}

clprim_status clprim__scan_make(clprim_scan **out, clprim_runtime *runtime, const clprim_scan_desc *desc)
{
    return create(out, runtime, desc, CLPRIM__SCAN_NO_RUNS, UINT32_MAX);
}

CLPRIM__DEFINE_CREATE(scan)

clprim_status clprim__scan_create_runs(clprim_scan **out, clprim_runtime *runtime, const clprim_scan_desc *desc,
                                       clprim__scan_runs runs, size_t max_count)
{
    return create(out, runtime, desc, runs, max_count != 0 ? max_count : UINT32_MAX);
}

void clprim_scan_destroy(clprim_scan *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    for (size_t i = 0; i < CLPRIM__MAX_KERNELS; i++)
        clprim__kernel_clear(&plan->kernels[i]);
    clprim_runtime_destroy(plan->runtime);
    free(plan->initial);
    free(plan);
}

clprim_scan_variant clprim_scan_plan_variant(const clprim_scan *plan)
{
    return plan != NULL ? (clprim_scan_variant)plan->row->info.id : CLPRIM_SCAN_AUTO;
}

clprim_status clprim_scan_scratch_size(size_t *out, const clprim_scan *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    *out = clprim__scan_scratch(plan, count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_scan_set_scratch(clprim_scan *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, plan->row->shape == CLPRIM__SCAN_ONE_LAUNCH ? &plan->state : NULL,
                                 plan->runtime, scratch);
}

/* in and out may be one range, element for element. */
static clprim_status check_in_and_out(const clprim__range *in, const clprim__range *out)
{
    if (in->parent == out->parent && in->begin == out->begin && in->element_size == out->element_size)
        return CLPRIM_SUCCESS;
    return clprim__check_disjoint(in, out);
}

static clprim_status enqueue(clprim_scan *plan, cl_command_queue queue, const clprim__scan_call *call,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    const size_t n = (size_t)call->n;
    const cl_context context = plan->runtime->context;
    clprim__range in = {"in", call->in, (size_t)call->in_offset, n, plan->element_size, NULL, 0, 0};
    clprim__range heads = {"heads", call->heads, (size_t)call->heads_offset, n, plan->head_size, NULL, 0, 0};
    clprim__range out = {"out", call->out, (size_t)call->out_offset, n, plan->result_size, NULL, 0, 0};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    /* An empty array need not exist. */
    if (n > 0 || call->in != NULL)
        CLPRIM__TRY(clprim__check_range(&in, context, CLPRIM__READ));
    if (n > 0 || call->out != NULL)
        CLPRIM__TRY(clprim__check_range(&out, context, CLPRIM__WRITE));
    if (n > 0)
        CLPRIM__TRY(check_in_and_out(&in, &out));
    if (plan->segments != CLPRIM_SCAN_WHOLE && (n > 0 || call->heads != NULL)) {
        CLPRIM__TRY(clprim__check_range(&heads, context, CLPRIM__READ));
        if (n > 0)
            CLPRIM__TRY(clprim__check_disjoint(&heads, &out));
    }
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = n > 0 ? clprim__scan_launch(plan, &chain, call) : clprim__chain_marker(&chain);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_scan_enqueue(clprim_scan *plan, cl_command_queue queue, cl_mem in, size_t in_offset, size_t count,
                                  cl_mem out, size_t out_offset, cl_uint num_waits, const cl_event *waits,
                                  cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_enqueue: plan is NULL");
    if (plan->segments != CLPRIM_SCAN_WHOLE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_scan_enqueue: the plan has segments, use clprim_scan_enqueue_segments");
    const clprim__scan_call call = {.in = in, .in_offset = in_offset, .n = count, .out = out, .out_offset = out_offset};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_scan_enqueue_segments(clprim_scan *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                           size_t count, cl_mem heads, size_t heads_offset, cl_mem out,
                                           size_t out_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_enqueue_segments: plan is NULL");
    if (plan->segments == CLPRIM_SCAN_WHOLE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_scan_enqueue_segments: the plan has no segments, use clprim_scan_enqueue");
    const clprim__scan_call call = {.in = in,
                                    .in_offset = in_offset,
                                    .n = count,
                                    .heads = heads,
                                    .heads_offset = heads_offset,
                                    .out = out,
                                    .out_offset = out_offset};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_scan_host(void *out, clprim_runtime *runtime, const clprim_scan_desc *desc, const void *in,
                               const void *heads, size_t count)
{
    clprim_scan *plan = NULL;
    clprim__scan_call call = {.n = count};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > 0 && (out == NULL || in == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_host: %s is NULL", out == NULL ? "out" : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_scan_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    if ((heads != NULL) != (plan->segments != CLPRIM_SCAN_WHOLE) && count > 0)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_scan_host: heads is %s",
                                 heads == NULL ? "NULL" : "given, but the description has no segments"));
    if (count > SIZE_MAX / plan->result_size || count > SIZE_MAX / plan->element_size)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    if (count == 0)
        goto done;
    CLPRIM__TRY(clprim__host_input(&call.in, runtime, in, count * plan->element_size));
    if (heads != NULL)
        CLPRIM__TRY(clprim__host_input(&call.heads, runtime, heads, count * plan->head_size));
    CLPRIM__TRY(clprim__host_result(&call.out, runtime, count * plan->result_size));
    CLPRIM__TRY(enqueue(plan, NULL, &call, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(out, runtime, call.out, count * plan->result_size, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){call.in, call.heads, call.out}, 3);
    clprim_scan_destroy(plan);
    return status;
}
