// SPDX-License-Identifier: MIT
// bench_empty.cpp: a call of clPRIM on one element, beside a launch of nothing by OpenCL (row `device`) and by CUDA (row
// `cub`), which every program times.
#include "suite.hpp"

#include <clprim/transform.h>

namespace {

class EmptySuite : bench::Suite {
  public:
    using Suite::Suite;
    void add();
};

void EmptySuite::add()
{
    const bench::Work work{"empty", CLPRIM_U32, 1, 0, sizeof(cl_uint), [](const bench::Output &) { return ""; }};
    add_auto(work, [this](cl_mem out, int variant) {
        clprim_transform_call call{};
        call.count = 1;
        call.out[0].buffer = out;
        return enqueue(clprim_transform_operation, variant, clprim_transform_desc{.types = {CLPRIM_U32}}, call);
    });
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "empty");
    EmptySuite suite(session);
    suite.add();
    return session.run();
}
