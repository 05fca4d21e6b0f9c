// SPDX-License-Identifier: MIT
// suite.cpp: see suite.hpp.
#include "suite.hpp"
#include "clock.hpp"
#include "inside.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace bench {
namespace {

constexpr std::size_t WHOLE = std::size_t{1} << 24; // up to here outputs are compared whole
constexpr std::size_t ENDS = std::size_t{1} << 20;
constexpr std::size_t PIECES = 1024;
constexpr std::size_t PIECE = 4096;
constexpr std::size_t CHUNK = std::size_t{1} << 20; // elements read at once
constexpr int BY_ITSELF = 0;                        // every operation's AUTO

Call device_call(const std::shared_ptr<peers::Device> &peer, const std::string &label, Depth depth, const Work &work)
{
    Output output;
    output.read = [=](void *to, std::size_t offset, std::size_t bytes) { peer->read(to, offset, bytes); };
    output.selected = [=] { return peer->selected(); };
    output.depth = depth;
    output.by_peer = true;
    Call call;
    call.label = label + (label.empty() || work.peers_differ.empty() ? "" : ", ") + work.peers_differ;
    call.start = [=] { peer->start(); };
    call.finish = [=] { peer->finish(); };
    call.event = [=] { return peer->event_seconds(); };
    if (peer->in_place())
        call.restore = [=] { peer->restore(); };
    call.check = [check = work.check, output] { return check(output); };
    return call;
}

} // namespace

const std::vector<int> ALL_SIZES = {10, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32}; // the last two by --max-log2 only
const std::vector<int> FEW_SIZES = {16, 20, 24, 28};
const std::vector<int> QUICK_LADDER = {24};

Suite::Suite(Session &session) : session_(session)
{
    if constexpr (HAVE_BOOST_COMPUTE)
        session.context("boost_compute", peers::boost_compute_version());
    if constexpr (HAVE_CUB)
        if (peers::cub_available() && !session.has("busy")) { // some programs have two suites
            session.context("cub", peers::cub_version());
            for (const char *const op :
                 {"empty", "empty_overlapped", "empty_numbers", "empty_arguments", "busy", "busy_overlapped"})
                add_cub({op, CLPRIM_U32, 1, 0, sizeof(cl_uint), [](const Output &) { return ""; }},
                        [=](bool wide) { return wide ? peers::cub_launch(op) : nullptr; });
            for (const char *const op : {"empty_numbers", "empty_arguments", "busy"})
                if (session.info().vendor == CLPRIM_VENDOR_NVIDIA)
                    session.add({op, "device", "u32", 1, Timing::throughput, 0,
                                 [=, &session] { return launch_calls(session, op); }});
        }
}

void Suite::add_row(const Work &work, const std::string &implementation, Timing timing,
                    std::function<std::vector<Call>()> prepare, std::size_t lacking)
{
    const std::string type = work.type_name.empty() ? clprim_type_name(work.type) : work.type_name;
    session_.add({work.op, implementation, type, work.n, timing, work.bytes, std::move(prepare),
                  implementation.rfind("clprim", 0) != 0, work.distribution, lacking});
}

// A plan for this description, by the bytes of its members: those between them may be anything.
clprim_plan *Suite::plan_of(const clprim_operation &operation, const void *desc)
{
    std::string key = operation.name;
    clprim_runtime *const runtime = session_.runtime();
    key.append(reinterpret_cast<const char *>(&runtime), sizeof runtime);
    for (const clprim_member *member = operation.desc_members; member->name != nullptr; member++)
        key.append(static_cast<const char *>(desc) + member->place, member->size);
    auto known = plans_.find(key);
    if (known == plans_.end()) {
        clprim_plan *made = nullptr;
        require(operation.create(&made, runtime, desc), "creating a plan");
        known = plans_.emplace(key, made).first;
    }
    last_variant_ = clprim_plan_variant(known->second.get())->name;
    return known->second.get();
}

Call Suite::clprim_call(const Work &work, int variant, Timing timing, const Bind &bind)
{
    const cl_mem out = output(work.out_bytes);
    const cl_command_queue queue = session_.queue();
    Output result;
    result.read = [=](void *to, std::size_t offset, std::size_t bytes) {
        const Turn turn;
        require_cl(clEnqueueReadBuffer(queue, out, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
                   "clEnqueueReadBuffer");
    };
    result.selected = [this, queue] {
        cl_ulong count = 0;
        require_cl(clEnqueueReadBuffer(queue, selected(), CL_TRUE, 0, sizeof count, &count, 0, nullptr, nullptr),
                   "clEnqueueReadBuffer");
        return static_cast<std::size_t>(count);
    };
    (void)session_.take_input_uses(); // those of rows before
    Call call;
    call.start = bind(out, variant);
    call.finish = [=] { require_cl(clFinish(queue), "clFinish"); };
    const std::vector<InputUse> inputs = session_.take_input_uses();
    if (timing == Timing::with_copy)
        call.start = with_copy(session_, inputs, call.start);
    if (timing == Timing::with_transfer) {
        const auto taken = std::make_shared<Taken>();
        const Results results = {out, work.out_bytes, work.selected_size, work.n, selected()};
        call.start = with_transfer(session_, inputs, results, taken, call.start);
        call.finish = {};
        result.read = [=](void *to, std::size_t offset, std::size_t bytes) {
            std::memcpy(to, taken->bytes.data() + offset, bytes);
        };
        if (work.selected_size > 0) // else all is taken, however many there are
            result.selected = [=] { return static_cast<std::size_t>(taken->count); };
    }
    call.check = [check = work.check, result] { return check(result); };
    return call;
}

void Suite::add_clprim_row(const Work &work, const std::string &implementation, int variant, Timing timing,
                           const Bind &bind, std::size_t lacking)
{
    const auto prepare = [this, work, bind, timing, variant] {
        last_variant_.clear(); // stays so if `bind` makes no plan
        Call call = clprim_call(work, variant, timing, bind);
        call.label = variant == BY_ITSELF ? last_variant_ : "";
        return std::vector<Call>{call};
    };
    add_row(work, implementation, timing, prepare, lacking);
}

void Suite::add_auto(const Work &work, const Bind &bind)
{
    if (work.throughput_only)
        return add_clprim_row(work, "clprim", BY_ITSELF, Timing::throughput, bind);
    const std::string what = work.op + "/" + clprim_type_name(work.type) + work.type_name + "/" + work.distribution;
    if (moved_.empty())
        moved_ = what;
    for (const Timing timing : {Timing::throughput, Timing::latency, Timing::with_copy, Timing::with_transfer})
        if (what == moved_ || timing == Timing::throughput || timing == Timing::latency)
            add_clprim_row(work, "clprim", BY_ITSELF, timing, bind);
    const std::vector<Lacking> &lacking = session_.lacking();
    for (std::size_t i = 1; i < lacking.size(); i++)
        add_clprim_row(work, lacking[i].name, BY_ITSELF, Timing::throughput, bind, i);
}

void Suite::add_variant(const Work &work, const std::string &name, int variant, const Bind &bind)
{
    add_clprim_row(work, "clprim:" + name, variant, Timing::throughput, bind);
}

void Suite::add_variants(const Work &work, const clprim_operation &operation, const Bind &bind,
                         const IsWanted &is_wanted)
{
    std::size_t count = 0;
    const clprim_variant_info *const variants = operation.variants(&count);
    for (std::size_t i = 0; i < count; i++)
        if (!is_wanted || is_wanted(variants[i]))
            add_variant(work, variants[i].name, variants[i].id, bind);
}

// Such a call blocks: its throughput is its latency.
void Suite::add_host_row(const Work &work, const char *implementation, bool in_place, std::function<HostCall()> bind)
{
    add_row(work, implementation, Timing::throughput, [this, work, bind, in_place] {
        const std::shared_ptr<unsigned char[]> out(new unsigned char[work.out_bytes]);
        std::memset(out.get(), NO_RESULT, work.out_bytes);
        const auto count = std::make_shared<std::size_t>(0);
        Output result;
        result.read = [=](void *to, std::size_t offset, std::size_t bytes) {
            std::memcpy(to, out.get() + offset, bytes);
        };
        result.selected = [=] { return *count; };
        result.depth = Depth::serial;
        result.by_peer = true;
        Call call;
        call.label = work.peers_differ;
        call.start = [out, count, function = bind()] { *count = function(out.get()); };
        call.check = [=] { return work.check(result); };
        if (in_place) {
            const void *const in = session_.inputs(work.content).host(work.type, work.n * work.words);
            call.restore = [=] { std::memcpy(out.get(), in, work.n * work.words * clprim_type_size(work.type)); };
        }
        return std::vector<Call>{call};
    });
}

void Suite::add_boost_compute(const Work &work, MakeBoost make)
{
    if (!HAVE_BOOST_COMPUTE)
        return;
    add_row(work, "boost_compute", Timing::throughput, [this, work, make] {
        const cl_mem in = session_.inputs(work.content).device(work.type, work.n * work.words);
        const std::shared_ptr<peers::Device> peer =
            make({clprim_runtime_context(session_.runtime()), session_.info().device, in});
        if (peer == nullptr)
            throw Unsupported("the peer has no such operation");
        return std::vector<Call>{device_call(peer, "", Depth::serial, work)}; // serial: its code for CPUs
    });
}

void Suite::add_cub(const Work &work, MakeCub make, Content beside, const char *implementation)
{
    if constexpr (HAVE_CUB)
        if (!peers::cub_available())
            return;
    if (!HAVE_CUB)
        return;
    const auto prepare = [this, work, make, beside] {
        upload(work.content, work.type, work.n * work.words);
        if (beside != Content::values)
            upload(beside,
                   beside == Content::flags  ? CLPRIM_U8
                   : beside == Content::keys ? CLPRIM_I32
                                             : work.type,
                   work.n);
        std::vector<Call> calls;
        for (const bool wide : {true, false}) {
            if (!wide && work.n > INT_MAX)
                continue;
            const std::shared_ptr<peers::Device> peer = make(wide);
            const char *label = wide ? "count as size_t" : "count as int";
            if (peer != nullptr)
                calls.push_back(device_call(peer, label, Depth::parallel, work));
        }
        if (calls.empty())
            throw Unsupported("the peer has no such operation");
        return calls;
    };
    for (const Timing timing : {Timing::throughput, Timing::latency, Timing::event})
        if (timing == Timing::throughput || !work.throughput_only)
            add_row(work, implementation, timing, prepare);
}

void Suite::upload(Content content, clprim_type type, std::size_t n)
{
    Inputs &inputs = session_.inputs(content);
    const void *const host = inputs.host(type, n);
    const auto where = static_cast<peers::CubInput>(place(content));
    if (uploaded_[where] == inputs.generation())
        return;
    if constexpr (HAVE_CUB)
        peers::cub_set_input(where, host, inputs.capacity() * clprim_type_size(type));
    uploaded_[where] = inputs.generation();
}

cl_mem Suite::output(std::size_t bytes)
{
    if (bytes > output_bytes_) {
        output_.reset();
        output_ = session_.new_buffer(bytes);
        output_bytes_ = bytes;
    }
    fill_no_result(session_.queue(), output_.get(), bytes);
    return output_.get();
}

cl_mem Suite::selected()
{
    const cl_ulong none = 0;
    if (selected_ == nullptr)
        selected_ = session_.new_buffer(sizeof none, &none);
    return selected_.get();
}

std::string check_pieces(const Output &output, std::size_t n, std::size_t element_size, const Compare &compare)
{
    std::vector<unsigned char> got(std::min(n, CHUNK) * element_size);
    const auto piece = [&](std::size_t begin, std::size_t count) {
        output.read(got.data(), begin * element_size, count * element_size);
        return compare(begin, count, got.data());
    };
    std::string wrong;
    const std::size_t step = n <= WHOLE ? CHUNK : n - ENDS; // where only the ends are read
    for (std::size_t begin = 0; begin < n && wrong.empty(); begin += step)
        wrong = piece(begin, std::min(CHUNK, n - begin));
    static std::uint64_t random = 0; // goes on from row to row
    for (std::size_t i = 0; n > WHOLE && i < PIECES && wrong.empty(); i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        wrong = piece((random >> 20) % (n - PIECE), PIECE);
    }
    return wrong;
}

std::string check_selected(const Output &output, std::size_t wanted, const char *what)
{
    const std::size_t selected = output.selected();
    return selected == wanted ? ""
                              : "wrong result: " + std::to_string(selected) + " " + what + ", by the reference " +
                                    std::to_string(wanted);
}

std::string check_bits(const Output &output, std::size_t n, std::size_t element_size, const std::vector<Part> &parts)
{
    for (const Part &part : parts) {
        const Output from = {
            [&](void *to, std::size_t at, std::size_t bytes) { output.read(to, part.begin + at, bytes); }};
        const auto compare = [&](std::size_t begin, std::size_t count, const unsigned char *got) -> std::string {
            const auto *const wanted = static_cast<const unsigned char *>(part.wanted) + begin * element_size;
            if (std::memcmp(wanted, got, count * element_size) == 0)
                return "";
            std::size_t i = 0;
            while (std::memcmp(wanted + i * element_size, got + i * element_size, element_size) == 0)
                i++;
            return "wrong result: element " + std::to_string(begin + i) + " differs from the reference's" + part.name;
        };
        const std::string wrong = check_pieces(from, n, element_size, compare);
        if (!wrong.empty())
            return wrong;
    }
    return "";
}

// The bound that holds for any data, (n - 1) u sum |x|, is far too wide to catch a lost element. The inputs are
// independent and uniform in [-1/2, 1/2), so partial sums of k of them, and with them each rounding, are random: a
// chain of d additions is off by about u d / sqrt(72), n / d such chains and the tree above them by less than
// u sqrt(n (d / 24 + log2(n) / 12)). Eight times that is allowed; a single lost element exceeds it in nearly every
// case. The serial sum's own error, in double, is part of the tolerance.
double sum_tolerance(clprim_type type, std::size_t n, Depth depth)
{
    const auto count = static_cast<double>(std::max<std::size_t>(n, 1));
    const double chain = depth == Depth::serial ? count : std::min(count, count / 512 + 1024);
    const double u = std::ldexp(1.0, type == CLPRIM_F32 ? -24 : -53);
    return 8 * (u * std::sqrt(count * (chain / 24 + std::log2(count) / 12)) + std::ldexp(count, -53) / std::sqrt(24.0));
}

std::string wrong_sum(double got, double wanted, double tolerance)
{
    char text[128];
    (void)std::snprintf(text, sizeof text,
                        "wrong result: the sum is %.17g, the reference's %.17g, allowed difference %.3g", got, wanted,
                        tolerance);
    return text;
}

} // namespace bench
