// SPDX-License-Identifier: MIT
/* native.c: code of the host in the place of kernels. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kinds.h"
#include "making.h"
#include "plan_host.h"
#include "platform.h"
#include "runtime_internal.h"
#include "sizes.h"

/* FEW: elements up to which the host's code is not slower than kernels with all that run does for them, which takes 50 us
 * or more (docs/notebook/cpu.md). */
enum { MAX_DATA = 8, FEW = 1 << 16 };

/* Where the description points to, and the data that belong there, both in bytes from the begin of the block. */
typedef struct data_place {
    size_t pointer, data;
} data_place;

/* An array of the call: where it is in the block, which memory it is in, and how many bytes of that come before it. */
typedef struct array_place {
    size_t array, memory, skipped;
} array_place;

/* Everything that a command needs. OpenCL copies the block when the call is enqueued, because the plan may be gone when
 * the command runs. So it has no pointers into itself until then. The description, its data and the call follow. */
struct clprim__native_block {
    const clprim__operation *operation;
    size_t size, desc, call; /* of the block; where these are in it; in bytes */
    size_t count_size;       /* of a count on the device */
    data_place data[MAX_DATA];
    size_t num_data;
    /* of a command */
    array_place arrays[CLPRIM__MAX_ARRAYS];
    size_t num_arrays;
    void *last;     /* the address of the last memory */
    void **earlier; /* the addresses of those before it */
    size_t num_memory;
    size_t scratch;         /* which of them is scratch memory; as many as there are: none is */
    size_t scratch_skipped; /* bytes of it before the scratch memory */
};

typedef struct clprim__native_block block;

bool clprim__is_native(const clprim_variant_info *variant)
{
    return strcmp(variant->name, "native") == 0;
}

bool clprim__native_has_type(clprim_type type, const clprim_device_info *info)
{
    return clprim__is_type(type) && (type != CLPRIM_F64 || info->has_fp64);
}

static const clprim_variant_info *row_of(const clprim_operation *face)
{
    size_t count = 0;
    const clprim_variant_info *rows = face->variants(&count);
    while (count > 0 && !clprim__is_native(&rows[count - 1]))
        count--;
    return count > 0 ? &rows[count - 1] : NULL;
}

static const void *pointer_at(const void *desc, const clprim_member *m)
{
    const void *pointer = NULL;
    memcpy(&pointer, (const char *)desc + m->place, sizeof pointer);
    return pointer;
}

/* Whether the description has something that only a compiler understands. */
static bool has_text(const clprim_operation *face, const void *desc)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        const bool is_text =
            m->kind == CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_CUSTOM_OP || m->kind == CLPRIM_MEMBER_PARAMETER;
        if (is_text && pointer_at(desc, m) != NULL)
            return true;
    }
    return false;
}

/* Whether the description says how kernels work. */
static bool is_about_kernels(const clprim_operation *face, const void *desc)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        size_t value = 0;
        if (strcmp(m->name, "work_group_size") == 0 || strcmp(m->name, "items_per_work_item") == 0)
            memcpy(&value, (const char *)desc + m->place, sizeof value);
        if (value != 0)
            return true;
    }
    return false;
}

/* The code takes all processors of the process, and all memory that it needs: so it is no choice for a part of the device,
 * or where the caller limits memory. */
static bool is_faster(const clprim_plan *plan, const void *desc)
{
    const clprim__native *code = plan->operation->native;
    return code->is_faster != NULL && plan->runtime->limits.device_memory == 0 &&
           (long)plan->runtime->info.compute_units >= clprim__processors() && code->is_faster(desc);
}

static bool is_wanted(const clprim_plan *plan, const void *desc, int native, bool is_for_few)
{
    int wanted = 0;
    memcpy(&wanted, (const char *)desc + plan->subject->variant_at, sizeof wanted);
    return wanted == native ||
           (wanted == 0 && !is_about_kernels(plan->operation->face, desc) && (is_for_few || is_faster(plan, desc)));
}

/* The bytes of a description's data; 0: it has none there. */
static size_t data_size(const clprim_member *m, const void *desc)
{
    if (m->kind != CLPRIM_MEMBER_DATA || pointer_at(desc, m) == NULL)
        return 0;
    return clprim__times(m->length(desc, NULL), m->element(desc, 0).size);
}

/* The place behind `size` bytes, where anything may begin. */
static size_t behind(size_t at, size_t size)
{
    return clprim__plus(at, clprim__scratch_align(size));
}

static block *new_block(const clprim_plan *plan, const void *desc)
{
    const clprim_operation *face = plan->operation->face;
    block layout = {.operation = plan->operation, .count_size = plan->counts.size};
    layout.desc = behind(0, sizeof layout);
    layout.call = behind(layout.desc, face->desc_size);
    layout.size = behind(layout.call, face->call_size);
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        if (data_size(m, desc) == 0)
            continue;
        layout.data[layout.num_data++] = (data_place){layout.desc + m->place, layout.size};
        layout.size = behind(layout.size, data_size(m, desc));
    }
    char *made = layout.size < SIZE_MAX ? calloc(1, layout.size) : NULL;
    if (made == NULL)
        return NULL;
    memcpy(made, &layout, sizeof layout);
    memcpy(made + layout.desc, desc, face->desc_size);
    size_t i = 0;
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (data_size(m, desc) > 0)
            memcpy(made + layout.data[i++].data, pointer_at(desc, m), data_size(m, desc));
    return (block *)(void *)made;
}

/* Let the description point to its data in this copy of the block. */
static const void *desc_in(block *self)
{
    char *bytes = (char *)self;
    for (size_t i = 0; i < self->num_data; i++) {
        const void *data = bytes + self->data[i].data;
        memcpy(bytes + self->data[i].pointer, &data, sizeof data);
    }
    return bytes + self->desc;
}

clprim_status clprim__native_make(clprim_plan *plan, const void *desc, bool is_for_few)
{
    const clprim__native *code = plan->operation->native;
    const clprim_operation *face = plan->operation->face;
    const clprim_device_info *info = &plan->runtime->info;
    if (code == NULL || !info->has_native_kernels)
        return CLPRIM_SUCCESS;
    const clprim_variant_info *row = row_of(face);
    if (row == NULL || has_text(face, desc) || !code->can(desc, info) || !is_wanted(plan, desc, row->id, is_for_few))
        return CLPRIM_SUCCESS;
    plan->native = new_block(plan, desc);
    if (plan->native == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan of %s", face->name);
    plan->variant = row;
    clprim__making_chose(row);
    return CLPRIM_SUCCESS;
}

bool clprim__native_is_for_few(const clprim__operation *operation, const void *call)
{
    for (const clprim_member *m = operation->face->call_members; m->name != NULL; m++) {
        const clprim_array *array = (const clprim_array *)(const void *)((const char *)call + m->place);
        if ((m->kind == CLPRIM_MEMBER_INPUT || m->kind == CLPRIM_MEMBER_OUTPUT) &&
            (array->buffer != NULL || array->svm != NULL))
            return false;
    }
    return operation->native != NULL && operation->count(call) <= FEW;
}

const void *clprim__native_desc(const clprim_plan *plan)
{
    return desc_in(plan->native);
}

size_t clprim__native_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__native *code = plan->operation->native;
    return code->scratch != NULL ? code->scratch(clprim__native_desc(plan), call) : 0;
}

/* Where counts are on the device, read them: each is declared in front of the count that it limits. */
static void read_counts(const block *self, char *call)
{
    for (const clprim_member *m = self->operation->face->call_members; m->name != NULL; m++) {
        const clprim_array *at = (const clprim_array *)(const void *)(call + m->place);
        uint32_t narrow = 0;
        uint64_t count = 0;
        size_t limit = 0;
        if (!clprim__is_count_at(m) || at->host == NULL)
            continue;
        if (self->count_size == sizeof narrow) {
            memcpy(&narrow, at->host, sizeof narrow);
            count = narrow;
        } else {
            memcpy(&count, at->host, sizeof count);
        }
        memcpy(&limit, call + m[1].place, sizeof limit);
        if (count < limit)
            limit = (size_t)count;
        memcpy(call + m[1].place, &limit, sizeof limit);
    }
}

/* Run the block's call. The .host of its arrays are addresses already. */
static void run(block *self, void *scratch)
{
    char *call = (char *)self + self->call;
    read_counts(self, call);
    self->operation->native->run(desc_in(self), call, scratch);
}

static void *address_of(const block *self, size_t memory)
{
    return memory + 1 < self->num_memory ? self->earlier[memory] : self->last;
}

/* The command. The block is OpenCL's copy, in which addresses have replaced buffers. */
static void CL_CALLBACK run_command(void *copy)
{
    block *self = copy;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const array_place *place = &self->arrays[i];
        clprim_array *array = (clprim_array *)(void *)((char *)copy + place->array);
        array->host = (char *)address_of(self, place->memory) + place->skipped;
    }
    run(self,
        self->scratch < self->num_memory ? (char *)address_of(self, self->scratch) + self->scratch_skipped : NULL);
}

/* What a command takes that only notes the address of a buffer. */
typedef struct note {
    void *address;
    void **table;
    size_t index;
} note;

static void CL_CALLBACK run_note(void *copy)
{
    const note *self = copy;
    self->table[self->index] = self->address;
}

/* Write the call into the block, without its arrays. */
static char *put_call(block *self, const clprim_plan *plan, const void *call)
{
    char *copy = (char *)self + self->call;
    memcpy(copy, call, plan->operation->face->call_size);
    for (size_t i = 0; i < plan->num_slots; i++)
        *clprim__array_of(copy, &plan->slots[i]) = (clprim_array){.buffer = NULL};
    self->num_arrays = 0;
    return copy;
}

/* The number of a buffer among those of the call, which gets it if it does not have it yet. */
static size_t number_of(block *self, cl_mem *memory, cl_mem buffer)
{
    size_t i = 0;
    while (i < self->num_memory && memory[i] != buffer)
        i++;
    memory[i] = buffer;
    self->num_memory += i == self->num_memory;
    return i;
}

/* The buffers whose addresses are in a table. Commands keep the buffers that they are given, but the last one reads these
 * by the table alone: so they live as long as the table, which that command keeps. */
typedef struct kept {
    size_t count;
    cl_mem buffers[CLPRIM__MAX_ARRAYS + 1];
} kept;

static void CL_CALLBACK release_kept(cl_mem table, void *user)
{
    kept *self = user;
    (void)table;
    for (size_t i = 0; i < self->count; i++)
        (void)clReleaseMemObject(self->buffers[i]);
    free(self);
}

/* Make a table for the addresses of so many buffers, which live as long as it does. */
static clprim_status make_table(cl_mem *out, cl_context context, const cl_mem *memory, size_t count)
{
    cl_int code = CL_SUCCESS;
    kept *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a call");
    cl_mem table = clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(void *), NULL, &code);
    if (code == CL_SUCCESS) {
        code = clSetMemObjectDestructorCallback(table, release_kept, self);
        if (code != CL_SUCCESS)
            (void)clReleaseMemObject(table);
    }
    if (code != CL_SUCCESS) {
        free(self);
        return clprim__cl(code, "clCreateBuffer");
    }
    for (; self->count < count; self->count++) {
        code = clRetainMemObject(memory[self->count]);
        if (code != CL_SUCCESS) {
            (void)clReleaseMemObject(table);
            return clprim__cl(code, "clRetainMemObject");
        }
        self->buffers[self->count] = memory[self->count];
    }
    *out = table;
    return CLPRIM_SUCCESS;
}

/* Enqueue the block. All memory but the last is noted before in a table. */
static clprim_status launch_all(clprim__chain *chain, block *self, const cl_mem *memory)
{
    const clprim__native *code = self->operation->native;
    const size_t earlier = self->num_memory > 0 ? self->num_memory - 1 : 0;
    cl_mem table = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (earlier > 0)
        CLPRIM__TRY(make_table(&table, chain->runtime->context, memory, earlier));
    for (size_t i = 0; i < earlier; i++) {
        note noted = {.index = i};
        const clprim__native_command command = {.name = "native_address",
                                                .program = code->program,
                                                .run = run_note,
                                                .block = &noted,
                                                .size = sizeof noted,
                                                .num_buffers = 2,
                                                .buffers = (const cl_mem[]){memory[i], table},
                                                .places = (const void *[]){&noted.address, &noted.table}};
        CLPRIM__TRY(clprim__launch_native(chain, &command, false));
    }
    const clprim__native_command command = {.name = code->name,
                                            .program = code->program,
                                            .run = run_command,
                                            .block = self,
                                            .size = self->size,
                                            .num_buffers = (cl_uint)(self->num_memory > 0) + (table != NULL),
                                            .buffers =
                                                (const cl_mem[]){self->num_memory > 0 ? memory[earlier] : NULL, table},
                                            .places = (const void *[]){&self->last, &self->earlier}};
    CLPRIM__TRY(clprim__launch_native(chain, &command, true));
done:
    if (table != NULL)
        (void)clReleaseMemObject(table); /* OpenCL keeps it as long as commands use it */
    return status;
}

/* PoCL 3.1 gives a function the addresses of its buffers sorted by age, each once, and for a sub-buffer that of the buffer
 * which it is a part of. So it is known which is which only of the buffer that was created last. That is the table. */
clprim_status clprim__native_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    block *self = plan->native;
    char *call = put_call(self, plan, c->given);
    cl_mem memory[CLPRIM__MAX_ARRAYS + 1];
    self->num_memory = 0;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__range *range = &c->arrays[i];
        clprim_array *array = clprim__array_of(call, &plan->slots[i]);
        if (range->memory == NULL)
            continue;
        array->length = range->count;
        self->arrays[self->num_arrays++] =
            (array_place){(size_t)((char *)array - (char *)self), number_of(self, memory, range->parent), range->begin};
    }
    self->scratch = self->num_memory;
    if (c->scratch != NULL) {
        clprim__range range = {.name = "scratch", .memory = c->scratch, .element_size = 1};
        const clprim_status status = clprim__check_range(&range, chain->runtime->context, 0);
        if (status != CLPRIM_SUCCESS)
            return status;
        self->scratch = number_of(self, memory, range.parent);
        self->scratch_skipped = range.begin;
    }
    return launch_all(chain, self, memory);
}

bool clprim__native_is_at_hand(const clprim_plan *plan, const void *call)
{
    for (size_t i = 0; i < plan->num_slots && plan->native != NULL; i++) {
        const clprim__slot *slot = &plan->slots[i];
        const clprim_array *array = clprim__array_in(call, slot);
        const bool may_lack = slot->element_size == 0
                                  ? array->offset == 0
                                  : slot->is_optional || clprim__length_of(slot, plan->desc.bytes, call) == 0;
        if (array->buffer != NULL || array->svm != NULL || (array->host == NULL && !may_lack))
            return false;
    }
    return plan->native != NULL;
}

clprim_status clprim__native_run(clprim_plan *plan, const void *call)
{
    block *self = plan->native;
    char *copy = put_call(self, plan, call);
    const long long began = plan->runtime->timeline != NULL ? clprim__trace_now() : 0;
    const clprim__trace_span span = {.verb = "run",
                                     .object = plan->operation->native->program,
                                     .is_folder = true,
                                     .unit = "elements",
                                     .number = plan->operation->count(call)};
    clprim_status status = CLPRIM_SUCCESS;
    void *scratch = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        size_t length = 0;
        if (!clprim__is_on_host(call, slot))
            continue;
        CLPRIM__TRY(clprim__host_check(&length, plan, call, slot));
        *clprim__array_of(copy, slot) = (clprim_array){.host = clprim__host_data(call, slot), .length = length};
    }
    if (!clprim__plan_launches(plan->operation, call))
        return CLPRIM_SUCCESS;
    bytes = clprim__native_scratch(plan, call);
    if (bytes > 0 && (scratch = clprim__allocate_pages(bytes)) == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu bytes of scratch memory", bytes);
    run(self, scratch);
    free(scratch);
    clprim__trace_host(plan->runtime->timeline, &span, began);
done:
    return status;
}
