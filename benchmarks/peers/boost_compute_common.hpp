// SPDX-License-Identifier: MIT
// boost_compute_common.hpp: what the calls of Boost.Compute share. Its algorithms enqueue, and some of them wait.
#ifndef CLPRIM_BENCHMARKS_BOOST_COMPUTE_COMMON_HPP
#define CLPRIM_BENCHMARKS_BOOST_COMPUTE_COMMON_HPP

#include "peer.hpp"
#include "types.hpp"

#include <algorithm>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/context.hpp>
#include <boost/compute/device.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <cstring>
#include <utility>

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

    template <class T> auto in(std::size_t i) const
    {
        return boost::compute::make_buffer_iterator<T>(in_, i);
    }
    template <class T> auto out(std::size_t i) const
    {
        return boost::compute::make_buffer_iterator<T>(out_, i);
    }

    boost::compute::command_queue &queue()
    {
        return queue_;
    }
    // To the output's place, from there on.
    void copy_input(std::size_t bytes, std::size_t begin = 0)
    {
        queue_.enqueue_copy_buffer(in_, out_, 0, begin, bytes);
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

  private:
    boost::compute::context context_;
    boost::compute::command_queue queue_;
    boost::compute::buffer in_;
    boost::compute::buffer out_;
};

template <class Start> class BoostFunction final : public BoostCall {
  public:
    BoostFunction(const BoostTarget &target, std::size_t out_bytes, Start start)
        : BoostCall(target, out_bytes), start_(std::move(start))
    {
    }
    void start() override
    {
        if constexpr (std::is_void_v<std::invoke_result_t<Start, BoostCall &>>)
            start_(*this);
        else
            selected_ = start_(*this);
    }
    std::size_t selected() override
    {
        return selected_;
    }

  private:
    Start start_;
    std::size_t selected_ = 0;
};

// start(BoostCall &) writes from the input to the output, and may return how many elements it selected.
template <class Start> std::unique_ptr<Device> boost_call(const BoostTarget &target, std::size_t out_bytes, Start start)
{
    return std::make_unique<BoostFunction<Start>>(target, out_bytes, std::move(start));
}

template <class Restore, class Start> class BoostInPlace final : public BoostCall {
  public:
    BoostInPlace(const BoostTarget &target, std::size_t out_bytes, Restore restore, Start start)
        : BoostCall(target, out_bytes), restore_(std::move(restore)), start_(std::move(start))
    {
    }
    bool in_place() const override
    {
        return true;
    }
    void restore() override
    {
        restore_(*this);
        finish();
    }
    void start() override
    {
        start_(*this);
    }

  private:
    Restore restore_;
    Start start_;
};

// start(BoostCall &) reads what it overwrites, and restore(BoostCall &) puts it there again.
template <class Restore, class Start>
std::unique_ptr<Device> boost_in_place(const BoostTarget &target, std::size_t out_bytes, Restore restore, Start start)
{
    return std::make_unique<BoostInPlace<Restore, Start>>(target, out_bytes, std::move(restore), std::move(start));
}

template <class T, class Find> class BoostResult final : public BoostCall {
  public:
    BoostResult(const BoostTarget &target, Find find) : BoostCall(target, sizeof(T)), find_(std::move(find))
    {
    }
    void start() override
    {
        result_ = find_(*this);
    }
    void finish() override // nothing is left to wait for: the result is on the host
    {
    }
    void read(void *to, std::size_t offset, std::size_t bytes) override
    {
        std::memcpy(to, reinterpret_cast<const unsigned char *>(&result_) + offset, bytes);
    }

  private:
    Find find_;
    T result_{};
};

// find(BoostCall &) waits, and gives the result.
template <class T, class Find> std::unique_ptr<Device> boost_result(const BoostTarget &target, Find find)
{
    return std::make_unique<BoostResult<T, Find>>(target, std::move(find));
}

} // namespace peers

#endif
