// SPDX-License-Identifier: MIT
// inside.cpp: see inside.hpp.
#include "inside.hpp"
#include "clock.hpp"

#include <algorithm>
#include <utility>

namespace bench {
namespace {

void read(cl_command_queue queue, cl_mem from, std::size_t offset, std::size_t bytes, void *to)
{
    const Turn turn;
    for (std::size_t at = 0; at < bytes; at += MAX_TRANSFER)
        require_cl(clEnqueueReadBuffer(queue, from, CL_TRUE, offset + at, std::min(bytes - at, MAX_TRANSFER),
                                       static_cast<char *>(to) + at, 0, nullptr, nullptr),
                   "clEnqueueReadBuffer");
}

// How many there are is known on the host only when that has been taken.
void take(cl_command_queue queue, const Results &results, Taken &taken)
{
    if (results.element_size == 0)
        return read(queue, results.out, 0, results.bytes, taken.bytes.data());
    read(queue, results.count, 0, sizeof taken.count, &taken.count);
    const std::size_t bytes = static_cast<std::size_t>(taken.count) * results.element_size;
    const std::size_t array = results.capacity * results.element_size;
    for (std::size_t at = 0; at < results.bytes && bytes > 0; at += array)
        read(queue, results.out, at, bytes, taken.bytes.data() + at);
}

} // namespace

void fill_no_result(cl_command_queue queue, cl_mem memory, std::size_t bytes)
{
    // By words, as far as there are whole ones: single bytes from 2^31 on are too much for NVIDIA's driver.
    const unsigned char word[] = {NO_RESULT, NO_RESULT, NO_RESULT, NO_RESULT};
    const std::size_t in_words = bytes / sizeof word * sizeof word;
    const auto fill = [=](std::size_t size, std::size_t at, std::size_t end) {
        require_cl(clEnqueueFillBuffer(queue, memory, word, size, at, end - at, 0, nullptr, nullptr),
                   "clEnqueueFillBuffer");
    };
    for (std::size_t at = 0; at < in_words; at += MAX_TRANSFER)
        fill(sizeof word, at, std::min(in_words, at + MAX_TRANSFER));
    if (in_words < bytes)
        fill(1, in_words, bytes);
}

std::function<void()> with_copy(Session &session, const std::vector<InputUse> &inputs, std::function<void()> start)
{
    std::size_t bytes = 0;
    for (const InputUse &input : inputs)
        bytes += input.bytes;
    if (bytes > session.info().global_memory_size / 4)
        throw Unsupported("no room for copies of the inputs");
    const cl_command_queue queue = session.queue();
    const auto copy = [queue](cl_mem from, cl_mem to, std::size_t size) {
        require_cl(clEnqueueCopyBuffer(queue, from, to, 0, 0, size, 0, nullptr, nullptr), "clEnqueueCopyBuffer");
    };
    const auto sources = std::make_shared<std::vector<Buffer>>();
    for (const InputUse &input : inputs)
        sources->push_back(session.new_buffer(input.bytes));
    for (std::size_t i = 0; i < inputs.size(); i++) {
        copy(inputs[i].device, (*sources)[i].get(), inputs[i].bytes);
        fill_no_result(queue, inputs[i].device, inputs[i].bytes);
    }
    return [=, start = std::move(start)] {
        for (std::size_t i = 0; i < inputs.size(); i++)
            copy((*sources)[i].get(), inputs[i].device, inputs[i].bytes);
        start();
    };
}

std::function<void()> with_transfer(Session &session, const std::vector<InputUse> &inputs, const Results &results,
                                    const std::shared_ptr<Taken> &taken, std::function<void()> start)
{
    const cl_command_queue queue = session.queue();
    taken->bytes.assign(results.bytes, NO_RESULT);
    for (const InputUse &input : inputs)
        fill_no_result(queue, input.device, input.bytes);
    return [=, start = std::move(start)] {
        for (const InputUse &input : inputs)
            require_cl(
                clEnqueueWriteBuffer(queue, input.device, CL_FALSE, 0, input.bytes, input.host, 0, nullptr, nullptr),
                "clEnqueueWriteBuffer");
        start();
        take(queue, results, *taken);
    };
}

} // namespace bench
