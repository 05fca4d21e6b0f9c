// SPDX-License-Identifier: MIT
// suite.hpp: what the suites share beside the harness: how clPRIM's and each peer's rows are made and checked.
#ifndef CLPRIM_BENCHMARKS_SUITE_HPP
#define CLPRIM_BENCHMARKS_SUITE_HPP

#include "harness.hpp"
#include "peers/peer.hpp"

#include <clprim/clprim.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

// Whether these peers were built.
constexpr bool HAVE_BOOST_COMPUTE = CLPRIM_BENCH_HAVE_BOOST_COMPUTE;
constexpr bool HAVE_CUB = CLPRIM_BENCH_HAVE_CUB;

extern const std::vector<int> ALL_SIZES; // of n, as powers of two
extern const std::vector<int> FEW_SIZES;
extern const std::vector<int> QUICK_LADDER;

// How many roundings may follow one another on an element's way into a sum.
enum class Depth { serial, parallel };

// Where a call, which is finished, left its result.
struct Output {
    std::function<void(void *to, std::size_t offset, std::size_t bytes)> read;
    std::function<std::size_t()> selected; // how many elements a selection kept
    Depth depth = Depth::parallel;
    bool by_peer = false;
};

// "" or what is wrong with it.
using Check = std::function<std::string(const Output &)>;

// One operation on n elements: what the rows of all implementations share.
struct Work {
    std::string op;
    clprim_type type;
    std::size_t n;
    double bytes;          // the fewest that the operation can move
    std::size_t out_bytes; // of the arrays that it writes, one behind the other
    Check check;
    std::string distribution = "uniform";
    std::string peers_differ = {};     // in what peers' work is unlike clPRIM's; their rows' label
    Content content = Content::values; // the elements
    std::string type_name = {};        // in the rows' names, where it is more than that of `type`
    std::size_t selected_size = 0;     // of one of the elements that are counted in the result; 0: it has no count
    std::size_t words = 1;             // of `type`, that an element has
    bool throughput_only = false;      // on the device as it is: a kernel of the suite's own, whose call is a launch
};

// What was made last, kept until something else is asked for.
template <class T> class Last {
  public:
    template <class Make> const T &get(const std::string &key, Make make)
    {
        if (key != key_) {
            key_.clear();
            value_ = T(); // first: memory may not hold both
            value_ = make();
            key_ = key;
        }
        return value_;
    }

  private:
    std::string key_;
    T value_{};
};

// A peer on the host, which is not there where its function is nullptr. differs: its label, instead of the Work's.
template <class Function> struct HostPeer {
    const char *name;
    Function function;
    const char *differs = nullptr;
};

// The base of a primitive's suite: for each operation and size it describes the Work and adds rows. What a row needs
// is made by the function handed over with it, when the row's turn comes.
class Suite {
  public:
    explicit Suite(Session &session); // notes the peers' versions
    Suite(const Suite &) = delete;
    Suite &operator=(const Suite &) = delete;

  protected:
    ~Suite() = default;

    // clPRIM's rows: `bind` gives what enqueues one call of a variant that writes into `out`.
    using Bind = std::function<std::function<void()>(cl_mem out, int variant)>;
    // AUTO: throughput and latency, and of the operation, type and distribution that are added first, with a copy and
    // with transfers.
    void add_auto(const Work &work, const Bind &bind);
    // Throughput alone, of one variant; of all that the operation's table has and that are wanted.
    void add_variant(const Work &work, const std::string &name, int variant, const Bind &bind);
    using IsWanted = std::function<bool(const clprim_variant_info &)>;
    void add_variants(const Work &work, const clprim_operation &operation, const Bind &bind,
                      const IsWanted &is_wanted = nullptr);

    // For `bind`: what enqueues this call. Plans are kept by their descriptions, so that a kernel compiles once however
    // many rows use it.
    template <class Desc, class Arguments>
    std::function<void()> enqueue(const clprim_operation &operation, int variant, Desc desc, const Arguments &call)
    {
        desc.variant = static_cast<decltype(desc.variant)>(variant);
        clprim_plan *const plan = plan_of(operation, &desc);
        const cl_command_queue queue = session_.queue();
        return [plan, queue, call, &operation] {
            require(operation.enqueue(plan, queue, &call, 0, nullptr, nullptr), operation.name);
        };
    }

    // On the host: bind(function) gives what writes into host memory, blocks, and may return how many elements it
    // selected. in_place: before each call the elements are put there, which is not timed.
    template <class Function, class BindHost>
    void add_host(const Work &work, std::initializer_list<HostPeer<Function>> peers, BindHost bind,
                  bool in_place = false)
    {
        for (const HostPeer<Function> &peer : peers) {
            if (peer.function == nullptr)
                continue;
            Work own = work;
            if (peer.differs != nullptr)
                own.peers_differ = peer.differs;
            add_host_row(own, peer.name, in_place, [bind, function = peer.function]() -> HostCall {
                return [call = bind(function)](void *out) -> std::size_t {
                    if constexpr (!std::is_void_v<decltype(call(out))>)
                        return call(out);
                    call(out);
                    return 0;
                };
            });
        }
    }

    // These add nothing where the peer was not built. Calls of them, whose functions name the peer's, stand in
    // `if constexpr (HAVE_BOOST_COMPUTE)` and `if constexpr (HAVE_CUB)`.
    // Where `make` gives nullptr the peer has no such operation. input: of the Work's type, on clPRIM's device.
    using MakeBoost = std::function<std::unique_ptr<peers::Device>(const peers::BoostTarget &)>;
    void add_boost_compute(const Work &work, MakeBoost make);
    // make(wide): the count as size_t, or as int; nullptr where that form does not exist.
    using MakeCub = std::function<std::unique_ptr<peers::Device>(bool wide)>;
    void add_cub(const Work &work, MakeCub make, Content beside = Content::values, const char *implementation = "cub");
    // Where there is one form: make().
    template <class Make>
    void add_cub_once(const Work &work, const Make &make, Content beside = Content::values,
                      const char *implementation = "cub")
    {
        const auto once = [make](bool wide) -> std::unique_ptr<peers::Device> { return wide ? nullptr : make(); };
        add_cub(work, once, beside, implementation);
    }

    // A byte for each element, which says whether it is selected.
    const std::uint8_t *host_flags(std::size_t n)
    {
        return static_cast<const std::uint8_t *>(session_.inputs(Content::flags).host(CLPRIM_U8, n));
    }
    cl_mem selected(); // where clPRIM's calls write the count of a selection: a cl_ulong, or its low half

    Session &session_;

  private:
    struct DestroyPlan {
        void operator()(clprim_plan *plan) const
        {
            clprim_plan_destroy(plan);
        }
    };
    using HostCall = std::function<std::size_t(void *out)>;

    void add_row(const Work &work, const std::string &implementation, Timing timing,
                 std::function<std::vector<Call>()> prepare, std::size_t lacking = 0);
    void add_clprim_row(const Work &work, const std::string &implementation, int variant, Timing timing,
                        const Bind &bind, std::size_t lacking = 0);
    void add_host_row(const Work &work, const char *implementation, bool in_place, std::function<HostCall()> bind);
    Call clprim_call(const Work &work, int variant, Timing timing, const Bind &bind);
    clprim_plan *plan_of(const clprim_operation &operation, const void *desc);
    cl_mem output(std::size_t bytes); // filled with a byte that is no result
    void upload(Content content, clprim_type type, std::size_t n);

    std::map<std::string, std::unique_ptr<clprim_plan, DestroyPlan>> plans_;
    std::string last_variant_; // of the plan that was asked for last; AUTO's rows have it as their label
    Buffer output_;            // of clPRIM's calls; grows
    std::size_t output_bytes_ = 0;
    std::string moved_; // what is timed with a copy, and with transfers
    Buffer selected_;
    std::map<peers::CubInput, unsigned long> uploaded_; // generation of CUB's copy of the inputs
};

// A program: a suite to which each operation is added, and more.
template <class Suite, class Operations>
int run(int argc, char **argv, const char *name, const Operations &operations, void (Suite::*add_more)() = nullptr)
{
    Session session(argc, argv, name);
    Suite suite(session);
    for (const auto &operation : operations)
        suite.add(operation);
    if (add_more != nullptr)
        (suite.*add_more)();
    return session.run();
}

// Compare an output of n elements with what is wanted. compare(begin, count, got) is called for pieces: all there are
// up to 2^24 elements; of more, the first and the last 2^20 and 1024 pieces of 4096, others each time.
using Compare = std::function<std::string(std::size_t begin, std::size_t count, const unsigned char *got)>;
std::string check_pieces(const Output &output, std::size_t n, std::size_t element_size, const Compare &compare);

// "" or what is wrong if this is not how many were selected: "elements selected", ...
std::string check_selected(const Output &output, std::size_t wanted, const char *what);

// An array in an output.
struct Part {
    const void *wanted;
    std::size_t begin = 0; // bytes
    const char *name = ""; // ", of the values": goes behind what is wrong
};
// "" or which element of the first wrong one differs. All have n elements of this size.
std::string check_bits(const Output &output, std::size_t n, std::size_t element_size, const std::vector<Part> &parts);

// How far a float sum of n elements of the inputs may be from the one in double; see suite.cpp.
double sum_tolerance(clprim_type type, std::size_t n, Depth depth);
std::string wrong_sum(double got, double wanted, double tolerance);

} // namespace bench

#endif
