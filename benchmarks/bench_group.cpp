// SPDX-License-Identifier: MIT
// bench_group.cpp: kernels made from the work-group functions of clprim/device/, and the same kernels made from CUB's
// block primitives. Each group loads a tile, calls the function, and writes: rows of `group_scan` and others, which memory
// limits. Rows named `_rounds` call the function 32 times on each tile, each time on what the time before left, so that
// the function itself is timed: their n counts each element 32 times.
#include "kernel.hpp"
#include "peers/group_peers.hpp"
#include "suite.hpp"

#include <clprim/device.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace {

using peers::GROUP_BINS;
using peers::GroupOp;
using peers::GroupShape;
using Tile = std::vector<cl_uint>;

constexpr unsigned ROUNDS = 32;
constexpr std::size_t LOCAL_BYTES = 6; // of local memory, that kernels need for an element of their tile, at most

// In front of all kernels. Blocked and striped are the same if each work-item has one value.
const char COMMON[] = R"(
CLPRIM_WORK_GROUP_LOAD(tiles, uint, SIZE, ITEMS)

#if ITEMS == 1
#define LOAD_BLOCKED(items, in)   tiles_load_striped(items, in, first, n, 0)
#define STORE_BLOCKED(out, items) tiles_store_striped(out, first, n, items)
#else
#define LOAD_BLOCKED(items, in)   tiles_load_blocked(items, in, first, n, 0, &memory.tiles)
#define STORE_BLOCKED(out, items) tiles_store_blocked(out, first, n, items, &memory.tiles)
#endif

#define KERNEL                                                                                       \
    __kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void group_work(                      \
        const __global uint *in, const __global uint *indices, __global uint *out, ulong n, uint rounds)

#define EACH_ITEM _Pragma("unroll") for (uint k = 0; k < ITEMS; k++)
)";

const char SCAN[] = R"(
CLPRIM_WORK_GROUP_SCAN(sums, uint, a + b, 0, SIZE)

typedef union {
    tiles_memory tiles;
    sums_memory sums;
} group_memory;

KERNEL
{
    __local group_memory memory;
    const size_t first = get_group_id(0) * (SIZE * ITEMS);
    uint items[ITEMS];
    uint total;
    LOAD_BLOCKED(items, in);
    for (uint r = 0; r < rounds; r++) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory is free */
        sums_exclusive_items(items, ITEMS, &total, &memory.sums);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_BLOCKED(out, items);
}
)";

const char REDUCE[] = R"(
CLPRIM_WORK_GROUP_REDUCE(sums, uint, a + b, SIZE)

KERNEL
{
    __local sums_memory memory;
    uint items[ITEMS];
    uint total = 0;
    tiles_load_striped(items, in, get_group_id(0) * (SIZE * ITEMS), n, 0);
    for (uint r = 0; r < rounds; r++) {
        uint x = 0;
        EACH_ITEM
            x += items[k];
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory is free */
        total = IN_ALL ? sums_reduce(x, &memory) : sums_reduce_to_first(x, &memory);
        const uint change = IN_ALL || get_local_id(0) == 0 ? total : r + 1;
        EACH_ITEM
            items[k] ^= change;
    }
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = total;
}
)";

const char HISTOGRAM[] = R"(
CLPRIM_WORK_GROUP_HISTOGRAM(counters, BINS, 1, SIZE)

KERNEL
{
    __local counters_memory memory;
    uint bins[ITEMS];
    tiles_load_striped(bins, in, get_group_id(0) * (SIZE * ITEMS), n, 0);
    EACH_ITEM
        bins[k] %= BINS;
    for (uint r = 0; r < rounds; r++) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the counts */
        counters_histogram(bins, ITEMS, &memory);
        const uint change = counters_count(get_local_id(0) % BINS, &memory);
        EACH_ITEM
            bins[k] = (bins[k] + change) % BINS;
    }
    counters_store_to(out + get_group_id(0) * BINS, &memory);
}
)";

// Keys alone may be loaded in any order. A single sort gives striped keys, for the store.
const char SORT[] = R"(
#if IS_MERGE
CLPRIM_WORK_GROUP_MERGE_SORT(sorts, uint, a < b, SIZE, ITEMS)
#define SORT(keys)            sorts_sort(keys, SIZE * ITEMS, &memory.sorts)
#define SORT_TO_STRIPED(keys) sorts_sort_to_striped(keys, SIZE * ITEMS, &memory.sorts)
#else
CLPRIM_WORK_GROUP_RADIX_SORT(sorts, uint, SIZE, ITEMS)
#define SORT(keys)            sorts_sort(keys, 0, 32, &memory.sorts)
#define SORT_TO_STRIPED(keys) sorts_sort_to_striped(keys, 0, 32, &memory.sorts)
#endif

typedef union {
    tiles_memory tiles;
    sorts_memory sorts;
} group_memory;

KERNEL
{
    __local group_memory memory;
    const size_t first = get_group_id(0) * (SIZE * ITEMS);
    uint keys[ITEMS];
    tiles_load_striped(keys, in, first, n, 0);
#if IS_REPEATED
    for (uint r = 0; r < rounds; r++) {
        EACH_ITEM
            keys[k] = keys[k] * FACTOR + 1;
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory is free */
        SORT(keys);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_BLOCKED(out, keys);
#else
    SORT_TO_STRIPED(keys);
    tiles_store_striped(out, first, n, keys);
#endif
}
)";

// Values are behind all keys.
const char SORT_PAIRS[] = R"(
CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(sorts, uint, uint, SIZE, ITEMS)

typedef union {
    tiles_memory tiles;
    sorts_memory sorts;
} group_memory;

KERNEL
{
    __local group_memory memory;
    const size_t first = get_group_id(0) * (SIZE * ITEMS);
    uint keys[ITEMS];
    uint values[ITEMS];
    LOAD_BLOCKED(keys, in);
    barrier(CLK_LOCAL_MEM_FENCE);
    LOAD_BLOCKED(values, indices);
#if IS_REPEATED
    for (uint r = 0; r < rounds; r++) {
        EACH_ITEM
            keys[k] = keys[k] * FACTOR + 1;
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory is free */
        sorts_sort(keys, values, 0, 32, &memory.sorts);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_BLOCKED(out, keys);
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_BLOCKED(out + n, values);
#else
    barrier(CLK_LOCAL_MEM_FENCE);
    sorts_sort_to_striped(keys, values, 0, 32, &memory.sorts);
    tiles_store_striped(out, first, n, keys);
    tiles_store_striped(out + n, first, n, values);
#endif
}
)";

struct Operation {
    const char *name;
    GroupOp op;
    const char *header; // besides work_group_load.h
    const char *kernel;
    unsigned least_items; // of shapes that are timed
    std::size_t most;     // elements of a tile: clPRIM's local memory for more would exceed 48 KiB
    std::string options = {};

    std::size_t parts() const
    {
        return op == GroupOp::radix_sort_pairs ? 2 : 1;
    }
    std::size_t out_per_tile(std::size_t tile) const
    {
        const bool is_reduction = op == GroupOp::reduce || op == GroupOp::reduce_all;
        return is_reduction ? 1 : op == GroupOp::histogram ? GROUP_BINS : tile;
    }
};

const Operation OPERATIONS[] = {
    {"group_scan", GroupOp::scan, "work_group_scan.h", SCAN, 1, 8192},
    {"group_reduce", GroupOp::reduce, "work_group_reduce.h", REDUCE, 1, 8192, " -DIN_ALL=0"},
    {"group_reduce_all", GroupOp::reduce_all, "work_group_reduce.h", REDUCE, 1, 8192, " -DIN_ALL=1"},
    {"group_histogram", GroupOp::histogram, "work_group_histogram.h", HISTOGRAM, 4, 8192,
     " -DBINS=" + std::to_string(GROUP_BINS)},
    {"group_radix_sort_keys", GroupOp::radix_sort, "work_group_radix_sort.h", SORT, 4, 8192, " -DIS_MERGE=0"},
    {"group_radix_sort_pairs", GroupOp::radix_sort_pairs, "work_group_radix_sort.h", SORT_PAIRS, 4, 4096},
    {"group_merge_sort_keys", GroupOp::merge_sort, "work_group_merge.h", SORT, 4, 8192, " -DIS_MERGE=1"},
};

cl_uint sum_of(const Tile &tile)
{
    return std::accumulate(tile.begin(), tile.end(), cl_uint{0});
}

// What the kernels do, by plain loops. A sort's rounds change each key on its own, so that one sort at the end is enough.

Tile scanned(Tile tile, unsigned rounds)
{
    for (unsigned r = 0; r < rounds; r++) {
        cl_uint sum = 0;
        for (cl_uint &x : tile)
            sum += std::exchange(x, sum);
    }
    return tile;
}

Tile reduced(Tile tile, unsigned size, bool in_all, unsigned rounds)
{
    cl_uint total = 0;
    for (unsigned r = 0; r < rounds; r++) {
        total = sum_of(tile);
        for (std::size_t row = 0; row < tile.size(); row += size)
            for (unsigned w = 0; w < size; w++)
                tile[row + w] ^= in_all || w == 0 ? total : r + 1;
    }
    return {total};
}

Tile counted(Tile tile, unsigned size, unsigned rounds)
{
    Tile counts;
    for (cl_uint &x : tile)
        x %= GROUP_BINS;
    for (unsigned r = 0; r < rounds; r++) {
        counts.assign(GROUP_BINS, 0);
        for (const cl_uint bin : tile)
            counts[bin]++;
        for (std::size_t row = 0; row < tile.size(); row += size)
            for (unsigned w = 0; w < size; w++)
                tile[row + w] = (tile[row + w] + counts[w % GROUP_BINS]) % GROUP_BINS;
    }
    return counts;
}

// The keys, and where they were.
std::vector<std::pair<cl_uint, cl_uint>> sorted(const Tile &tile, unsigned rounds)
{
    std::vector<std::pair<cl_uint, cl_uint>> pairs;
    for (cl_uint key : tile) {
        for (unsigned r = 0; rounds > 1 && r < rounds; r++)
            key = key * peers::GROUP_FACTOR + 1;
        pairs.emplace_back(key, static_cast<cl_uint>(pairs.size()));
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

class GroupSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation, const GroupShape &shape, std::size_t n, unsigned rounds);

  private:
    Bind bind(const Operation &operation, const peers::GroupTask &task);
    Tile wanted(const peers::GroupTask &task, std::size_t tile, std::size_t part);
    std::string check(const Operation &operation, const peers::GroupTask &task, const bench::Output &output);
};

GroupSuite::Bind GroupSuite::bind(const Operation &operation, const peers::GroupTask &task)
{
    return [=, this, &operation](cl_mem out, int) -> std::function<void()> {
        const std::size_t size = task.shape.size;
        const std::size_t tile = size * task.shape.items;
        const clprim_device_info &info = session_.info();
        if (size > info.max_work_group_size || tile * LOCAL_BYTES > info.local_memory_size)
            throw bench::Unsupported("groups of this shape are too large for the device");
        char options[CLPRIM_DEVICE_OPTIONS_SIZE];
        bench::require(clprim_device_options(options, sizeof options, info.device), "clprim_device_options");
        const std::string text =
            std::string(clprim_device_source("work_group_load.h")) + clprim_device_source(operation.header);
        const auto kernel = std::make_shared<bench::Kernel>(
            session_, (text + COMMON + operation.kernel).c_str(), "group_work",
            options + (" -DSIZE=" + std::to_string(size)) + " -DCLPRIM_GROUP_SIZE=" + std::to_string(size) +
                " -DITEMS=" + std::to_string(task.shape.items) + " -DFACTOR=" + std::to_string(peers::GROUP_FACTOR) +
                "u -DIS_REPEATED=" + (task.rounds > 1 ? "1" : "0") + operation.options);
        const cl_mem in = session_.inputs().device(CLPRIM_U32, task.n);
        const bool has_values = task.op == GroupOp::radix_sort_pairs;
        kernel->set(0, in);
        kernel->set(1, has_values ? session_.inputs(bench::Content::indices).device(CLPRIM_U32, task.n) : in);
        kernel->set(2, out);
        kernel->set(3, cl_ulong{task.n});
        kernel->set(4, cl_uint{task.rounds});
        return [=, queue = session_.queue()] { kernel->enqueue(queue, task.n / tile, size); };
    };
}

// What a tile's group writes. part: 1: the values of pairs.
Tile GroupSuite::wanted(const peers::GroupTask &task, std::size_t tile, std::size_t part)
{
    const std::size_t size = task.shape.size * task.shape.items;
    const auto *const in = static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, task.n)) + tile * size;
    const Tile items(in, in + size);
    switch (task.op) {
    case GroupOp::scan: return scanned(items, task.rounds);
    case GroupOp::reduce: return reduced(items, task.shape.size, false, task.rounds);
    case GroupOp::reduce_all: return reduced(items, task.shape.size, true, task.rounds);
    case GroupOp::histogram: return counted(items, task.shape.size, task.rounds);
    default: break;
    }
    Tile made;
    for (const auto &[key, place] : sorted(items, task.rounds))
        made.push_back(part == 0 ? key : static_cast<cl_uint>(tile * size) + place);
    return made;
}

std::string GroupSuite::check(const Operation &operation, const peers::GroupTask &task, const bench::Output &output)
{
    const std::size_t tile = task.shape.size * task.shape.items;
    const std::size_t per_tile = operation.out_per_tile(tile);
    for (std::size_t part = 0; part < operation.parts(); part++) {
        const bench::Output from = {[&](void *to, std::size_t at, std::size_t bytes) {
            output.read(to, part * task.n * sizeof(cl_uint) + at, bytes);
        }};
        const auto compare = [&](std::size_t begin, std::size_t count, const unsigned char *got) -> std::string {
            for (std::size_t at = begin; at < begin + count;) {
                const std::size_t end = std::min(begin + count, (at / per_tile + 1) * per_tile);
                const Tile results = wanted(task, at / per_tile, part);
                if (std::memcmp(got + (at - begin) * sizeof(cl_uint), &results[at % per_tile],
                                (end - at) * sizeof(cl_uint)) != 0)
                    return "wrong result: tile " + std::to_string(at / per_tile) + " differs from the plain loop's" +
                           (part == 1 ? ", of the values" : "");
                at = end;
            }
            return "";
        };
        const std::string wrong = bench::check_pieces(from, task.n / tile * per_tile, sizeof(cl_uint), compare);
        if (!wrong.empty())
            return wrong;
    }
    return "";
}

void GroupSuite::add(const Operation &operation, const GroupShape &shape, std::size_t n, unsigned rounds)
{
    const std::size_t tile = shape.size * shape.items;
    const bool is_once_the_same = rounds == 1 && operation.op == GroupOp::reduce_all; // as `reduce`
    if (n / rounds < tile || tile > operation.most || shape.items < operation.least_items || is_once_the_same)
        return;
    const std::size_t outs = n / rounds / tile * operation.out_per_tile(tile) * operation.parts();
    const std::size_t ins = n / rounds * operation.parts();
    const peers::GroupTask task{operation.op, shape, static_cast<unsigned>(n / rounds), rounds, outs * sizeof(cl_uint)};
    bench::Work work{std::string(operation.name) + (rounds > 1 ? "_rounds" : ""),
                     CLPRIM_U32,
                     n,
                     static_cast<double>((ins + outs) * sizeof(cl_uint)),
                     task.out_bytes,
                     [=, this, &operation](const bench::Output &output) { return check(operation, task, output); }};
    work.distribution = std::to_string(shape.size) + "x" + std::to_string(shape.items);
    work.throughput_only = true;
    add_auto(work, bind(operation, task));
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work,
            [=](bool wide) -> std::unique_ptr<peers::Device> {
                if (wide)
                    return nullptr;
                std::unique_ptr<peers::Device> made = peers::cub_group(task);
                return made != nullptr ? std::move(made) : peers::cub_group_sort(task);
            },
            operation.parts() == 2 ? bench::Content::indices : bench::Content::values);
}

// Which shapes are timed. Compiling them takes longer than running them.
std::vector<GroupShape> shapes(const bench::Session &session)
{
    if (session.info().kind == CLPRIM_DEVICE_CPU)
        return {{128, 4}};
    if (session.quick())
        return {{256, 4}, {256, 16}};
    std::vector<GroupShape> all;
    for (const unsigned size : {128U, 256U, 512U})
        for (const unsigned items : {1U, 4U, 8U, 16U})
            all.push_back({size, items});
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "group");
    GroupSuite suite(session);
    for (const std::size_t n : session.sizes({28}, sizeof(cl_uint), 4 * sizeof(cl_uint)))
        for (const Operation &operation : OPERATIONS)
            for (const GroupShape &shape : shapes(session))
                for (const unsigned rounds : {1U, ROUNDS})
                    suite.add(operation, shape, n, rounds);
    return session.run();
}
