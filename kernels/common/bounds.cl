// SPDX-License-Identifier: MIT
/* bounds.cl: places in a sorted array.
 *
 *   lower_bound(a, n, x)          the number of elements of a[0 .. n) that come before x
 *   upper_bound(a, n, x)          the number of elements that x does not come before
 *
 * Even if the array is not sorted, the result is one of 0 .. n. */
#include "common/items.cl"

static inline INDEX lower_bound(array a, INDEX n, item x)
{
    INDEX begin = 0;
    while (n > 0) {
        const INDEX half_n = n / 2;
        const bool is_behind = before(load(a, begin + half_n), x);
        begin += is_behind ? half_n + 1 : 0;
        n = is_behind ? n - half_n - 1 : half_n;
    }
    return begin;
}

static inline INDEX upper_bound(array a, INDEX n, item x)
{
    INDEX begin = 0;
    while (n > 0) {
        const INDEX half_n = n / 2;
        const bool is_behind = !before(x, load(a, begin + half_n));
        begin += is_behind ? half_n + 1 : 0;
        n = is_behind ? n - half_n - 1 : half_n;
    }
    return begin;
}
