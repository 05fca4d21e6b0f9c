// boost_compute_common.hpp: what the calls of Boost.Compute share. Its algorithms enqueue, and some of them wait.
#ifndef CLPRIM_BENCHMARKS_BOOST_COMPUTE_COMMON_HPP
#define CLPRIM_BENCHMARKS_BOOST_COMPUTE_COMMON_HPP

#include "peer.hpp"

#include <algorithm>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/context.hpp>
#include <boost/compute/device.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

namespace peers {

class BoostCall : public Device {
  public:
    void finish() override
    {
        queue_.finish();
    }
    void read(void *to, std::size_t offset, std::size_t bytes) override
    {
        queue_.enqueue_read_buffer(out_, offset, bytes, to);
    }

  protected:
    BoostCall(const BoostTarget &target, std::size_t out_bytes)
        : context_(target.context), queue_(context_, boost::compute::device(target.device)), in_(target.in),
          out_(context_, out_bytes)
    {
        const unsigned char no_result = 0xa5;
        constexpr std::size_t max_fill = std::size_t{1} << 30; // see suite.cpp
        for (std::size_t at = 0; at < out_bytes; at += max_fill)
            queue_.enqueue_fill_buffer(out_, &no_result, sizeof no_result, at, std::min(out_bytes - at, max_fill));
    }
    template <class T> auto in(std::size_t i) const
    {
        return boost::compute::make_buffer_iterator<T>(in_, i);
    }
    template <class T> auto out(std::size_t i) const
    {
        return boost::compute::make_buffer_iterator<T>(out_, i);
    }

    boost::compute::context context_;
    boost::compute::command_queue queue_;
    boost::compute::buffer in_;
    boost::compute::buffer out_;
};

} // namespace peers

#endif
