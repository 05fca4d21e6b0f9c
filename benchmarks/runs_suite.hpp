// SPDX-License-Identifier: MIT
// runs_suite.hpp: what works on runs of equal elements of U32. It writes the runs' first elements, behind n of these,
// where there is more than that, a second array, and how many runs there are.
#ifndef CLPRIM_BENCHMARKS_RUNS_SUITE_HPP
#define CLPRIM_BENCHMARKS_RUNS_SUITE_HPP

#include "suite.hpp"

namespace bench {

class RunsSuite : protected Suite {
  public:
    // num_in, num_out: arrays, of which the first two that are written are compared, and called so. op: in the rows'
    // names, instead of the operation's.
    RunsSuite(Session &session, const clprim_operation &operation, std::size_t num_in, std::size_t num_out,
              const char *second = "", const char *op = nullptr, const char *first = ", of the elements")
        : Suite(session), operation_(operation), num_in_(num_in), num_out_(num_out), second_(second),
          op_(op != nullptr ? op : operation.name), first_(first)
    {
    }
    void add_all();

  protected:
    static constexpr clprim_type TYPE = CLPRIM_U32;

    ~RunsSuite() = default;
    // The number of runs, and what is written.
    virtual std::size_t reference(cl_uint *out, const void *in, std::size_t n) = 0;
    virtual std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) = 0;
    virtual void add_peers(const Work &work) = 0;
    // How many runs are written for an element, where they have so many on average; 0: all are one.
    virtual double written(double length)
    {
        return length > 0 ? 1 / length : 0;
    }
    const void *host(const Work &work)
    {
        return session_.inputs(work.content).host(TYPE, work.n);
    }

  private:
    struct Expected {
        std::size_t runs = 0;
        std::vector<cl_uint> elements;
    };
    std::string check(Content content, std::size_t n, const Output &output);

    const clprim_operation &operation_;
    const std::size_t num_in_, num_out_;
    const char *const second_;
    const char *const op_;
    const char *const first_;
    Last<Expected> expected_;
};

} // namespace bench

#endif
