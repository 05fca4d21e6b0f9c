// SPDX-License-Identifier: MIT
// test_cpp.refused.cpp: calls that must not compile, one for each REFUSED. The test `cpp_refused` checks that the
// compiler prints the sentence after each (tests/refused.cmake). With REFUSED 0 none of them is compiled, and the file
// must compile.
#include <clprim/clprim.hpp>

#include <string>
#include <utility>
#include <vector>

void calls(const clprim::runtime &runtime)
{
    std::vector<int> keys(10);
    std::vector<std::pair<int, int>> pairs(10);
    std::vector<const char *> pointers(10);
    clprim_reduce_desc desc = {};
    static_cast<void>(clprim::radix_sort_pairs(keys, pairs)); // what is copied byte by byte goes with keys
    static_cast<void>(clprim::radix_sort_pairs(keys, pointers));
    static_cast<void>(clprim::comparison_sort(pairs));
    static_cast<void>(clprim::reduce(pairs, desc, runtime));
#if REFUSED == 1 // no operation takes elements of this type
    static_cast<void>(clprim::reduce(std::vector<std::string>(10)));
#elif REFUSED == 2 // no operation takes elements of this type
    static_cast<void>(clprim::comparison_sort(pointers));
#elif REFUSED == 3 // no operation takes elements of this type
    static_cast<void>(clprim::inclusive_scan(keys, std::vector<long double>(10)));
#elif REFUSED == 4 // elements of this type are not supported here
    static_cast<void>(clprim::radix_sort(pairs));
#elif REFUSED == 5 // elements of this type are not supported here
    static_cast<void>(clprim::radix_sort_plan::of<std::string>(runtime));
#elif REFUSED == 6 // elements of this type are not supported here
    static_cast<void>(clprim::histogram(keys, pointers));
#elif REFUSED == 7 // values of this type cannot be copied byte by byte
    static_cast<void>(clprim::radix_sort_pairs(keys, std::vector<std::string>(10)));
#elif REFUSED == 8 // values of this type cannot be copied byte by byte
    std::vector<std::string> names(10);
    static_cast<void>(clprim::sort_by_key(keys, std::tie(names)));
#endif
}
