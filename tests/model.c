/* model.c: make calls, and know what must come of them. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_rows.h"

enum { PARENTS = 5, VIEWS = 7, READ_ONLY = 4, MAX_ROWS = 16, SMALL = 300, MARGIN = 4096, LENT_BYTES = 2048 };

/* Of a buffer, or of a part of one. */
typedef struct view {
    cl_mem memory;
    size_t parent, origin, size;
} view;

struct model {
    clprim_runtime *runtime;
    cl_command_queue queues[3]; /* the runtime's, in-order, out-of-order */
    size_t largest, bytes;
    view views[VIEWS]; /* the parents, a sub-buffer, none */
    uint8_t *contents[PARENTS];
    uint8_t *seen; /* room for what is read back */
    void *plans[MAX_ROWS];
    cl_mem lent[MAX_ROWS]; /* scratch memory */
    bool is_lent[MAX_ROWS];
    uint64_t fill;
    model_counts total;
};

typedef enum verdict { RIGHT, WRONG, EITHER } verdict;

/* What one array of a call is about. */
typedef struct place {
    bool is_used;
    size_t parent, begin, end; /* in bytes of the parent */
} place;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 (Steele, Lea, Flood 2014) */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t model_number(model_source *source)
{
    if (source->bytes == NULL)
        return (uint32_t)next_random(&source->state) & 0xffff;
    uint32_t number = 0;
    for (int i = 0; i < 2 && source->left > 0; i++, source->left--)
        number = number << 8 | *source->bytes++;
    return number;
}

size_t model_below(model_source *source, size_t limit)
{
    size_t number = model_number(source);
    for (size_t reach = 0x10000; reach < limit && reach != 0; reach <<= 16)
        number = number << 16 | model_number(source);
    return number % limit;
}

bool model_is_empty(const model_source *source)
{
    return source->bytes != NULL && source->left == 0;
}

static bool wrong(const char *what, const char *row)
{
    (void)fprintf(stderr, "%s: %s (last error: %s)\n", row, what, clprim_last_error());
    return false;
}

static bool create_queues(model *self)
{
    cl_int code = CL_SUCCESS;
    const cl_context context = clprim_runtime_context(self->runtime);
    const cl_device_id device = clprim_runtime_device(self->runtime);
    self->queues[0] = clprim_runtime_queue(self->runtime);
    self->queues[1] = clCreateCommandQueue(context, device, 0, &code);
    if (code == CL_SUCCESS)
        self->queues[2] = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    return code == CL_SUCCESS;
}

static bool create_buffers(model *self)
{
    cl_int code = CL_SUCCESS;
    const cl_context context = clprim_runtime_context(self->runtime);
    const cl_buffer_region part = {MARGIN / 4, MARGIN / 4}; /* a multiple of any device's alignment */
    self->seen = calloc(1, self->bytes);
    for (size_t i = 0; i < PARENTS; i++) {
        self->contents[i] = calloc(1, self->bytes);
        if (self->contents[i] == NULL || self->seen == NULL)
            return false;
        self->views[i] = (view){NULL, i, 0, self->bytes};
        self->views[i].memory =
            clCreateBuffer(context, (i == READ_ONLY ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE) | CL_MEM_COPY_HOST_PTR,
                           self->bytes, self->contents[i], &code);
        if (code != CL_SUCCESS)
            return false;
    }
    self->views[PARENTS] = (view){NULL, 0, part.origin, part.size};
    self->views[PARENTS].memory =
        clCreateSubBuffer(self->views[0].memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    return code == CL_SUCCESS;
}

static bool make_plan(model *self, size_t row)
{
    if (model_rows[row].create(&self->plans[row], self->runtime) != CLPRIM_SUCCESS)
        return wrong("no plan", model_rows[row].name);
    self->is_lent[row] = false;
    self->total.plans++;
    return true;
}

model *model_create(clprim_runtime *runtime, size_t largest)
{
    cl_int code = CL_SUCCESS;
    model *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->runtime = runtime;
    self->largest = largest != 0 ? largest : SMALL;
    self->bytes = self->largest * 4 + MARGIN;
    bool is_made = model_num_rows <= MAX_ROWS && create_queues(self) && create_buffers(self);
    for (size_t i = 0; i < model_num_rows && is_made; i++) {
        self->lent[i] = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, LENT_BYTES, NULL, &code);
        is_made = code == CL_SUCCESS && make_plan(self, i);
    }
    if (is_made)
        return self;
    (void)wrong("it cannot be made", "the model");
    model_destroy(self);
    return NULL;
}

void model_destroy(model *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < model_num_rows; i++) {
        if (self->plans[i] != NULL)
            model_rows[i].destroy(self->plans[i]);
        if (self->lent[i] != NULL)
            (void)clReleaseMemObject(self->lent[i]);
    }
    for (size_t i = VIEWS; i-- > 0;)
        if (self->views[i].memory != NULL)
            (void)clReleaseMemObject(self->views[i].memory);
    for (size_t i = 0; i < PARENTS; i++)
        free(self->contents[i]);
    for (size_t i = 1; i < 3; i++)
        if (self->queues[i] != NULL)
            (void)clReleaseCommandQueue(self->queues[i]);
    free(self->seen);
    free(self);
}

model_counts model_total(const model *self)
{
    return self->total;
}

/* Every byte on the device is what it must be. */
static bool is_as_expected(const model *self, const char *row, const char *what)
{
    for (size_t i = 0; i < PARENTS; i++) {
        size_t at = 0;
        if (clEnqueueReadBuffer(self->queues[1], self->views[i].memory, CL_TRUE, 0, self->bytes, self->seen, 0, NULL,
                                NULL) != CL_SUCCESS)
            return wrong("a buffer cannot be read", row);
        while (at < self->bytes && self->seen[at] == self->contents[i][at])
            at++;
        if (at < self->bytes) {
            (void)fprintf(stderr, "%s: %s: byte %zu of buffer %zu is %u, not %u\n", row, what, at, i, self->seen[at],
                          self->contents[i][at]);
            return false;
        }
    }
    return true;
}

/* Other data in a part of a buffer: of any bits, of few distinct elements, or all the same. */
static bool write_data(model *self, model_source *source)
{
    const size_t parent = model_below(source, READ_ONLY);
    const size_t begin = model_below(source, self->bytes);
    const size_t size = 1 + model_below(source, self->bytes - begin);
    const size_t kind = model_below(source, 3);
    self->fill += model_number(source);
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)next_random(&self->fill);
        self->contents[parent][begin + i] = kind == 0 ? byte : kind == 1 ? (begin + i) % 4 == 0 ? byte & 3 : 0 : 7;
    }
    if (clEnqueueWriteBuffer(self->queues[1], self->views[parent].memory, CL_TRUE, begin, size,
                             self->contents[parent] + begin, 0, NULL, NULL) != CL_SUCCESS)
        return wrong("a buffer cannot be written", "data");
    return true;
}

static size_t any_count(const model *self, model_source *source)
{
    static const size_t hostile[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1, (size_t)1 << 32, 5000};
    const size_t kind = model_below(source, 32);
    if (kind == 0)
        return hostile[model_below(source, sizeof hostile / sizeof *hostile)];
    return kind < 4 ? 0 : kind < 8 ? 1 + model_below(source, 3) : model_below(source, self->largest);
}

static size_t any_offset(model_source *source)
{
    static const size_t hostile[] = {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 4 + 1, (size_t)1 << 62, 4096, 1024};
    const size_t kind = model_below(source, 32);
    if (kind == 0)
        return hostile[model_below(source, sizeof hostile / sizeof *hostile)];
    return kind < 8 ? 0 : model_below(source, 200);
}

/* Whether an array of a call may be what it is. */
static bool find_place(place *out, const model_row *row, const model_call *call, const view *where, size_t array)
{
    const size_t size = row->sizes[array];
    const size_t count = row->counts[array] != 0 ? row->counts[array] : call->n;
    *out = (place){0};
    if (where->memory == NULL)
        return count == 0 || (array == MODEL_AUX_OUT && row->may_lack_last);
    if (where->parent == READ_ONLY && array >= MODEL_OUT)
        return false;
    const size_t room = where->size / size;
    if (call->offset[array] > room || count > room - call->offset[array])
        return false;
    const size_t begin = where->origin + call->offset[array] * size;
    *out = (place){true, where->parent, begin, begin + count * size};
    return true;
}

static bool overlap(const place *a, const place *b)
{
    return a->is_used && b->is_used && a->parent == b->parent && a->begin < b->end && b->begin < a->end;
}

static bool is_allowed(const model_row *row, const place places[MODEL_ARRAYS])
{
    for (size_t written = MODEL_OUT; written < MODEL_ARRAYS; written++)
        for (size_t other = 0; other < written; other++) {
            const bool is_in_place =
                row->in_place && other == written - MODEL_OUT && places[other].begin == places[written].begin;
            if (overlap(&places[other], &places[written]) && !is_in_place)
                return false;
        }
    return true;
}

/* A call with random arguments, and what the library must say to it. */
static verdict choose_call(model_call *call, place places[MODEL_ARRAYS], model *self, size_t which,
                           model_source *source)
{
    const model_row *row = &model_rows[which];
    verdict is_right = RIGHT;
    size_t needed = 0;
    const size_t first = model_below(source, READ_ONLY);
    *call = (model_call){.n = any_count(self, source)};
    for (size_t i = 0; i < MODEL_ARRAYS; i++) {
        places[i] = (place){0};
        if (row->sizes[i] == 0)
            continue;
        const size_t kind = model_below(source, 64); /* mostly one that others do not use */
        const view *where = &self->views[kind < VIEWS ? kind : (first + i) % READ_ONLY];
        call->memory[i] = where->memory;
        call->offset[i] = any_offset(source);
        if (i >= MODEL_OUT && row->in_place && model_below(source, 4) == 0) {
            call->memory[i] = call->memory[i - MODEL_OUT];
            call->offset[i] = call->offset[i - MODEL_OUT];
            for (size_t v = 0; v < VIEWS; v++)
                where = self->views[v].memory == call->memory[i] ? &self->views[v] : where;
        }
        if (!find_place(&places[i], row, call, where, i))
            is_right = WRONG;
    }
    if (is_right == WRONG || !is_allowed(row, places))
        return WRONG;
    if (row->scratch_size(&needed, self->plans[which], call->n) != CLPRIM_SUCCESS)
        return WRONG;
    return self->is_lent[which] && needed > LENT_BYTES ? EITHER : RIGHT;
}

/* Whom the call waits for, and who for it. */
static verdict choose_queue(model_call *call, cl_event *gate, const model *self, model_source *source)
{
    const size_t kind = model_below(source, 64);
    cl_int code = CL_SUCCESS;
    call->queue = self->queues[model_below(source, 3)];
    if (call->queue == self->queues[0] && kind % 2 == 0)
        call->queue = NULL;
    if (kind < 8)
        *gate = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    call->num_waits = *gate != NULL;
    call->waits = *gate != NULL ? gate : NULL;
    if (kind == 8)
        call->num_waits = 1;
    else if (kind == 9)
        call->waits = gate;
    return kind == 8 || kind == 9 ? WRONG : RIGHT;
}

static void write_expected(model *self, const model_row *row, const model_call *call, const place places[MODEL_ARRAYS])
{
    uint64_t nothing[8] = {0};
    void *arrays[MODEL_ARRAYS] = {NULL};
    for (size_t i = 0; i < MODEL_ARRAYS; i++) {
        if (places[i].is_used)
            arrays[i] = self->contents[places[i].parent] + places[i].begin;
        else if (row->sizes[i] != 0 && !(i == MODEL_AUX_OUT && row->may_lack_last))
            arrays[i] = nothing;
    }
    row->expect(arrays, call->n);
}

static bool wait_for(const model *self, const model_call *call, cl_event done)
{
    const cl_int code =
        done != NULL ? clWaitForEvents(1, &done) : clFinish(call->queue != NULL ? call->queue : self->queues[0]);
    return code == CL_SUCCESS;
}

static bool call_device(model *self, size_t which, model_source *source)
{
    static const char untouched;
    const model_row *row = &model_rows[which];
    const cl_event sentinel = (cl_event)(uintptr_t)&untouched;
    model_call call;
    place places[MODEL_ARRAYS];
    cl_event gate = NULL;
    cl_event done = sentinel;
    const verdict of_arrays = choose_call(&call, places, self, which, source);
    const verdict of_queue = choose_queue(&call, &gate, self, source);
    const verdict expected = of_queue == WRONG ? WRONG : of_arrays;
    if (model_below(source, 2) == 0)
        call.done = &done;
    const clprim_status status = row->enqueue(self->plans[which], &call);
    if (gate != NULL) {
        (void)clSetUserEventStatus(gate, CL_COMPLETE);
        (void)clReleaseEvent(gate);
    }
    if (status == CLPRIM_SUCCESS && expected == WRONG)
        return wrong("a wrong call succeeds", row->name);
    if (status != CLPRIM_SUCCESS && expected == RIGHT)
        return wrong("a right call fails", row->name);
    if (status != CLPRIM_SUCCESS) {
        const bool is_refusal = expected == EITHER ? status == CLPRIM_INVALID_SCRATCH
                                                   : status <= CLPRIM_INVALID_ARGUMENT && status >= CLPRIM_UNSUPPORTED;
        self->total.refusals++;
        if (!is_refusal || clprim_last_error()[0] == '\0')
            return wrong("it is refused with another status, or no sentence", row->name);
        return (done == sentinel || wrong("a refused call writes its event", row->name)) &&
               is_as_expected(self, row->name, "after a refusal");
    }
    self->total.calls++;
    const bool is_done = wait_for(self, &call, call.done != NULL ? done : NULL);
    if (call.done != NULL)
        (void)clReleaseEvent(done);
    if (!is_done)
        return wrong("the wait for it fails", row->name);
    write_expected(self, row, &call, places);
    return is_as_expected(self, row->name, "after a call");
}

/* From host to host: arrays just as large as they must be. */
static bool call_host(model *self, size_t which, model_source *source)
{
    enum { POISON = 0xa5 };
    const model_row *row = &model_rows[which];
    const size_t n = model_below(source, self->largest);
    const size_t offset = model_below(source, MARGIN / 8);
    void *got[MODEL_ARRAYS] = {NULL};
    void *expected[MODEL_ARRAYS] = {NULL};
    bool is_right = true;
    for (size_t i = 0; i < MODEL_ARRAYS; i++) {
        const size_t bytes = row->sizes[i] * (row->counts[i] != 0 ? row->counts[i] : n);
        if (row->sizes[i] == 0)
            continue;
        got[i] = malloc(bytes + (bytes == 0));
        expected[i] = malloc(bytes + (bytes == 0));
        is_right = is_right && got[i] != NULL && expected[i] != NULL;
        if (!is_right)
            break;
        const bool is_sorted_there = i >= MODEL_OUT && row->in_place && got[i - MODEL_OUT] != NULL;
        memset(got[i], POISON, bytes);
        if (i < MODEL_OUT)
            memcpy(got[i], self->contents[i] + offset, bytes);
        else if (is_sorted_there)
            memcpy(got[i], got[i - MODEL_OUT], bytes);
        memcpy(expected[i], got[i], bytes);
    }
    if (is_right) {
        self->total.calls++;
        self->total.host++;
        row->expect(expected, n);
        is_right = row->host(self->runtime, got, n) == CLPRIM_SUCCESS || wrong("a host call fails", row->name);
    }
    for (size_t i = 0; i < MODEL_ARRAYS; i++) {
        const size_t bytes = row->sizes[i] * (row->counts[i] != 0 ? row->counts[i] : n);
        if (is_right && bytes > 0 && memcmp(got[i], expected[i], bytes) != 0)
            is_right = wrong("another result from host to host", row->name);
        free(got[i]);
        free(expected[i]);
    }
    return is_right;
}

static bool refuse_description(model *self, model_source *source)
{
    const clprim_program_stats before = clprim_runtime_program_stats(self->runtime);
    const char *what = model_try_bad_desc(self->runtime, source);
    const clprim_program_stats after = clprim_runtime_program_stats(self->runtime);
    if (what == NULL && (after.built != before.built || after.from_disk != before.from_disk))
        what = "a bad description is compiled";
    self->total.bad_descs++;
    return what == NULL || wrong(what, "descriptions");
}

static bool lend_scratch(model *self, size_t which)
{
    self->is_lent[which] = !self->is_lent[which];
    const clprim_status status =
        model_rows[which].set_scratch(self->plans[which], self->is_lent[which] ? self->lent[which] : NULL);
    return status == CLPRIM_SUCCESS || wrong("scratch memory is refused", model_rows[which].name);
}

static bool renew_plan(model *self, size_t which)
{
    model_rows[which].destroy(self->plans[which]);
    self->plans[which] = NULL;
    return make_plan(self, which);
}

bool model_step(model *self, model_source *source)
{
    const size_t kind = model_below(source, 32);
    const size_t which = model_below(source, model_num_rows);
    switch (kind) {
    case 0:
    case 1:
    case 2: return write_data(self, source);
    case 3:
    case 4:
    case 5: return refuse_description(self, source);
    case 6: return lend_scratch(self, which);
    case 7: return renew_plan(self, which);
    case 8:
    case 9: return call_host(self, which, source);
    default: return call_device(self, which, source);
    }
}
