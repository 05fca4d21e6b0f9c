// suite.hpp: what the suites share beside the harness: how clPRIM's and each peer's rows are made and checked.
#ifndef CLPRIM_BENCHMARKS_SUITE_HPP
#define CLPRIM_BENCHMARKS_SUITE_HPP

#include "harness.hpp"
#include "peers/peer.hpp"

#include <clprim/clprim.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bench {

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
    double bytes; // the fewest that the operation can move
    Check check;
    std::string distribution = "uniform";
    std::string peers_differ = {};     // in what peers' work is unlike clPRIM's; their rows' label
    Content content = Content::values; // the elements
    std::string type_name = {};        // in the rows' names, where it is more than that of `type`
    std::size_t selected_size = 0;     // of one of the elements that are counted in the result; 0: it has no count
    std::size_t words = 1;             // of `type`, that an element has
};

// Elements of u32 whose runs of equal ones are so long on average: what finds runs is timed with each of these.
struct Runs {
    const char *distribution;
    Content content;
    double length; // 0: the whole array is one
};
extern const std::vector<Runs> RUNS;

// The name of the variant that a plan takes.
inline std::string variant_of(const clprim_plan *plan)
{
    return clprim_plan_variant(plan)->name;
}

// That of the plan that a row has last asked for; AUTO's rows have it as their label.
extern std::string last_variant;

// Plans by what they do, kept so that a kernel compiles once however many rows use it.
template <class Plan> class Plans {
  public:
    explicit Plans(void (*destroy)(Plan *)) : destroy_(destroy)
    {
    }
    // create(Plan **) gives a clprim_status.
    template <class Create> Plan *get(const std::string &key, Create create)
    {
        auto known = plans_.find(key);
        if (known == plans_.end()) {
            Plan *made = nullptr;
            require(create(&made), "creating a plan");
            known = plans_.emplace(key, std::unique_ptr<Plan, void (*)(Plan *)>(made, destroy_)).first;
        }
        last_variant = variant_of(known->second.get());
        return known->second.get();
    }

  private:
    void (*destroy_)(Plan *);
    std::map<std::string, std::unique_ptr<Plan, void (*)(Plan *)>> plans_;
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

    // clPRIM: `bind` gives what enqueues one call that writes into `out`. variant "": AUTO, throughput and latency,
    // and of the operation, type and distribution that are added first, with a copy and with transfers; else its name,
    // and throughput alone.
    using Bind = std::function<std::function<void()>(cl_mem out)>;
    void add_clprim(const Work &work, const std::string &variant, std::size_t out_bytes, Bind bind);
    // On the host: `bind` gives what writes into host memory, blocks, and may return how many elements it selected.
    // in_place: before each call the elements are put there, which is not timed.
    using HostCall = std::function<std::size_t(void *out)>;
    void add_host(const Work &work, const char *implementation, std::size_t out_bytes, std::function<HostCall()> bind,
                  bool in_place = false);
    // Where `make` gives nullptr the peer has no such operation. input: of the Work's type, on clPRIM's device.
    using MakeBoost = std::function<std::unique_ptr<peers::Device>(const peers::BoostTarget &)>;
    void add_boost_compute(const Work &work, MakeBoost make);
    // make(wide): the count as size_t, or as int; nullptr where that form does not exist.
    using MakeCub = std::function<std::unique_ptr<peers::Device>(bool wide)>;
    void add_cub(const Work &work, MakeCub make, Content beside = Content::values, const char *implementation = "cub");

    cl_mem selected(); // where clPRIM's calls write the count of a selection: a cl_ulong, or its low half

    Session &session_;

  private:
    void add_row(const Work &work, const std::string &implementation, Timing timing,
                 std::function<std::vector<Call>()> prepare);
    Call clprim_call(const Work &work, std::size_t out_bytes, const Bind &bind, Timing timing);
    cl_mem output(std::size_t bytes); // filled with a byte that is no result
    void upload(Content content, clprim_type type, std::size_t n);

    Buffer output_; // of clPRIM's calls; grows
    std::size_t output_bytes_ = 0;
    std::string moved_; // what is timed with a copy, and with transfers
    Buffer selected_;
    std::map<peers::CubInput, unsigned long> uploaded_; // generation of CUB's copy of the inputs
};

// Compare an output of n elements with what is wanted. compare(begin, count, got) is called for pieces: all there are
// up to 2^24 elements; of more, the first and the last 2^20 and 1024 pieces of 4096, others each time.
using Compare = std::function<std::string(std::size_t begin, std::size_t count, const unsigned char *got)>;
std::string check_pieces(const Output &output, std::size_t n, std::size_t element_size, const Compare &compare);
// "" or which element differs. wanted: all elements, got: those from `begin` on.
std::string check_bits(const unsigned char *wanted, const unsigned char *got, std::size_t begin, std::size_t count,
                       std::size_t element_size);

// How far a float sum of n elements of the inputs may be from the one in double; see suite.cpp.
double sum_tolerance(clprim_type type, std::size_t n, Depth depth);
std::string wrong_sum(double got, double wanted, double tolerance);

} // namespace bench

#endif
