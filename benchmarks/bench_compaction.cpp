// SPDX-License-Identifier: MIT
// bench_compaction.cpp: the stream compaction of docs/guides/compaction.md, whose kernel looks back by
// clprim/device/look_back.h; the same by CUB's look-back; and clprim_select, which does the same.
#include "kernel.hpp"
#include "peers/compaction_peers.hpp"
#include "suite.hpp"

#include <clprim/device.h>
#include <clprim/select.h>

#include <algorithm>

namespace {

// Made from docs/guides/compaction.c.
const char KERNEL[] =
#include "compaction_kernel.inc"
    ;

constexpr std::size_t GROUP = 256;
constexpr cl_float LIMIT = 0;

// The guide's kernel, and what it keeps from launch to launch.
struct Compaction {
    Compaction(bench::Session &session, unsigned items, std::size_t n, const std::string &options)
        : kernel(session,
                 (std::string(clprim_device_source("work_group_scan.h")) + clprim_device_source("look_back.h") + KERNEL)
                     .c_str(),
                 "compact", options),
          groups(n / (GROUP * items)), state_bytes(CLPRIM_LOOK_BACK_BYTES(sizeof(cl_uint), groups)),
          state(session.new_buffer(state_bytes))
    {
    }
    void enqueue(cl_command_queue queue)
    {
        const cl_uint zero = 0;
        if (epoch == CLPRIM_LOOK_BACK_EPOCHS) {
            bench::require_cl(
                clEnqueueFillBuffer(queue, state.get(), &zero, sizeof zero, 0, state_bytes, 0, nullptr, nullptr),
                "clEnqueueFillBuffer");
            epoch = 0;
        }
        epoch++;
        kernel.set(6, epoch);
        kernel.enqueue(queue, groups, GROUP);
    }

    bench::Kernel kernel;
    std::size_t groups;
    std::size_t state_bytes;
    bench::Buffer state;
    cl_uint epoch = CLPRIM_LOOK_BACK_EPOCHS; // nothing is cleared yet
};

class CompactionSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(std::size_t n, unsigned items);
    void add_select(std::size_t n);

  private:
    bench::Work work(std::size_t n);
    Bind bind(std::size_t n, unsigned items);

    bench::Last<std::vector<cl_float>> expected_;
};

bench::Work CompactionSuite::work(std::size_t n)
{
    const auto check = [=, this](const bench::Output &output) -> std::string {
        const std::vector<cl_float> &wanted = expected_.get(std::to_string(n), [&] {
            const auto *const in = static_cast<const cl_float *>(session_.inputs().host(CLPRIM_F32, n));
            std::vector<cl_float> kept;
            std::copy_if(in, in + n, std::back_inserter(kept), [](cl_float x) { return x > LIMIT; });
            return kept;
        });
        const std::size_t count = output.selected();
        if (count != wanted.size())
            return "wrong result: " + std::to_string(count) + " elements are kept, the plain loop keeps " +
                   std::to_string(wanted.size());
        return bench::check_bits(output, count, sizeof(cl_float), {{wanted.data()}});
    };
    return {"compaction", CLPRIM_F32, n, 1.5 * static_cast<double>(n * sizeof(cl_float)), n * sizeof(cl_float), check};
}

CompactionSuite::Bind CompactionSuite::bind(std::size_t n, unsigned items)
{
    return [=, this](cl_mem out, int) -> std::function<void()> {
        const clprim_device_info &info = session_.info();
        if (GROUP > info.max_work_group_size || GROUP * items * sizeof(cl_float) >= info.local_memory_size)
            throw bench::Unsupported("groups of this shape are too large for the device");
        char options[CLPRIM_DEVICE_OPTIONS_SIZE];
        bench::require(clprim_device_options(options, sizeof options, info.device), "clprim_device_options");
        const std::string group = std::to_string(GROUP);
        const auto compaction = std::make_shared<Compaction>(
            session_, items, n,
            options + (" -DGROUP=" + group) + " -DCLPRIM_GROUP_SIZE=" + group + " -DITEMS=" + std::to_string(items));
        const bench::Kernel &kernel = compaction->kernel;
        kernel.set(0, session_.inputs().device(CLPRIM_F32, n));
        kernel.set(1, static_cast<cl_uint>(n));
        kernel.set(2, LIMIT);
        kernel.set(3, out);
        kernel.set(4, selected());
        kernel.set(5, compaction->state.get());
        return [compaction, queue = session_.queue()] { compaction->enqueue(queue); };
    };
}

void CompactionSuite::add(std::size_t n, unsigned items)
{
    bench::Work own = work(n);
    own.distribution = std::to_string(GROUP) + "x" + std::to_string(items);
    own.throughput_only = true;
    add_auto(own, bind(n, items));
    if constexpr (bench::HAVE_CUB)
        add_cub_once(own, [=] { return peers::cub_compaction(n, items, LIMIT); });
}

void CompactionSuite::add_select(std::size_t n)
{
    add_variant(work(n), "select", 0, [=, this](cl_mem out, int variant) {
        const clprim_select_desc desc{.type = CLPRIM_F32, .predicate = "x > 0"};
        const clprim_select_call call{
            .in = {session_.inputs().device(CLPRIM_F32, n)}, .count = n, .out = {out}, .out_count = {selected()}};
        return enqueue(clprim_select_operation, variant, desc, call);
    });
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "compaction");
    CompactionSuite suite(session);
    const bool is_cpu = session.info().kind == CLPRIM_DEVICE_CPU;
    for (const std::size_t n : session.sizes({16, 20, 24, 28}, sizeof(cl_float), 2 * sizeof(cl_float))) {
        for (const unsigned items : is_cpu ? std::vector<unsigned>{16} : std::vector<unsigned>{8, 16, 32})
            if (n >= GROUP * items)
                suite.add(n, items);
        suite.add_select(n);
    }
    return session.run();
}
