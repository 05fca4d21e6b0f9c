// SPDX-License-Identifier: MIT
/* compaction.c: of the guide of that name: a stream compaction in a single pass, in a kernel of one's own. The argument is
 * log2 of the number of elements. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guide.h"

enum { GROUP = 256, REPEATS = 20 };

#define TEXT(...) #__VA_ARGS__

/* Keep the elements above a limit, in their order. Each sub-group has ITEMS rows of consecutive elements of the group's
 * tile, and brings those that it keeps together in local memory. */
/* clang-format off */
static const char SOURCE[] = TEXT(
    CLPRIM_WORK_GROUP_SCAN(places, uint, a + b, 0, GROUP)
    CLPRIM_LOOK_BACK(before, uint, a + b, 0, GROUP)

    __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
    void compact(const __global float *in, uint n, float limit, __global float *out, __global uint *count,
                 __global ulong *state, uint epoch)
    {
        __local float staged[GROUP * ITEMS];
        __local places_memory scanning;
        __local before_memory looking;
        const uint lanes = clprim_sub_group_size();
        const uint lane = clprim_sub_group_lane();
        const uint row = clprim_sub_group_index() * clprim_sub_group_width() * ITEMS;
        uint kept = 0;
        uint place = 0;
        uint total = 0;
        before_tile tile = before_begin(state, epoch, get_num_groups(0), &looking);
        do {
            const uint first = tile.at * (GROUP * ITEMS) + row + lane;
            const uint left = n - min(n, first);
            const __global float *from = in + first;
            float x[ITEMS];
            uint found = 0;
            uint all;
            _Pragma("unroll") for (uint k = 0; k < ITEMS; k++)
                x[k] = k * lanes < left ? from[k * lanes] : limit; /* which is not kept */
            _Pragma("unroll") for (uint k = 0; k < ITEMS; k++) {
                const bool is_kept = x[k] > limit;
                const uint4 votes = clprim_sub_group_ballot(is_kept);
                if (is_kept && tile.at == tile.own)
                    staged[row + found + clprim_sub_group_ballot_exclusive_scan(votes)] = x[k];
                found += clprim_sub_group_ballot_bit_count(votes);
            }
            const uint begin = places_exclusive(lane == lanes - 1 ? found : 0, &all, &scanning);
            before_publish(&tile, all);
            if (tile.at == tile.own) {
                kept = found;
                place = begin;
                total = all;
            }
        } while (before_look_back(&tile));
        for (uint i = lane; i < kept; i += lanes)
            out[tile.prefix + place + i] = staged[row + i];
        if (tile.own == get_num_groups(0) - 1 && get_local_id(0) == 0)
            *count = tile.prefix + total;
    }
);
/* clang-format on */

static const float LIMIT = 0.5f;

typedef struct compaction {
    clprim_runtime *runtime;
    cl_command_queue queue;
    cl_kernel kernel;
    clprim_plan *plan; /* of clprim_select, which does the same */
    cl_uint n, tile, epoch;
    size_t state_bytes;
    cl_mem in, out, count, state;
    cl_float *data, *expected, *got;
    cl_uint num_expected;
} compaction;

/* Tiles are as large as local memory allows: the fewer there are, the less time passes in looking back. */
static clprim_status build(compaction *self)
{
    const clprim_device_info *info = clprim_runtime_info(self->runtime);
    const unsigned items = info->local_memory_size >= 49152 ? 32 : 16;
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    char options[CLPRIM_DEVICE_OPTIONS_SIZE + 64];
    const char *texts[] = {clprim_device_source("work_group_scan.h"), clprim_device_source("look_back.h"), SOURCE};
    TRY(clprim_device_options(options, CLPRIM_DEVICE_OPTIONS_SIZE, info->device));
    (void)snprintf(options + strlen(options), 64, " -DGROUP=%d -DCLPRIM_GROUP_SIZE=%d -DITEMS=%u", GROUP, GROUP, items);
    program = clCreateProgramWithSource(clprim_runtime_context(self->runtime), 3, texts, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(program, 1, &info->device, options, NULL, NULL));
    self->kernel = clCreateKernel(program, "compact", &code);
    TRY(code);
    self->tile = GROUP * items;
done:
    if (program != NULL)
        (void)clReleaseProgram(program);
    return status;
}

static clprim_status make_buffers(compaction *self)
{
    cl_context context = clprim_runtime_context(self->runtime);
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    const size_t bytes = self->n * sizeof(cl_float);
    self->in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, self->data, &code);
    TRY(code);
    self->out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    TRY(code);
    self->count = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    TRY(code);
    const size_t tiles = ((size_t)self->n + self->tile - 1) / self->tile;
    self->state_bytes = CLPRIM_LOOK_BACK_BYTES(sizeof(cl_uint), tiles);
    self->state = clCreateBuffer(context, CL_MEM_READ_WRITE, self->state_bytes, NULL, &code);
    TRY(code);
    self->epoch = CLPRIM_LOOK_BACK_EPOCHS; /* nothing is cleared yet */
done:
    return status;
}

static clprim_status begin_epoch(compaction *self)
{
    const cl_uint zero = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->epoch == CLPRIM_LOOK_BACK_EPOCHS) {
        TRY(clEnqueueFillBuffer(self->queue, self->state, &zero, sizeof zero, 0, self->state_bytes, 0, NULL, NULL));
        self->epoch = 0;
    }
    self->epoch++;
done:
    return status;
}

static clprim_status enqueue_own(compaction *self)
{
    const size_t local = GROUP;
    const size_t global = ((size_t)self->n + self->tile - 1) / self->tile * GROUP;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(begin_epoch(self));
    TRY(clSetKernelArg(self->kernel, 0, sizeof(cl_mem), &self->in));
    TRY(clSetKernelArg(self->kernel, 1, sizeof self->n, &self->n));
    TRY(clSetKernelArg(self->kernel, 2, sizeof LIMIT, &LIMIT));
    TRY(clSetKernelArg(self->kernel, 3, sizeof(cl_mem), &self->out));
    TRY(clSetKernelArg(self->kernel, 4, sizeof(cl_mem), &self->count));
    TRY(clSetKernelArg(self->kernel, 5, sizeof(cl_mem), &self->state));
    TRY(clSetKernelArg(self->kernel, 6, sizeof self->epoch, &self->epoch));
    TRY(clEnqueueNDRangeKernel(self->queue, self->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
done:
    return status;
}

static clprim_status enqueue_select(compaction *self)
{
    const clprim_select_call call = {.in = {.buffer = self->in},
                                     .count = self->n,
                                     .out = {.buffer = self->out},
                                     .out_count = {.buffer = self->count}};
    return clprim_select_enqueue(self->plan, self->queue, &call, 0, NULL, NULL);
}

/* The result is that of the plain loop; the first elements that are not written stay as they are. */
static clprim_status check(compaction *self, clprim_status (*enqueue)(compaction *self))
{
    const cl_float old = -1;
    const size_t bytes = self->n * sizeof(cl_float);
    cl_uint count = 0;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clEnqueueFillBuffer(self->queue, self->out, &old, sizeof old, 0, bytes, 0, NULL, NULL));
    TRY(enqueue(self));
    TRY(clEnqueueReadBuffer(self->queue, self->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(self->queue, self->out, CL_TRUE, 0, bytes, self->got, 0, NULL, NULL));
    EXPECT(count == self->num_expected);
    EXPECT(memcmp(self->got, self->expected, bytes) == 0);
done:
    return status;
}

/* Bytes read and written per second, in GB. */
static clprim_status measure(double *out, compaction *self, clprim_status (*enqueue)(compaction *self))
{
    double shortest = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (int turn = 0; turn < 3; turn++) {
        struct timespec begin;
        struct timespec end;
        TRY(clFinish(self->queue));
        (void)timespec_get(&begin, TIME_UTC);
        for (int i = 0; i < REPEATS; i++)
            TRY(enqueue(self));
        TRY(clFinish(self->queue));
        (void)timespec_get(&end, TIME_UTC);
        const double time = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
        shortest = turn == 0 || time < shortest ? time : shortest;
    }
    *out = ((double)self->n + self->num_expected) * sizeof(cl_float) * REPEATS / shortest * 1e-9;
done:
    return status;
}

static clprim_status run(compaction *self)
{
    const clprim_select_desc desc = {.type = CLPRIM_F32, .predicate = "x > 0.5f"};
    double own = 0;
    double select = 0;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(build(self));
    TRY(make_buffers(self));
    TRY(clprim_select_create(&self->plan, self->runtime, &desc));
    for (int i = 0; i < 3; i++) /* with the state as each launch leaves it */
        TRY(check(self, enqueue_own));
    TRY(check(self, enqueue_select));
    TRY(measure(&own, self, enqueue_own));
    TRY(measure(&select, self, enqueue_select));
    TRY(check(self, enqueue_own));
    printf("%u of %u elements kept: %.1f GB/s, clprim_select %.1f GB/s, ratio %.2f\n", self->num_expected, self->n, own,
           select, own / select);
done:
    return status;
}

int main(int argc, char **argv)
{
    compaction self = {0};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_create(&self.runtime, NULL));
    self.queue = clprim_runtime_queue(self.runtime);
    const int usual = clprim_runtime_info(self.runtime)->kind == CLPRIM_DEVICE_GPU ? 26 : 18;
    const int power = argc > 1 ? atoi(argv[1]) : usual;
    EXPECT(power >= 0 && power <= 30);
    self.n = ((cl_uint)1 << power) + 1; /* the last tile is not whole */
    self.data = malloc(self.n * sizeof(cl_float));
    self.expected = malloc(self.n * sizeof(cl_float));
    self.got = malloc(self.n * sizeof(cl_float));
    EXPECT(self.data != NULL && self.expected != NULL && self.got != NULL);
    for (cl_uint i = 0; i < self.n; i++) {
        const cl_uint mixed = (i * 2654435769u ^ i * 2654435769u >> 15) * 2246822519u;
        self.data[i] = (cl_float)(mixed >> 8) / 16777216;
        self.expected[i] = -1;
        if (self.data[i] > LIMIT)
            self.expected[self.num_expected++] = self.data[i];
    }
    TRY(run(&self));
done:
    free(self.data);
    free(self.expected);
    free(self.got);
    clprim_plan_destroy(self.plan);
    if (self.kernel != NULL)
        (void)clReleaseKernel(self.kernel);
    const cl_mem buffers[] = {self.in, self.out, self.count, self.state};
    for (size_t i = 0; i < 4; i++)
        if (buffers[i] != NULL)
            (void)clReleaseMemObject(buffers[i]);
    clprim_runtime_destroy(self.runtime);
    return status != CLPRIM_SUCCESS;
}
