// SPDX-License-Identifier: MIT
/* test_device.c: the functions for a program's own kernels (include/clprim/device), compared with plain loops on the
 * host. Programs get them by clprim_device_source and by #include; with the device's own means, with only local memory,
 * and on PoCL with sub-groups in software. */
#include "test_device.h"

#include <stdio.h>

#include "call.h"
#include "files.h"

/* OpenCL C's sub-group functions, implemented by memory that all work-items share. A program cannot have a variable for
 * that, so its address comes as an offset of the grid. */
static const char SOFTWARE[] =
    "#define CLPRIM_SUB_GROUP_MEANS 3\n"
    "#define CLPRIM__UNROLL\n" /* because of the many barriers, PoCL would compile for a long time */
    "#define WORDS ((__global uint *)get_global_offset(2) + get_group_id(0) * get_local_size(0))\n"
    "#define ALWAYS static inline __attribute__((always_inline))\n"
    "#ifdef CLPRIM_SUB_GROUP_WIDTH\n"
    "#define WIDTH ((uint)CLPRIM_SUB_GROUP_WIDTH)\n"
    "#else\n"
    "#define WIDTH 4u\n"
    "#endif\n"
    "#define get_max_sub_group_size() WIDTH\n"
    "#ifdef ONE_SUB_GROUP /* groups have no more, and no branch depends on which one it is */\n"
    "#define get_sub_group_id() 0u\n"
    "#else\n"
    "#define get_sub_group_id() ((uint)get_local_id(0) / WIDTH)\n"
    "#endif\n"
    "#define get_sub_group_local_id() ((uint)get_local_id(0) % WIDTH)\n"
    "#define get_sub_group_size() WIDTH\n" /* of incomplete ones, too: as on Mesa's rusticl */
    "#define get_num_sub_groups() (((uint)get_local_size(0) + WIDTH - 1) / WIDTH)\n"
    "#define sub_group_barrier(flags) barrier(flags)\n"
    "#define intel_sub_group_shuffle software_shuffle\n"
    "#define sub_group_any(vote) (software_sum((vote) ? 1 : 0) != 0)\n"
    "#define sub_group_reduce_add software_sum\n"
    "ALWAYS uint software_shuffle(uint word, uint lane)\n"
    "{\n"
    "    WORDS[get_local_id(0)] = word;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    word = WORDS[get_sub_group_id() * WIDTH + lane];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    return word;\n"
    "}\n"
    "ALWAYS uint software_sum(uint word)\n"
    "{\n"
    "    WORDS[get_local_id(0)] = word;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    word = 0;\n"
    "    const uint first = get_sub_group_id() * WIDTH;\n"
    "    for (uint l = first; l < min(first + WIDTH, (uint)get_local_size(0)); l++)\n"
    "        word += WORDS[l];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    return word;\n"
    "}\n";

static const char *const headers[] = {"sub_group.h",
                                      "work_group_reduce.h",
                                      "work_group_scan.h",
                                      "work_group_tile_scan.h",
                                      "work_group_exchange.h",
                                      "work_group_load.h",
                                      "work_group_radix_rank.h",
                                      "work_group_radix_sort.h",
                                      "work_group_merge.h",
                                      "work_group_histogram.h",
                                      "look_back.h",
                                      "radix_image.h"};
enum { HEADERS = sizeof headers / sizeof *headers };

static bool is_in_software(size_t way)
{
    return way >= BY_SOFTWARE;
}

cl_program device_build(const clprim_runtime *runtime, size_t way, const char *more, const char *text)
{
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const char *texts[HEADERS + 2] = {is_in_software(way) ? SOFTWARE : ""};
    char includes[HEADERS][64];
    static const char folder[] = "-I" CLPRIM_TEST_KERNEL_DIR "/../include";
    char options[CLPRIM_DEVICE_OPTIONS_SIZE + sizeof folder + 128] = "";
    const bool includes_them = way == BY_INCLUDE && strchr(folder, ' ') == NULL; /* a space would end the option */
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < HEADERS; i++) {
        (void)snprintf(includes[i], sizeof includes[i], "#include <clprim/device/%s>\n", headers[i]);
        texts[i + 1] = includes_them ? includes[i] : clprim_device_source(headers[i]);
        cr_assert_not_null(texts[i + 1]);
    }
    if (way == BY_TEXT)
        ASSERT_OK(clprim_device_options(options, sizeof options, info->device));
    else if (is_in_software(way)) /* with NVIDIA's code for sums, without and with its instruction for them */
        (void)snprintf(options, sizeof options,
                       "-DCLPRIM__KNOWS_SUMS=1 -DCLPRIM__HAS_SUM=%d -DCLPRIM__MOST_FOLDS_READ=1 %s", way == BY_MATCHES,
                       way == BY_MATCHES        ? "-DCLPRIM_SUB_GROUP_WIDTH=4"
                       : way == BY_WIDE_MATCHES ? "-DCLPRIM_SUB_GROUP_WIDTH=64"
                                                : "");
    else if (includes_them)
        (void)strcpy(options, folder);
    (void)snprintf(options + strlen(options), sizeof options - strlen(options), " %s -w",
                   more); /* PoCL prints the number of warnings */
    texts[HEADERS + 1] = text;
    cl_program program = clCreateProgramWithSource(clprim_runtime_context(runtime), HEADERS + 2, texts, NULL, &code);
    ASSERT_CL(code);
    code = clBuildProgram(program, 1, &info->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[16384];
        (void)clGetProgramBuildInfo(program, info->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        cr_assert_fail("%s\n%s", options, log);
    }
    return program;
}

void device_launch(const clprim_runtime *runtime, cl_kernel kernel, size_t groups, size_t group_size)
{
    enum { MOST = 65536 }; /* work-items with sub-groups in software */
    static uint32_t words[MOST];
    const size_t local[] = {group_size, 1, 1};
    const size_t global[] = {groups * group_size, 1, 1};
    const size_t offset[] = {0, 0, (size_t)(uintptr_t)words};
    const bool is_software = clprim_runtime_info(runtime)->vendor == CLPRIM_VENDOR_POCL;
    ASSERT_CL(clEnqueueNDRangeKernel(clprim_runtime_queue(runtime), kernel, 3, is_software ? offset : NULL, global,
                                     local, 0, NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
}

void device_run(const clprim_runtime *runtime, cl_program program, const char *name, cl_mem in, cl_mem out,
                const cl_uint4 *numbers, size_t group_size)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof in, &in));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    if (numbers != NULL)
        ASSERT_CL(clSetKernelArg(kernel, 2, sizeof *numbers, numbers));
    device_launch(runtime, kernel, 1, group_size);
    ASSERT_CL(clReleaseKernel(kernel));
}

#define SUM(name, type)                                                                                                \
    static void sum_##name(void *a, const void *b)                                                                     \
    {                                                                                                                  \
        *(type *)a = (type)(*(type *)a + *(const type *)b);                                                            \
    }
SUM(u8, uint8_t)
SUM(u16, uint16_t)
SUM(u32, uint32_t)
SUM(u64, uint64_t)
SUM(f32, float)
SUM(f64, double)

/* x -> a[0] * x + a[1], then b */
static void affine(void *a, const void *b)
{
    uint32_t *left = a;
    const uint32_t *right = b;
    left[1] = left[1] * right[0] + right[1];
    left[0] *= right[0];
}

static void affine_bytes(void *a, const void *b)
{
    uint8_t *left = a;
    const uint8_t *right = b;
    left[1] = (uint8_t)(left[1] * right[0] + right[1]);
    left[0] = (uint8_t)(left[0] * right[0]);
    left[2] = right[2] != 0 ? right[2] : left[2];
}

static void affine_counted(void *a, const void *b)
{
    ((uint32_t *)a)[2] += ((const uint32_t *)b)[2];
    affine(a, b);
}

static void multiply(void *a, const void *b)
{
    uint32_t product[16] = {0};
    for (size_t i = 0; i < 64; i++)
        product[i / 16 * 4 + i % 4] += ((const uint32_t *)a)[i / 4] * ((const uint32_t *)b)[i / 4 % 4 * 4 + i % 4];
    memcpy(a, product, sizeof product);
}

const fold_by device_folds[DEVICE_FOLDS] = {
    {.type = "uchar", .size = 1, .combine = "a + b", .identity = "0", .fold = sum_u8},
    {.type = "ushort", .size = 2, .combine = "a + b", .identity = "0", .fold = sum_u16},
    {.type = "uint", .size = 4, .combine = "a + b", .identity = "0", .fold = sum_u32},
    {.type = "ulong", .size = 8, .combine = "a + b", .identity = "0", .fold = sum_u64},
    {.type = "float", .size = 4, .combine = "a + b", .identity = "0", .fold = sum_f32, .is_float = true},
    {.type = "double", .size = 8, .combine = "a + b", .identity = "0", .fold = sum_f64, .is_float = true},
    {.type = "bytes",
     .size = 3,
     .source = "typedef struct { uchar x, y, last; } bytes;\n",
     .combine = "((bytes){a.x * b.x, a.y * b.x + b.y, b.last != 0 ? b.last : a.last})",
     .identity = "{1, 0, 0}",
     .fold = affine_bytes},
    {.type = "uint2",
     .size = 8,
     .combine = "(uint2)(a.x * b.x, a.y * b.x + b.y)",
     .identity = "(uint2)(1, 0)",
     .fold = affine},
    {.type = "counted",
     .size = 12,
     .source = "typedef struct { uint x, y, count; } counted;\n",
     .combine = "((counted){a.x * b.x, a.y * b.x + b.y, a.count + b.count})",
     .identity = "{1}",
     .fold = affine_counted},
    {.type = "matrix",
     .size = 64,
     .source = "typedef struct { uint m[16]; } matrix;\n"
               "static inline __attribute__((always_inline)) matrix multiply(matrix a, matrix b)\n"
               "{\n"
               "    matrix product;\n"
               "    for (uint i = 0; i < 16; i++)\n"
               "        product.m[i] = a.m[i / 4 * 4] * b.m[i % 4] + a.m[i / 4 * 4 + 1] * b.m[i % 4 + 4] +\n"
               "                       a.m[i / 4 * 4 + 2] * b.m[i % 4 + 8] + a.m[i / 4 * 4 + 3] * b.m[i % 4 + 12];\n"
               "    return product;\n"
               "}\n",
     .combine = "multiply(a, b)",
     .identity = "{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}",
     .fold = multiply},
};
enum { ITEMS = 3 };

/* Each is an array of SIZE values. The last one is a scan of ITEMS * SIZE values, as groups make them in a loop. */
enum {
    REDUCED,
    EXCLUSIVE,
    EXCLUSIVE_TOTAL,
    INCLUSIVE,
    INCLUSIVE_TOTAL,
    ITEMS_EXCLUSIVE,
    ITEMS_EXCLUSIVE_TOTAL = ITEMS_EXCLUSIVE + ITEMS,
    ITEMS_INCLUSIVE,
    ITEMS_INCLUSIVE_TOTAL = ITEMS_INCLUSIVE + ITEMS,
    IN_A_LOOP,
    TO_BLOCKED = IN_A_LOOP + ITEMS,
    TO_STRIPED = TO_BLOCKED + ITEMS,
    IN_TILES = TO_STRIPED + ITEMS, /* a scan of ITEMS * SIZE - SIZE / 2 - 1 values, followed by values that are not
                                    * written */
    IN_PIECES = IN_TILES + ITEMS,  /* a tile of ITEMS * SIZE values in another order, and one of SIZE values */
    IN_PIECES_TOTAL = IN_PIECES + ITEMS,
    IN_ONE_PIECE,
    IN_ONE_PIECE_TOTAL,
    ARRAYS
};

static const char KERNELS[] = "CLPRIM_WORK_GROUP_REDUCE(folds, T, COMBINE, SIZE)\n"
                              "CLPRIM_WORK_GROUP_SCAN(scans, T, COMBINE, IDENTITY, SIZE)\n"
                              "CLPRIM_WORK_GROUP_EXCHANGE(moves, T, SIZE, MOVED)\n"
                              "#define GROUP __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n"
                              "__kernel GROUP void folding(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local folds_memory memory;\n"
                              "    __local folds_memory of_first;\n"
                              "    const uint lid = (uint)get_local_id(0);\n"
                              "    const T in_all = folds_reduce(in[lid], &memory);\n"
                              "    const T in_first = folds_reduce_to_first(in[lid], &of_first);\n"
                              "    out[lid] = in_all;\n"
                              "    if (SIZE > 1 && lid == 0)\n"
                              "        out[0] = in_first;\n"
                              "}\n"
                              "__kernel GROUP void scanning(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local scans_memory exclusive;\n"
                              "    __local scans_memory inclusive;\n"
                              "    const uint lid = (uint)get_local_id(0);\n"
                              "    T total;\n"
                              "    out[SIZE * 1 + lid] = scans_exclusive(in[lid], &total, &exclusive);\n"
                              "    out[SIZE * 2 + lid] = total;\n"
                              "    out[SIZE * 3 + lid] = scans_inclusive(in[lid], &total, &inclusive);\n"
                              "    out[SIZE * 4 + lid] = total;\n"
                              "}\n"
                              "__kernel GROUP void scanning_items(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local scans_memory exclusive;\n"
                              "    __local scans_memory inclusive;\n"
                              "    const uint lid = (uint)get_local_id(0);\n"
                              "    T total;\n"
                              "    T items[3];\n"
                              "    for (uint k = 0; k < 3; k++)\n"
                              "        items[k] = in[lid * 3 + k];\n"
                              "    scans_exclusive_items(items, 3, &total, &exclusive);\n"
                              "    for (uint k = 0; k < 3; k++)\n"
                              "        out[SIZE * 5 + lid * 3 + k] = items[k];\n"
                              "    out[SIZE * 8 + lid] = total;\n"
                              "    for (uint k = 0; k < 3; k++)\n"
                              "        items[k] = in[lid * 3 + k];\n"
                              "    scans_inclusive_items(items, 3, &total, &inclusive);\n"
                              "    for (uint k = 0; k < 3; k++)\n"
                              "        out[SIZE * 9 + lid * 3 + k] = items[k];\n"
                              "    out[SIZE * 12 + lid] = total;\n"
                              "}\n"
                              "__kernel GROUP void in_a_loop(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local scans_memory memory;\n"
                              "    const uint lid = (uint)get_local_id(0);\n"
                              "    T carry = IDENTITY;\n"
                              "    for (uint k = 0; k < 3; k++) {\n"
                              "        T total;\n"
                              "        const T before = scans_exclusive(in[k * SIZE + lid], &total, &memory);\n"
                              "        out[SIZE * 13 + k * SIZE + lid] = scans_combine(carry, before);\n"
                              "        carry = scans_combine(carry, total);\n"
                              "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    }\n"
                              "}\n"
                              "/* One group with two tiles of up to two values for each work-item. */\n"
                              "CLPRIM_WORK_GROUP_LOAD(tiles, T, SIZE, 2)\n"
                              "__kernel GROUP void in_tiles(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local tiles_memory loading;\n"
                              "    __local tiles_memory storing;\n"
                              "    __local scans_memory memory;\n"
                              "    const uint n = SIZE * 3 - SIZE / 2 - 1;\n"
                              "    const T identity = IDENTITY;\n"
                              "    T carry = identity;\n"
                              "    for (uint first = 0; first < n; first += SIZE * 2) {\n"
                              "        T items[2];\n"
                              "        T total;\n"
                              "        tiles_load_blocked(items, in, first, n, identity, &loading);\n"
                              "        scans_inclusive_items(items, 2, &total, &memory);\n"
                              "        for (uint k = 0; k < 2; k++)\n"
                              "            items[k] = scans_combine(carry, items[k]);\n"
                              "        tiles_store_blocked(out + SIZE * 22, first, n, items, &storing);\n"
                              "        carry = scans_combine(carry, total);\n"
                              "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    }\n"
                              "}\n"
                              "__kernel GROUP void moving(const __global T *in, __global T *out)\n"
                              "{\n"
                              "    __local moves_memory there;\n"
                              "    __local moves_memory back;\n"
                              "    const uint lid = (uint)get_local_id(0);\n"
                              "    T items[MOVED];\n"
                              "    for (uint k = 0; k < MOVED; k++)\n"
                              "        items[k] = in[k * SIZE + lid];\n"
                              "    moves_striped_to_blocked(items, &there);\n"
                              "    for (uint k = 0; k < MOVED; k++)\n"
                              "        out[SIZE * 16 + lid * MOVED + k] = items[k];\n"
                              "    for (uint k = 0; k < MOVED; k++)\n"
                              "        items[k] = in[lid * MOVED + k];\n"
                              "    moves_blocked_to_striped(items, &back);\n"
                              "    for (uint k = 0; k < MOVED; k++)\n"
                              "        out[SIZE * 19 + k * SIZE + lid] = items[k];\n"
                              "}\n";

static const char PIECES[] = "CLPRIM_WORK_GROUP_TILE_SCAN(pieces, T, COMBINE, IDENTITY, COMMUTES, SIZE, 3)\n"
                             "CLPRIM_WORK_GROUP_TILE_SCAN(piece, T, COMBINE, IDENTITY, COMMUTES, SIZE, 1)\n"
                             "__kernel GROUP void in_pieces(const __global T *in, __global T *out)\n"
                             "{\n"
                             "    __local pieces_memory memory;\n"
                             "    __local piece_memory of_one;\n"
                             "    T values[3];\n"
                             "    T before;\n"
                             "    for (uint k = 0; k < 3; k++)\n"
                             "        values[k] = in[pieces_index(k)];\n"
                             "    const T total = pieces_fold(values, &before, &memory);\n"
                             "    pieces_prefixes(values, before, &memory);\n"
                             "    for (uint k = 0; k < 3; k++)\n"
                             "        out[SIZE * 25 + pieces_index(k)] = values[k];\n"
                             "    out[SIZE * 28 + get_local_id(0)] = total;\n"
                             "    values[0] = in[piece_index(0)];\n"
                             "    const T total_of_one = piece_fold(values, &before, &of_one);\n"
                             "    piece_prefixes(values, before, &of_one);\n"
                             "    out[SIZE * 29 + piece_index(0)] = values[0];\n"
                             "    out[SIZE * 30 + get_local_id(0)] = total_of_one;\n"
                             "}\n";

typedef struct results {
    const fold_by *op;
    unsigned char *data;
    size_t group_size;
    char what[64];
} results;

void device_scan(unsigned char *out, const fold_by *op, const unsigned char *in, size_t count)
{
    if (count == 0)
        return;
    memcpy(out, in, op->size);
    for (size_t i = 1; i < count; i++) {
        memcpy(out + i * op->size, out + (i - 1) * op->size, op->size);
        op->fold(out + i * op->size, in + i * op->size);
    }
}

static void expect(const results *self, size_t array, const void *expected, size_t count)
{
    char what[128];
    (void)snprintf(what, sizeof what, "%s, array %zu", self->what, array);
    test_expect_same(expected, self->data + array * self->group_size * self->op->size, self->op->size, count, what);
}

/* Check a scan of `count` values. `identity` is the one that the device has written. */
static void expect_scans(const results *self, size_t exclusive, size_t inclusive, const unsigned char *folds,
                         size_t count)
{
    const size_t size = self->op->size;
    results others = *self;
    others.data += size;
    expect(&others, exclusive, folds, count - 1);
    if (inclusive != 0)
        expect(self, inclusive, folds, count);
}

static void expect_totals(const results *self, size_t array, const unsigned char *folds, size_t count)
{
    for (size_t i = 0; i < self->group_size; i++) {
        results others = *self;
        others.data += i * self->op->size;
        expect(&others, array, folds + (count - 1) * self->op->size, 1);
    }
}

static void check(const clprim_runtime *runtime, size_t way, const fold_by *op, size_t group_size)
{
    static char text[16384];
    const size_t count = group_size * ITEMS;
    const size_t moved = count * op->size <= 8192 ? ITEMS : 1;
    unsigned char *in = test_memory(0, count * op->size);
    unsigned char *folds = test_memory(1, count * op->size);
    results got = {.op = op, .data = test_memory(2, ARRAYS * group_size * op->size), .group_size = group_size};
    (void)snprintf(got.what, sizeof got.what, "%s, groups of %zu, way %zu", op->type, group_size, way);
    (void)snprintf(text, sizeof text,
                   "%s#define T %s\n#define COMBINE %s\n#define IDENTITY %s\n#define SIZE %zu\n#define MOVED %zu\n"
                   "#define COMMUTES %d\n%s%s",
                   op->source != NULL ? op->source : "", op->type, op->combine, op->identity, group_size, moved,
                   op->source == NULL && op->fold != affine, KERNELS, PIECES);
    for (size_t i = 0; i < count * op->size; i++)
        in[i] = (unsigned char)(i * i * 37 + i / 251 + 1);
    for (size_t i = 0; i < count && op->is_float; i++)
        test_store(op->size == 4 ? CLPRIM_F32 : CLPRIM_F64, in, i, (double)(i * 7 % 17) - 8);
    cl_program program = device_build(runtime, way, "", text);
    cl_mem input = test_upload(runtime, in, count * op->size);
    cl_mem output = test_buffer(runtime, ARRAYS * group_size * op->size);
    static const char *const kernels[] = {"folding",  "scanning",  "scanning_items", "in_a_loop",
                                          "in_tiles", "in_pieces", "moving"};
    memset(got.data, TEST_POISON, ARRAYS * group_size * op->size);
    test_write(runtime, output, got.data, ARRAYS * group_size * op->size);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        device_run(runtime, program, kernels[i], input, output, NULL, group_size);
    test_read(runtime, got.data, output, ARRAYS * group_size * op->size);
    ASSERT_CL(clReleaseMemObject(input));
    ASSERT_CL(clReleaseMemObject(output));
    ASSERT_CL(clReleaseProgram(program));

    device_scan(folds, op, in, count);
    expect_totals(&got, REDUCED, folds, group_size);
    expect_scans(&got, EXCLUSIVE, INCLUSIVE, folds, group_size);
    expect_totals(&got, EXCLUSIVE_TOTAL, folds, group_size);
    expect_totals(&got, INCLUSIVE_TOTAL, folds, group_size);
    expect_scans(&got, ITEMS_EXCLUSIVE, ITEMS_INCLUSIVE, folds, count);
    expect_totals(&got, ITEMS_EXCLUSIVE_TOTAL, folds, count);
    expect_totals(&got, ITEMS_INCLUSIVE_TOTAL, folds, count);
    expect_scans(&got, IN_A_LOOP, 0, folds, count);
    expect(&got, TO_BLOCKED, in, group_size * moved);
    expect(&got, TO_STRIPED, in, group_size * moved);
    expect_scans(&got, IN_PIECES, 0, folds, count);
    expect_totals(&got, IN_PIECES_TOTAL, folds, count);
    expect_scans(&got, IN_ONE_PIECE, 0, folds, group_size);
    expect_totals(&got, IN_ONE_PIECE_TOTAL, folds, group_size);
    const size_t written = count - group_size / 2 - 1;
    expect(&got, IN_TILES, folds, written);
    memset(folds, TEST_POISON, (count - written) * op->size);
    got.data += written * op->size;
    expect(&got, IN_TILES, folds, count - written);
    got.data -= written * op->size;
    /* Combining a value with the identity must not change it. */
    op->fold(got.data + EXCLUSIVE * group_size * op->size, in);
    expect(&got, EXCLUSIVE, in, 1);
}

bool device_has_turn(const char *test, size_t number, size_t group_size)
{
    char name[96];
    (void)snprintf(name, sizeof name, "%s %zu, groups of %zu", test, number, group_size);
    return test_is_quick() || test_is_sampled(name);
}

/* All sizes for two of the types, and some for the others, because each case is a separate program. */
static bool is_tested(const clprim_runtime *runtime, size_t way, const fold_by *op, size_t group_size)
{
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const bool is_thorough = op->fold == sum_u16 || op->fold == affine;
    if (group_size > info->max_work_group_size || group_size * op->size * 7 > info->local_memory_size ||
        (op->is_float && op->size == 8 && !info->has_fp64))
        return false;
    if (is_in_software(way))
        return info->vendor == CLPRIM_VENDOR_POCL && (is_thorough || op->fold == sum_u32) &&
               (way == BY_WIDE_MATCHES
                    ? group_size == 100
                    : group_size == 3 || group_size == 33 || (way == BY_MATCHES && group_size == 16));
    if (way == BY_INCLUDE)
        return group_size == 100 && (is_thorough || op->fold == multiply);
    return is_thorough || group_size == 33 || group_size == 256;
}

TEST_EACH(device, work_groups, DEVICE_FOLDS *WAYS, .timeout = 1800)
{
    static const size_t sizes[] = {1, 3, 16, 31, 32, 33, 64, 100, 128, 256, 300, 1024};
    const size_t way = *number / DEVICE_FOLDS;
    const fold_by *op = &device_folds[*number % DEVICE_FOLDS];
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (is_tested(runtime, way, op, sizes[i]) && device_has_turn("device work_groups", *number, sizes[i]))
            check(runtime, way, op, sizes[i]);
    clprim_runtime_destroy(runtime);
}

/* The values that a work-item reports, in this order. */
enum {
    WIDTH,
    OWN_SIZE,
    NUM_GROUPS,
    INDEX,
    LANE,
    SYNCED, /* the value that the next lane wrote to local memory */
    VOTES,  /* four words */
    COUNTED = VOTES + 4,
    ANY_VOTES, /* whether the last lane votes; whether none does */
    NONE_VOTES,
    ALL_VOTE, /* whether all vote; whether all but lane 0 do */
    NOT_ALL_VOTE,
    SHUFFLED, /* values of two words: from lane size - 1 - lane */
    SHOWN = SHUFFLED + 2,
    UP = SHOWN + 2,
    DOWN = UP + 2,
    CROSSED = DOWN + 2,
    FOLDED = CROSSED + 2,
    FOLDS = FOLDED + 2,
    FOLDS_BEFORE = FOLDS + 2,
    MATCHED = FOLDS_BEFORE + 2, /* four words each: for three bits, no bits, and 32 bits */
    MATCHED_NONE = MATCHED + 4,
    MATCHED_ALL = MATCHED_NONE + 4,
    MATCHES = MATCHED_ALL + 4, /* the number of lanes with the same three bits, and of those before */
    MATCHES_BEFORE,
    NUM_WORDS
};

static const char LANES[] = "CLPRIM_SUB_GROUP(moves, uint2)\n"
                            "CLPRIM_SUB_GROUP_SCAN(scans, uint2, (uint2)(a.x * b.x, a.y * b.x + b.y), (uint2)(1, 0))\n"
                            "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void lanes(const __global "
                            "uint2 *in, __global uint *out)\n"
                            "{\n"
                            "    __local uint shared[SIZE];\n"
                            "    const uint lid = (uint)get_local_id(0);\n"
                            "    const uint lane = clprim_sub_group_lane();\n"
                            "    const uint size = clprim_sub_group_size();\n"
                            "    const uint2 x = in[lid];\n"
                            "    __global uint *o = out + lid * 45;\n"
                            "    o[0] = clprim_sub_group_width();\n"
                            "    o[1] = size;\n"
                            "    o[2] = clprim_sub_group_count();\n"
                            "    o[3] = clprim_sub_group_index();\n"
                            "    o[4] = lane;\n"
                            "    shared[lid] = lid * 5;\n"
                            "    clprim_sub_group_sync();\n"
                            "    o[5] = shared[lid - lane + (lane + 1) % size];\n"
                            "    vstore4(clprim_sub_group_ballot(lid % 3 == 0), 0, o + 6);\n"
                            "    o[10] = clprim_sub_group_votes(lid % 3 == 0);\n"
                            "    o[11] = clprim_sub_group_any(lane == size - 1);\n"
                            "    o[12] = clprim_sub_group_any(lane == size);\n"
                            "    o[13] = clprim_sub_group_all(lane < size);\n"
                            "    o[14] = clprim_sub_group_all(lane > 0);\n"
                            "    vstore2(moves_shuffle(x, size - 1 - lane), 0, o + 15);\n"
                            "    vstore2(moves_broadcast(x, size / 2), 0, o + 17);\n"
                            "    vstore2(moves_shuffle_up(x, 1), 0, o + 19);\n"
                            "    vstore2(moves_shuffle_down(x, 2), 0, o + 21);\n"
                            "    vstore2(moves_shuffle_xor(x, 3), 0, o + 23);\n"
                            "    vstore2(scans_reduce(x), 0, o + 25);\n"
                            "    vstore2(scans_inclusive(x), 0, o + 27);\n"
                            "    vstore2(scans_exclusive(x), 0, o + 29);\n"
                            "    vstore4(clprim_sub_group_match(x.x, 3), 0, o + 31);\n"
                            "    vstore4(clprim_sub_group_match(x.x, 0), 0, o + 35);\n"
                            "    vstore4(clprim_sub_group_match(lid % 2 << 31 | lid / 3, 32), 0, o + 39);\n"
                            "    const uint4 same = clprim_sub_group_match(x.x, 3);\n"
                            "    o[43] = clprim_sub_group_ballot_bit_count(same);\n"
                            "    o[44] = clprim_sub_group_ballot_exclusive_scan(same);\n"
                            "}\n";

static void expect_words(const uint32_t *expected, const uint32_t *got, const char *what, size_t lid)
{
    cr_assert(expected[0] == got[0] && expected[1] == got[1], "%s at work-item %zu", what, lid);
}

static void check_lane(const uint32_t *o, const uint32_t *in, size_t lid, size_t group_size)
{
    const size_t lane = o[LANE];
    const size_t first = lid - lane;
    const size_t size = first + o[WIDTH] < group_size ? o[WIDTH] : group_size - first;
    uint32_t fold[2] = {1, 0};
    uint32_t votes = 0;
    cr_assert_lt(o[LANE], o[WIDTH]);
    cr_assert_eq(o[OWN_SIZE], size);
    cr_assert_eq(o[NUM_GROUPS], (group_size + o[WIDTH] - 1) / o[WIDTH]);
    cr_assert_eq(first, (size_t)o[INDEX] * o[WIDTH]);
    cr_assert_eq(o[SYNCED], (first + (lane + 1) % size) * 5);
    for (size_t l = 0; l < 128; l++) {
        const bool does_vote = l < size && (first + l) % 3 == 0;
        cr_assert_eq(o[VOTES + l / 32] >> l % 32 & 1, does_vote, "the vote of lane %zu", l);
        votes += does_vote;
    }
    cr_assert_eq(o[COUNTED], votes);
    uint32_t matches = 0;
    uint32_t matches_before = 0;
    for (size_t l = 0; l < 128; l++) {
        const size_t other = first + l;
        const bool is_same = l < size && in[other * 2] % 8 == in[lid * 2] % 8;
        const bool is_whole_same = l < size && other % 2 == lid % 2 && other / 3 == lid / 3;
        cr_assert_eq(o[MATCHED + l / 32] >> l % 32 & 1, is_same, "lane %zu matches lane %zu", lane, l);
        cr_assert_eq(o[MATCHED_NONE + l / 32] >> l % 32 & 1, l < size, "no bits: lane %zu", l);
        cr_assert_eq(o[MATCHED_ALL + l / 32] >> l % 32 & 1, is_whole_same, "32 bits: lanes %zu and %zu", lane, l);
        matches += is_same;
        matches_before += is_same && l < lane;
    }
    cr_assert_eq(o[MATCHES], matches);
    cr_assert_eq(o[MATCHES_BEFORE], matches_before);
    cr_assert(o[ANY_VOTES] == 1 && o[NONE_VOTES] == 0 && o[ALL_VOTE] == 1 && o[NOT_ALL_VOTE] == 0);
    expect_words(in + (first + size - 1 - lane) * 2, o + SHUFFLED, "shuffle", lid);
    expect_words(in + (first + size / 2) * 2, o + SHOWN, "broadcast", lid);
    expect_words(in + (lane >= 1 ? lid - 1 : lid) * 2, o + UP, "shuffle_up", lid);
    expect_words(in + (lane + 2 < size ? lid + 2 : lid) * 2, o + DOWN, "shuffle_down", lid);
    expect_words(in + ((lane ^ 3) < size ? first + (lane ^ 3) : lid) * 2, o + CROSSED, "shuffle_xor", lid);
    for (size_t l = 0; l < size; l++) {
        if (l == lane)
            expect_words(fold, o + FOLDS_BEFORE, "exclusive", lid);
        affine(fold, in + (first + l) * 2);
        if (l == lane)
            expect_words(fold, o + FOLDS, "inclusive", lid);
    }
    expect_words(fold, o + FOLDED, "reduce", lid);
}

static void check_lanes(const clprim_runtime *runtime, size_t way, size_t group_size)
{
    char text[sizeof LANES + 64];
    uint32_t *in = test_memory(0, group_size * 8);
    uint32_t *got = test_memory(1, group_size * NUM_WORDS * sizeof *got);
    for (size_t i = 0; i < group_size * 2; i++)
        in[i] = (uint32_t)(i * 7 + 3);
    (void)snprintf(text, sizeof text, "#define SIZE %zu\n%s", group_size, LANES);
    cl_program program = device_build(runtime, way, "", text);
    cl_mem input = test_upload(runtime, in, group_size * 8);
    cl_mem output = test_buffer(runtime, group_size * NUM_WORDS * sizeof *got);
    device_run(runtime, program, "lanes", input, output, NULL, group_size);
    test_read(runtime, got, output, group_size * NUM_WORDS * sizeof *got);
    for (size_t lid = 0; lid < group_size; lid++)
        check_lane(got + lid * NUM_WORDS, in, lid, group_size);
    ASSERT_CL(clReleaseMemObject(input));
    ASSERT_CL(clReleaseMemObject(output));
    ASSERT_CL(clReleaseProgram(program));
}

TEST_EACH(device, sub_groups, WAYS, .timeout = 600)
{
    static const size_t sizes[] = {1, 3, 33, 64, 100, 256};
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (is_in_software(*number)
                ? info->vendor == CLPRIM_VENDOR_POCL && (*number == BY_WIDE_MATCHES ? sizes[i] == 100 : sizes[i] < 64)
                : sizes[i] <= info->max_work_group_size)
            check_lanes(runtime, *number, sizes[i]);
    clprim_runtime_destroy(runtime);
}

static void expect_options(const clprim_runtime *runtime, const char *without, const char *part)
{
    char options[CLPRIM_DEVICE_OPTIONS_SIZE];
    test_without(without);
    ASSERT_OK(clprim_device_options(options, sizeof options, clprim_runtime_info(runtime)->device));
    cr_assert_not_null(strstr(options, part), "without %s: %s", without, options);
}

/* The options describe the device, except for features that CLPRIM_WITHOUT names. */
Test(device, options)
{
    char part[64];
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    (void)snprintf(part, sizeof part, "-DCLPRIM_INT64_ATOMICS=%d", info->has_int64_atomics);
    expect_options(runtime, "", part);
    (void)snprintf(part, sizeof part, "-DCLPRIM_FORWARD_PROGRESS=%d", info->has_forward_progress);
    expect_options(runtime, "", part);
    (void)snprintf(part, sizeof part, "-DCLPRIM_GROUPS_IN_ORDER=%d", info->starts_groups_in_order);
    expect_options(runtime, "", part);
    expect_options(runtime, "sub_groups", "-DCLPRIM_SUB_GROUP_MEANS=0");
    expect_options(runtime, "int64_atomics", "-DCLPRIM_INT64_ATOMICS=0");
    expect_options(runtime, "forward_progress", "-DCLPRIM_FORWARD_PROGRESS=0");
    expect_options(runtime, "forward_progress", "-DCLPRIM_GROUPS_IN_ORDER=0");
    expect_options(runtime, "group_order", "-DCLPRIM_GROUPS_IN_ORDER=0");
    (void)snprintf(part, sizeof part, "-DCLPRIM_REDUX=%d", info->has_warp_reduction);
    expect_options(runtime, "", part);
    clprim_runtime_destroy(runtime);
}

Test(device, refuses_what_it_does_not_know)
{
    char options[CLPRIM_DEVICE_OPTIONS_SIZE] = "as before";
    clprim_runtime *runtime = test_runtime(NULL);
    const cl_device_id device = clprim_runtime_info(runtime)->device;
    cr_assert_null(clprim_device_source(NULL));
    cr_assert_null(clprim_device_source("work_group_scan"));
    cr_assert_not_null(strstr(clprim_last_error(), "work_group_scan.h"), "%s", clprim_last_error());
    ASSERT_REFUSED(clprim_device_options(NULL, sizeof options, device), CLPRIM_INVALID_ARGUMENT, "out");
    ASSERT_REFUSED(clprim_device_options(options, sizeof options, NULL), CLPRIM_INVALID_ARGUMENT, "device");
    ASSERT_REFUSED(clprim_device_options(options, 4, device), CLPRIM_INVALID_ARGUMENT, "capacity");
    test_setenv("CLPRIM_WITHOUT", "no_such_thing");
    ASSERT_REFUSED(clprim_device_options(options, sizeof options, device), CLPRIM_INVALID_ARGUMENT, "no_such_thing");
    cr_assert_str_eq(options, "as before");
    clprim_runtime_destroy(runtime);
}

/* If an operator needs more than its operands, this is passed to it. */
Test(device, operators_have_parameters, .timeout = 300)
{
    enum { SIZE = 96, MODULUS = 1000003 };
    /* they are defined only after the headers, which themselves do not define a function that has them */
    static const char options[] = "-DCLPRIM_PARAMETERS=OWN_PARAMETERS -DCLPRIM_PASSED=OWN_PASSED";
    static const char text[] =
        "#define OWN_PARAMETERS uint modulus, uint factor,\n"
        "#define OWN_PASSED modulus, factor,\n"
        "CLPRIM_WORK_GROUP_SCAN(scans, uint, (a * factor + b) % modulus, 0, 96)\n"
        "CLPRIM_SUB_GROUP_SCAN(lanes, uint, (a * factor + b) % modulus, 0)\n"
        "CLPRIM_WORK_GROUP_REDUCE(folds, uint, (a * factor + b) % modulus, 96)\n"
        "CLPRIM_WORK_GROUP_LOAD(tiles, uint, 96, 3)\n"
        "CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(keys, uint, uint, 96, 3)\n"
        "CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(items, uint, uint, a % modulus < b % modulus, 96, 3)\n"
        "CLPRIM_WORK_GROUP_HISTOGRAM(counts, 7, 2, 96)\n"
        "CLPRIM_LOOK_BACK(before, uint, (a * factor + b) % modulus, 0, 96)\n"
        "__kernel __attribute__((reqd_work_group_size(96, 1, 1))) void scan(\n"
        "    const __global uint *in, __global uint *out, uint4 numbers)\n"
        "{\n"
        "    __local scans_memory memory;\n"
        "    const uint lid = (uint)get_local_id(0);\n"
        "    uint total;\n"
        "    out[lid] = scans_inclusive(numbers.x, numbers.y, in[lid], &total, &memory);\n"
        "    if (lid == 0)\n"
        "        out[96] = total;\n"
        "}\n";
    const cl_uint4 numbers = {{MODULUS, 1, 0, 0}};
    uint32_t in[SIZE];
    uint32_t got[SIZE + 1];
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < SIZE; i++)
        in[i] = (uint32_t)(i * 40503 % MODULUS);
    for (size_t way = 0; way < WAYS; way++) {
        uint32_t sum = 0;
        if (way >= BY_SOFTWARE && clprim_runtime_info(runtime)->vendor != CLPRIM_VENDOR_POCL)
            continue;
        cl_program program = device_build(runtime, way, options, text);
        cl_mem input = test_upload(runtime, in, sizeof in);
        cl_mem output = test_buffer(runtime, sizeof got);
        device_run(runtime, program, "scan", input, output, &numbers, SIZE);
        test_read(runtime, got, output, sizeof got);
        for (size_t i = 0; i < SIZE; i++) {
            sum = (sum + in[i]) % MODULUS;
            cr_assert_eq(got[i], sum, "work-item %zu", i);
        }
        cr_assert_eq(got[SIZE], sum);
        ASSERT_CL(clReleaseMemObject(input));
        ASSERT_CL(clReleaseMemObject(output));
        ASSERT_CL(clReleaseProgram(program));
    }
    clprim_runtime_destroy(runtime);
}
