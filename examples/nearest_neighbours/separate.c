// SPDX-License-Identifier: MIT
/* separate.c: the same neighbours by three calls: a transform that fills a matrix with all distances, the k smallest of
 * each of its rows, and a transform that gathers their vectors. */
#include "separate.h"

#include <stdio.h>

static const char SOURCE[] = "float square(float4 v)\n"
                             "{\n"
                             "    return v.x * v.x + v.y * v.y + v.z * v.z;\n"
                             "}\n"
                             "float4 with_w(float4 v, float w)\n"
                             "{\n"
                             "    v.w = w;\n"
                             "    return v;\n"
                             "}\n";

clprim_status separate_find(void *user)
{
    const separate *self = user;
    const neighbours *task = self->task;
    const cl_command_queue queue = task->program->queue;
    const size_t n = task->num_points;
    const size_t k = task->k;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t first = 0; first < task->num_queries; first += self->rows) {
        const size_t left = task->num_queries - first;
        const size_t rows = left < self->rows ? left : self->rows;
        const clprim_array queries = {.buffer = task->device_queries, .offset = first, .length = rows};
        const clprim_array points = {.buffer = task->device_points, .length = n};
        const clprim_array indices = {.buffer = task->indices, .offset = first * k};
        const clprim_transform_call fill = {.arguments = {queries, points}, .count = rows * n, .out = {{self->matrix}}};
        const clprim_segmented_top_k_call choose = {.keys_in = {self->matrix},
                                                    .count = rows * n,
                                                    .segment_count = rows,
                                                    .keys_out = {self->smallest},
                                                    .values_out = indices};
        const clprim_transform_call gather = {.arguments = {queries, points, indices, {self->smallest}},
                                              .count = rows * k,
                                              .out = {{.buffer = task->vectors, .offset = first * k}}};
        EXAMPLE_TRY(clprim_transform_enqueue(self->fill, queue, &fill, 0, NULL, NULL));
        EXAMPLE_TRY(clprim_segmented_top_k_enqueue(self->choose, queue, &choose, 0, NULL, NULL));
        EXAMPLE_TRY(clprim_transform_enqueue(self->gather, queue, &gather, 0, NULL, NULL));
    }
done:
    return status;
}

static clprim_status make_plans(separate *self)
{
    clprim_runtime *runtime = self->task->program->runtime;
    char options[64]; /* constants, so that the compiler replaces divisions by multiplications */
    (void)snprintf(options, sizeof options, "-DN=%zuu -DK=%zuu", self->task->num_points, self->task->k);
    const clprim_transform_desc fill = {
        .expressions = {"square(points[(uint)i % N] - queries[(uint)i / N])"},
        .types = {CLPRIM_F32},
        .text = {.source = SOURCE,
                 .options = options,
                 .parameters = {{"queries", .type_name = "float4", .type_size = 16, .is_array = true},
                                {"points", .type_name = "float4", .type_size = 16, .is_array = true}}}};
    const clprim_segmented_top_k_desc choose = {.key_type = CLPRIM_F32,
                                                .k = self->task->k,
                                                .smallest = true,
                                                .indices = true,
                                                .segment_length = self->task->num_points};
    const clprim_transform_desc gather = {
        .expressions = {"with_w(points[indices[i]] - queries[(uint)i / K], smallest[i])"},
        .type_names = {"float4"},
        .type_sizes = {16},
        .text = {.source = SOURCE,
                 .options = options,
                 .parameters = {{"queries", .type_name = "float4", .type_size = 16, .is_array = true},
                                {"points", .type_name = "float4", .type_size = 16, .is_array = true},
                                {"indices", CLPRIM_U32, .is_array = true},
                                {"smallest", CLPRIM_F32, .is_array = true}}}};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_transform_create(&self->fill, runtime, &fill));
    EXAMPLE_TRY(clprim_segmented_top_k_create(&self->choose, runtime, &choose));
    EXAMPLE_TRY(clprim_transform_create(&self->gather, runtime, &gather));
done:
    return status;
}

clprim_status separate_begin(separate *out, const neighbours *task)
{
    example any_count = *task->program;
    clprim_status status = CLPRIM_SUCCESS;
    any_count.n = 0;
    const size_t elements =
        example_count(&any_count, sizeof(cl_float), (size_t)1 << 20, (size_t)1 << 28, (size_t)1 << 24);
    const size_t rows = elements / task->num_points;
    *out = (separate){.task = task};
    out->rows = rows == 0 ? 1 : rows < task->num_queries ? rows : task->num_queries;
    EXAMPLE_TRY(make_plans(out));
    EXAMPLE_TRY(example_upload(&out->matrix, task->program, NULL, out->rows * task->num_points * sizeof(cl_float)));
    EXAMPLE_TRY(example_upload(&out->smallest, task->program, NULL, out->rows * task->k * sizeof(cl_float)));
done:
    return status;
}

void separate_end(separate *self)
{
    example_release(self->matrix);
    example_release(self->smallest);
    clprim_plan_destroy(self->fill);
    clprim_plan_destroy(self->choose);
    clprim_plan_destroy(self->gather);
}
