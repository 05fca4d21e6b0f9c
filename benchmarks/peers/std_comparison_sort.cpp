// SPDX-License-Identifier: MIT
// std_comparison_sort.cpp: records, by the C++ standard library on the host, and by TBB on all cores.
#include "comparison_sort_peers.hpp"
#include "std_sorts.hpp"

namespace peers {

HostSort std_sort_records()
{
    return sort_keys<Unstable, Record>;
}

HostSort std_stable_sort_records()
{
    return sort_keys<Stable, Record>;
}

HostSort tbb_sort_records()
{
    return in_parallel<HostSort>([](auto) { return sort_keys<Parallel, Record>; });
}

} // namespace peers
