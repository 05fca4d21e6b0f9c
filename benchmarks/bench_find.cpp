// SPDX-License-Identifier: MIT
// bench_find.cpp: searches for a value by clPRIM, every variant of them, and by others: of a value that no element has,
// so that all must be looked at; that the middle one has; or the first one, so that the search can end at once.
#include "peers/find_peers.hpp"
#include "suite.hpp"

#include <clprim/find.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace {

enum class Place { none, middle, first };

struct Operation {
    clprim_type type;
    Place place;
    const char *distribution;
};

const Operation OPERATIONS[] = {
    {CLPRIM_U32, Place::none, "none"},
    {CLPRIM_U32, Place::middle, "middle"},
    {CLPRIM_U32, Place::first, "first"},
    {CLPRIM_U64, Place::none, "none"},
};

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;
constexpr std::uint64_t WANTED = UINT64_MAX; // the value; all bits of it, whatever the type

std::size_t place_of(const Operation &operation, std::size_t n)
{
    return operation.place == Place::none ? n : operation.place == Place::middle ? n / 2 : 0;
}

// Elements, of which the one at the place is the wanted one, and no other.
struct Case {
    std::vector<unsigned char> in;
    bench::Buffer device;
};

class FindSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);
    void add_pattern();

  private:
    void add_peers(const bench::Work &work, const Operation &operation);
    const Case &case_of(const Operation &operation, std::size_t n);

    bench::Last<Case> case_;
    bench::Last<Case> text_;
    bench::Buffer pattern_;
};

const Case &FindSuite::case_of(const Operation &operation, std::size_t n)
{
    const std::string key =
        std::string(operation.distribution) + "/" + clprim_type_name(operation.type) + "/" + std::to_string(n);
    return case_.get(key, [&] {
        const std::size_t size = clprim_type_size(operation.type);
        const auto *all = static_cast<const unsigned char *>(session_.inputs().host(operation.type, n));
        Case made;
        made.in.assign(all, all + n * size);
        for (std::size_t i = 0; i < n; i++)
            made.in[i * size] &= 0x7f;
        if (place_of(operation, n) < n)
            std::memcpy(made.in.data() + place_of(operation, n) * size, &WANTED, size);
        made.device = session_.new_buffer(made.in.size(), made.in.data());
        return made;
    });
}

void FindSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const std::size_t n = work.n;
    const clprim_type type = operation.type;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, this] { return peers::cub_find(type, case_of(operation, n).in.data(), n, WANTED); });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostFind>(work, {{"std_par", peers::std_find_par(type)}, {"std", peers::std_find(type)}},
                                  [=, this](peers::HostFind find) {
                                      return [=, in = case_of(operation, n).in.data()](void *out) {
                                          *static_cast<cl_uint *>(out) = static_cast<cl_uint>(find(in, n, WANTED));
                                      };
                                  });
}

void FindSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, size)) {
        const std::size_t place = place_of(operation, n);
        const auto check = [place](const bench::Output &output) -> std::string {
            cl_uint found = 0;
            output.read(&found, 0, sizeof found);
            return found == place ? "" : "wrong result: found at " + std::to_string(found);
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            clprim_find_desc desc{.type = operation.type, .predicate = "x == wanted"};
            desc.text.parameters[0] = {.name = "wanted", .type = operation.type};
            clprim_find_call call{.in = {case_of(operation, n).device.get()}, .count = n, .out = {out}};
            call.arguments[0].host = const_cast<std::uint64_t *>(&WANTED);
            return enqueue(clprim_find_operation, variant, desc, call);
        };
        // All elements up to the one that is found are read.
        const double bytes = static_cast<double>((place < n ? place + 1 : n) * size);
        bench::Work work{"find", operation.type, n, bytes, sizeof(cl_uint), check};
        work.distribution = operation.distribution;
        add_auto(work, bind);
        add_peers(work, operation);
        if (operation.type == CLPRIM_U32)
            add_variants(work, clprim_find_operation, bind);
    }
}

constexpr std::size_t LENGTH = 16; // of the pattern
constexpr cl_ulong PATTERN_LENGTH = LENGTH;

// Bytes that no text has elsewhere, but for the first one.
std::vector<unsigned char> pattern()
{
    std::vector<unsigned char> made(LENGTH);
    for (std::size_t k = 0; k < LENGTH; k++)
        made[k] = static_cast<unsigned char>(k == 0 ? 7 : 0x80 + k);
    return made;
}

// As docs/guides/expressions.md has it: the middle of n random bytes.
void FindSuite::add_pattern()
{
    using Search = std::size_t (*)(const unsigned char *text, std::size_t n, const unsigned char *pattern);
    const Search by_std = [](const unsigned char *text, std::size_t n, const unsigned char *p) {
        return static_cast<std::size_t>(std::search(text, text + n, p, p + LENGTH) - text);
    };
    pattern_ = session_.new_buffer(LENGTH, pattern().data());
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, 1, 1)) {
        const auto text = [=, this]() -> const Case & {
            return text_.get(std::to_string(n), [&] {
                const auto *all = static_cast<const unsigned char *>(session_.inputs().host(CLPRIM_U8, n));
                Case made;
                made.in.assign(all, all + n);
                for (unsigned char &byte : made.in)
                    byte &= 0x7f;
                std::ranges::copy(pattern(), made.in.begin() + static_cast<std::ptrdiff_t>(n / 2));
                made.device = session_.new_buffer(n, made.in.data());
                return made;
            });
        };
        const auto check = [n](const bench::Output &output) -> std::string {
            cl_uint found = 0;
            output.read(&found, 0, sizeof found);
            return found == n / 2 ? "" : "wrong result: found at " + std::to_string(found);
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            clprim_find_desc desc{.type = CLPRIM_U8, .predicate = "x == p[0] && matches(text + i, p, m)"};
            desc.text.source = "static bool matches(const __global uchar *a, const __global uchar *p, ulong m)\n"
                               "{\n    ulong k = 1;\n    while (k < m && a[k] == p[k])\n        k++;\n"
                               "    return k == m;\n}";
            desc.text.parameters[0] = {.name = "text", .type = CLPRIM_U8, .is_array = true};
            desc.text.parameters[1] = {.name = "p", .type = CLPRIM_U8, .is_array = true};
            desc.text.parameters[2] = {.name = "m", .type = CLPRIM_U64};
            clprim_find_call call{.in = {text().device.get()}, .count = n - LENGTH + 1, .out = {out}};
            call.arguments[0] = {text().device.get(), 0, nullptr, n};
            call.arguments[1] = {pattern_.get(), 0, nullptr, LENGTH};
            call.arguments[2].host = const_cast<cl_ulong *>(&PATTERN_LENGTH);
            return enqueue(clprim_find_operation, variant, desc, call);
        };
        const bench::Work work{"find_pattern", CLPRIM_U8, n, static_cast<double>(n / 2), sizeof(cl_uint), check};
        add_auto(work, bind);
        if (n <= MAX_ON_HOST)
            add_host<Search>(work, {{"std", by_std}}, [=](Search search) {
                return [=, in = text().in.data(), p = pattern()](void *out) {
                    *static_cast<cl_uint *>(out) = static_cast<cl_uint>(search(in, n, p.data()));
                };
            });
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run(argc, argv, "find", OPERATIONS, &FindSuite::add_pattern);
}
