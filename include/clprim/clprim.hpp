/* clprim/clprim.hpp: clPRIM for C++17. Nothing but a cover: all of it calls the C functions, whose headers say what
 * they do, cost and refuse, and whose descriptions are used as they are.
 *
 *     std::vector<float> prices = ...;
 *     const float highest = clprim::reduce(prices, CLPRIM_MAX);          // arrays on the host, in one call
 *     clprim::radix_sort(prices);
 *
 *     clprim::runtime runtime(queue);                                    // your own queue and buffers
 *     auto sort = clprim::radix_sort_plan::of<float>(runtime);
 *     clprim_radix_sort_call call = {};
 *     call.keys_in = clprim::at(in, 100);                                // from element 100 on; or svm(pointer, 100)
 *     call.count = count;
 *     call.keys_out = clprim::at(out);
 *     sort.enqueue(queue, call);                                         // does not block
 *     sort.enqueue({queue, waits, &done}, call);                         // after `waits`
 *
 * One pattern for all primitives. On the host: the function's arrays, as anything with std::data and std::size (a
 * span, a std::vector, an array), then the C description and the runtime, which may both be left out. From the arrays'
 * elements come the fields of types and sizes; of all others the description has what is to be said:
 *
 *     clprim::radix_sort(prices, {.descending = true});                  // C++20
 *     clprim_radix_sort_desc down = {}; down.descending = true;          // C++17
 *     clprim::radix_sort(prices, down);
 *
 * (g++ -Wextra misses the other fields in the first one: -Wno-missing-field-initializers.)
 *
 * Every operation of the library also has clprim::<operation>_plan::run, which takes C's call with arrays of
 * clprim::host(array); the table of the library (CLPRIM_OPERATIONS) is all that it needs.
 *
 * On the device: clprim::<operation>_plan owns a plan and can be moved. Its enqueue takes the queue, with events if there
 * are any, and C's call; at(buffer, offset) is a clprim_array, and so is svm(pointer, offset), in shared virtual memory.
 *
 * Types: all integers, float, double, clprim::half, and bool as U8. uint16_t may be named CLPRIM_F16 in the
 * description. A struct takes a description with its type_name in OpenCL C. Elements that no operation takes do not
 * compile: strings, pointers, long double. Values that go with keys may be of any type that can be copied byte by byte.
 *
 * The runtime: a clprim::runtime, a clprim_runtime * of C's, or nullptr for the default, clprim_runtime_default().
 *
 * Errors: a clprim::error is thrown, with the C function's status and sentence. With CLPRIM_NO_EXCEPTIONS, or where the
 * compiler has none, functions return a clprim::outcome, or a clprim::result with the value, and constructors keep one
 * in .made(): all are `true` where there was no error. Two errors are found here, before anything is called: arrays
 * whose sizes do not fit (CLPRIM_INVALID_RANGE; the sentence names the array and both sizes), and a clprim::runtime
 * that was moved from, or whose making failed (CLPRIM_INVALID_ARGUMENT). */
#ifndef CLPRIM_CLPRIM_HPP
#define CLPRIM_CLPRIM_HPP

#include <clprim/clprim.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#if !defined(CLPRIM_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define CLPRIM_NO_EXCEPTIONS
#endif
#ifndef CLPRIM_NO_EXCEPTIONS
#include <stdexcept>
#endif

namespace clprim {

/* Types and what follows from them. */

#ifdef __cpp_lib_span
using std::span;
#else
/* As much of std::span as is needed to hand in a pointer and a count. */
template <class T> class span {
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <class Range, class = decltype(std::data(std::declval<Range &>()))>
    constexpr span(Range &&range) : data_(std::data(range)), size_(std::size(range))
    {
    }
    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const
    {
        return data_[i];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/* The IEEE 754 half, CLPRIM_F16. */
struct half {
    std::uint16_t bits;
    half() = default;
    explicit half(float value) : bits(clprim_half_from_float(value))
    {
    }
    explicit operator float() const
    {
        return clprim_half_to_float(bits);
    }
};

namespace types {

template <class T> constexpr clprim_type type_of()
{
    if constexpr (std::is_same_v<T, half>)
        return CLPRIM_F16;
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return sizeof(T) == 4 ? CLPRIM_F32 : CLPRIM_F64;
    else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
        return sizeof(T) == 1        ? std::is_signed_v<T> ? CLPRIM_I8 : CLPRIM_U8
               : sizeof(T) == 2      ? std::is_signed_v<T> ? CLPRIM_I16 : CLPRIM_U16
               : sizeof(T) == 4      ? std::is_signed_v<T> ? CLPRIM_I32 : CLPRIM_U32
               : std::is_signed_v<T> ? CLPRIM_I64
                                     : CLPRIM_U64;
    else
        return CLPRIM_TYPE_END;
}

/* What elements may be: numbers, and where the description can name a type in OpenCL C, structs. */
template <class T> inline constexpr bool is_number = type_of<T>() != CLPRIM_TYPE_END;
template <class T>
inline constexpr bool is_bytes =
    std::conjunction_v<std::is_trivially_copy_constructible<T>, std::is_trivially_destructible<T>>;
template <class T> constexpr bool is_struct()
{
    return is_bytes<T> ? std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T> : false;
}

template <class T> constexpr void require_number()
{
    static_assert(is_number<T>, "clPRIM: elements of this type are not supported here; integers of up to 64 bits, "
                                "float, double and clprim::half are");
}

template <class T> constexpr void require_element()
{
    static_assert(is_number<T> || is_struct<T>(),
                  "clPRIM: no operation takes elements of this type; integers of up to 64 bits, float, double, "
                  "clprim::half, and structs that can be copied byte by byte are supported");
}

template <class T> constexpr void require_bytes()
{
    static_assert(is_bytes<T>, "clPRIM: values of this type cannot be copied byte by byte");
}

template <class Range>
using value_of = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<Range &>()))>>;

#define CLPRIM_CPP_HAS(member)                                                                                         \
    template <class Desc, class = void> struct has_##member : std::false_type {                                        \
    };                                                                                                                 \
    template <class Desc> struct has_##member<Desc, std::void_t<decltype(Desc::member)>> : std::true_type {            \
    };
CLPRIM_CPP_HAS(key_type)
CLPRIM_CPP_HAS(type_name)
CLPRIM_CPP_HAS(value_size)
CLPRIM_CPP_HAS(custom)
CLPRIM_CPP_HAS(types)
#undef CLPRIM_CPP_HAS

template <class Desc> clprim_type &main_type(Desc &desc)
{
    if constexpr (has_key_type<Desc>::value)
        return desc.key_type;
    else if constexpr (has_types<Desc>::value)
        return desc.types[0];
    else
        return desc.type;
}

/* Halves may be held as integers. A struct becomes an unknown type, which the C function refuses. */
template <class T> void set_type(clprim_type &type)
{
    if (type != CLPRIM_F16 || !std::is_same_v<T, std::uint16_t>)
        type = type_of<T>();
}

/* Elements of T, with values of V. */
template <class T, class V = void, class Desc> void describe(Desc &desc)
{
    if constexpr (has_type_name<Desc>::value || has_custom<Desc>::value)
        require_element<T>();
    else
        require_number<T>();
    if constexpr (!std::is_void_v<V>)
        require_bytes<V>();
    bool is_named = false;
    if constexpr (has_type_name<Desc>::value) {
        is_named = desc.type_name != nullptr;
        desc.type_size = is_named ? sizeof(T) : 0;
    }
    if constexpr (has_custom<Desc>::value)
        is_named = desc.custom != nullptr && desc.custom->type_name != nullptr;
    if (!is_named)
        set_type<T>(main_type(desc));
    if constexpr (has_value_size<Desc>::value && !std::is_void_v<V>)
        desc.value_size = sizeof(V);
}

/* The type of an array that goes with the elements: counts, flags, offsets. */
template <class T> void describe_array(clprim_type &type)
{
    require_number<T>();
    set_type<T>(type);
}

/* The same for indices, which may also be signed; C refuses what is neither of 4 nor of 8 bytes. */
template <class T> void describe_indices(clprim_type &type)
{
    require_number<T>();
    type = sizeof(T) == 4 ? CLPRIM_U32 : sizeof(T) == 8 ? CLPRIM_U64 : type_of<T>();
}

/* Elements of T folded to an A. Returns what is wrong, or nullptr: there would not be room for the operator's results,
 * where it is the caller's, or where they are clprim_indexed. */
template <class T, class A, class Desc> const char *describe_fold(Desc &desc)
{
    require_element<T>();
    require_element<A>();
    if (desc.custom == nullptr || desc.custom->type_name == nullptr)
        set_type<T>(desc.type);
    if (desc.custom != nullptr)
        return sizeof(T) == sizeof(A) && (desc.custom->type_name == nullptr || desc.custom->type_size == sizeof(T))
                   ? nullptr
                   : "elements, results and the type of the custom operator must have one size";
    const bool is_indexed = desc.op == CLPRIM_ARGMIN || desc.op == CLPRIM_ARGMAX;
    desc.accumulator_type = CLPRIM_TYPE_DEFAULT;
    if (!is_indexed && !(std::is_same_v<T, A>))
        desc.accumulator_type = type_of<A>();
    return is_indexed == std::is_same_v<A, clprim_indexed>
               ? nullptr
               : "CLPRIM_ARGMIN and CLPRIM_ARGMAX, and no other operators, have results of type clprim_indexed";
}

} // namespace types

/* The clprim_type of T, for descriptions that one fills in oneself. */
template <class T> inline constexpr clprim_type type_of = types::type_of<std::remove_cv_t<T>>();

/* Both ways of reporting errors may meet in one program. */
#ifdef CLPRIM_NO_EXCEPTIONS
inline namespace with_outcomes {
#else
inline namespace with_exceptions {
#endif

namespace detail {

using namespace types;

struct verdict {
    clprim_status status;
    const char *sentence;
};

inline verdict judge(clprim_status status)
{
    return {status, status == CLPRIM_SUCCESS ? "" : clprim_last_error()};
}

inline verdict judge(const verdict &v)
{
    return v;
}

} // namespace detail

#ifdef CLPRIM_NO_EXCEPTIONS
/* How a call went. The sentence lives until the thread's next failing call. */
struct [[nodiscard]] outcome {
    clprim_status status = CLPRIM_SUCCESS;
    const char *sentence = "";
    explicit operator bool() const
    {
        return status == CLPRIM_SUCCESS;
    }
};

/* And what it has found, where all went well. */
template <class T> struct [[nodiscard]] result : outcome {
    T value = {};
    const T &operator*() const
    {
        return value;
    }
};

namespace detail {
inline outcome finish(const verdict &v)
{
    return {v.status, v.sentence};
}

template <class T> result<T> finish(const verdict &v, const T &value)
{
    return {{v.status, v.sentence}, value};
}
} // namespace detail
#else
/* What went wrong: what() is the sentence of clprim_last_error(). */
class error : public std::runtime_error {
  public:
    error(clprim_status status, const char *sentence) : std::runtime_error(sentence), status_(status)
    {
    }
    clprim_status status() const noexcept
    {
        return status_;
    }

  private:
    clprim_status status_;
};

using outcome = void;
template <class T> using result = T;

namespace detail {
inline void finish(const verdict &v)
{
    if (v.status != CLPRIM_SUCCESS)
        throw error(v.status, v.sentence);
}

template <class T> T finish(const verdict &v, const T &value)
{
    finish(v);
    return value;
}
} // namespace detail
#endif

namespace detail {

/* Owns what a C function made. */
template <class Handle, class Destroy> class owner {
  public:
    /* Itself, for C functions; nullptr where making it failed, or it was moved from. */
    Handle *get() const noexcept
    {
        return handle_.get();
    }
    operator Handle *() const noexcept
    {
        return handle_.get();
    }
#ifdef CLPRIM_NO_EXCEPTIONS
    const outcome &made() const
    {
        return made_;
    }
#endif

  protected:
    template <class Create> explicit owner(Create create)
    {
        Handle *handle = nullptr;
        const verdict v = judge(create(&handle));
        handle_.reset(handle);
#ifdef CLPRIM_NO_EXCEPTIONS
        made_ = finish(v);
#else
        finish(v);
#endif
    }

  private:
    struct destroyer {
        void operator()(Handle *handle) const
        {
            Destroy{}(handle);
        }
    };
    std::unique_ptr<Handle, destroyer> handle_;
#ifdef CLPRIM_NO_EXCEPTIONS
    outcome made_;
#endif
};

inline verdict check(const clprim_runtime *runtime)
{
    if (runtime == nullptr)
        return {CLPRIM_INVALID_ARGUMENT, "this clprim::runtime is empty: it was moved from, or making it failed"};
    return {CLPRIM_SUCCESS, ""};
}

struct destroy_runtime {
    void operator()(clprim_runtime *runtime) const
    {
        clprim_runtime_destroy(runtime);
    }
};

} // namespace detail

/* clprim/runtime.h: one device. Plans keep what they need of it. After a move from it every use but get() throws an
 * error; without exceptions the functions here return null, and info() is empty. */
class runtime : public detail::owner<clprim_runtime, detail::destroy_runtime> {
  public:
    explicit runtime(const clprim_runtime_desc &desc = {})
        : owner([&](clprim_runtime **out) { return clprim_runtime_create(out, &desc); })
    {
    }
    explicit runtime(cl_command_queue queue) : runtime(of_queue(queue))
    {
    }
    operator clprim_runtime *() const
    {
        static_cast<void>(detail::finish(detail::check(get())));
        return get();
    }
    const clprim_device_info &info() const
    {
        static const clprim_device_info none = {};
        clprim_runtime *self = *this;
        return self != nullptr ? *clprim_runtime_info(self) : none;
    }
    cl_context context() const
    {
        return clprim_runtime_context(*this);
    }
    cl_device_id device() const
    {
        return info().device;
    }
    cl_command_queue queue() const
    {
        return clprim_runtime_queue(*this);
    }

  private:
    static clprim_runtime_desc of_queue(cl_command_queue queue)
    {
        clprim_runtime_desc desc = {};
        desc.queue = queue;
        return desc;
    }
};

/* Which runtime a function uses: one of C++'s or C's, which the caller keeps, or nullptr for the default. */
class runtime_ref {
  public:
    runtime_ref(clprim_runtime *of_c = nullptr) noexcept : runtime_(of_c)
    {
    }
    runtime_ref(const runtime &of_cpp) noexcept : runtime_(of_cpp.get()), checked_(detail::check(runtime_))
    {
    }
    operator clprim_runtime *() const noexcept
    {
        return runtime_;
    }
    detail::verdict checked() const noexcept
    {
        return checked_;
    }

  private:
    clprim_runtime *runtime_;
    detail::verdict checked_ = {CLPRIM_SUCCESS, ""};
};

namespace detail {

/* What is looked at before a C function is called. Keeps the first thing that is wrong; its sentence lives until the
 * thread's next one. */
class checks {
  public:
    explicit checks(const runtime_ref &runtime, const char *problem = nullptr) : found_(runtime.checked())
    {
        if (problem != nullptr && passed())
            found_ = {CLPRIM_INVALID_RANGE, problem};
    }
    /* An array has at least as many elements as `what` says. */
    checks &room(const char *array, std::size_t size, std::size_t needed, const char *what)
    {
        if (size < needed && passed())
            refuse(std::snprintf(sentence(), sentence_size, "%s has %zu elements; it must have at least %zu, %s", array,
                                 size, needed, what));
        return *this;
    }
    /* One for each element of another array. */
    checks &same(const char *array, std::size_t size, const char *other, std::size_t other_size)
    {
        if (size != other_size && passed())
            refuse(std::snprintf(sentence(), sentence_size, "%s has %zu elements; it must have %zu, as many as %s",
                                 array, size, other_size, other));
        return *this;
    }
    checks &multiple(const char *array, std::size_t size, std::size_t of, const char *what)
    {
        if (size % of != 0 && passed())
            refuse(std::snprintf(sentence(), sentence_size, "%s has %zu elements; it must have a multiple of %zu, %s",
                                 array, size, of, what));
        return *this;
    }
    template <class Call> verdict then(Call call) const
    {
        return passed() ? judge(call()) : found_;
    }

  private:
    static constexpr std::size_t sentence_size = 160;
    verdict found_;

    static char *sentence()
    {
        static thread_local char text[sentence_size];
        return text;
    }
    bool passed() const
    {
        return found_.status == CLPRIM_SUCCESS;
    }
    void refuse(int)
    {
        found_ = {CLPRIM_INVALID_RANGE, sentence()};
    }
};

} // namespace detail

/* A buffer, from one of its elements on. */
struct at {
    cl_mem memory;
    std::size_t offset;
    at(cl_mem buffer, std::size_t first = 0) : memory(buffer), offset(first)
    {
    }
    operator clprim_array() const
    {
        return {memory, offset, nullptr, 0, nullptr};
    }
};

/* An array on the host, for run; C's struct has one kind of pointer for what is read and what is written. */
template <class Range> clprim_array host(const Range &range)
{
    return {nullptr, 0, const_cast<void *>(static_cast<const void *>(std::data(range))), 0, nullptr};
}

/* An array in shared virtual memory, from one of its elements on; `pointer` is one that clSVMAlloc returned. */
template <class T> clprim_array svm(const T *pointer, std::size_t first = 0)
{
    return {nullptr, first, nullptr, 0, const_cast<void *>(static_cast<const void *>(pointer))};
}

/* Where an operation is enqueued: a queue (nullptr: the runtime's own), the events that it waits for, and where to put
 * the one that it makes, which is the caller's to release. */
struct on {
    cl_command_queue queue;
    const cl_event *waits;
    cl_uint num_waits;
    cl_event *done;
    on(cl_command_queue where, span<const cl_event> after = {}, cl_event *event = nullptr)
        : queue(where), waits(after.size() > 0 ? after.data() : nullptr), num_waits(static_cast<cl_uint>(after.size())),
          done(event)
    {
    }
};

namespace detail {

struct destroy_plan {
    void operator()(clprim_plan *plan) const
    {
        clprim_plan_destroy(plan);
    }
};

/* Of any number of elements, with one number of 64 bits as result. */
template <class Desc> void count_wide(Desc &desc, std::size_t count)
{
    desc.index_type = CLPRIM_U64;
    desc.max_count = count;
}

} // namespace detail

/* A plan, made once and enqueued as often as you like; by one thread at a time. See clprim/plan.h. */
template <class Api> class plan : public detail::owner<clprim_plan, detail::destroy_plan> {
    using base = detail::owner<clprim_plan, detail::destroy_plan>;

  public:
    using desc_type = typename Api::desc;
    using call_type = typename Api::call;

    /* clprim_<operation>_create. runtime nullptr: clprim_runtime_default(). */
    explicit plan(const runtime_ref &runtime, const desc_type &desc = {})
        : base([&](clprim_plan **out) {
              return detail::checks(runtime).then([&] {
                  clprim_runtime *used = runtime;
                  const clprim_status status = used != nullptr ? CLPRIM_SUCCESS : clprim_runtime_default(&used);
                  return status == CLPRIM_SUCCESS ? Api::create(out, used, &desc) : status;
              });
          })
    {
    }

    /* For elements, or keys, of T, and values of V where there are some. */
    template <class T, class V = void> static plan of(const runtime_ref &runtime, desc_type desc = {})
    {
        detail::describe<T, V>(desc);
        return plan(runtime, desc);
    }

    /* clprim_<operation>_enqueue. */
    outcome enqueue(const on &where, const call_type &call)
    {
        return detail::finish(
            detail::judge(Api::enqueue(base::get(), where.queue, &call, where.num_waits, where.waits, where.done)));
    }

    /* clprim_<operation>_run: of arrays that host() or at() names. It needs no plan. */
    static outcome run(const call_type &call, const desc_type &desc = {}, const runtime_ref &runtime = nullptr)
    {
        return detail::finish(detail::checks(runtime).then([&] { return Api::run(runtime, &desc, &call); }));
    }

    /* clprim_plan_record: `buffer` is a cl_command_buffer_khr, `after` and `done` are sync points. */
    outcome record(struct ::_cl_command_buffer_khr *buffer, const call_type &call, span<const cl_uint> after = {},
                   cl_uint *done = nullptr)
    {
        return detail::finish(
            detail::judge(clprim_plan_record(base::get(), buffer, &call, static_cast<cl_uint>(after.size()),
                                             after.size() > 0 ? after.data() : nullptr, done)));
    }

    result<std::size_t> scratch_size(const call_type &call) const
    {
        std::size_t size = 0;
        const detail::verdict v = detail::judge(clprim_plan_scratch_size(&size, base::get(), &call));
        return detail::finish(v, size);
    }
    outcome set_scratch(cl_mem scratch)
    {
        return detail::finish(detail::judge(clprim_plan_set_scratch(base::get(), scratch)));
    }
};

#define CLPRIM_CPP_OPERATION(op)                                                                                       \
    namespace api {                                                                                                    \
    struct op {                                                                                                        \
        using desc = clprim_##op##_desc;                                                                               \
        using call = clprim_##op##_call;                                                                               \
        static constexpr auto create = clprim_##op##_create;                                                           \
        static constexpr auto enqueue = clprim_##op##_enqueue;                                                         \
        static constexpr auto run = clprim_##op##_run;                                                                 \
    };                                                                                                                 \
    }                                                                                                                  \
    using op##_plan = plan<api::op>;

CLPRIM_OPERATIONS(CLPRIM_CPP_OPERATION)
#undef CLPRIM_CPP_OPERATION

/* On the host. Each is the C function clprim_<name>_run with its types filled in; where there is no function for what
 * you want, clprim::<operation>_plan::run takes C's call with arrays of clprim::host(array). */

namespace detail {

/* A call on the host while it is put together: what its arrays must be like, and in the end what became of it. */
template <class Api> class job {
  public:
    typename Api::call call = {};

    job(const typename Api::desc &desc, const runtime_ref &runtime, const char *problem = nullptr)
        : desc_(desc), runtime_(runtime), checks_(runtime, problem)
    {
    }
    /* The array, which has at least as many elements as `what` says. */
    template <class Range> clprim_array room(const char *name, const Range &array, std::size_t needed, const char *what)
    {
        checks_.room(name, std::size(array), needed, what);
        return host(array);
    }
    /* The array, which has an element for each one of another array. */
    template <class Range> clprim_array same(const char *name, const Range &array, const char *other, std::size_t size)
    {
        checks_.same(name, std::size(array), other, size);
        return host(array);
    }
    checks &also()
    {
        return checks_;
    }
    verdict judged()
    {
        return checks_.then([this] { return Api::run(runtime_, &desc_, &call); });
    }
    outcome run()
    {
        return finish(judged());
    }
    /* And return what C wrote to `value`. */
    template <class T, class Value> result<T> run(const Value &value)
    {
        const verdict v = judged();
        return finish(v, static_cast<T>(value));
    }

  private:
    const typename Api::desc &desc_;
    const runtime_ref &runtime_;
    checks checks_;
};

template <class A, class... Others> constexpr void require_same()
{
    static_assert((std::is_same_v<value_of<A>, value_of<Others>> && ...),
                  "clPRIM: these arrays must have elements of one type");
}

} // namespace detail

/* All elements of `in`, folded to a Result: the element's type where none is named, one that holds more for SUM and
 * PROD (reduce<double>(floats)), clprim_indexed for ARGMIN and ARGMAX. */
template <class Result = void, class In>
auto reduce(const In &in, clprim_reduce_desc desc, const runtime_ref &runtime = nullptr)
{
    using element = detail::value_of<const In>;
    using value = std::conditional_t<std::is_void_v<Result>, element, Result>;
    value out = {};
    const char *problem = detail::describe_fold<element, value>(desc);
    detail::job<api::reduce> job(desc, runtime, problem);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out.host = &out;
    return job.template run<value>(out);
}

template <class Result = void, class In>
auto reduce(const In &in, clprim_op op = CLPRIM_SUM, const runtime_ref &runtime = nullptr)
{
    clprim_reduce_desc desc = {};
    desc.op = op;
    return reduce<Result>(in, desc, runtime);
}

namespace detail {

template <class Call, class Offsets> void put_offsets(Call &call, const Offsets &offsets)
{
    call.offsets = host(offsets);
    call.segment_count = std::size(offsets) - (std::size(offsets) > 0);
}

} // namespace detail

/* Each segment of `in`, folded as by reduce, to an element of `out`. `offsets`: one more than there are segments, of 4 or
 * 8 bytes. */
template <class In, class Offsets, class Out>
outcome segmented_reduce(const In &in, const Offsets &offsets, Out &&out, clprim_segmented_reduce_desc desc,
                         const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    detail::job<api::segmented_reduce> job(desc, runtime, problem);
    job.call.in = host(in);
    job.call.count = std::size(in);
    detail::put_offsets(job.call, offsets);
    job.call.out = job.room("out", out, job.call.segment_count, "as many as there are segments");
    return job.run();
}

template <class In, class Offsets, class Out>
outcome segmented_reduce(const In &in, const Offsets &offsets, Out &&out, clprim_op op = CLPRIM_SUM,
                         const runtime_ref &runtime = nullptr)
{
    clprim_segmented_reduce_desc desc = {};
    desc.op = op;
    return segmented_reduce(in, offsets, out, desc, runtime);
}

/* Prefixes of `in` to `out`, whose elements may hold more, or be clprim_indexed, as reduce's Result. */
template <class In, class Out>
outcome scan(const In &in, Out &&out, clprim_scan_desc desc, const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    detail::job<api::scan> job(desc, runtime, problem);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    return job.run();
}

template <class In, class Heads, class Out>
outcome scan_segments(const In &in, const Heads &heads, Out &&out, clprim_scan_desc desc,
                      const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    detail::describe_array<detail::value_of<const Heads>>(desc.segments_type);
    detail::job<api::scan> job(desc, runtime, problem);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    job.call.heads = job.room("heads", heads, std::size(in), "as many as in");
    return job.run();
}

template <class In, class Out>
outcome inclusive_scan(const In &in, Out &&out, clprim_op op = CLPRIM_SUM, const runtime_ref &runtime = nullptr)
{
    clprim_scan_desc desc = {};
    desc.op = op;
    return scan(in, out, desc, runtime);
}

template <class In, class Out>
outcome exclusive_scan(const In &in, Out &&out, clprim_op op = CLPRIM_SUM, const runtime_ref &runtime = nullptr)
{
    clprim_scan_desc desc = {};
    desc.op = op;
    desc.exclusive = true;
    return scan(in, out, desc, runtime);
}

namespace detail {

/* `weights` may be nullptr. Returns the number of elements that are in no bin of any channel. */
template <class In, class Weights, class Out>
result<std::uint64_t> histogram(const In &in, const Weights *weights, Out &out, clprim_histogram_desc &desc,
                                const runtime_ref &runtime)
{
    const std::size_t channels = desc.channels != 0 ? desc.channels : 1;
    const std::size_t active = desc.active_channels != 0 ? desc.active_channels : channels;
    std::uint64_t outside[4] = {0, 0, 0, 0}; // as many as there may be channels
    describe<value_of<const In>>(desc);
    describe_array<value_of<Out>>(desc.counter_type);
    if (desc.bins == 0)
        desc.bins = std::size(out) / active;
    const std::size_t bins = desc.bins != 0 ? desc.bins : 1;
    job<api::histogram> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in) / channels;
    if (weights != nullptr)
        job.call.weights = job.room("weights", *weights, std::size(in), "as many as in");
    job.call.out =
        job.room("out", out, bins <= SIZE_MAX / active ? bins * active : bins, "one for each channel's bins");
    job.also().multiple("in", std::size(in), channels, "one for each channel");
    job.call.outside_out.host = outside;
    const verdict v = job.judged();
    return finish(v, outside[0] + outside[1] + outside[2] + outside[3]);
}

} // namespace detail

/* How many of `in` are in each bin, to `out`: of as many bins as it has room for, where the description does not say
 * how many. Returns how many elements are in none. */
template <class In, class Out>
result<std::uint64_t> histogram(const In &in, Out &&out, clprim_histogram_desc desc = {},
                                const runtime_ref &runtime = nullptr)
{
    return detail::histogram(in, static_cast<const In *>(nullptr), out, desc, runtime);
}

template <class In, class Weights, class Out>
result<std::uint64_t> histogram_weighted(const In &in, const Weights &weights, Out &&out,
                                         clprim_histogram_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe_array<detail::value_of<const Weights>>(desc.weights_type);
    return detail::histogram(in, &weights, out, desc, runtime);
}

/* Sorts, where the arrays lie: keys alone, or with values, of which there is one for each key. */
#define CLPRIM_CPP_SORT(op)                                                                                            \
    template <class Keys> outcome op(Keys &&keys, clprim_##op##_desc desc = {}, const runtime_ref &runtime = nullptr)  \
    {                                                                                                                  \
        detail::describe<detail::value_of<Keys>>(desc);                                                                \
        detail::job<api::op> job(desc, runtime);                                                                       \
        job.call.keys_in = job.call.keys_out = host(keys);                                                             \
        job.call.count = std::size(keys);                                                                              \
        return job.run();                                                                                              \
    }                                                                                                                  \
    template <class Keys, class Values>                                                                                \
    outcome op##_pairs(Keys &&keys, Values &&values, clprim_##op##_desc desc = {},                                     \
                       const runtime_ref &runtime = nullptr)                                                           \
    {                                                                                                                  \
        detail::describe<detail::value_of<Keys>, detail::value_of<Values>>(desc);                                      \
        detail::job<api::op> job(desc, runtime);                                                                       \
        job.call.keys_in = job.call.keys_out = host(keys);                                                             \
        job.call.values_in = job.call.values_out = job.same("values", values, "keys", std::size(keys));                \
        job.call.count = std::size(keys);                                                                              \
        return job.run();                                                                                              \
    }
CLPRIM_CPP_SORT(radix_sort)
CLPRIM_CPP_SORT(comparison_sort)
CLPRIM_CPP_SORT(bitonic_sort)
#undef CLPRIM_CPP_SORT

/* Sorts the keys, and writes for each the index at which it was: of 4 or 8 bytes. */
template <class Keys, class Indices>
outcome argsort(Keys &&keys, Indices &&indices, clprim_radix_sort_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<Keys>>(desc);
    detail::describe_indices<detail::value_of<Indices>>(desc.index_type);
    desc.argsort = true;
    detail::job<api::radix_sort> job(desc, runtime);
    job.call.keys_in = job.call.keys_out = host(keys);
    job.call.values_out = job.same("indices", indices, "keys", std::size(keys));
    job.call.count = std::size(keys);
    return job.run();
}

namespace detail {

/* Where they lie. */
template <class Keys, class Offsets>
void put_segments(clprim_segmented_sort_call &call, const Keys &keys, const Offsets &offsets)
{
    call.keys_in = call.keys_out = host(keys);
    call.count = std::size(keys);
    put_offsets(call, offsets);
}

} // namespace detail

/* `offsets`: one more than there are segments, of 4 or 8 bytes. With .argsort the values are indices, of 4 or 8 bytes,
 * and only written. */
template <class Keys, class Values, class Offsets>
outcome segmented_sort_pairs(Keys &&keys, Values &&values, const Offsets &offsets, clprim_segmented_sort_desc desc = {},
                             const runtime_ref &runtime = nullptr)
{
    using value = detail::value_of<Values>;
    detail::describe<detail::value_of<Keys>, value>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    if (desc.argsort) {
        desc.value_size = 0;
        desc.index_type = sizeof(value) == 4 ? CLPRIM_U32 : sizeof(value) == 8 ? CLPRIM_U64 : CLPRIM_U8;
    }
    detail::job<api::segmented_sort> job(desc, runtime);
    detail::put_segments(job.call, keys, offsets);
    job.call.values_out = job.same("values", values, "keys", std::size(keys));
    if (!desc.argsort)
        job.call.values_in = job.call.values_out;
    return job.run();
}

template <class Keys, class Offsets>
outcome segmented_sort(Keys &&keys, const Offsets &offsets, clprim_segmented_sort_desc desc = {},
                       const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<Keys>>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    detail::job<api::segmented_sort> job(desc, runtime);
    detail::put_segments(job.call, keys, offsets);
    return job.run();
}

/* arrays: std::tie(names, sizes, ...), of any types that can be copied byte by byte. */
template <class Keys, class... Arrays>
outcome sort_by_key(Keys &&keys, std::tuple<Arrays &...> arrays, clprim_sort_by_key_desc desc = {},
                    const runtime_ref &runtime = nullptr)
{
    static_assert(sizeof...(Arrays) >= 1 && sizeof...(Arrays) <= CLPRIM_SORT_BY_KEY_MAX_ARRAYS, "1 to 16 arrays");
    detail::describe<detail::value_of<Keys>>(desc);
    (detail::require_bytes<detail::value_of<Arrays>>(), ...);
    detail::job<api::sort_by_key> job(desc, runtime);
    desc.num_arrays = 0;
    const auto add = [&](const auto &array) {
        char name[16];
        const std::size_t i = desc.num_arrays++;
        std::snprintf(name, sizeof name, "array %zu", i + 1);
        desc.element_sizes[i] = sizeof(detail::value_of<decltype(array)>);
        job.call.arrays_in[i] = job.call.arrays_out[i] = job.same(name, array, "keys", std::size(keys));
    };
    std::apply([&](Arrays &...array) { (add(array), ...); }, arrays);
    job.call.keys_in = host(keys);
    job.call.count = std::size(keys);
    if (!desc.values_only)
        job.call.keys_out = job.call.keys_in;
    return job.run();
}

/* What was selected, or the first of each run, to `out`, which has room for all; returns how many that are. */
#define CLPRIM_CPP_COMPACT(op)                                                                                         \
    template <class In, class Out>                                                                                     \
    result<std::size_t> op(const In &in, Out &&out, clprim_##op##_desc desc = {},                                      \
                           const runtime_ref &runtime = nullptr)                                                       \
    {                                                                                                                  \
        std::uint64_t selected = 0;                                                                                    \
        detail::require_same<const In, Out>();                                                                         \
        detail::describe<detail::value_of<const In>>(desc);                                                            \
        detail::count_wide(desc, std::size(in));                                                                       \
        detail::job<api::op> job(desc, runtime);                                                                       \
        job.call.in = host(in);                                                                                        \
        job.call.count = std::size(in);                                                                                \
        job.call.out = job.room("out", out, std::size(in), "as many as in");                                           \
        job.call.out_count.host = &selected;                                                                           \
        return job.template run<std::size_t>(selected);                                                                \
    }
CLPRIM_CPP_COMPACT(select)
CLPRIM_CPP_COMPACT(unique)
#undef CLPRIM_CPP_COMPACT

template <class In, class Flags, class Out>
result<std::size_t> select_flagged(const In &in, const Flags &flags, Out &&out, clprim_select_desc desc = {},
                                   const runtime_ref &runtime = nullptr)
{
    std::uint64_t selected = 0;
    detail::require_same<const In, Out>();
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<const Flags>>(desc.flags_type);
    detail::count_wide(desc, std::size(in));
    detail::job<api::select> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    job.call.flags = job.room("flags", flags, std::size(in), "as many as in");
    job.call.out_count.host = &selected;
    return job.template run<std::size_t>(selected);
}

/* Runs of equal elements: each one's element and length. Returns how many there are. */
template <class In, class Out, class Lengths>
result<std::size_t> run_length_encode(const In &in, Out &&out, Lengths &&lengths,
                                      clprim_run_length_encode_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::value_of<Lengths> runs = {};
    detail::require_same<const In, Out>();
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<Lengths>>(desc.index_type);
    detail::job<api::run_length_encode> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    job.call.lengths_out = job.room("lengths", lengths, std::size(in), "as many as in");
    job.call.out_count.host = &runs;
    return job.template run<std::size_t>(runs);
}

/* Runs of equal keys: each one's key and its values folded, as in reduce. Returns how many there are. */
template <class Keys, class Values, class KeysOut, class ValuesOut>
result<std::size_t> reduce_by_key(const Keys &keys, const Values &values, KeysOut &&keys_out, ValuesOut &&values_out,
                                  clprim_reduce_by_key_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    std::uint64_t runs = 0;
    detail::require_same<const Keys, KeysOut>();
    desc.index_type = CLPRIM_U64;
    const char *problem = detail::describe_fold<detail::value_of<const Values>, detail::value_of<ValuesOut>>(desc);
    detail::describe_array<detail::value_of<const Keys>>(desc.key_type);
    detail::job<api::reduce_by_key> job(desc, runtime, problem);
    job.call.keys_in = host(keys);
    job.call.values_in = job.same("values", values, "keys", std::size(keys));
    job.call.count = std::size(keys);
    job.call.keys_out = job.room("keys_out", keys_out, std::size(keys), "as many as keys");
    job.call.values_out = job.room("values_out", values_out, std::size(keys), "as many as keys");
    job.call.out_count.host = &runs;
    return job.template run<std::size_t>(runs);
}

namespace detail {

/* The job has its other arrays already. */
template <class Keys, class Out>
result<std::size_t> top_k(job<api::top_k> &job, const Keys &keys, Out &out, clprim_top_k_desc &desc)
{
    require_same<const Keys, Out>();
    if (desc.k == 0)
        desc.k = std::size(out);
    const std::size_t found = desc.k < std::size(keys) ? desc.k : std::size(keys);
    job.call.keys_in = host(keys);
    job.call.count = std::size(keys);
    job.call.keys_out = job.room("out", out, found, "for the description's k");
    return job.template run<std::size_t>(found);
}

} // namespace detail

/* The largest keys, or those that the description says: as many as there is room for in `out`, or .k. Returns how many
 * there are. */
template <class Keys, class Out>
result<std::size_t> top_k(const Keys &keys, Out &&out, clprim_top_k_desc desc = {},
                          const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>>(desc);
    detail::job<api::top_k> job(desc, runtime);
    return detail::top_k(job, keys, out, desc);
}

template <class Keys, class Values, class Out, class ValuesOut>
result<std::size_t> top_k_pairs(const Keys &keys, const Values &values, Out &&out, ValuesOut &&values_out,
                                clprim_top_k_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::require_same<const Values, ValuesOut>();
    detail::describe<detail::value_of<const Keys>, detail::value_of<ValuesOut>>(desc);
    detail::job<api::top_k> job(desc, runtime);
    job.call.values_in = job.same("values", values, "keys", std::size(keys));
    job.call.values_out = job.room("values_out", values_out, std::size(out), "as many as out");
    return detail::top_k(job, keys, out, desc);
}

/* And the index of each, of 4 or 8 bytes. */
template <class Keys, class Out, class Indices>
result<std::size_t> top_k_indices(const Keys &keys, Out &&out, Indices &&indices, clprim_top_k_desc desc = {},
                                  const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>>(desc);
    detail::describe_indices<detail::value_of<Indices>>(desc.index_type);
    desc.indices = true;
    detail::job<api::top_k> job(desc, runtime);
    job.call.values_out = job.room("indices", indices, std::size(out), "as many as out");
    return detail::top_k(job, keys, out, desc);
}

namespace detail {

template <class A, class B, class Out> void put_ranges(job<api::merge> &job, const A &a, const B &b, const Out &out)
{
    require_same<const A, const B, Out>();
    job.call.a_keys = host(a);
    job.call.b_keys = host(b);
    job.call.a_count = std::size(a);
    job.call.b_count = std::size(b);
    job.call.keys_out = job.room("out", out, std::size(a) + std::size(b), "as many as a and b together");
}

} // namespace detail

/* Stably merge two sorted ranges. */
template <class A, class B, class Out>
outcome merge(const A &a, const B &b, Out &&out, clprim_merge_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const A>>(desc);
    detail::job<api::merge> job(desc, runtime);
    detail::put_ranges(job, a, b, out);
    return job.run();
}

template <class A, class AValues, class B, class BValues, class Out, class OutValues>
outcome merge_pairs(const A &a, const AValues &a_values, const B &b, const BValues &b_values, Out &&out,
                    OutValues &&out_values, clprim_merge_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::require_same<const AValues, const BValues, OutValues>();
    detail::describe<detail::value_of<const A>, detail::value_of<const AValues>>(desc);
    detail::job<api::merge> job(desc, runtime);
    job.call.a_values = job.same("a_values", a_values, "a", std::size(a));
    job.call.b_values = job.same("b_values", b_values, "b", std::size(b));
    detail::put_ranges(job, a, b, out);
    job.call.values_out =
        job.room("out_values", out_values, std::size(a) + std::size(b), "as many as a and b together");
    return job.run();
}

namespace detail {

/* How many elements are in order, from the first one on, of any number of them. */
template <class In>
verdict until(std::uint64_t &out, const In &in, clprim_is_sorted_desc &desc, const runtime_ref &runtime)
{
    describe<value_of<const In>>(desc);
    count_wide(desc, std::size(in));
    job<api::is_sorted> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out.host = &out;
    return job.judged();
}

} // namespace detail

/* How many elements are in order, from the first one on. */
template <class In>
result<std::size_t> is_sorted_until(const In &in, clprim_is_sorted_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    std::uint64_t until = 0;
    const detail::verdict v = detail::until(until, in, desc, runtime);
    return detail::finish(v, static_cast<std::size_t>(until));
}

template <class In>
result<bool> is_sorted(const In &in, clprim_is_sorted_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    std::uint64_t until = 0;
    const detail::verdict v = detail::until(until, in, desc, runtime);
    return detail::finish(v, until == std::size(in));
}

/* For each needle where it belongs in `in`, which is in order, to `out`, of uint32_t or uint64_t. */
template <class In, class Needles, class Out>
outcome search(const In &in, const Needles &needles, Out &&out, clprim_search_desc desc = {},
               const runtime_ref &runtime = nullptr)
{
    detail::require_same<const In, const Needles>();
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<Out>>(desc.index_type);
    if (desc.max_count == 0)
        desc.max_count = std::max<std::size_t>(std::size(in), std::size(needles));
    detail::job<api::search> job(desc, runtime);
    job.call.in = host(in);
    job.call.needles = host(needles);
    job.call.count = std::size(in);
    job.call.needle_count = std::size(needles);
    job.call.out = job.room("out", out, std::size(needles), "as many as needles");
    return job.run();
}

} // namespace
} // namespace clprim

#endif
