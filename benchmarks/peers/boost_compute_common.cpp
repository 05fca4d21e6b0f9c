// SPDX-License-Identifier: MIT
// boost_compute_common.cpp: which Boost.Compute this is.
#include "peer.hpp"

#include <boost/version.hpp>

namespace peers {

std::string boost_compute_version()
{
    return BOOST_LIB_VERSION;
}

} // namespace peers
