// numbers.hpp: operators that peers on the host share.
#ifndef CLPRIM_BENCHMARKS_NUMBERS_HPP
#define CLPRIM_BENCHMARKS_NUMBERS_HPP

#include <type_traits>

namespace peers {

// Integers wrap around; in C++ only unsigned ones may.
template <class T> struct Plus {
    T operator()(T a, T b) const
    {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
        else
            return a + b;
    }
};

// Of elements without NaN.
template <class T> struct Max {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

} // namespace peers

#endif
