// SPDX-License-Identifier: MIT
/* expressions.c: of the guide of that name: an axpy whose factor comes with each call, what a table makes of indices, two
 * outputs at once, a scatter, a pattern, other orders, elements that are in no array, what is written instead of
 * results, records by several members, and a chain whose counts stay on the device. */
#include "guide.h"

static clprim_status axpy_twice(void)
{
    static const clprim_transform_desc axpy = {
        .expressions = {"a * x[i] + y[i]"},
        .types = {CLPRIM_F32},
        .text.parameters = {{.name = "a", .type = CLPRIM_F32},
                            {"x", CLPRIM_F32, .is_array = true},
                            {"y", CLPRIM_F32, .is_array = true}},
    };
    float x[] = {1, 2, 3, 4};
    float y[] = {10, 20, 30, 40};
    float a = 2;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_call call = {
        .arguments = {{.host = &a}, {.host = x}, {.host = y}}, .count = 4, .out = {{.host = y}}};
    TRY(clprim_transform_run(NULL, &axpy, &call));
    a = -1;
    TRY(clprim_transform_run(NULL, &axpy, &call)); /* nothing is compiled again */
    EXPECT(y[0] == 11 && y[3] == 44);
done:
    return status;
}

static clprim_status colour(void)
{
    cl_uchar levels[] = {3, 0, 3, 1, 2, 2};
    cl_uint palette[] = {0x000000, 0x0000ff, 0x00ff00, 0xff0000};
    cl_uint pixels[6] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"palette[level[i]]"},
        .types = {CLPRIM_U32},
        .text.parameters = {{"palette", CLPRIM_U32, .is_array = true}, {"level", CLPRIM_U8, .is_array = true}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = palette, .length = 4}, {.host = levels}},
                                                      .count = 6,
                                                      .out = {{.host = pixels}}}));
    EXPECT(pixels[0] == 0xff0000 && pixels[1] == 0 && pixels[5] == 0x00ff00);
done:
    return status;
}

static clprim_status split(void)
{
    float angle[] = {0, 1, 2};
    float cosine[3] = {0};
    float sine[3] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"cos(angle[i])", "sin(angle[i])"},
        .types = {CLPRIM_F32, CLPRIM_F32},
        .text.parameters = {{"angle", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = angle}},
                                                      .count = 3,
                                                      .out = {{.host = cosine}, {.host = sine}}}));
    EXPECT(cosine[0] == 1 && sine[0] == 0 && cosine[2] < 0);
done:
    return status;
}

static clprim_status scatter(void)
{
    float x[] = {1, 2, 3, 4};
    cl_uchar keep[] = {1, 0, 1, 1};
    cl_uint place[] = {5, 4, 0, 2};
    float out[6] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"x[i]"},
        .types = {CLPRIM_F32},
        .out_index = "keep[i] ? place[i] : -1L",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true},
                            {"keep", CLPRIM_U8, .is_array = true},
                            {"place", CLPRIM_U32, .is_array = true}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = x}, {.host = keep}, {.host = place}},
                                                      .count = 4,
                                                      .out_length = 6,
                                                      .out = {{.host = out}}}));
    EXPECT(out[0] == 3 && out[2] == 4 && out[4] == 0 && out[5] == 1);
done:
    return status;
}

static clprim_status first_match(void)
{
    static const clprim_find_desc search = {
        .type = CLPRIM_U8,
        .predicate = "x == p[0] && matches(text + i, p, m)",
        .text = {.source = "static bool matches(const __global uchar *a, const __global uchar *p, ulong m)\n"
                           "{\n"
                           "    ulong k = 1;\n"
                           "    while (k < m && a[k] == p[k])\n"
                           "        k++;\n"
                           "    return k == m;\n"
                           "}",
                 .parameters = {{"text", CLPRIM_U8, .is_array = true},
                                {"p", CLPRIM_U8, .is_array = true},
                                {.name = "m", .type = CLPRIM_U64}}},
    };
    char text[] = "a needle in a haystack, a hay";
    char p[] = "hay";
    cl_ulong n = sizeof text - 1, m = sizeof p - 1;
    cl_uint place = 0;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_find_run(
        NULL, &search,
        &(clprim_find_call){.in = {.host = text},
                            .arguments = {{.host = text, .length = n}, {.host = p, .length = m}, {.host = &m}},
                            .count = n - m + 1,
                            .out = {.host = &place}}));
    EXPECT(place == 14);
done:
    return status;
}

static clprim_status turned(void)
{
    cl_uint x[] = {1, 2, 3, 4, 5}, reversed[5] = {0}, rotated[5] = {0};
    cl_ulong n = 5, shift = 2;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"x[n - 1 - i]", "x[i + shift < n ? i + shift : i + shift - n]"},
        .types = {CLPRIM_U32, CLPRIM_U32},
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true},
                            {.name = "n", .type = CLPRIM_U64},
                            {.name = "shift", .type = CLPRIM_U64}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = x}, {.host = &n}, {.host = &shift}},
                                                      .count = 5,
                                                      .out = {{.host = reversed}, {.host = rotated}}}));
    EXPECT(reversed[0] == 5 && reversed[4] == 1 && rotated[0] == 3 && rotated[4] == 2);
done:
    return status;
}

static clprim_status dot(void)
{
    float x[] = {1, 2, 3};
    float y[] = {4, 5, 6};
    float product = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc desc = {
        .type = CLPRIM_F32,
        .input = "x[i] * y[i]",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"y", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_reduce_run(
        NULL, &desc,
        &(clprim_reduce_call){.arguments = {{.host = x}, {.host = y}}, .count = 3, .out = {.host = &product}}));
    EXPECT(product == 32);
done:
    return status;
}

static clprim_status count_above(void)
{
    float x[] = {0.5F, 7, 2, 9};
    float limit = 3;
    cl_uint number = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc count_if = {
        .type = CLPRIM_U32,
        .input = "x[i] > limit", /* 0 or 1, which are added up */
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {.name = "limit", .type = CLPRIM_F32}},
    };
    TRY(clprim_reduce_run(
        NULL, &count_if,
        &(clprim_reduce_call){.arguments = {{.host = x}, {.host = &limit}}, .count = 4, .out = {.host = &number}}));
    EXPECT(number == 2);
done:
    return status;
}

static clprim_status variance(void)
{
    float x[] = {1, 2, 3, 6};
    struct {
        float count, sum, squares;
    } m = {0};
    clprim_status status = CLPRIM_SUCCESS;
    static const clprim_custom_op add = {
        .type_name = "moments",
        .type_size = 12,
        .source = "typedef struct { float count, sum, squares; } moments;",
        .combine = "(moments){a.count + b.count, a.sum + b.sum, a.squares + b.squares}",
        .identity = "(moments){0, 0, 0}",
    };
    const clprim_reduce_desc desc = {
        .custom = &add,
        .input = "(moments){1, x[i], x[i] * x[i]}",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_reduce_run(NULL, &desc,
                          &(clprim_reduce_call){.arguments = {{.host = x}}, .count = 4, .out = {.host = &m}}));
    EXPECT(m.squares / m.count - (m.sum / m.count) * (m.sum / m.count) == 3.5F);
done:
    return status;
}

static clprim_status masked_histogram(void)
{
    cl_uchar image[] = {7, 1, 3, 1, 0, 3}, mask[] = {1, 1, 0, 1, 1, 1};
    cl_uint bins[4] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_histogram_desc desc = {
        .type = CLPRIM_I32,
        .bins = 4,
        .input = "mask[i] ? image[i] : -1", /* no bin has -1 */
        .text.parameters = {{"image", CLPRIM_U8, .is_array = true}, {"mask", CLPRIM_U8, .is_array = true}},
    };
    TRY(clprim_histogram_run(
        NULL, &desc,
        &(clprim_histogram_call){.arguments = {{.host = image}, {.host = mask}}, .count = 6, .out = {.host = bins}}));
    EXPECT(bins[0] == 1 && bins[1] == 2 && bins[2] == 0 && bins[3] == 1);
done:
    return status;
}

static clprim_status nearest_first(void)
{
    struct {
        float x, y;
    } points[] = {{3, 4}, {0, 1}, {1, 1}};
    float distances[3] = {0};
    cl_uint order[3] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_F32,
        .argsort = true,
        .input = "hypot(points[i].x, points[i].y)",
        .text.source = "typedef struct { float x, y; } point;",
        .text.parameters = {{"points", .type_name = "point", .type_size = 8, .is_array = true}},
    };
    TRY(clprim_radix_sort_run(NULL, &desc,
                              &(clprim_radix_sort_call){.arguments = {{.host = points}},
                                                        .count = 3,
                                                        .keys_out = {.host = distances},
                                                        .values_out = {.host = order}}));
    EXPECT(order[0] == 1 && order[1] == 2 && order[2] == 0 && distances[2] == 5);
done:
    return status;
}

static clprim_status euclidean(void)
{
    float x[] = {3, 4, 12};
    float length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc norm = {
        .type = CLPRIM_F32,
        .input = "x[i] * x[i]",
        .output = "sqrt(r)",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_reduce_run(NULL, &norm,
                          &(clprim_reduce_call){.arguments = {{.host = x}}, .count = 3, .out = {.host = &length}}));
    EXPECT(length > 12.9999F && length < 13.0001F);
done:
    return status;
}

static clprim_status indices_above(void)
{
    float x[] = {0.5F, 7, 2, 9};
    float limit = 3;
    cl_uint indices[4] = {0};
    cl_uint number = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_select_desc where = {
        .type = CLPRIM_F32,
        .predicate = "x > limit",
        .output = "i", /* indices instead of elements */
        .output_type = CLPRIM_U32,
        .text.parameters = {{.name = "limit", .type = CLPRIM_F32}},
    };
    TRY(clprim_select_run(NULL, &where,
                          &(clprim_select_call){.in = {.host = x},
                                                .arguments = {{.host = &limit}},
                                                .count = 4,
                                                .out = {.host = indices},
                                                .out_count = {.host = &number}}));
    EXPECT(number == 2 && indices[0] == 1 && indices[1] == 3);
done:
    return status;
}

static clprim_status shares(void)
{
    cl_uchar x[] = {0, 1, 3, 1, 3, 3, 3, 0};
    float total = 8;
    float share[4] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_histogram_desc distribution = {
        .bins = 4,
        .output = "r / total",
        .output_type = CLPRIM_F32,
        .text.parameters = {{.name = "total", .type = CLPRIM_F32}},
    };
    TRY(clprim_histogram_run(
        NULL, &distribution,
        &(clprim_histogram_call){
            .in = {.host = x}, .arguments = {{.host = &total}}, .count = 8, .out = {.host = share}}));
    EXPECT(share[0] == 0.25F && share[1] == 0.25F && share[2] == 0 && share[3] == 0.5F);
done:
    return status;
}

static clprim_status dearest_first(void)
{
    struct {
        float price;
        cl_ushort stock, number;
    } articles[] = {{2, 7, 0}, {5, 9, 1}, {2, 3, 2}, {5, 1, 3}};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_F32,
        .input = "articles[i].price",
        .descending = true,
        .then.inputs = {"articles[i].stock"}, /* of equal prices the least first */
        .then.types = {CLPRIM_U16},
        .value_size = 8,
        .text.source = "typedef struct { float price; ushort stock, number; } article;",
        .text.parameters = {{"articles", .type_name = "article", .type_size = 8, .is_array = true}},
    };
    TRY(clprim_radix_sort_run(NULL, &desc,
                              &(clprim_radix_sort_call){.arguments = {{.host = articles}},
                                                        .values_in = {.host = articles},
                                                        .count = 4,
                                                        .values_out = {.host = articles}}));
    EXPECT(articles[0].number == 3 && articles[1].number == 1 && articles[2].number == 2 && articles[3].number == 0);
done:
    return status;
}

static cl_mem buffer(const clprim_runtime *runtime, size_t bytes, void *contents)
{
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents != NULL ? CL_MEM_COPY_HOST_PTR : 0);
    return clCreateBuffer(clprim_runtime_context(runtime), flags, bytes, contents, NULL);
}

static clprim_status chain(void)
{
    enum { COUNT = 6 };
    cl_uint numbers[COUNT] = {9, 2, 7, 2, 9, 4};
    cl_uint limit = 3;
    cl_uint result[2] = {0};
    cl_uint how_many = 0;
    clprim_runtime *runtime = NULL;
    clprim_plan *select = NULL, *sort = NULL, *unique = NULL;
    cl_mem in = NULL, selected = NULL, sorted = NULL, distinct = NULL, counts = NULL;
    cl_mem *const all[] = {&in, &selected, &sorted, &distinct, &counts};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_default(&runtime));
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    in = buffer(runtime, sizeof numbers, numbers);
    selected = buffer(runtime, sizeof numbers, NULL);
    sorted = buffer(runtime, sizeof numbers, NULL);
    distinct = buffer(runtime, sizeof numbers, NULL);
    counts = buffer(runtime, 2 * sizeof(cl_uint), NULL);
    TRY(clprim_select_create(&select, runtime,
                             &(clprim_select_desc){.type = CLPRIM_U32,
                                                   .predicate = "x > limit",
                                                   .text.parameters = {{.name = "limit", .type = CLPRIM_U32}}}));
    TRY(clprim_radix_sort_create(&sort, runtime,
                                 &(clprim_radix_sort_desc){.key_type = CLPRIM_U32, .count_at_type = CLPRIM_U32}));
    TRY(clprim_unique_create(&unique, runtime, &(clprim_unique_desc){.type = CLPRIM_U32, .count_at_type = CLPRIM_U32}));
    TRY(clprim_select_enqueue(select, queue,
                              &(clprim_select_call){.in = {.buffer = in},
                                                    .arguments = {{.host = &limit}},
                                                    .count = COUNT,
                                                    .out = {.buffer = selected},
                                                    .out_count = {.buffer = counts}},
                              0, NULL, NULL));
    TRY(clprim_radix_sort_enqueue(sort, queue,
                                  &(clprim_radix_sort_call){.keys_in = {.buffer = selected},
                                                            .count_at = {.buffer = counts},
                                                            .count = COUNT,
                                                            .keys_out = {.buffer = sorted}},
                                  0, NULL, NULL));
    TRY(clprim_unique_enqueue(unique, queue,
                              &(clprim_unique_call){.in = {.buffer = sorted},
                                                    .count_at = {.buffer = counts},
                                                    .count = COUNT,
                                                    .out = {.buffer = distinct},
                                                    .out_count = {counts, .offset = 1}},
                              0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, counts, CL_TRUE, sizeof how_many, sizeof how_many, &how_many, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, distinct, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    EXPECT(how_many == 3 && result[0] == 4 && result[1] == 7);
done:
    clprim_plan_destroy(select);
    clprim_plan_destroy(sort);
    clprim_plan_destroy(unique);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i] != NULL)
            (void)clReleaseMemObject(*all[i]);
    return status;
}

static clprim_status sort_each_run(void)
{
    enum { COUNT = 6 };
    cl_uint group_of[COUNT] = {4, 4, 4, 7, 7, 5};
    cl_uint price_of[COUNT] = {30, 10, 20, 9, 8, 1};
    static const cl_uint expected[COUNT] = {10, 20, 30, 8, 9, 1};
    cl_uint end = COUNT;
    clprim_runtime *runtime = NULL;
    clprim_plan *encode = NULL, *sort = NULL;
    cl_mem groups = NULL, prices = NULL, found = NULL, lengths = NULL, offsets = NULL, how_many = NULL;
    cl_mem *const all[] = {&groups, &prices, &found, &lengths, &offsets, &how_many};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_default(&runtime));
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    groups = buffer(runtime, sizeof group_of, group_of);
    prices = buffer(runtime, sizeof price_of, price_of);
    found = buffer(runtime, sizeof group_of, NULL);
    lengths = buffer(runtime, sizeof group_of, NULL);
    offsets = buffer(runtime, sizeof group_of + sizeof end, NULL);
    how_many = buffer(runtime, sizeof end, NULL);
    TRY(clprim_run_length_encode_create(&encode, runtime,
                                        &(clprim_run_length_encode_desc){.type = CLPRIM_U32, .offsets = true}));
    TRY(clprim_segmented_sort_create(&sort, runtime, &(clprim_segmented_sort_desc){.key_type = CLPRIM_U32}));
    TRY(clEnqueueFillBuffer(queue, offsets, &end, sizeof end, 0, (COUNT + 1) * sizeof end, 0, NULL, NULL));
    TRY(clprim_run_length_encode_enqueue(encode, queue,
                                         &(clprim_run_length_encode_call){.in = {.buffer = groups},
                                                                          .count = COUNT,
                                                                          .out = {.buffer = found},
                                                                          .lengths_out = {.buffer = lengths},
                                                                          .offsets_out = {.buffer = offsets},
                                                                          .out_count = {.buffer = how_many}},
                                         0, NULL, NULL));
    TRY(clprim_segmented_sort_enqueue(sort, queue,
                                      &(clprim_segmented_sort_call){.keys_in = {.buffer = prices},
                                                                    .offsets = {.buffer = offsets},
                                                                    .count = COUNT,
                                                                    .segment_count = COUNT,
                                                                    .keys_out = {.buffer = prices}},
                                      0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, prices, CL_TRUE, 0, sizeof price_of, price_of, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++)
        EXPECT(price_of[i] == expected[i]);
done:
    clprim_plan_destroy(encode);
    clprim_plan_destroy(sort);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i] != NULL)
            (void)clReleaseMemObject(*all[i]);
    return status;
}

typedef struct particle {
    float x, y;
    cl_uint lives;
} particle;

/* The particles that live, in their order, without the host knowing how many there are. */
static clprim_status living(void)
{
    enum { COUNT = 6 };
    particle particles[COUNT] = {{.x = 0}, {.x = 1, .lives = 3}, {.x = 2, .lives = 1}, {.x = 3},
                                 {.x = 4}, {.x = 5, .lives = 2}};
    particle result[COUNT];
    cl_uint how_many = 0;
    clprim_runtime *runtime = NULL;
    clprim_plan *select = NULL, *gather = NULL;
    cl_mem all = NULL, indices = NULL, kept = NULL, number = NULL;
    cl_mem *const buffers[] = {&all, &indices, &kept, &number};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_default(&runtime));
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    all = buffer(runtime, sizeof particles, particles);
    indices = buffer(runtime, COUNT * sizeof(cl_uint), NULL);
    kept = buffer(runtime, sizeof particles, NULL);
    number = buffer(runtime, sizeof(cl_uint), NULL);
    const char *source = "typedef struct { float x, y; uint lives; } particle;";
    const clprim_parameter array = {"all", .type_name = "particle", .type_size = sizeof(particle), .is_array = true};
    const clprim_select_desc which = {
        .type = CLPRIM_U32,
        .input = "i", /* the elements are indices */
        .predicate = "all[x].lives > 0",
        .text.source = source,
        .text.parameters = {array},
    };
    const clprim_transform_desc move = {
        .expressions = {"all[kept[i]]"},
        .type_names = {"particle"},
        .type_sizes = {sizeof(particle)},
        .count_at_type = CLPRIM_U32,
        .text.source = source,
        .text.parameters = {array, {"kept", CLPRIM_U32, .is_array = true}},
    };
    TRY(clprim_select_create(&select, runtime, &which));
    TRY(clprim_transform_create(&gather, runtime, &move));
    TRY(clprim_select_enqueue(select, queue,
                              &(clprim_select_call){.arguments = {{.buffer = all}},
                                                    .count = COUNT,
                                                    .out = {.buffer = indices},
                                                    .out_count = {.buffer = number}},
                              0, NULL, NULL));
    TRY(clprim_transform_enqueue(gather, queue,
                                 &(clprim_transform_call){.arguments = {{.buffer = all}, {.buffer = indices}},
                                                          .count_at = {.buffer = number},
                                                          .count = COUNT,
                                                          .out = {{.buffer = kept}}},
                                 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, number, CL_TRUE, 0, sizeof how_many, &how_many, 0, NULL, NULL));
    EXPECT(how_many == 3);
    TRY(clEnqueueReadBuffer(queue, kept, CL_TRUE, 0, how_many * sizeof *result, result, 0, NULL, NULL));
    EXPECT(result[0].x == 1 && result[0].lives == 3 && result[1].x == 2 && result[2].x == 5 && result[2].lives == 2);
done:
    clprim_plan_destroy(select);
    clprim_plan_destroy(gather);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (*buffers[i] != NULL)
            (void)clReleaseMemObject(*buffers[i]);
    return status;
}

/* Sort so many keys as a number on the device says, by an operation that takes the count from the host alone. */
static clprim_status sentinels(void)
{
    enum { COUNT = 6 };
    cl_uint keys[COUNT] = {9, 2, 7, 1, 0, 3}; /* of which the last two are not to be sorted */
    cl_uint how_many = 4;
    cl_uint result[COUNT] = {0};
    clprim_runtime *runtime = NULL;
    clprim_plan *fill = NULL, *sort = NULL;
    cl_mem in = NULL, number = NULL, padded = NULL;
    cl_mem *const buffers[] = {&in, &number, &padded};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_default(&runtime));
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    in = buffer(runtime, sizeof keys, keys);
    number = buffer(runtime, sizeof how_many, &how_many);
    padded = buffer(runtime, sizeof keys, NULL);
    const clprim_transform_desc fill_up = {
        .expressions = {"i < n[0] ? x[i] : UINT_MAX"}, /* no key is larger */
        .types = {CLPRIM_U32},
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true}, {"n", CLPRIM_U32, .is_array = true}},
    };
    TRY(clprim_transform_create(&fill, runtime, &fill_up));
    TRY(clprim_bitonic_sort_create(&sort, runtime, &(clprim_bitonic_sort_desc){.key_type = CLPRIM_U32}));
    TRY(clprim_transform_enqueue(
        fill, queue,
        &(clprim_transform_call){.arguments = {{.buffer = in}, {.buffer = number, .length = 1}},
                                 .count = COUNT,
                                 .out = {{.buffer = padded}}},
        0, NULL, NULL));
    TRY(clprim_bitonic_sort_enqueue(
        sort, queue,
        &(clprim_bitonic_sort_call){.keys_in = {.buffer = padded}, .count = COUNT, .keys_out = {.buffer = padded}}, 0,
        NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, padded, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    EXPECT(result[0] == 1 && result[1] == 2 && result[2] == 7 && result[3] == 9 && result[4] == CL_UINT_MAX);
done:
    clprim_plan_destroy(fill);
    clprim_plan_destroy(sort);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (*buffers[i] != NULL)
            (void)clReleaseMemObject(*buffers[i]);
    return status;
}

int main(void)
{
    clprim_status (*const parts[])(void) = {axpy_twice,    colour,        split,       scatter,       first_match,
                                            turned,        dot,           count_above, variance,      masked_histogram,
                                            nearest_first, dearest_first, euclidean,   indices_above, shares,
                                            chain,         sort_each_run, living,      sentinels};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]() != CLPRIM_SUCCESS)
            return 1;
    return 0;
}
