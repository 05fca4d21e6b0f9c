// SPDX-License-Identifier: MIT
// every_function.cpp: calls each function of clprim.hpp once, as a user's program does. It is only compiled
// (compilers.py), with and without exceptions; tests/cpp tests what the functions do.
#include <clprim/clprim.hpp>

#include <tuple>
#include <vector>

#ifdef CLPRIM_NO_EXCEPTIONS
template <class T> T value_of(const clprim::result<T> &result)
{
    return result ? *result : T{};
}
bool is_done(const clprim::outcome &outcome)
{
    return static_cast<bool>(outcome);
}
#define VALUE(call) value_of(call)
#define DONE(call)  is_done(call)
#else
#define VALUE(call) (call)
#define DONE(call)  ((call), true)
#endif

using floats = std::vector<float>;
using ints = std::vector<std::uint32_t>;

bool folds(const floats &in, const ints &offsets, floats &out)
{
    bool done = VALUE(clprim::reduce(in)) > 0 && VALUE(clprim::reduce<double>(in, clprim_reduce_desc{})) > 0;
    done &= DONE(clprim::segmented_reduce(in, offsets, out)) && DONE(clprim::scan(in, out, clprim_scan_desc{}));
    done &= DONE(clprim::inclusive_scan(in, out)) && DONE(clprim::exclusive_scan(in, out, CLPRIM_MAX));
    done &= DONE(clprim::scan_by_offsets(in, offsets, out));
    return done && DONE(clprim::scan_segments(in, offsets, out, clprim_scan_desc{}));
}

std::uint64_t histograms(const floats &in, const ints &weights, ints &out)
{
    return VALUE(clprim::histogram(in, out)) + VALUE(clprim::histogram_weighted(in, weights, out));
}

bool sorts(floats &keys, ints &values, const ints &offsets)
{
    bool done = DONE(clprim::radix_sort(keys)) && DONE(clprim::radix_sort_pairs(keys, values));
    done &= DONE(clprim::comparison_sort(keys)) && DONE(clprim::comparison_sort_pairs(keys, values));
    done &= DONE(clprim::bitonic_sort(keys)) && DONE(clprim::bitonic_sort_pairs(keys, values));
    done &= DONE(clprim::argsort(keys, values)) && DONE(clprim::sort_by_key(keys, std::tie(values)));
    done &= DONE(clprim::segmented_sort(keys, offsets));
    return done && DONE(clprim::segmented_sort_pairs(keys, values, offsets));
}

std::size_t selections(const floats &in, const ints &values, floats &out, ints &values_out)
{
    std::size_t kept = VALUE(clprim::select(in, out)) + VALUE(clprim::select_flagged(in, values, out));
    kept += VALUE(clprim::unique(in, out)) + VALUE(clprim::unique_by_key(in, values, out, values_out));
    kept += VALUE(clprim::partition(in, out)) + VALUE(clprim::partition_flagged(in, values, out));
    kept += VALUE(clprim::partition_separate(in, out, out, clprim_partition_desc{})).first;
    kept += VALUE(clprim::partition_three(in, out, out, out, clprim_partition_desc{})).second;
    kept += VALUE(clprim::run_length_encode(in, out, values_out));
    return kept + VALUE(clprim::reduce_by_key(values, in, values_out, out));
}

std::size_t orders(const floats &a, const ints &ranks, floats &out, ints &found)
{
    std::size_t count = VALUE(clprim::top_k(a, out)) + VALUE(clprim::top_k_pairs(a, ranks, out, found));
    count += VALUE(clprim::top_k_indices(a, out, found)) + VALUE(clprim::find(a));
    count += DONE(clprim::segmented_top_k(a, ranks, out)) + DONE(clprim::segmented_top_k_indices(a, 4, out, found));
    count += DONE(clprim::nth_element(a, ranks, out)) + DONE(clprim::search(a, a, found));
    count += DONE(clprim::merge(a, a, out)) + DONE(clprim::merge_pairs(a, ranks, a, ranks, out, found));
    count += VALUE(clprim::set_operation(a, a, out));
    count += VALUE(clprim::set_operation_pairs(a, ranks, a, ranks, out, found));
    count += VALUE(clprim::is_sorted(a)) + VALUE(clprim::is_sorted_until(a));
    return count + DONE(clprim::shuffle(a, out, 7));
}

bool plans(cl_command_queue queue, cl_mem buffer, void *shared, const floats &in)
{
    const clprim::runtime runtime(queue);
    auto plan = clprim::reduce_plan::of<float>(runtime);
    clprim_reduce_call call = {};
    call.in = clprim::at(buffer, 100);
    call.out = clprim::svm(shared);
    cl_event done = nullptr;
    const std::vector<cl_event> waits = {done};
    bool is_all = DONE(plan.enqueue(queue, call)) && DONE(plan.enqueue({queue, waits, &done}, call));
    is_all &= DONE(plan.record(nullptr, call)) && VALUE(plan.scratch_size(call)) > 0 && DONE(plan.set_scratch(buffer));
    call.in = clprim::host(in);
    is_all &= DONE(clprim::reduce_plan::run(call)) && static_cast<float>(clprim::half(2)) > 1;
    return is_all && clprim::runtime::of(queue).context() == runtime.context() && runtime.device() != nullptr;
}
