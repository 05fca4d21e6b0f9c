// SPDX-License-Identifier: MIT
// runs_suite.cpp: see runs_suite.hpp.
#include "runs_suite.hpp"

namespace bench {
namespace {

constexpr std::size_t SIZE = sizeof(cl_uint);

// Elements whose runs of equal ones are so long on average; 0: the whole array is one.
struct Runs {
    const char *distribution;
    Content content;
    double length;
};

const Runs RUNS[] = {{"runs1", Content::ascending, 1},
                     {"runs8", Content::runs8, 8},
                     {"runs1000", Content::runs1000, 1000},
                     {"one_run", Content::constant, 0}};

} // namespace

// "" or what is wrong: the count, then what is written, bit for bit.
std::string RunsSuite::check(Content content, std::size_t n, const Output &output)
{
    const auto make = [&] {
        Expected made{0, std::vector<cl_uint>(num_out_ * n)};
        made.runs = reference(made.elements.data(), session_.inputs(content).host(TYPE, n), n);
        return made;
    };
    const std::string key = std::to_string(static_cast<int>(content)) + "/" + std::to_string(n);
    const Expected &wanted = expected_.get(key, make);
    const std::string wrong = check_selected(output, wanted.runs, "runs");
    if (!wrong.empty())
        return wrong;
    std::vector<Part> parts = {{wanted.elements.data(), 0, first_}};
    if (num_out_ > 1)
        parts.push_back({wanted.elements.data() + n, n * SIZE, second_});
    return check_bits(output, wanted.runs, SIZE, parts);
}

void RunsSuite::add_all()
{
    for (const Runs &runs : RUNS) {
        const Content content = runs.content;
        const double bytes =
            SIZE * (static_cast<double>(num_in_) + static_cast<double>(num_out_) * written(runs.length));
        const auto work = [&](std::size_t n) -> Work {
            return {.op = op_,
                    .type = TYPE,
                    .n = n,
                    .bytes = static_cast<double>(n) * bytes,
                    .out_bytes = num_out_ * n * SIZE,
                    .check = [this, content, n](const Output &output) { return check(content, n, output); },
                    .distribution = runs.distribution,
                    .content = content,
                    .selected_size = SIZE};
        };
        const auto bind = [&](std::size_t n) {
            return [=, this](cl_mem out, int variant) {
                return call(session_.inputs(content).device(TYPE, n), n, out, variant);
            };
        };
        const auto sizes = [&](const std::vector<int> &logs) {
            return session_.sizes(logs, num_out_ * SIZE, (num_in_ + num_out_) * SIZE);
        };
        for (const std::size_t n : sizes(FEW_SIZES)) {
            add_auto(work(n), bind(n));
            add_peers(work(n));
        }
        if (content == Content::runs8)
            for (const std::size_t n : sizes(QUICK_LADDER))
                add_variants(work(n), operation_, bind(n));
    }
}

} // namespace bench
