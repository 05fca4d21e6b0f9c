// SPDX-License-Identifier: MIT
// bench_shuffle.cpp: elements in a pseudo-random order, and the order itself, by clPRIM, every variant, and by others.
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/shuffle.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace peers {

// thrust::shuffle_copy: cub_shuffle.cu.
std::unique_ptr<Device> cub_shuffle(clprim_type type, std::size_t n);

} // namespace peers

namespace {

constexpr std::uint64_t SEED = 1;

// On the host: std::shuffle of a copy.
template <class T> void by_std(void *out, const void *in, std::size_t n)
{
    T *const y = static_cast<T *>(out);
    std::memcpy(y, in, n * sizeof(T));
    std::shuffle(y, y + n, std::mt19937_64(SEED));
}

struct Kind {
    clprim_type type;
    bool indices;
    void (*std)(void *out, const void *in, std::size_t n);
};

const Kind KINDS[] = {
    {CLPRIM_U32, false, by_std<std::uint32_t>},
    {CLPRIM_U64, false, by_std<std::uint64_t>},
    {CLPRIM_U32, true, nullptr},
};

class ShuffleSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Kind &kind);

  private:
    std::string check(const Kind &kind, std::size_t n, const bench::Output &output);
};

// "" or what is wrong. Peers have another order: of theirs, the sorted elements must be the input's.
std::string ShuffleSuite::check(const Kind &kind, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(kind.type);
    const auto *const in = static_cast<const unsigned char *>(session_.inputs().host(kind.type, n));
    std::vector<unsigned char> wanted(n * size);
    if (!output.by_peer) {
        bench::require(clprim_reference_shuffle(wanted.data(), kind.indices ? nullptr : in, size, n, SEED),
                       "clprim_reference_shuffle");
        return bench::check_bits(output, n, size, {{wanted.data()}});
    }
    const auto number = [size](const unsigned char *at) {
        std::uint64_t x = 0;
        std::memcpy(&x, at, size); // little-endian
        return x;
    };
    std::vector<std::uint64_t> before(n);
    std::vector<std::uint64_t> after(n);
    output.read(wanted.data(), 0, n * size);
    for (std::size_t i = 0; i < n; i++) {
        before[i] = number(in + i * size);
        after[i] = number(&wanted[i * size]);
    }
    if (n > 64 && before == after)
        return "nothing was shuffled";
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    return before == after ? "" : "the elements are not those of the input";
}

void ShuffleSuite::add(const Kind &kind)
{
    const std::size_t size = clprim_type_size(kind.type);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, size, 2 * size)) {
        const auto bind = [=, this](cl_mem out, int variant) {
            clprim_shuffle_call call{.count = n, .seed = SEED, .out = {out}};
            if (!kind.indices)
                call.in = {session_.inputs().device(kind.type, n)};
            return enqueue(clprim_shuffle_operation, variant,
                           clprim_shuffle_desc{.element_size = kind.indices ? 0 : size, .indices = kind.indices}, call);
        };
        const bench::Work work{.op = kind.indices ? "shuffle_indices" : "shuffle",
                               .type = kind.type,
                               .n = n,
                               .bytes = static_cast<double>(n * size * (kind.indices ? 1 : 2)),
                               .out_bytes = n * size,
                               .check = [=, this](const bench::Output &output) { return check(kind, n, output); },
                               .peers_differ = "another order"};
        add_auto(work, bind);
        add_variants(work, clprim_shuffle_operation, bind);
        if (kind.indices)
            continue;
        if constexpr (bench::HAVE_CUB)
            add_cub_once(work, [=] { return peers::cub_shuffle(kind.type, n); });
        using Function = decltype(kind.std);
        add_host<Function>(work, {{"std", kind.std}}, [=, this](Function function) {
            return [=, in = session_.inputs().host(kind.type, n)](void *out) { function(out, in, n); };
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<ShuffleSuite>(argc, argv, "shuffle", KINDS);
}
