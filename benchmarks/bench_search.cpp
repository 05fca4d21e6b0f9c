// bench_search.cpp: lower bounds of n needles in n elements by clPRIM, every variant of them, and by others.
#include "peers/search_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/search.h>

#include <cstdint>

namespace {

struct Operation {
    const char *name;
    clprim_type type;
    bool sorted; // needles

    std::string key() const
    {
        return std::string(name) + "/" + clprim_type_name(type);
    }
};

const Operation OPERATIONS[] = {
    {"search", CLPRIM_U32, false},
    {"search_sorted", CLPRIM_U32, true},
    {"search", CLPRIM_U64, false},
};

const std::vector<int> SIZES = {16, 20, 24, 26};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24;

// Elements in order, needles, and where they belong.
struct Case {
    std::string key;
    std::size_t n = 0;
    std::vector<unsigned char> in, needles;
    std::vector<std::uint32_t> expected;
    bench::Buffer device_in, device_needles;
};

class SearchSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name, clprim_search_variant variant);
    void add_peers(const Operation &operation, std::size_t n);
    const Case &case_of(const Operation &operation, std::size_t n);
    bench::Buffer upload(const std::vector<unsigned char> &data);

    Case case_; // the last one
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

bench::Buffer SearchSuite::upload(const std::vector<unsigned char> &data)
{
    bench::Buffer buffer = session_.new_buffer(data.size());
    bench::require_cl(
        clEnqueueWriteBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, data.size(), data.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
    return buffer;
}

const Case &SearchSuite::case_of(const Operation &operation, std::size_t n)
{
    if (case_.key == operation.key() && case_.n == n)
        return case_;
    const std::size_t bytes = n * clprim_type_size(operation.type);
    const auto *all = static_cast<const unsigned char *>(session_.inputs().host(operation.type, 2 * n));
    std::vector<std::uint64_t> places(n);
    clprim_reference_sort_how how{};
    clprim_reference_order order{};
    Case made;
    how.key_type = order.type = operation.type;
    made.in.assign(all, all + bytes);
    made.needles.assign(all + bytes, all + 2 * bytes);
    bench::require(clprim_reference_sort(made.in.data(), nullptr, &how, n), "clprim_reference_sort");
    if (operation.sorted)
        bench::require(clprim_reference_sort(made.needles.data(), nullptr, &how, n), "clprim_reference_sort");
    bench::require(clprim_reference_search(places.data(), &order, false, made.in.data(), n, made.needles.data(), n),
                   "clprim_reference_search");
    made.expected.assign(places.begin(), places.end());
    made.device_in = upload(made.in);
    made.device_needles = upload(made.needles);
    made.key = operation.key();
    made.n = n;
    case_ = std::move(made);
    return case_;
}

// At least all needles are read, all elements, and all indices written.
bench::Work SearchSuite::work(const Operation &operation, std::size_t n)
{
    const auto bytes = static_cast<double>(n * (2 * clprim_type_size(operation.type) + sizeof(std::uint32_t)));
    return {operation.name, operation.type, n, bytes, [=](const bench::Output &output) {
                const Case &wanted = case_of(operation, n);
                const auto *expected = reinterpret_cast<const unsigned char *>(wanted.expected.data());
                return bench::check_pieces(output, n, sizeof(std::uint32_t),
                                           [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                                               return bench::check_bits(expected, got, begin, count,
                                                                        sizeof(std::uint32_t));
                                           });
            }};
}

void SearchSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                              clprim_search_variant variant)
{
    add_clprim(work(operation, n), name, n * sizeof(std::uint32_t), [=](cl_mem out) -> std::function<void()> {
        clprim_search_desc desc{};
        desc.type = operation.type;
        desc.needles_are_sorted = operation.sorted;
        desc.variant = variant;
        clprim_plan *const plan = plans_.get(operation.key() + "/" + std::to_string(variant), [&](clprim_plan **made) {
            return clprim_search_create(made, session_.runtime(), &desc);
        });
        const Case &at = case_of(operation, n);
        const cl_mem in = at.device_in.get();
        const cl_mem needles = at.device_needles.get();
        const cl_command_queue queue = session_.queue();
        const clprim_search_call call{.in = {in}, .needles = {needles}, .count = n, .needle_count = n, .out = {out}};
        return [=] {
            bench::require(clprim_search_enqueue(plan, queue, &call, 0, nullptr, nullptr), "clprim_search_enqueue");
        };
    });
}

void SearchSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(at, [=](bool wide) -> std::unique_ptr<peers::Device> { // there is one form
        if (wide)
            return nullptr;
        const Case &wanted = case_of(operation, n);
        return peers::cub_search(operation.type, wanted.in.data(), n, wanted.needles.data(), n);
    });
#endif
    const auto add_search = [&](const char *name, peers::HostSearch search) {
        if (search != nullptr && n <= MAX_ON_HOST)
            add_host(at, name, n * sizeof(std::uint32_t), [=]() -> HostCall {
                const Case *const wanted = &case_of(operation, n);
                return [=](void *out) {
                    search(out, wanted->in.data(), n, wanted->needles.data(), n);
                    return n;
                };
            });
    };
    add_search("std_par", peers::std_search_par(operation.type));
    add_search("std", peers::std_search(operation.type));
}

void SearchSuite::add(const Operation &operation)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_search_operation.variants(&count);
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, 2 * size, 4 * size)) {
        add_variant(operation, n, "", CLPRIM_SEARCH_AUTO);
        add_peers(operation, n);
        for (std::size_t i = 0; operation.sorted && i < count; i++)
            add_variant(operation, n, variants[i].name, static_cast<clprim_search_variant>(variants[i].id));
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "search");
    SearchSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}
