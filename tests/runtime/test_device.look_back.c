// SPDX-License-Identifier: MIT
/* test_device.look_back.c: the look-back of callers' kernels (include/clprim/device/look_back.h), with groups that wait and
 * groups that do not, words of all kinds, and sub-groups or none. The build runs it in several orders of work-groups, too
 * (double/README.md). */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "files.h"
#include "test_device.h"

typedef struct way {
    size_t by;
    const char *without; /* of the device */
    const char *options; /* in addition to those of the device */
    bool waits;          /* if the device's groups can wait */
    bool takes_no_look;  /* before it falls back */
    bool in_all_sizes;   /* of work-groups */
} way;

#define ONE " -DONE_SUB_GROUP"

static const way ways[] = {
    {.by = BY_TEXT, .without = "", .options = "", .waits = true, .in_all_sizes = true},
    {.by = BY_TEXT, .without = "int64_atomics,group_order", .options = "", .waits = true},
    {.by = BY_INCLUDE, .without = "", .options = ""},
    {.by = BY_TEXT,
     .without = "forward_progress",
     .options = "-DCLPRIM_LOOK_BACK_LOOKS=0",
     .takes_no_look = true,
     .in_all_sizes = true},
    {.by = BY_TEXT,
     .without = "forward_progress,int64_atomics,sub_groups",
     .options = "-DCLPRIM_LOOK_BACK_LOOKS=0",
     .takes_no_look = true,
     .in_all_sizes = true},
    {.by = BY_TEXT, .without = "forward_progress", .options = "-DCLPRIM_LOOK_BACK_LOOKS=1"},
    {.by = BY_TEXT, .without = "forward_progress,sub_groups", .options = ""},
    {.by = BY_SOFTWARE,
     .without = "",
     .options = "-DCLPRIM_INT64_ATOMICS=1 -DCLPRIM_FORWARD_PROGRESS=1" ONE,
     .waits = true},
    {.by = BY_SOFTWARE,
     .without = "",
     .options = "-DCLPRIM_INT64_ATOMICS=1 -DCLPRIM_LOOK_BACK_LOOKS=0" ONE,
     .takes_no_look = true,
     .in_all_sizes = true},
    {.by = BY_SOFTWARE, .without = "", .options = "-DCLPRIM_LOOK_BACK_LOOKS=2" ONE},
};
enum { LOOK_BACK_WAYS = sizeof ways / sizeof *ways };

/* A scan of one value per work-item, which counts how often each tile is computed. (It does not use atomic_inc: in one
 * of the orders of groups, the first group that calls it waits for the others.) marked() is not an identity: if it is
 * used as an operand, it changes the result. plant and peek store and load what tiles publish: kinds[t] is 0 for
 * nothing, 1 for the tile's own fold, 2 for a prefix, 3 for words of both. */
static const char KERNELS[] =
    "T marked(void)\n"
    "{\n"
    "    T x = IDENTITY;\n"
    "    ((__private uchar *)&x)[0] ^= 85;\n"
    "    return x;\n"
    "}\n"
    "CLPRIM_WORK_GROUP_SCAN(scans, T, COMBINE, IDENTITY, SIZE)\n"
    "CLPRIM_LOOK_BACK(before, T, COMBINE, marked(), SIZE)\n"
    "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void prefixes(__global ulong *state, uint epoch,\n"
    "    uint tiles, const __global T *in, uint first, uint n, __global T *out, __global T *starts, __global uint "
    "*computed)\n"
    "{\n"
    "    __local scans_memory scanning;\n"
    "    __local before_memory looking;\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    const T identity = IDENTITY;\n"
    "    T own = identity;\n"
    "    before_tile tile = before_begin(state, epoch, tiles, &looking);\n"
    "    do {\n"
    "        T x = identity;\n"
    "        T total;\n"
    "        if (tile.at * SIZE + lid < n)\n"
    "            x = in[first + tile.at * SIZE + lid];\n"
    "        x = scans_inclusive(x, &total, &scanning);\n"
    "        before_publish(&tile, total);\n"
    "        if (tile.at == tile.own)\n"
    "            own = x;\n"
    "        if (lid == 0)\n"
    "            (void)atomic_add(computed + tile.at, 1u);\n"
    "    } while (before_look_back(&tile));\n"
    "    if (tile.own > 0)\n"
    "        own = before_combine(tile.prefix, own);\n"
    "    if (tile.own * SIZE + lid < n)\n"
    "        out[tile.own * SIZE + lid] = own;\n"
    "    if (lid == 0)\n"
    "        starts[tile.own] = tile.prefix;\n"
    "}\n"
    "__kernel void plant(__global ulong *state, uint epoch, uint tiles, const __global T *folds,\n"
    "                    const __global uint *kinds)\n"
    "{\n"
    "    __global uint *ticket = (__global uint *)state;\n"
    "    *ticket = tiles;\n"
    "    for (uint t = 0; t < tiles; t++) {\n"
    "        before_inner_words words = {{0}};\n"
    "        words.value = folds[t];\n"
    "        before_inner_store(state, kinds[t] == 0 ? epoch - 1 : epoch, t, folds[t], kinds[t] == 2 ? 2 : 1);\n"
    "        if (kinds[t] == 3)\n"
    "            clprim__publish(before_inner_words_of(state, t),\n"
    "                            clprim__tagged(epoch << 2 | 2, clprim__part(words.words, 0)));\n"
    "    }\n"
    "}\n"
    "__kernel void peek(__global ulong *state, uint epoch, uint tiles, __global T *folds, __global uint *kinds)\n"
    "{\n"
    "    for (uint t = 0; t < tiles; t++) {\n"
    "        T x;\n"
    "        kinds[t] = before_inner_load(state, epoch, t, &x);\n"
    "        folds[t] = x;\n"
    "    }\n"
    "}\n";

enum { PREFIXES, PLANT, PEEK, NUM_KERNELS };
static const char *const names[NUM_KERNELS] = {"prefixes", "plant", "peek"};

/* Buffers of a program, in the order in which the kernels take them. */
typedef struct look_back {
    clprim_runtime *runtime;
    const way *of;
    const fold_by *op;
    size_t group_size;
    cl_kernel kernels[NUM_KERNELS];
    cl_mem state, in, out, starts, computed;
    unsigned char *data, *folds; /* on the host: the input, and all its folds from `first` on */
    size_t count, tiles;         /* maximum */
    size_t launches;
} look_back;

/* Do not fill with ever smaller numbers: a product with many even factors would be 0, whatever comes first. */
static void fill(unsigned char *data, const fold_by *op, size_t count)
{
    for (size_t i = 0; i < count * op->size; i++)
        data[i] = (unsigned char)(i * i * 37 + i / 251 * 11 + i / 65537 + 1);
    for (size_t i = 0; i < count; i++) {
        unsigned char *value = data + i * op->size;
        if (op->is_float)
            test_store(op->size == 4 ? CLPRIM_F32 : CLPRIM_F64, data, i, (double)(i * 7 % 17) - 8);
        else if (op->size == 64)
            for (size_t k = 0; k < 16; k++)
                value[k * 4] = (unsigned char)((value[k * 4] & ~1u) | (k % 5 == 0));
        else
            value[0] |= 1;
    }
}

static void release_kernels(look_back *self)
{
    for (size_t k = 0; k < NUM_KERNELS; k++)
        ASSERT_CL(clReleaseKernel(self->kernels[k]));
}

/* Returns false if the kernel cannot have groups of this size. */
static bool create(look_back *self, size_t tiles, size_t more)
{
    size_t most = 0;
    static char text[16384];
    const fold_by *op = self->op;
    (void)snprintf(text, sizeof text, "%s#define T %s\n#define COMBINE %s\n#define IDENTITY %s\n#define SIZE %zu\n%s",
                   op->source != NULL ? op->source : "", op->type, op->combine, op->identity, self->group_size,
                   KERNELS);
    cl_program program = device_build(self->runtime, self->of->by, self->of->options, text);
    for (size_t k = 0; k < NUM_KERNELS; k++) {
        cl_int code = CL_SUCCESS;
        self->kernels[k] = clCreateKernel(program, names[k], &code);
        ASSERT_CL(code);
    }
    ASSERT_CL(clReleaseProgram(program));
    ASSERT_CL(clGetKernelWorkGroupInfo(self->kernels[PREFIXES], clprim_runtime_info(self->runtime)->device,
                                       CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    if (most < self->group_size) {
        release_kernels(self);
        return false;
    }
    const size_t state = CLPRIM_LOOK_BACK_BYTES(op->size, tiles);
    self->tiles = tiles;
    self->count = tiles * self->group_size + more;
    self->data = test_memory(0, self->count * op->size);
    self->folds = test_memory(1, self->count * op->size);
    fill(self->data, op, self->count);
    self->in = test_upload(self->runtime, self->data, self->count * op->size);
    self->out = test_buffer(self->runtime, self->count * op->size);
    self->starts = test_buffer(self->runtime, tiles * op->size);
    self->computed = test_buffer(self->runtime, tiles * sizeof(uint32_t));
    self->state = test_buffer(self->runtime, state);
    test_write(self->runtime, self->state, memset(test_memory(2, state), 0, state), state);
    return true;
}

static void destroy(look_back *self)
{
    const cl_mem buffers[] = {self->state, self->in, self->out, self->starts, self->computed};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        ASSERT_CL(clReleaseMemObject(buffers[i]));
    release_kernels(self);
}

static void set(cl_kernel kernel, cl_uint index, const void *value, size_t size)
{
    ASSERT_CL(clSetKernelArg(kernel, index, size, value));
}

/* Launch `groups` groups for `tiles` tiles of n values, beginning with value `first`. */
static void launch(look_back *self, uint32_t epoch, size_t groups, size_t tiles, size_t first, size_t n)
{
    cl_kernel kernel = self->kernels[PREFIXES];
    const cl_uint numbers[] = {epoch, (cl_uint)tiles, (cl_uint)first, (cl_uint)n};
    static const cl_uint places[] = {1, 2, 4, 5};
    const size_t zeroed = self->tiles * sizeof(uint32_t);
    test_write(self->runtime, self->computed, memset(test_memory(2, zeroed), 0, zeroed), zeroed);
    for (size_t i = 0; i < 4; i++)
        set(kernel, places[i], &numbers[i], sizeof numbers[i]);
    set(kernel, 0, &self->state, sizeof self->state);
    set(kernel, 3, &self->in, sizeof self->in);
    set(kernel, 6, &self->out, sizeof self->out);
    set(kernel, 7, &self->starts, sizeof self->starts);
    set(kernel, 8, &self->computed, sizeof self->computed);
    device_launch(self->runtime, kernel, groups, self->group_size);
}

/* Launch one work-item of plant or peek, with arrays in place of `starts` and `computed`. */
static void launch_one(look_back *self, size_t which, uint32_t epoch, size_t tiles)
{
    cl_kernel kernel = self->kernels[which];
    const cl_uint number = (cl_uint)tiles;
    set(kernel, 0, &self->state, sizeof self->state);
    set(kernel, 1, &epoch, sizeof epoch);
    set(kernel, 2, &number, sizeof number);
    set(kernel, 3, &self->starts, sizeof self->starts);
    set(kernel, 4, &self->computed, sizeof self->computed);
    device_launch(self->runtime, kernel, 1, 1);
}

static const char *what_of(const look_back *self, const char *what)
{
    static char text[256];
    (void)snprintf(text, sizeof text, "%s of %s, groups of %zu, without %s %s, launch %zu", what, self->op->type,
                   self->group_size, self->of->without, self->of->options, self->launches);
    return text;
}

static uint32_t ticket_of(const look_back *self)
{
    uint32_t ticket = 0;
    test_read(self->runtime, &ticket, self->state, sizeof ticket);
    return ticket;
}

/* The value of IDENTITY in tile 0. */
static void expect_marked(const look_back *self, const unsigned char *start)
{
    unsigned char *x = test_memory(3, self->op->size);
    memcpy(x, start, self->op->size);
    x[0] ^= 85;
    self->op->fold(x, self->data);
    test_expect_same(self->data, x, self->op->size, 1, what_of(self, "the identity"));
}

static void check_computed(const look_back *self, size_t tiles)
{
    const bool waits =
        self->of->waits && (self->of->by == BY_SOFTWARE || clprim_runtime_info(self->runtime)->has_forward_progress);
    uint32_t *computed = test_memory(2, tiles * sizeof *computed);
    uint32_t sum = 0;
    test_read(self->runtime, computed, self->computed, tiles * sizeof *computed);
    for (size_t t = 0; t < tiles; t++) {
        cr_assert(waits ? computed[t] == 1 : computed[t] >= 1, "tile %zu is computed %u times: %s", t, computed[t],
                  what_of(self, ""));
        sum += computed[t];
    }
    if (self->of->takes_no_look) /* each group except the first computes at least the tile before its own */
        cr_assert(sum >= 2 * tiles - 1, "%u tiles are computed: %s", sum, what_of(self, ""));
}

/* Make one launch. Each launch uses other values, so that those of an earlier one would be noticed. */
static void check_launch(look_back *self, uint32_t epoch, size_t n)
{
    const size_t size = self->op->size;
    const size_t first = self->launches % 5;
    const size_t tiles = n > 0 ? (n + self->group_size - 1) / self->group_size : 1;
    unsigned char *got = test_memory(2, self->count * size);
    self->launches++;
    memset(got, TEST_POISON, self->count * size);
    test_write(self->runtime, self->out, got, self->count * size);
    launch(self, epoch, tiles, tiles, first, n);
    cr_assert_eq(ticket_of(self), 0, "%s", what_of(self, "ticket"));
    check_computed(self, tiles);
    device_scan(self->folds, self->op, self->data + first * size, n);
    got = test_memory(2, self->count * size);
    test_read(self->runtime, got, self->out, self->count * size);
    test_expect_same(self->folds, got, size, n, what_of(self, "folds"));
    for (size_t i = n * size; i < self->count * size; i++)
        cr_assert_eq(got[i], TEST_POISON, "%s", what_of(self, "what is not written"));
    test_read(self->runtime, got, self->starts, tiles * size);
    expect_marked(self, got);
    for (size_t t = 1; t < tiles; t++)
        test_expect_same(self->folds + (t * self->group_size - 1) * size, got + t * size, size, 1,
                         what_of(self, "the prefix"));
}

/* Sub-groups in software have barriers, so groups must have one sub-group. */
static bool is_possible(const look_back *self)
{
    const clprim_device_info *info = clprim_runtime_info(self->runtime);
    const char *order = getenv("CLPRIM_DOUBLE_ORDER");
    if (self->group_size > info->max_work_group_size || self->group_size * self->op->size * 4 > info->local_memory_size)
        return false;
    if (self->op->is_float && self->op->size == 8 && !info->has_fp64)
        return false;
    if (self->of->by == BY_SOFTWARE && (info->vendor != CLPRIM_VENDOR_POCL || self->group_size > 4))
        return false;
    return !self->of->waits || order == NULL || strcmp(order, "starve") != 0;
}

/* Oclgrind is an interpreter that sees each access to memory, and is slow. */
static bool is_oclgrind(const look_back *self)
{
    return strstr(clprim_runtime_info(self->runtime)->platform_name, "Oclgrind") != NULL;
}

/* All sizes for one of the types, and few for the others, because each case is a separate program. */
static bool is_tested(const look_back *self)
{
    const size_t size = self->op->size;
    const bool is_thorough = strcmp(self->op->type, "uint2") == 0 && self->of->in_all_sizes;
    const size_t most = self->of->by == BY_SOFTWARE ? 4 : 33;
    if (is_oclgrind(self) && (!(is_thorough || size == 3 || size == 64) || self->group_size > most))
        return false;
    return is_possible(self) && (is_thorough || self->group_size == most || (self->group_size == 256 && size == 64));
}

/* For a quick run: other cases in each order of groups. */
static bool is_sampled(const char *test, size_t number)
{
    char row[TEST_NAME_SIZE];
    const char *order = getenv("CLPRIM_DOUBLE_ORDER");
    (void)snprintf(row, sizeof row, "%s %s %zu", order != NULL ? order : "any order", test, number);
    return test_is_sampled_test("look_back", row);
}

static clprim_runtime *runtime_of(const way *of)
{
    test_without(of->without);
    return test_runtime(NULL);
}

TEST_EACH(look_back, launches, LOOK_BACK_WAYS *DEVICE_FOLDS, .timeout = 1800)
{
    static const size_t group_sizes[] = {4, 1, 3, 31, 32, 33, 64, 100, 256, 1024};
    if (!is_sampled("launches", *number))
        return;
    look_back self = {.of = &ways[*number % LOOK_BACK_WAYS], .op = &device_folds[*number / LOOK_BACK_WAYS]};
    self.runtime = runtime_of(self.of);
    for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
        const size_t size = self.group_size = group_sizes[g];
        const size_t tiles = is_oclgrind(&self) ? 7 : size > 64 ? 70 : 300;
        const size_t counts[] = {tiles * size, 0, 1, size, size + 1, 2 * size - 1, 5 * size + 1, tiles * size - 1};
        if (!is_tested(&self) || !device_has_turn("look_back launches", *number, size) || !create(&self, tiles, 5))
            continue;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check_launch(&self, (uint32_t)i + 1, counts[i]);
        check_launch(&self, CLPRIM_LOOK_BACK_EPOCHS, tiles * size);
        destroy(&self);
    }
    clprim_runtime_destroy(self.runtime);
}

/* A group that has tile OWN finds planted words. */
enum { OWN = 140 };

typedef struct plant {
    const char *name;
    void (*kinds)(uint32_t *kinds);
    bool is_missing; /* a group that waits for it would wait for ever */
    bool has_words;  /* for values of several words */
} plant;

static void all_totals(uint32_t *kinds)
{
    for (size_t t = 0; t < OWN; t++)
        kinds[t] = t > 0 ? 1 : 2;
}

static void all_prefixes(uint32_t *kinds)
{
    for (size_t t = 0; t < OWN; t++)
        kinds[t] = 2;
}

/* Windows have 32, 64 or 128 tiles. */
static void next_window(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 33] = kinds[OWN - 34] = 2;
}

static void last_of_the_window(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 32] = 2;
}

static void next_of_64(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 65] = 2;
}

static void last_of_64(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 64] = 2;
}

static void next_of_128(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 129] = 2;
}

static void last_of_128(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 128] = 2;
}

/* After a tile that has published nothing, there are published ones in the same row, and after that row. */
static void gaps_in_a_row(uint32_t *kinds)
{
    all_totals(kinds);
    for (size_t t = OWN - 18; t < OWN - 1; t += 2)
        kinds[t] = 0;
}

static void prefix_behind_gaps(uint32_t *kinds)
{
    memset(kinds, 0, OWN * sizeof *kinds);
    kinds[OWN - 1] = kinds[OWN - 3] = 1;
    kinds[OWN - 2] = 2;
}

static void nothing(uint32_t *kinds)
{
    memset(kinds, 0, OWN * sizeof *kinds);
}

static void a_gap(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN / 2] = 0;
}

static void gaps(uint32_t *kinds)
{
    all_totals(kinds);
    for (size_t t = 0; t < OWN; t += 3)
        kinds[t] = 0;
    kinds[7] = 2;
}

/* A group changes the words of its tile. A value of one word is never of two kinds. */
static void words_of_both(uint32_t *kinds)
{
    all_totals(kinds);
    kinds[OWN - 1] = kinds[OWN - 40] = kinds[OWN - 41] = 3;
}

static const plant plants[] = {
    {.name = "all totals", .kinds = all_totals},
    {.name = "all prefixes", .kinds = all_prefixes},
    {.name = "the prefix is the first of the next window", .kinds = next_window},
    {.name = "the prefix is the last of the window", .kinds = last_of_the_window},
    {.name = "the prefix is the first behind 64 tiles", .kinds = next_of_64},
    {.name = "the prefix is the last of 64 tiles", .kinds = last_of_64},
    {.name = "the prefix is the first behind 128 tiles", .kinds = next_of_128},
    {.name = "the prefix is the last of 128 tiles", .kinds = last_of_128},
    {.name = "a prefix, and nothing before", .kinds = prefix_behind_gaps},
    {.name = "nothing", .kinds = nothing, .is_missing = true},
    {.name = "a gap", .kinds = a_gap, .is_missing = true},
    {.name = "gaps", .kinds = gaps, .is_missing = true},
    {.name = "gaps in a row", .kinds = gaps_in_a_row, .is_missing = true},
    {.name = "words of both kinds", .kinds = words_of_both, .is_missing = true, .has_words = true},
};

static void check_plant(look_back *self, const plant *planted, uint32_t epoch)
{
    const size_t size = self->op->size;
    const size_t group = self->group_size;
    unsigned char *folds = test_memory(2, (OWN + 1) * size);
    unsigned char *totals = test_memory(4, group * size);
    uint32_t kinds[OWN + 1];
    planted->kinds(kinds);
    device_scan(self->folds, self->op, self->data, (OWN + 1) * group);
    for (size_t t = 0; t < OWN; t++) {
        device_scan(totals, self->op, self->data + t * group * size, group);
        memcpy(folds + t * size,
               kinds[t] == 2 ? self->folds + ((t + 1) * group - 1) * size : totals + (group - 1) * size, size);
        if (kinds[t] == 0) /* from an earlier launch */
            memset(folds + t * size, TEST_POISON, size);
    }
    test_write(self->runtime, self->starts, folds, OWN * size);
    test_write(self->runtime, self->computed, kinds, OWN * sizeof *kinds);
    launch_one(self, PLANT, epoch, OWN);
    launch(self, epoch, 1, OWN + 1, 0, (OWN + 1) * group);
    cr_assert_eq(ticket_of(self), 0);

    test_read(self->runtime, folds, self->starts, (OWN + 1) * size);
    test_expect_same(self->folds + (OWN * group - 1) * size, folds + OWN * size, size, 1, what_of(self, planted->name));
    launch_one(self, PEEK, epoch, OWN + 1);
    test_read(self->runtime, folds, self->starts, (OWN + 1) * size);
    test_read(self->runtime, kinds, self->computed, sizeof kinds);
    cr_assert_eq(kinds[OWN], 2, "%s", what_of(self, planted->name));
    test_expect_same(self->folds + ((OWN + 1) * group - 1) * size, folds + OWN * size, size, 1,
                     what_of(self, planted->name));
    for (size_t t = 0; t < OWN; t++) { /* computed folds are published for others */
        device_scan(totals, self->op, self->data + t * group * size, group);
        if (kinds[t] != 0)
            test_expect_same(kinds[t] == 2 ? self->folds + ((t + 1) * group - 1) * size : totals + (group - 1) * size,
                             folds + t * size, size, 1, what_of(self, planted->name));
        if (strcmp(planted->name, "nothing") == 0)
            cr_assert_eq(kinds[t], t > 0 ? 1 : 2, "%s", what_of(self, planted->name));
    }
}

TEST_EACH(look_back, planted, LOOK_BACK_WAYS *DEVICE_FOLDS, .timeout = 1800)
{
    const way *of = &ways[*number % LOOK_BACK_WAYS];
    if (!is_sampled("planted", *number))
        return;
    const bool has_ticket = !of->takes_no_look;
    way in_any_order = *of;
    char without[128];
    (void)snprintf(without, sizeof without, "group_order,%s", of->without);
    in_any_order.without = without;
    look_back self = {.of = &in_any_order, .op = &device_folds[*number / LOOK_BACK_WAYS]};
    self.runtime = runtime_of(self.of);
    const bool waits = of->waits && (of->by == BY_SOFTWARE || clprim_runtime_info(self.runtime)->has_forward_progress);
    self.group_size = of->by == BY_SOFTWARE ? 4 : 33;
    if (has_ticket && is_tested(&self) && create(&self, OWN + 1, 0)) {
        for (size_t p = 0; p < sizeof plants / sizeof *plants; p++)
            if (!(waits && plants[p].is_missing) && !(plants[p].has_words && self.op->size <= 4))
                check_plant(&self, &plants[p], (uint32_t)(2 * p + 2));
        destroy(&self);
    }
    clprim_runtime_destroy(self.runtime);
}

Test(look_back, memory)
{
    cr_assert_eq(CLPRIM_LOOK_BACK_BYTES(1, 0), 128);
    cr_assert_eq(CLPRIM_LOOK_BACK_BYTES(64, 3), 4 * 128);
    cr_assert_eq(CLPRIM_LOOK_BACK_BYTES(65, 3), 4 * 256);
    cr_assert_eq(CLPRIM_LOOK_BACK_BYTES(4, SIZE_MAX / 256), (SIZE_MAX / 256 + 1) * 128);
}
