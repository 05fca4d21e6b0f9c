// SPDX-License-Identifier: MIT
// harness.hpp: what every bench_<stem> is made of: one device, inputs, rows, and how rows are timed and reported.
//
// A suite makes one Session, adds Rows and calls run(). Rows are registered with Google Benchmark under
//     <op>/<implementation>/<type>/<n>/<distribution>/<timing>
// and nothing is allocated, compiled or checked until a row's turn comes, so that --benchmark_filter is cheap.
#ifndef CLPRIM_BENCHMARKS_HARNESS_HPP
#define CLPRIM_BENCHMARKS_HARNESS_HPP

#include <clprim/runtime.h>
#include <clprim/types.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace benchmark {
class State;
}

namespace bench {

struct ReleaseBuffer {
    void operator()(cl_mem memory) const
    {
        (void)clReleaseMemObject(memory);
    }
};
using Buffer = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseBuffer>;

// Throw std::runtime_error unless the call succeeded.
void require(clprim_status status, const char *what);
void require_cl(cl_int code, const char *what);

// Thrown by Row::prepare where the device lacks what a row needs: the row is left out, which is no failure.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// throughput:    calls back to back, then one wait; the time of all divided by their number.
// latency:       one call on its own, from its start until the wait for it returns.
// event:         one call by the device's own clock (CUDA events), as CUB's published figures are taken.
// with_copy:     as throughput, but before each call its inputs are copied within the device.
// with_transfer: as throughput, but before each call its inputs come from the host, and its results go there.
enum class Timing { throughput, latency, event, with_copy, with_transfer };

// One way to do a row's work, bound to its input and output.
struct Call {
    std::string label;                  // shown beside the row where there are several ways
    std::function<void()> start;        // may return before the work is done
    std::function<void()> finish;       // returns when everything started is done; empty where start() blocks
    std::function<double()> event;      // seconds of one call by the device's clock; for Timing::event
    std::function<std::string()> check; // "" if the last call's result is right, else what is wrong with it
    std::function<void()> restore = {}; // of calls in place: puts the input back, and returns when it is there. Such
                                        // calls are timed one by one, without this
};

struct Row {
    std::string op;
    std::string implementation;
    std::string type;
    std::size_t n;
    Timing timing;
    double bytes;                               // the fewest that the operation can move
    std::function<std::vector<Call>()> prepare; // where it gives several calls, the fastest one is reported
    bool is_peer = false;
    std::string distribution = "uniform";
    std::size_t lacking = 0; // the place in Session's lacking() of what the device shall lack

    std::string name() const;
};

// values: integers take every value alike; floats lie in [-0.5, 0.5).
// Elements that are not spread evenly, of u8, u16, u32 or f32: all values of the type, of u32 the 65536 multiples of
// 65537, of f32 the middles of 65536 equal intervals of [-0.5, 0.5), are put in a pseudo-random order. Then each
// element is constant: the first of them, few:      one of the first 16, each alike, zipf:     the k-th with a
// probability proportional to 1/k. Of u32 alone: range16:   each value below 2^16 alike. and3:      three random words,
// and-ed: each bit is set with probability 1/8. ascending: 0, 1, 2, ...
// runs8, runs1000: in runs of equal ones: a new run begins with probability 1/8, or 1/1000. What lies beside the
// elements: flags:   u8, 0 or 1 alike. keys:    i32, in runs of equal ones: a new run begins with probability 1/100,
// its key is one more than the last. indices: u32 or u64: 0, 1, 2, ...
enum class Content { values, constant, few, zipf, range16, and3, ascending, runs8, runs1000, flags, keys, indices };

// Elements of every content share one place; what lies beside them has one of its own.
constexpr std::size_t PLACES = 4;
constexpr std::size_t place(Content content)
{
    return content < Content::flags ? 0
                                    : 1 + static_cast<std::size_t>(content) - static_cast<std::size_t>(Content::flags);
}

// An input as a call reads it: where it lies on the device, and the same on the host.
struct InputUse {
    cl_mem device;
    const void *host;
    std::size_t bytes;
};

// Bytes of a transfer, or of what is filled at once: of a transfer of 2^32 NVIDIA's driver (580) says
// CL_OUT_OF_RESOURCES, and of everything from then on; a fill of 2^31 it never ends.
constexpr std::size_t MAX_TRANSFER = std::size_t{1} << 30;

// Returns when it is done.
void write_buffer(cl_command_queue queue, cl_mem memory, const void *contents, std::size_t bytes);

// Pseudo-random input, the same in every run: one content and type at a time, on the host and on the device. The first
// n elements do not depend on how many there are.
class Inputs {
  public:
    explicit Inputs(clprim_runtime *runtime) : runtime_(runtime)
    {
    }
    // Hold this from now on.
    Inputs &of(Content content);
    // The first n elements of `type`. Asking for another type, or for more, frees what was there before.
    const void *host(clprim_type type, std::size_t n);
    cl_mem device(clprim_type type, std::size_t n);
    // As much of it as device() was asked for since the last call of this; no bytes: it was not.
    InputUse take_use();
    std::size_t capacity() const
    {
        return capacity_;
    }
    // Changes whenever host() has other contents: for copies kept elsewhere.
    unsigned long generation() const
    {
        return generation_;
    }

  private:
    clprim_runtime *runtime_;
    Content content_ = Content::values;
    clprim_type type_ = CLPRIM_TYPE_DEFAULT;
    std::size_t capacity_ = 0;
    std::unique_ptr<unsigned char[]> host_;
    Buffer device_;
    std::size_t bytes_used_ = 0;
    unsigned long generation_ = 0;
};

// What some devices lack: `features` as CLPRIM_WITHOUT has them.
struct Lacking {
    std::string name; // of the implementation in rows
    std::string features;
};

class Energy;
struct Failure;
struct Prepared; // the calls of the row that ran last
class Progress;

class Session {
  public:
    // Takes its own options and Google Benchmark's from the command line and opens the device. Prints and exits where
    // that is impossible.
    Session(int argc, char **argv, const char *suite);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    clprim_runtime *runtime() const
    {
        return runtime_;
    }
    const clprim_device_info &info() const
    {
        return *clprim_runtime_info(runtime_);
    }
    cl_command_queue queue() const
    {
        return clprim_runtime_queue(runtime_);
    }
    // Asking for other contents frees what was in their place before.
    Inputs &inputs(Content content = Content::values)
    {
        return inputs_.at(place(content)).of(content);
    }
    // The inputs whose place on the device was asked for since the last call of this.
    std::vector<InputUse> take_input_uses();
    bool quick() const
    {
        return quick_;
    }
    // First the device as it is; with --lacking it is timed also without what others lack.
    const std::vector<Lacking> &lacking() const
    {
        return lacking_;
    }

    // Which of 2^logs are wanted (--min-log2, --max-log2) and fit the device: as elements of this size, the largest of
    // any array; and in all arrays together, an element of each of which has bytes_in_all (0: one array). Where all are
    // larger than what is wanted, the largest n that is (with --quick on CPU devices: at most 2^16). With --ladder
    // there is one n, whatever the logs are.
    std::vector<std::size_t> sizes(const std::vector<int> &logs, std::size_t element_size,
                                   std::size_t bytes_in_all = 0) const;
    Buffer new_buffer(std::size_t bytes, const void *contents = nullptr) const;
    // Note something about this run (a peer's version) in the JSON's context.
    void context(const std::string &key, const std::string &value);

    void add(Row row);
    bool has(const std::string &op) const; // a row of it
    // Measures the device's copy speed and runs what was added; the process's exit status: not 0 where a row of
    // clPRIM's failed or nothing ran.
    int run();

  private:
    void open_device();
    void open_energy();
    void describe(const char *suite);
    void measure_roof();
    void add_device_rows();
    void keep_ladders();
    void keep_lacking();
    void leave_out_variants();
    void register_rows();
    void time_row(benchmark::State &state, const Row &row);
    void prepare(const Row &row);

    std::vector<Lacking> lacking_ = {{"clprim", ""}};
    std::vector<clprim_runtime *> runtimes_; // of each of these, with one context and queue
    clprim_runtime *runtime_ = nullptr;      // that of the row that is prepared
    std::vector<Inputs> inputs_;             // by place()
    bool quick_ = false;
    bool ladder_ = false;
    bool with_energy_ = false;
    int min_log2_ = 0;
    int max_log2_ = 0; // 0: by device
    bool writes_file_ = false;
    double roof_ = 0; // bytes a second
    std::vector<std::unique_ptr<Row>> rows_;
    std::unique_ptr<Energy> energy_; // with --energy
    std::unique_ptr<Progress> progress_;
    std::unique_ptr<Prepared> prepared_;
    std::unique_ptr<std::map<std::string, Failure>> failures_;
};

// Copying the first n u32 of the inputs: by the driver, and by a kernel.
std::vector<Call> copy_calls(Session &session, std::size_t n);
// Launching a kernel that does no work: `empty` takes two buffers, as the smallest call of a primitive does;
// `empty_numbers` three numbers, too, as adjacent differences; `empty_arguments` four buffers and eight numbers, as a scan of
// segments by offsets; `busy` waits, on NVIDIA's devices only.
std::vector<Call> launch_calls(Session &session, const std::string &name);

} // namespace bench

#endif
