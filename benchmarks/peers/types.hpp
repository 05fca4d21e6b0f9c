// SPDX-License-Identifier: MIT
// types.hpp: from types of elements to those of C++.
#ifndef CLPRIM_BENCHMARKS_TYPES_HPP
#define CLPRIM_BENCHMARKS_TYPES_HPP

#include <clprim/types.h>

#include <cstdint>
#include <type_traits>

namespace peers {

template <class T> constexpr clprim_type type_of()
{
    if (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? CLPRIM_F32 : CLPRIM_F64;
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
    case 1: return is_signed ? CLPRIM_I8 : CLPRIM_U8;
    case 2: return is_signed ? CLPRIM_I16 : CLPRIM_U16;
    case 4: return is_signed ? CLPRIM_I32 : CLPRIM_U32;
    default: return is_signed ? CLPRIM_I64 : CLPRIM_U64;
    }
}

// make(T()) of the one of these types that is `type`; nullptr if none is.
template <class First, class... Others, class Make> auto for_type(clprim_type type, const Make &make)
{
    using Made = decltype(make(First()));
    if (type == type_of<First>())
        return make(First());
    if constexpr (sizeof...(Others) > 0)
        return Made(for_type<Others...>(type, make));
    else
        return Made(nullptr);
}

} // namespace peers

#endif
