/* clprim/clprim.hpp: clPRIM for C++17. Nothing but a cover: all of it calls the C functions, whose headers say what
 * they do, cost and refuse, and whose descriptions are used as they are.
 *
 *     std::vector<float> prices = ...;
 *     const float highest = clprim::reduce(prices, CLPRIM_MAX);          // arrays on the host, in one call
 *     clprim::radix_sort(prices);
 *
 *     clprim::runtime runtime(queue);                                    // your own queue and buffers
 *     auto sort = clprim::radix_sort_plan::of<float>(runtime);
 *     sort.enqueue(queue, buffer, count, buffer);                        // in place; does not block
 *     sort.enqueue({queue, waits, &done}, clprim::at(in, 100), count, out); // after `waits`, from element 100 on
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
 * On the device: clprim::<primitive>_plan owns a plan and can be moved. Its functions take what the C function of that
 * name takes, but a buffer with its offset is one argument, `buffer` alone or at(buffer, offset), and queue, waits and
 * event are the first one.
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
#undef CLPRIM_CPP_HAS

template <class Desc> clprim_type &main_type(Desc &desc)
{
    if constexpr (has_key_type<Desc>::value)
        return desc.key_type;
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
        return clprim_runtime_device(*this);
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
};

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

/* The C functions' arguments for one of these: counts and pointers as they are, of a buffer two. */
template <class T> auto flat(const T &argument)
{
    if constexpr (std::is_integral_v<T>)
        return std::make_tuple(static_cast<std::size_t>(argument));
    else if constexpr (std::is_same_v<T, at>)
        return std::make_tuple(argument.memory, argument.offset);
    else if constexpr (std::is_convertible_v<T, cl_mem>)
        return std::make_tuple(static_cast<cl_mem>(argument), std::size_t{0});
    else
        return std::make_tuple(argument);
}

} // namespace detail

/* A plan, made once and enqueued as often as you like; by one thread at a time. */
template <class Api> class plan : public detail::owner<typename Api::handle, typename Api::destroy> {
    using base = detail::owner<typename Api::handle, typename Api::destroy>;

  public:
    using desc_type = typename Api::desc;

    /* clprim_<primitive>_create. runtime nullptr: clprim_runtime_default(). */
    explicit plan(const runtime_ref &runtime, const desc_type &desc = {})
        : base([&](typename Api::handle **out) {
              return detail::checks(runtime).then([&] {
                  clprim_runtime *used = runtime;
                  const clprim_status status = used != nullptr ? CLPRIM_SUCCESS : clprim_runtime_default(&used);
                  return status == CLPRIM_SUCCESS ? typename Api::create{}(out, used, &desc) : status;
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

#define CLPRIM_CPP_ENQUEUE(name)                                                                                       \
    template <class... Arguments> outcome name(const on &where, const Arguments &...arguments)                         \
    {                                                                                                                  \
        return call(typename Api::name{}, where, detail::flat(arguments)...);                                          \
    }
    CLPRIM_CPP_ENQUEUE(enqueue)
    CLPRIM_CPP_ENQUEUE(enqueue_pairs)
    CLPRIM_CPP_ENQUEUE(enqueue_segments)
    CLPRIM_CPP_ENQUEUE(enqueue_flagged)
    CLPRIM_CPP_ENQUEUE(enqueue_weighted)
#undef CLPRIM_CPP_ENQUEUE

    result<std::size_t> scratch_size(std::size_t count) const
    {
        std::size_t size = 0;
        const detail::verdict v = detail::judge(typename Api::scratch_size{}(&size, base::get(), count));
        return detail::finish(v, size);
    }
    outcome set_scratch(cl_mem scratch)
    {
        return detail::finish(detail::judge(typename Api::set_scratch{}(base::get(), scratch)));
    }

  private:
    template <class Function, class... Tuples> outcome call(Function function, const on &where, Tuples... arguments)
    {
        return detail::finish(detail::judge(
            std::apply(function, std::tuple_cat(std::make_tuple(base::get(), where.queue), arguments...,
                                                std::make_tuple(where.num_waits, where.waits, where.done)))));
    }
};

/* The primitives: which functions of C each has besides create, enqueue and destroy. */

#define CLPRIM_CPP_CALL(stem, name)                                                                                    \
    struct name {                                                                                                      \
        template <class... Arguments>                                                                                  \
        auto operator()(Arguments... arguments) const -> decltype(clprim_##stem##_##name(arguments...))                \
        {                                                                                                              \
            return clprim_##stem##_##name(arguments...);                                                               \
        }                                                                                                              \
    };
#define CLPRIM_CPP_SCRATCH(stem) CLPRIM_CPP_CALL(stem, scratch_size) CLPRIM_CPP_CALL(stem, set_scratch)
#define CLPRIM_CPP_API(stem, more)                                                                                     \
    namespace api {                                                                                                    \
    struct stem {                                                                                                      \
        using handle = clprim_##stem;                                                                                  \
        using desc = clprim_##stem##_desc;                                                                             \
        CLPRIM_CPP_CALL(stem, create)                                                                                  \
        CLPRIM_CPP_CALL(stem, destroy)                                                                                 \
        CLPRIM_CPP_CALL(stem, enqueue)                                                                                 \
        more                                                                                                           \
    };                                                                                                                 \
    }                                                                                                                  \
    using stem##_plan = plan<api::stem>;

CLPRIM_CPP_API(reduce, CLPRIM_CPP_SCRATCH(reduce))
CLPRIM_CPP_API(scan, CLPRIM_CPP_SCRATCH(scan) CLPRIM_CPP_CALL(scan, enqueue_segments))
CLPRIM_CPP_API(select, CLPRIM_CPP_SCRATCH(select) CLPRIM_CPP_CALL(select, enqueue_flagged))
CLPRIM_CPP_API(unique, CLPRIM_CPP_SCRATCH(unique))
CLPRIM_CPP_API(run_length_encode, CLPRIM_CPP_SCRATCH(run_length_encode))
CLPRIM_CPP_API(reduce_by_key, CLPRIM_CPP_SCRATCH(reduce_by_key))
CLPRIM_CPP_API(histogram, CLPRIM_CPP_SCRATCH(histogram) CLPRIM_CPP_CALL(histogram, enqueue_weighted))
CLPRIM_CPP_API(radix_sort, CLPRIM_CPP_SCRATCH(radix_sort) CLPRIM_CPP_CALL(radix_sort, enqueue_pairs))
CLPRIM_CPP_API(comparison_sort, CLPRIM_CPP_SCRATCH(comparison_sort) CLPRIM_CPP_CALL(comparison_sort, enqueue_pairs))
CLPRIM_CPP_API(bitonic_sort,
               CLPRIM_CPP_CALL(bitonic_sort, enqueue_pairs) CLPRIM_CPP_CALL(bitonic_sort, enqueue_segments))
CLPRIM_CPP_API(segmented_sort, CLPRIM_CPP_SCRATCH(segmented_sort) CLPRIM_CPP_CALL(segmented_sort, enqueue_pairs))
CLPRIM_CPP_API(sort_by_key, CLPRIM_CPP_SCRATCH(sort_by_key))
CLPRIM_CPP_API(top_k, CLPRIM_CPP_SCRATCH(top_k) CLPRIM_CPP_CALL(top_k, enqueue_pairs))
CLPRIM_CPP_API(merge, CLPRIM_CPP_CALL(merge, enqueue_pairs))
CLPRIM_CPP_API(is_sorted, CLPRIM_CPP_SCRATCH(is_sorted))
CLPRIM_CPP_API(search, )
#undef CLPRIM_CPP_API
#undef CLPRIM_CPP_SCRATCH
#undef CLPRIM_CPP_CALL

/* On the host. Each is the C function clprim_<name>_host with its types filled in. */

/* All elements of `in`, folded to a Result: the element's type where none is named, one that holds more for SUM and
 * PROD (reduce<double>(floats)), clprim_indexed for ARGMIN and ARGMAX. */
template <class Result = void, class In>
auto reduce(const In &in, clprim_reduce_desc desc, const runtime_ref &runtime = nullptr)
{
    using element = detail::value_of<const In>;
    using value = std::conditional_t<std::is_void_v<Result>, element, Result>;
    value out = {};
    const char *problem = detail::describe_fold<element, value>(desc);
    const detail::verdict v = detail::checks(runtime, problem).then([&] {
        return clprim_reduce_host(&out, runtime, &desc, std::data(in), std::size(in));
    });
    return detail::finish(v, out);
}

template <class Result = void, class In>
auto reduce(const In &in, clprim_op op = CLPRIM_SUM, const runtime_ref &runtime = nullptr)
{
    clprim_reduce_desc desc = {};
    desc.op = op;
    return reduce<Result>(in, desc, runtime);
}

/* Prefixes of `in` to `out`, whose elements may hold more, or be clprim_indexed, as reduce's Result. */
template <class In, class Heads, class Out>
outcome scan_segments(const In &in, const Heads &heads, Out &&out, clprim_scan_desc desc,
                      const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    detail::describe_array<detail::value_of<const Heads>>(desc.segments_type);
    return detail::finish(detail::checks(runtime, problem)
                              .room("out", std::size(out), std::size(in), "as many as in")
                              .room("heads", std::size(heads), std::size(in), "as many as in")
                              .then([&] {
                                  return clprim_scan_host(std::data(out), runtime, &desc, std::data(in),
                                                          std::data(heads), std::size(in));
                              }));
}

template <class In, class Out>
outcome scan(const In &in, Out &&out, clprim_scan_desc desc, const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    return detail::finish(
        detail::checks(runtime, problem).room("out", std::size(out), std::size(in), "as many as in").then([&] {
            return clprim_scan_host(std::data(out), runtime, &desc, std::data(in), nullptr, std::size(in));
        }));
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

/* The number of elements that are in no bin of any channel. */
template <class In, class Out>
result<std::uint64_t> histogram(const In &in, const void *weights, checks check, Out &&out, clprim_histogram_desc &desc,
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
    check.room("out", std::size(out), bins <= SIZE_MAX / active ? bins * active : bins, "one for each channel's bins")
        .multiple("in", std::size(in), channels, "one for each channel");
    const verdict v = check.then([&] {
        return clprim_histogram_host(std::data(out), outside, runtime, &desc, std::data(in), weights,
                                     std::size(in) / channels);
    });
    return finish(v, outside[0] + outside[1] + outside[2] + outside[3]);
}

} // namespace detail

/* How many of `in` are in each bin, to `out`: of as many bins as it has room for, where the description does not say
 * how many. Returns how many elements are in none. */
template <class In, class Out>
result<std::uint64_t> histogram(const In &in, Out &&out, clprim_histogram_desc desc = {},
                                const runtime_ref &runtime = nullptr)
{
    return detail::histogram(in, nullptr, detail::checks(runtime), out, desc, runtime);
}

template <class In, class Weights, class Out>
result<std::uint64_t> histogram_weighted(const In &in, const Weights &weights, Out &&out,
                                         clprim_histogram_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe_array<detail::value_of<const Weights>>(desc.weights_type);
    return detail::histogram(
        in, std::data(weights),
        detail::checks(runtime).room("weights", std::size(weights), std::size(in), "as many as in"), out, desc,
        runtime);
}

namespace detail {

/* `name` is what the caller calls the values. */
#define CLPRIM_CPP_SORT_PAIRS(stem)                                                                                    \
    template <class Keys, class Values>                                                                                \
    outcome stem##_pairs(const char *name, Keys &keys, Values &values, clprim_##stem##_desc desc,                      \
                         const runtime_ref &runtime)                                                                   \
    {                                                                                                                  \
        describe<value_of<Keys>, value_of<Values>>(desc);                                                              \
        return finish(checks(runtime).same(name, std::size(values), "keys", std::size(keys)).then([&] {                \
            return clprim_##stem##_host(std::data(keys), std::data(values), runtime, &desc, std::size(keys));          \
        }));                                                                                                           \
    }
CLPRIM_CPP_SORT_PAIRS(radix_sort)
CLPRIM_CPP_SORT_PAIRS(comparison_sort)
CLPRIM_CPP_SORT_PAIRS(bitonic_sort)
#undef CLPRIM_CPP_SORT_PAIRS

} // namespace detail

/* Sorts, where the arrays lie: keys alone, or with values, of which there is one for each key. */
#define CLPRIM_CPP_SORT(stem)                                                                                          \
    template <class Keys>                                                                                              \
    outcome stem(Keys &&keys, clprim_##stem##_desc desc = {}, const runtime_ref &runtime = nullptr)                    \
    {                                                                                                                  \
        detail::describe<detail::value_of<Keys>>(desc);                                                                \
        return detail::finish(detail::checks(runtime).then(                                                            \
            [&] { return clprim_##stem##_host(std::data(keys), nullptr, runtime, &desc, std::size(keys)); }));         \
    }                                                                                                                  \
    template <class Keys, class Values>                                                                                \
    outcome stem##_pairs(Keys &&keys, Values &&values, clprim_##stem##_desc desc = {},                                 \
                         const runtime_ref &runtime = nullptr)                                                         \
    {                                                                                                                  \
        return detail::stem##_pairs("values", keys, values, desc, runtime);                                            \
    }
CLPRIM_CPP_SORT(radix_sort)
CLPRIM_CPP_SORT(comparison_sort)
CLPRIM_CPP_SORT(bitonic_sort)
#undef CLPRIM_CPP_SORT

/* Sorts the keys, and writes for each the index at which it was: of 4 or 8 bytes. */
template <class Keys, class Indices>
outcome argsort(Keys &&keys, Indices &&indices, clprim_radix_sort_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    desc.argsort = true;
    return detail::radix_sort_pairs("indices", keys, indices, desc, runtime);
}

/* `offsets`: one more than there are segments, of 4 or 8 bytes. */
template <class Keys, class Values, class Offsets>
outcome segmented_sort_pairs(Keys &&keys, Values &&values, const Offsets &offsets, clprim_segmented_sort_desc desc = {},
                             const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<Keys>, detail::value_of<Values>>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    return detail::finish(detail::checks(runtime).same("values", std::size(values), "keys", std::size(keys)).then([&] {
        return clprim_segmented_sort_host(std::data(keys), std::data(values), runtime, &desc, std::size(keys),
                                          std::data(offsets), std::size(offsets) - (std::size(offsets) > 0));
    }));
}

template <class Keys, class Offsets>
outcome segmented_sort(Keys &&keys, const Offsets &offsets, clprim_segmented_sort_desc desc = {},
                       const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<Keys>>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    return detail::finish(detail::checks(runtime).then([&] {
        return clprim_segmented_sort_host(std::data(keys), nullptr, runtime, &desc, std::size(keys), std::data(offsets),
                                          std::size(offsets) - (std::size(offsets) > 0));
    }));
}

/* arrays: std::tie(names, sizes, ...), of any types that can be copied byte by byte. */
template <class Keys, class... Arrays>
outcome sort_by_key(Keys &&keys, std::tuple<Arrays &...> arrays, clprim_sort_by_key_desc desc = {},
                    const runtime_ref &runtime = nullptr)
{
    static_assert(sizeof...(Arrays) >= 1 && sizeof...(Arrays) <= CLPRIM_SORT_BY_KEY_MAX_ARRAYS, "1 to 16 arrays");
    detail::describe<detail::value_of<Keys>>(desc);
    (detail::require_bytes<detail::value_of<Arrays>>(), ...);
    desc.num_arrays = 0;
    ((desc.element_sizes[desc.num_arrays++] = sizeof(detail::value_of<Arrays>)), ...);
    return std::apply(
        [&](Arrays &...array) {
            void *const pointers[] = {static_cast<void *>(std::data(array))...};
            detail::checks check(runtime);
            char name[16];
            int number = 0;
            ((std::snprintf(name, sizeof name, "array %d", ++number),
              check.same(name, std::size(array), "keys", std::size(keys))),
             ...);
            return detail::finish(check.then(
                [&] { return clprim_sort_by_key_host(std::data(keys), pointers, runtime, &desc, std::size(keys)); }));
        },
        arrays);
}

/* What was selected, to `out`, which has room for all; returns how many that are. */
template <class In, class Flags, class Out>
result<std::size_t> select_flagged(const In &in, const Flags &flags, Out &&out, clprim_select_desc desc = {},
                                   const runtime_ref &runtime = nullptr)
{
    static_assert(std::is_same_v<detail::value_of<const In>, detail::value_of<Out>>, "other elements");
    std::size_t selected = 0;
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<const Flags>>(desc.flags_type);
    const detail::verdict v = detail::checks(runtime)
                                  .room("out", std::size(out), std::size(in), "as many as in")
                                  .room("flags", std::size(flags), std::size(in), "as many as in")
                                  .then([&] {
                                      return clprim_select_host(std::data(out), &selected, runtime, &desc,
                                                                std::data(in), std::data(flags), std::size(in));
                                  });
    return detail::finish(v, selected);
}

#define CLPRIM_CPP_COMPACT(stem, ...)                                                                                  \
    template <class In, class Out>                                                                                     \
    result<std::size_t> stem(const In &in, Out &&out, clprim_##stem##_desc desc = {},                                  \
                             const runtime_ref &runtime = nullptr)                                                     \
    {                                                                                                                  \
        static_assert(std::is_same_v<detail::value_of<const In>, detail::value_of<Out>>, "other elements");            \
        std::size_t selected = 0;                                                                                      \
        detail::describe<detail::value_of<const In>>(desc);                                                            \
        const detail::verdict v =                                                                                      \
            detail::checks(runtime).room("out", std::size(out), std::size(in), "as many as in").then([&] {             \
                return clprim_##stem##_host(std::data(out), &selected, runtime, &desc, __VA_ARGS__, std::size(in));    \
            });                                                                                                        \
        return detail::finish(v, selected);                                                                            \
    }
CLPRIM_CPP_COMPACT(select, std::data(in), nullptr)
CLPRIM_CPP_COMPACT(unique, std::data(in))
#undef CLPRIM_CPP_COMPACT

/* Runs of equal elements: each one's element and length. Returns how many there are. */
template <class In, class Out, class Lengths>
result<std::size_t> run_length_encode(const In &in, Out &&out, Lengths &&lengths,
                                      clprim_run_length_encode_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    static_assert(std::is_same_v<detail::value_of<const In>, detail::value_of<Out>>, "other elements");
    std::size_t runs = 0;
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<Lengths>>(desc.lengths_type);
    const detail::verdict v =
        detail::checks(runtime)
            .room("out", std::size(out), std::size(in), "as many as in")
            .room("lengths", std::size(lengths), std::size(in), "as many as in")
            .then([&] {
                return clprim_run_length_encode_host(std::data(out), std::data(lengths), &runs, runtime, &desc,
                                                     std::data(in), std::size(in));
            });
    return detail::finish(v, runs);
}

/* Runs of equal keys: each one's key and its values folded, as in reduce. Returns how many there are. */
template <class Keys, class Values, class KeysOut, class ValuesOut>
result<std::size_t> reduce_by_key(const Keys &keys, const Values &values, KeysOut &&keys_out, ValuesOut &&values_out,
                                  clprim_reduce_by_key_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    static_assert(std::is_same_v<detail::value_of<const Keys>, detail::value_of<KeysOut>>, "other keys");
    std::size_t runs = 0;
    const char *problem = detail::describe_fold<detail::value_of<const Values>, detail::value_of<ValuesOut>>(desc);
    detail::describe_array<detail::value_of<const Keys>>(desc.key_type);
    const detail::verdict v =
        detail::checks(runtime, problem)
            .same("values", std::size(values), "keys", std::size(keys))
            .room("keys_out", std::size(keys_out), std::size(keys), "as many as keys")
            .room("values_out", std::size(values_out), std::size(keys), "as many as keys")
            .then([&] {
                return clprim_reduce_by_key_host(std::data(keys_out), std::data(values_out), &runs, runtime, &desc,
                                                 std::data(keys), std::data(values), std::size(keys));
            });
    return detail::finish(v, runs);
}

namespace detail {

/* `values` is nullptr where there are none, or where they are the indices. */
template <class Keys, class Out>
result<std::size_t> top_k(const Keys &keys, const void *values, checks check, Out &&out, void *values_out,
                          clprim_top_k_desc &desc, const runtime_ref &runtime)
{
    static_assert(std::is_same_v<value_of<const Keys>, value_of<Out>>, "other keys");
    if (desc.k == 0)
        desc.k = std::size(out);
    const std::size_t found = desc.k < std::size(keys) ? desc.k : std::size(keys);
    const verdict v = check.room("out", std::size(out), found, "for the description's k").then([&] {
        return clprim_top_k_host(std::data(out), values_out, runtime, &desc, std::data(keys), values, std::size(keys));
    });
    return finish(v, found);
}

} // namespace detail

/* The largest keys, or those that the description says: as many as there is room for in `out`, or .k. Returns how many
 * there are. */
template <class Keys, class Out>
result<std::size_t> top_k(const Keys &keys, Out &&out, clprim_top_k_desc desc = {},
                          const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>>(desc);
    return detail::top_k(keys, nullptr, detail::checks(runtime), out, nullptr, desc, runtime);
}

template <class Keys, class Values, class Out, class ValuesOut>
result<std::size_t> top_k_pairs(const Keys &keys, const Values &values, Out &&out, ValuesOut &&values_out,
                                clprim_top_k_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    static_assert(std::is_same_v<detail::value_of<const Values>, detail::value_of<ValuesOut>>, "other values");
    detail::describe<detail::value_of<const Keys>, detail::value_of<ValuesOut>>(desc);
    const auto check = detail::checks(runtime)
                           .same("values", std::size(values), "keys", std::size(keys))
                           .room("values_out", std::size(values_out), std::size(out), "as many as out");
    return detail::top_k(keys, std::data(values), check, out, std::data(values_out), desc, runtime);
}

/* And the index of each, of 4 or 8 bytes. */
template <class Keys, class Out, class Indices>
result<std::size_t> top_k_indices(const Keys &keys, Out &&out, Indices &&indices, clprim_top_k_desc desc = {},
                                  const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>, detail::value_of<Indices>>(desc);
    desc.indices = true;
    const auto check = detail::checks(runtime).room("indices", std::size(indices), std::size(out), "as many as out");
    return detail::top_k(keys, nullptr, check, out, std::data(indices), desc, runtime);
}

/* Two ranges in order to one. */
template <class A, class B, class Out>
outcome merge(const A &a, const B &b, Out &&out, clprim_merge_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    using element = detail::value_of<const A>;
    static_assert(std::is_same_v<detail::value_of<const B>, element> && std::is_same_v<detail::value_of<Out>, element>,
                  "other elements");
    detail::describe<element>(desc);
    return detail::finish(detail::checks(runtime)
                              .room("out", std::size(out), std::size(a) + std::size(b), "as many as a and b together")
                              .then([&] {
                                  return clprim_merge_host(std::data(out), nullptr, runtime, &desc, std::data(a),
                                                           nullptr, std::size(a), std::data(b), nullptr, std::size(b));
                              }));
}

template <class A, class AValues, class B, class BValues, class Out, class OutValues>
outcome merge_pairs(const A &a, const AValues &a_values, const B &b, const BValues &b_values, Out &&out,
                    OutValues &&out_values, clprim_merge_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    using element = detail::value_of<const A>;
    using value = detail::value_of<const AValues>;
    static_assert(std::is_same_v<detail::value_of<const B>, element> && std::is_same_v<detail::value_of<Out>, element>,
                  "other elements");
    static_assert(std::is_same_v<detail::value_of<const BValues>, value> &&
                      std::is_same_v<detail::value_of<OutValues>, value>,
                  "other values");
    detail::describe<element, value>(desc);
    const std::size_t count = std::size(a) + std::size(b);
    auto check = detail::checks(runtime);
    check.same("a_values", std::size(a_values), "a", std::size(a))
        .same("b_values", std::size(b_values), "b", std::size(b));
    check.room("out", std::size(out), count, "as many as a and b together")
        .room("out_values", std::size(out_values), count, "as many as a and b together");
    return detail::finish(check.then([&] {
        return clprim_merge_host(std::data(out), std::data(out_values), runtime, &desc, std::data(a),
                                 std::data(a_values), std::size(a), std::data(b), std::data(b_values), std::size(b));
    }));
}

/* How many elements are in order, from the first one on. */
template <class In>
result<std::size_t> is_sorted_until(const In &in, clprim_is_sorted_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    bool yes = false;
    std::size_t until = 0;
    detail::describe<detail::value_of<const In>>(desc);
    const detail::verdict v = detail::checks(runtime).then(
        [&] { return clprim_is_sorted_host(&yes, &until, runtime, &desc, std::data(in), std::size(in)); });
    return detail::finish(v, until);
}

template <class In>
result<bool> is_sorted(const In &in, clprim_is_sorted_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    bool yes = false;
    detail::describe<detail::value_of<const In>>(desc);
    const detail::verdict v = detail::checks(runtime).then(
        [&] { return clprim_is_sorted_host(&yes, nullptr, runtime, &desc, std::data(in), std::size(in)); });
    return detail::finish(v, yes);
}

/* For each needle where it belongs in `in`, which is in order, to `out`, of uint32_t or uint64_t. */
template <class In, class Needles, class Out>
outcome search(const In &in, const Needles &needles, Out &&out, clprim_search_desc desc = {},
               const runtime_ref &runtime = nullptr)
{
    static_assert(std::is_same_v<detail::value_of<const In>, detail::value_of<const Needles>>, "other needles");
    detail::describe<detail::value_of<const In>>(desc);
    detail::describe_array<detail::value_of<Out>>(desc.index_type);
    return detail::finish(
        detail::checks(runtime).room("out", std::size(out), std::size(needles), "as many as needles").then([&] {
            return clprim_search_host(std::data(out), runtime, &desc, std::data(in), std::size(in), std::data(needles),
                                      std::size(needles));
        }));
}

} // namespace
} // namespace clprim

#endif
