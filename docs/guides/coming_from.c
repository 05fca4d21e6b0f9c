// SPDX-License-Identifier: MIT
/* coming_from.c: of docs/coming_from.md: what CUB, Thrust and Boost.Compute do, by clPRIM. */
#include "guide.h"

#include <string.h>

enum { COUNT = 8 };

static clprim_status sum(clprim_runtime *runtime, cl_command_queue queue, cl_mem in, cl_mem out, size_t n)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_plan *plan = NULL;
    TRY(clprim_reduce_create(&plan, runtime, &(clprim_reduce_desc){.type = CLPRIM_U32, .op = CLPRIM_SUM}));
    TRY(clprim_reduce_enqueue(
        plan, queue, &(clprim_reduce_call){.in = {.buffer = in}, .count = n, .out = {.buffer = out}}, 0, NULL, NULL));
done:
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status sort(clprim_runtime *runtime, cl_command_queue queue, cl_mem in, cl_mem out, size_t n)
{
    clprim_status status = CLPRIM_SUCCESS;
    const cl_context context = clprim_runtime_context(runtime);
    clprim_plan *plan = NULL;
    cl_mem temporary = NULL;
    cl_int code = CL_SUCCESS;
    size_t bytes = 0;
    TRY(clprim_radix_sort_create(&plan, runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_U32}));
    const clprim_radix_sort_call call = {.keys_in = {.buffer = in}, .count = n, .keys_out = {.buffer = out}};
    TRY(clprim_plan_scratch_size(&bytes, plan, &call));
    temporary = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes + 1, NULL, &code); /* bytes may be 0 */
    TRY(code);
    TRY(clprim_plan_set_scratch(plan, temporary));
    TRY(clprim_radix_sort_enqueue(plan, queue, &call, 0, NULL, NULL));
done:
    if (temporary != NULL)
        (void)clReleaseMemObject(temporary);
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status sort_pairs(clprim_runtime *runtime, cl_command_queue queue, cl_mem in, cl_mem values, cl_mem out,
                                cl_mem values_out, size_t n)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_plan *plan = NULL;
    const clprim_radix_sort_desc pairs = {.key_type = CLPRIM_U32, .value_size = 4, .descending = true};
    TRY(clprim_radix_sort_create(&plan, runtime, &pairs));
    const clprim_radix_sort_call call = {.keys_in = {.buffer = in},
                                         .values_in = {.buffer = values},
                                         .count = n,
                                         .keys_out = {.buffer = out},
                                         .values_out = {.buffer = values_out}};
    TRY(clprim_radix_sort_enqueue(plan, queue, &call, 0, NULL, NULL));
done:
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status select_if(clprim_runtime *runtime, cl_command_queue queue, cl_mem in, cl_mem out, cl_mem number,
                               size_t n)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_plan *plan = NULL;
    cl_uint limit = 3;
    const clprim_select_desc above = {
        .type = CLPRIM_U32, .predicate = "x > limit", .text.parameters = {{.name = "limit", .type = CLPRIM_U32}}};
    TRY(clprim_select_create(&plan, runtime, &above));
    const clprim_select_call call = {.in = {.buffer = in},
                                     .arguments = {{.host = &limit}},
                                     .count = n,
                                     .out = {.buffer = out},
                                     .out_count = {.buffer = number}};
    TRY(clprim_select_enqueue(plan, queue, &call, 0, NULL, NULL));
done:
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status histogram_even(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    float samples[] = {0.1F, 0.6F, 0.7F, 0.9F};
    cl_uint counts[4] = {0};
    const clprim_histogram_desc even = {
        .type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 4, .low = 0, .high = 1};
    TRY(clprim_histogram_run(NULL, &even,
                             &(clprim_histogram_call){.in = {.host = samples}, .count = 4, .out = {.host = counts}}));
    EXPECT(counts[0] == 1 && counts[2] == 2 && counts[3] == 1);
done:
    return status;
}

static clprim_status inner_product(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    float x[] = {1, 2, 3};
    float y[] = {4, 5, 6};
    float product = 0;
    const clprim_reduce_desc dot = {
        .type = CLPRIM_F32,
        .input = "x[i] * y[i]",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"y", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_reduce_run(
        NULL, &dot,
        &(clprim_reduce_call){.arguments = {{.host = x}, {.host = y}}, .count = 3, .out = {.host = &product}}));
    EXPECT(product == 32);
done:
    return status;
}

static clprim_status sort_by_comparator(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    cl_uint spans[][2] = {{7, 9}, {2, 3}, {5, 8}};
    const clprim_comparison_sort_desc by_begin = {
        .type_name = "span",
        .type_size = 8,
        .text.source = "typedef struct { uint begin, end; } span;",
        .less = "a.begin < b.begin",
        .stable = true,
    };
    TRY(clprim_comparison_sort_run(
        NULL, &by_begin,
        &(clprim_comparison_sort_call){.keys_in = {.host = spans}, .count = 3, .keys_out = {.host = spans}}));
    EXPECT(spans[0][1] == 3 && spans[2][1] == 9);
done:
    return status;
}

static clprim_status reduce_by_key(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    cl_uint keys[] = {1, 1, 4, 4, 4, 2};
    float values[] = {1, 2, 3, 4, 5, 6};
    cl_uint groups[6];
    float sums[6];
    cl_uint runs = 0;
    TRY(clprim_reduce_by_key_run(NULL, &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U32, .type = CLPRIM_F32},
                                 &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                                              .values_in = {.host = values},
                                                              .count = 6,
                                                              .keys_out = {.host = groups},
                                                              .values_out = {.host = sums},
                                                              .out_count = {.host = &runs}}));
    EXPECT(runs == 3 && sums[1] == 12);
done:
    return status;
}

static clprim_status lower_bound(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    float sorted[] = {1, 3, 3, 8};
    float needles[] = {3, 9};
    cl_uint places[2];
    TRY(clprim_search_run(NULL, &(clprim_search_desc){.type = CLPRIM_F32},
                          &(clprim_search_call){.in = {.host = sorted},
                                                .needles = {.host = needles},
                                                .count = 4,
                                                .needle_count = 2,
                                                .out = {.host = places}}));
    EXPECT(places[0] == 1 && places[1] == 4);
done:
    return status;
}

static clprim_status square(cl_command_queue queue, cl_mem data, size_t n)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    TRY(clprim_runtime_create(&runtime, &(clprim_runtime_desc){.queue = queue}));
    const clprim_transform_desc squares = {
        .expressions = {"x[i] * x[i]"},
        .types = {CLPRIM_U32},
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true}},
    };
    TRY(clprim_transform_create(&plan, runtime, &squares));
    TRY(clprim_transform_enqueue(
        plan, queue, &(clprim_transform_call){.arguments = {{.buffer = data}}, .count = n, .out = {{.buffer = data}}},
        0, NULL, NULL));
done:
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status;
}

static clprim_status buffer_of(cl_mem *out, clprim_runtime *runtime, const cl_uint *data)
{
    cl_uint words[COUNT];
    cl_int code = CL_SUCCESS;
    memcpy(words, data, sizeof words);
    cl_mem made = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 sizeof words, words, &code);
    if (code == CL_SUCCESS)
        *out = made;
    return (clprim_status)code;
}

/* The first and the last element of a buffer are these. */
static clprim_status expect(cl_command_queue queue, cl_mem buffer, cl_uint first, cl_uint last)
{
    clprim_status status = CLPRIM_SUCCESS;
    cl_uint words[COUNT];
    TRY(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    EXPECT(words[0] == first && words[COUNT - 1] == last);
done:
    return status;
}

static clprim_status on_buffers(void)
{
    const cl_uint numbers[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6};
    clprim_runtime *runtime = NULL;
    cl_mem in = NULL;
    cl_mem out = NULL;
    cl_mem more = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_create(&runtime, NULL));
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    TRY(buffer_of(&in, runtime, numbers));
    TRY(buffer_of(&out, runtime, numbers));
    TRY(buffer_of(&more, runtime, numbers));
    TRY(sum(runtime, queue, in, out, COUNT));
    TRY(expect(queue, out, 31, 6));
    TRY(select_if(runtime, queue, in, out, more, COUNT));
    TRY(expect(queue, more, 4, 6));
    TRY(sort(runtime, queue, in, out, COUNT));
    TRY(expect(queue, out, 1, 9));
    TRY(sort_pairs(runtime, queue, in, in, out, more, COUNT));
    TRY(expect(queue, more, 9, 1));
    TRY(square(queue, in, COUNT));
    TRY(expect(queue, in, 9, 36));
done:
    if (in != NULL)
        (void)clReleaseMemObject(in);
    if (out != NULL)
        (void)clReleaseMemObject(out);
    if (more != NULL)
        (void)clReleaseMemObject(more);
    clprim_runtime_destroy(runtime);
    return status;
}

int main(void)
{
    clprim_status status = CLPRIM_SUCCESS;
    TRY(on_buffers());
    TRY(histogram_even());
    TRY(inner_product());
    TRY(sort_by_comparator());
    TRY(reduce_by_key());
    TRY(lower_bound());
done:
    return status != CLPRIM_SUCCESS;
}
