/* select.c: check what is asked for, pick the variant, build it, enqueue it. */
#include <clprim/select.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "error.h"
#include "host.h"
#include "operator.h"
#include "runtime_internal.h"
#include "select_internal.h"

enum {
    PACKET_BYTES = 16,
    MAX_ITEMS = 8,         /* each is unrolled into registers of its own */
    LOOK_BACK_HEADER = 16, /* as in kernels/common/look_back.cl, for values of one word */
    LOOK_BACK_STRIDE = 16,
    LAST_EPOCH = (1 << 30) - 1,
    OTHER_LOCAL_BYTES = 512 /* of local memory: what look_back.cl takes, and single values */
};

/* What one call works on; offsets in elements. */
typedef struct call {
    cl_mem in, flags, out, selected;
    cl_ulong in_offset, flags_offset, out_offset, selected_offset;
    cl_ulong n;
} call;

static clprim_status check_desc(const clprim_select_desc *desc, const clprim_device_info *info)
{
    const clprim_type flags = desc->flags_type;
    const bool is_struct = desc->type_name != NULL;
    if (!is_struct && desc->type != CLPRIM_TYPE_DEFAULT && clprim_type_size(desc->type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)desc->type);
    if (flags != CLPRIM_TYPE_DEFAULT && clprim_type_size(flags) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown flags_type %d", (int)flags);
    if (flags == CLPRIM_F16 || flags == CLPRIM_F32 || flags == CLPRIM_F64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "flags are integers, not %s", clprim_type_name(flags));
    if (is_struct != (desc->type_size != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            is_struct ? "type_name %s has no type_size" : "%stype_size without a type_name",
                            is_struct ? desc->type_name : "");
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    if (desc->items_per_work_item > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "items_per_work_item %zu is more than 1024",
                            desc->items_per_work_item);
    if (desc->predicate != NULL && !is_struct && desc->type == CLPRIM_F64 && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    return CLPRIM_SUCCESS;
}

static clprim_status choose_variant(clprim_select *self, const clprim_select_desc *desc)
{
    const clprim_device_info *info = &self->runtime->info;
    clprim_select_variant variant = desc->variant;
    if (variant == CLPRIM_SELECT_AUTO)
        variant = clprim__select_auto(info, desc->partition);
    self->row = clprim__select_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of select", (int)variant);
    if (self->row->looks_back && desc->partition)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s cannot partition: where the others begin is not known in time",
                            self->row->info.name);
    if (self->row->looks_back && !clprim__device_can_look_back(info))
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %s, which %s does not promise", self->row->info.name,
                            self->row->info.needs, info->name);
    return CLPRIM_SUCCESS;
}

/* Elements of built-in types are moved as integers, so that no bit of them changes. */
static clprim_status write_prelude(clprim__text *text, clprim_select *self, const clprim_select_desc *desc)
{
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const bool is_struct = desc->type_name != NULL;
    const char *element = is_struct ? desc->type_name : clprim__type_bits(type);
    const char *seen = is_struct ? desc->type_name : type == CLPRIM_F16 ? "float" : clprim__type_storage(type);
    clprim__prelude_begin(text, &self->runtime->info);
    if (desc->source != NULL)
        clprim__text_format(text, "#line 1 \"source\"\n%s\n#line 1 \"prelude\"\n", desc->source);
    clprim__text_format(text, "#define ELEMENT %s\n#define ELEMENT_SIZE %zu\n", element, self->element_size);
    if (!is_struct)
        clprim__text_format(text, "#define ELEMENT_OF_BITS(b) ((ELEMENT)(b))\n");
    if (is_struct)
        clprim__text_format(text, "typedef char type_size_differs_from_the_host[sizeof(%s) == %zu ? 1 : -1];\n",
                            element, self->element_size);
    if (desc->predicate != NULL) {
        clprim__text_format(text,
                            "static inline uint is_selected(%s x, ulong i)\n{\n    return (\n"
                            "#line 1 \"predicate\"\n%s\n#line 1 \"prelude\"\n    ) != 0;\n}\n",
                            seen, desc->predicate);
        clprim__text_format(text, "#define predicate(x, i) is_selected(%s%s(x), i)\n",
                            is_struct || type == CLPRIM_F16 ? "" : "as_",
                            is_struct            ? ""
                            : type == CLPRIM_F16 ? "half_to_float"
                                                 : seen);
    }
    return clprim__text_status(text);
}

static clprim_status describe_program(clprim__text *options, const clprim_select *self, const clprim_select_desc *desc,
                                      size_t items)
{
    static const char *const flag_types[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    clprim__text_format(options, "-DITEMS=%zu -DPARTITION=%d -DFLAGGED=%d", items, desc->partition,
                        self->flag_size != 0);
    if (self->flag_size != 0)
        clprim__text_format(options, " -DFLAG=%s", flag_types[self->flag_size]);
    return clprim__text_status(options);
}

/* A tile's elements are brought together in local memory, where without shuffles its counts are scanned, too. */
static size_t local_bytes(const clprim_select *self, size_t group_size, size_t items, size_t pack)
{
    const bool by_shuffles = self->runtime->info.sub_group_means == CLPRIM_SUB_GROUP_PTX;
    const size_t counts = by_shuffles ? group_size / 32 : group_size * (items + 1) + group_size * items / 32;
    const size_t group_sums = self->row->looks_back ? 0 : 2 * group_size;
    return group_size * items * pack * self->element_size + counts * sizeof(cl_uint) + group_sums * sizeof(cl_ulong) +
           OTHER_LOCAL_BYTES;
}

/* The largest group, halved from what is wanted, and then the most packets a work-item, for which there is room. Not in
 * all of local memory: some drivers need of it themselves. */
static clprim_status fit(size_t *group_size, size_t *items, const clprim_select *self, size_t pack)
{
    const clprim_device_info *info = &self->runtime->info;
    const size_t wanted = *items;
    if (self->row->largest_group != 0 && *group_size > self->row->largest_group)
        *group_size = self->row->largest_group;
    for (; *group_size > 0; *group_size /= 2)
        for (*items = wanted; *items > 0; (*items)--)
            if (*group_size <= info->max_work_group_size &&
                (*group_size == 1 || local_bytes(self, *group_size, *items, pack) <= info->local_memory_size / 8 * 7))
                return CLPRIM_SUCCESS;
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s allows no work-group", info->name);
}

static clprim_status build(clprim_select *self, const clprim_select_desc *desc)
{
    const clprim_device_info *info = &self->runtime->info;
    const size_t pack = PACKET_BYTES % self->element_size == 0 ? PACKET_BYTES / self->element_size : 1;
    const clprim_select_variant variant = (clprim_select_variant)self->row->info.id;
    const clprim__select_tuning tuning = clprim__select_tuning_of(variant, info);
    const size_t count = self->row->kernels[1] != NULL ? 2 : 1;
    size_t group_size = desc->work_group_size != 0 ? desc->work_group_size : tuning.group_size;
    size_t items = desc->items_per_work_item != 0 ? (desc->items_per_work_item + pack - 1) / pack : tuning.items;
    items = items > MAX_ITEMS ? MAX_ITEMS : items;
    cl_kernel kernels[2] = {NULL, NULL};
    clprim__text prelude = {0};
    clprim__text options = {0};
    clprim__program_request request = {.prelude = NULL};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(fit(&group_size, &items, self, pack));
    CLPRIM__TRY(write_prelude(&prelude, self, desc));
    CLPRIM__TRY(describe_program(&options, self, desc, items));
    request.prelude = prelude.data;
    request.options = options.data;
    memcpy(request.sources, self->row->sources, sizeof request.sources);
    CLPRIM__TRY(
        clprim__kernels_create(kernels, &group_size, self->runtime->programs, &request, self->row->kernels, count));
    for (size_t i = 0; i < count; i++) {
        self->kernels[i] =
            (clprim__kernel){.kernel = kernels[i], .name = self->row->kernels[i], .group_size = group_size};
        for (int s = 0; s < CLPRIM__MAX_SOURCES && self->row->sources[s] != NULL; s++)
            self->kernels[i].program = self->row->sources[s]->path; /* the variant's own file is the last one */
    }
    self->tile = self->row->largest_group == 1 ? 1024 : group_size * items * pack;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
done:
    clprim__text_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* Tiles begin up to a packet before the first element, the last of them may then be empty. */
static size_t tiles_for(const clprim_select *self, size_t n)
{
    return clprim__divide_up(n + PACKET_BYTES / self->element_size + (n == 0), self->tile);
}

static size_t chunks_for(const clprim_select *self, size_t n)
{
    const size_t groups = clprim__divide_up(n + (n == 0), self->tile);
    return groups < self->max_groups ? groups : self->max_groups;
}

static size_t scratch_bytes(const clprim_select *self, size_t n)
{
    if (!self->row->looks_back)
        return chunks_for(self, n) * sizeof(cl_ulong);
    const size_t portion = n < self->portion ? n : self->portion;
    return (LOOK_BACK_HEADER + tiles_for(self, portion) * LOOK_BACK_STRIDE) * sizeof(cl_ulong);
}

clprim_status clprim_select_create(clprim_select **out, clprim_runtime *runtime, const clprim_select_desc *desc)
{
    static const clprim_select_desc defaults = {0};
    if (out == NULL || runtime == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_create: %s is NULL",
                            out == NULL ? "out" : "runtime");
    if (desc == NULL)
        desc = &defaults;
    clprim_select *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a selection");
    self->runtime = clprim__runtime_retain(runtime);
    self->portion = (size_t)1 << 31;

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(desc, &runtime->info));
    self->element_size = desc->type_name != NULL             ? desc->type_size
                         : desc->type == CLPRIM_TYPE_DEFAULT ? sizeof(cl_int)
                                                             : clprim_type_size(desc->type);
    if (desc->predicate == NULL)
        self->flag_size = desc->flags_type == CLPRIM_TYPE_DEFAULT ? 1 : clprim_type_size(desc->flags_type);
    CLPRIM__TRY(choose_variant(self, desc));
    CLPRIM__TRY(build(self, desc));
    if (self->row->looks_back)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, scratch_bytes(self, 1), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_select_destroy(self);
    return status;
}

void clprim_select_destroy(clprim_select *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->kernels[0]);
    clprim__kernel_clear(&plan->kernels[1]);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_select_variant clprim_select_plan_variant(const clprim_select *plan)
{
    return plan != NULL ? (clprim_select_variant)plan->row->info.id : CLPRIM_SELECT_AUTO;
}

void clprim__select_set_portion(clprim_select *plan, size_t n)
{
    plan->portion = n;
}

clprim_status clprim_select_scratch_size(size_t *out, const clprim_select *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    *out = scratch_bytes(plan, count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_select_set_scratch(clprim_select *plan, cl_mem scratch)
{
    size_t size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_set_scratch: plan is NULL");
    if (scratch != NULL)
        CLPRIM__TRY(clprim__check_scratch(&size, scratch, plan->runtime->context));
    if (plan->row->looks_back)
        clprim__state_supply(&plan->state, scratch, size);
    else
        clprim__workspace_supply(&plan->workspace, scratch, size);
done:
    return status;
}

static void add_input(clprim__arguments *list, const call *c)
{
    clprim__add_buffer(list, &c->in);
    CLPRIM__ADD_SCALAR(list, c->in_offset);
    CLPRIM__ADD_SCALAR(list, c->n);
}

static void add_output(clprim__arguments *list, const call *c)
{
    clprim__add_buffer(list, &c->out);
    CLPRIM__ADD_SCALAR(list, c->out_offset);
    clprim__add_buffer(list, &c->selected);
    CLPRIM__ADD_SCALAR(list, c->selected_offset);
}

static void add_flags(clprim__arguments *list, const clprim_select *self, const call *c)
{
    if (self->flag_size == 0)
        return;
    clprim__add_buffer(list, &c->flags);
    CLPRIM__ADD_SCALAR(list, c->flags_offset);
}

static clprim_status launch_portion(clprim_select *self, clprim__chain *chain, const call *whole, cl_ulong start,
                                    cl_uint number)
{
    call part = *whole;
    clprim__arguments list = {.count = 0};
    part.in_offset += start;
    part.n = whole->n - start < self->portion ? whole->n - start : self->portion;
    add_input(&list, &part);
    add_output(&list, &part);
    CLPRIM__ADD_SCALAR(&list, start);
    CLPRIM__ADD_SCALAR(&list, number);
    clprim__add_buffer(&list, &self->state.memory);
    CLPRIM__ADD_SCALAR(&list, self->state.epoch);
    add_flags(&list, self, &part);
    return clprim__launch(chain, &self->kernels[0], &list, tiles_for(self, (size_t)part.n), start + part.n == whole->n);
}

static clprim_status launch_look_back(clprim_select *self, clprim__chain *chain, const call *c)
{
    const cl_uint portions = c->n == 0 ? 1 : (cl_uint)clprim__divide_up((size_t)c->n, self->portion);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->state, chain, scratch_bytes(self, (size_t)c->n), portions));
    for (cl_uint p = 0; p < portions; p++) {
        CLPRIM__TRY(launch_portion(self, chain, c, (cl_ulong)p * self->portion, p));
        self->state.epoch += p + 1 < portions;
    }
done:
    clprim__state_end(&self->state, chain);
    return status;
}

static clprim_status launch_two(clprim_select *self, clprim__chain *chain, const call *c)
{
    const size_t groups = chunks_for(self, (size_t)c->n);
    cl_mem counts = NULL;
    clprim__arguments first = {.count = 0};
    clprim__arguments second = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__workspace_begin(&counts, &self->workspace, chain, scratch_bytes(self, (size_t)c->n)));
    add_input(&first, c);
    clprim__add_buffer(&first, &counts);
    add_flags(&first, self, c);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[0], &first, groups, false));
    add_input(&second, c);
    add_output(&second, c);
    clprim__add_buffer(&second, &counts);
    add_flags(&second, self, c);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[1], &second, groups, true));
done:
    clprim__workspace_end(&self->workspace, chain);
    return status;
}

/* What is read and what is written lie apart. An empty array need not exist: it is replaced by a buffer that does. */
static clprim_status check_call(const clprim_select *self, call *c)
{
    const size_t n = (size_t)c->n;
    clprim__range ranges[] = {
        {"in", c->in, (size_t)c->in_offset, n, self->element_size, NULL, 0, 0},
        {"flags", c->flags, (size_t)c->flags_offset, n, self->flag_size, NULL, 0, 0},
        {"out", c->out, (size_t)c->out_offset, n, self->element_size, NULL, 0, 0},
        {"selected", c->selected, (size_t)c->selected_offset, 1, sizeof(cl_ulong), NULL, 0, 0},
    };
    enum { FLAGS = 1, FIRST_WRITTEN = 2, NUM_RANGES = 4 };
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i != FLAGS || self->flag_size != 0;
        if (is_used && (ranges[i].memory != NULL || ranges[i].count > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    for (int written = FIRST_WRITTEN; written < NUM_RANGES; written++)
        for (int other = 0; other < written; other++)
            if (ranges[other].parent != NULL && ranges[written].parent != NULL)
                CLPRIM__TRY(clprim__check_disjoint(&ranges[other], &ranges[written]));
    c->in = c->in != NULL ? c->in : c->selected;
    c->flags = c->flags != NULL ? c->flags : c->selected;
    c->out = c->out != NULL ? c->out : c->selected;
done:
    return status;
}

static clprim_status enqueue(clprim_select *plan, cl_command_queue queue, const call *wanted, cl_uint num_waits,
                             const cl_event *waits, cl_event *done)
{
    call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = plan->row->looks_back ? launch_look_back(plan, &chain, &c) : launch_two(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_select_enqueue(clprim_select *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                    size_t count, cl_mem out, size_t out_offset, cl_mem selected,
                                    size_t selected_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_enqueue: plan is NULL");
    if (plan->flag_size != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_select_enqueue: the plan has no predicate, use clprim_select_enqueue_flagged");
    const call c = {.in = in,
                    .in_offset = in_offset,
                    .n = count,
                    .out = out,
                    .out_offset = out_offset,
                    .selected = selected,
                    .selected_offset = selected_offset};
    return enqueue(plan, queue, &c, num_waits, waits, done);
}

clprim_status clprim_select_enqueue_flagged(clprim_select *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                            size_t count, cl_mem flags, size_t flags_offset, cl_mem out,
                                            size_t out_offset, cl_mem selected, size_t selected_offset,
                                            cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_enqueue_flagged: plan is NULL");
    if (plan->flag_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_select_enqueue_flagged: the plan has a predicate, use clprim_select_enqueue");
    const call c = {.in = in,
                    .in_offset = in_offset,
                    .n = count,
                    .flags = flags,
                    .flags_offset = flags_offset,
                    .out = out,
                    .out_offset = out_offset,
                    .selected = selected,
                    .selected_offset = selected_offset};
    return enqueue(plan, queue, &c, num_waits, waits, done);
}

clprim_status clprim_select_host(void *out, size_t *selected, clprim_runtime *runtime, const clprim_select_desc *desc,
                                 const void *in, const void *flags, size_t count)
{
    clprim_select *plan = NULL;
    call c = {.n = count};
    cl_event ready = NULL;
    cl_ulong kept = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (selected == NULL || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_host: %s is NULL",
                            selected == NULL ? "selected"
                            : out == NULL    ? "out"
                                             : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_select_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    if (count > 0 && (flags != NULL) != (plan->flag_size != 0))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_host: flags is %s",
                                 flags == NULL ? "NULL" : "given, but the description has a predicate"));
    if (count > SIZE_MAX / plan->element_size || count > SIZE_MAX / sizeof(cl_ulong))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&c.in, runtime, in, count * plan->element_size));
    if (flags != NULL)
        CLPRIM__TRY(clprim__host_input(&c.flags, runtime, flags, count * plan->flag_size));
    CLPRIM__TRY(clprim__host_result(&c.out, runtime, count * plan->element_size));
    CLPRIM__TRY(clprim__host_result(&c.selected, runtime, sizeof kept));
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(&kept, runtime, c.selected, sizeof kept, ready));
    const size_t moved = desc != NULL && desc->partition ? count : (size_t)kept;
    if (moved > 0)
        CLPRIM__TRY(clprim__host_output(out, runtime, c.out, moved * plan->element_size, ready));
    *selected = (size_t)kept;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(ready, (const cl_mem[]){c.in, c.flags, c.out, c.selected}, 4);
    clprim_select_destroy(plan);
    return status;
}
