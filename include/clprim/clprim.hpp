// SPDX-License-Identifier: MIT
/* clprim/clprim.hpp: clPRIM for C++17. This is a thin layer over the C functions and uses their descriptions. The C
 * headers say what the functions do, what they cost, and which errors they return.
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
 * ON THE HOST
 *
 * All functions take first the arrays, then the C description, then the runtime. An array is anything with std::data
 * and std::size (a span, a std::vector, an array). Description and runtime may be left out. The functions set the
 * description's types and sizes from the elements of the arrays. The caller sets everything else:
 *
 *     clprim::radix_sort(prices, {.descending = true});                  // C++20
 *     clprim_radix_sort_desc down = {}; down.descending = true;          // C++17
 *     clprim::radix_sort(prices, down);
 *
 * (For the first form, g++ -Wextra warns about the members left out: use -Wno-missing-field-initializers.)
 *
 * Every operation of the library (CLPRIM_OPERATIONS) also has clprim::<operation>_plan::run, which takes the C call,
 * with clprim::host(array) for each array.
 *
 * ON THE DEVICE
 *
 * clprim::<operation>_plan owns a plan and can be moved. Its enqueue takes the queue, optionally with events, and the C
 * call. at(buffer, offset) makes a clprim_array from a buffer, svm(pointer, offset) from shared virtual memory.
 *
 * TYPES
 *
 * Elements are integers, float, double, clprim::half, or bool as U8. For arrays of uint16_t, the description may say
 * CLPRIM_F16 or CLPRIM_BF16. Keys of clprim::uint128 are CLPRIM_U128. For a struct, the description must have its
 * .type_name in OpenCL C. Other elements do not compile:
 * strings, pointers, long double. Values that belong to keys may have any type that can be copied byte by byte.
 *
 * RUNTIME
 *
 * A runtime argument is a clprim::runtime, a clprim_runtime * of C, or nullptr for clprim_runtime_default().
 *
 * ERRORS
 *
 * Functions throw a clprim::error with the status and the sentence of the C function. With CLPRIM_NO_EXCEPTIONS, or if
 * the compiler has no exceptions, they return a clprim::outcome, or a clprim::result with the value. .made() then
 * returns the outcome of a constructor. An outcome and a result convert to `true` if there was no error.
 *
 * Two errors are found before a C function is called. CLPRIM_INVALID_RANGE: the sizes of two arrays do not match; the
 * sentence names the array and both sizes. CLPRIM_INVALID_ARGUMENT: a clprim::runtime was moved from, or its
 * constructor failed. */
#ifndef CLPRIM_CLPRIM_HPP
#define CLPRIM_CLPRIM_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "clprim/clprim.hpp needs C++17 or later (-std=c++17)"
#else

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

/* Element types. */

#ifdef __cpp_lib_span
using std::span;
#else
/* The part of std::span that passes a pointer and a count. */
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

#ifdef __SIZEOF_INT128__
/* CLPRIM_U128. */
__extension__ typedef unsigned __int128 uint128;
#endif

namespace types {

template <class T> constexpr clprim_type type_of()
{
    if constexpr (std::is_same_v<T, half>)
        return CLPRIM_F16;
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return sizeof(T) == 4 ? CLPRIM_F32 : CLPRIM_F64;
#ifdef __SIZEOF_INT128__
    else if constexpr (std::is_same_v<T, uint128>)
        return CLPRIM_U128;
#endif
    else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
        return sizeof(T) == 1        ? std::is_signed_v<T> ? CLPRIM_I8 : CLPRIM_U8
               : sizeof(T) == 2      ? std::is_signed_v<T> ? CLPRIM_I16 : CLPRIM_U16
               : sizeof(T) == 4      ? std::is_signed_v<T> ? CLPRIM_I32 : CLPRIM_U32
               : std::is_signed_v<T> ? CLPRIM_I64
                                     : CLPRIM_U64;
    else
        return CLPRIM_TYPE_END;
}

/* Elements are numbers, and also structs if the description can name a type in OpenCL C. */
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
CLPRIM_CPP_HAS(element_size)
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

/* A description may say that 16-bit integers hold halves, or numbers of BF16. A struct becomes an unknown type, which
 * the C function refuses. */
template <class T> void set_type(clprim_type &type)
{
    if ((type != CLPRIM_F16 && type != CLPRIM_BF16) || !std::is_same_v<T, std::uint16_t>)
        type = type_of<T>();
}

template <class T, class V, class Desc> void describe_typed(Desc &desc)
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

/* Set the description's types and sizes for elements of type T, with values of type V. */
template <class T, class V = void, class Desc> void describe(Desc &desc)
{
    if constexpr (has_element_size<Desc>::value) {
        require_bytes<T>();
        desc.element_size = sizeof(T);
    } else {
        describe_typed<T, V>(desc);
    }
}

/* Set the type of an array that belongs to the elements: counts, flags, offsets. */
template <class T> void describe_array(clprim_type &type)
{
    require_number<T>();
    set_type<T>(type);
}

/* Set the type of indices, which may also be signed. The C function refuses other sizes than 4 and 8 bytes. */
template <class T> void describe_indices(clprim_type &type)
{
    require_number<T>();
    type = sizeof(T) == 4 ? CLPRIM_U32 : sizeof(T) == 8 ? CLPRIM_U64 : type_of<T>();
}

/* Set the description's types for elements of type T that are reduced to an A. Returns a sentence if A cannot hold the
 * results of a custom operator, or of ARGMIN and ARGMAX; otherwise nullptr. */
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

/* The clprim_type of T, for descriptions that a program fills in itself. */
template <class T> inline constexpr clprim_type type_of = types::type_of<std::remove_cv_t<T>>();

/* Namespaces of their own: the translation units of one program may report errors in different ways. */
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
/* Whether a call succeeded. The sentence is valid until the next call that fails in this thread. */
struct [[nodiscard]] outcome {
    clprim_status status = CLPRIM_SUCCESS;
    const char *sentence = "";
    explicit operator bool() const
    {
        return status == CLPRIM_SUCCESS;
    }
};

/* An outcome with a value, which is set if the call succeeded. */
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
/* An error. what() is the sentence of clprim_last_error(). */
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

/* The owner of an object that a C function made. */
template <class Handle, class Destroy> class owner {
  public:
    /* The object, for C functions. nullptr if making it failed, or if it was moved from. */
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

/* One device; see clprim/runtime.h. Plans hold references to their runtime. After a runtime was moved from, every use
 * of it except get() throws an error. Without exceptions, its functions then return nullptr, and info() is empty. */
class runtime : public detail::owner<clprim_runtime, detail::destroy_runtime> {
  public:
    explicit runtime(const clprim_runtime_desc &desc = {})
        : owner([&](clprim_runtime **out) { return clprim_runtime_create(out, &desc); })
    {
    }
    explicit runtime(cl_command_queue queue) : runtime(of_queue(queue))
    {
    }
    /* clprim_runtime_of: a reference to the runtime that the library keeps for the queue's context and device. */
    static runtime of(cl_command_queue queue)
    {
        return runtime(queue, true);
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
    runtime(cl_command_queue queue, bool /* which the library keeps */)
        : owner([&](clprim_runtime **out) { return clprim_runtime_of(out, queue); })
    {
    }
    static clprim_runtime_desc of_queue(cl_command_queue queue)
    {
        clprim_runtime_desc desc = {};
        desc.queue = queue;
        return desc;
    }
};

/* The runtime that a function uses: a runtime of C++ or C, which the caller keeps alive, or nullptr for the default. */
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

/* Checks before a C function is called. The object keeps the first error, whose sentence is valid until a check finds
 * the next error in this thread. */
class checks {
  public:
    explicit checks(const runtime_ref &runtime, const char *problem = nullptr) : found_(runtime.checked())
    {
        if (problem != nullptr && passed())
            found_ = {CLPRIM_INVALID_RANGE, problem};
    }
    /* Check that an array has at least `needed` elements; `what` says why. */
    checks &room(const char *array, std::size_t size, std::size_t needed, const char *what)
    {
        if (size < needed && passed())
            refuse(std::snprintf(sentence(), sentence_size, "%s has %zu elements; it must have at least %zu, %s", array,
                                 size, needed, what));
        return *this;
    }
    /* Check that an array has an element for each element of another array. */
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

/* An array in a buffer, from element `first` on. */
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

/* An array on the host, for run. The const is cast away, because clprim_array has one pointer for inputs
 * and outputs. */
template <class Range> clprim_array host(const Range &range)
{
    return {nullptr, 0, const_cast<void *>(static_cast<const void *>(std::data(range))), 0, nullptr};
}

/* An array in shared virtual memory, from element `first` on. clSVMAlloc returned `pointer`. */
template <class T> clprim_array svm(const T *pointer, std::size_t first = 0)
{
    return {nullptr, first, nullptr, 0, const_cast<void *>(static_cast<const void *>(pointer))};
}

/* Where enqueue puts an operation: the queue (nullptr: the runtime's own), the events that the operation waits for, and
 * where to store its own event, which the caller releases. */
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

/* Set the description for any number of elements, with 64-bit numbers as results. */
template <class Desc> void count_wide(Desc &desc, std::size_t count)
{
    desc.index_type = CLPRIM_U64;
    desc.max_count = count;
}

} // namespace detail

/* A plan. Make it once, and enqueue it as often as you like, in one thread at a time. See clprim/plan.h. */
template <class Api> class plan : public detail::owner<clprim_plan, detail::destroy_plan> {
    using base = detail::owner<clprim_plan, detail::destroy_plan>;

  public:
    using desc_type = typename Api::desc;
    using call_type = typename Api::call;

    /* clprim_<operation>_create. A nullptr runtime means clprim_runtime_default(). */
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

    /* Make a plan for elements or keys of type T, optionally with values of type V. */
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

    /* clprim_<operation>_run, with arrays from host(), at() or svm(). It needs no plan. */
    static outcome run(const call_type &call, const desc_type &desc = {}, const runtime_ref &runtime = nullptr)
    {
        return detail::finish(detail::checks(runtime).then([&] { return Api::run(runtime, &desc, &call); }));
    }

    /* clprim_plan_record. `buffer` is a cl_command_buffer_khr; `after` and `done` are sync points. */
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

/* Functions for arrays on the host. Each one fills in the types and calls clprim_<name>_run. If none does what you
 * want, use clprim::<operation>_plan::run, which takes the C call, with clprim::host(array) for each array. */

namespace detail {

/* A call of run: its arrays, the checks of their sizes, and the call itself. */
template <class Api> class job {
  public:
    typename Api::call call = {};

    job(const typename Api::desc &desc, const runtime_ref &runtime, const char *problem = nullptr)
        : desc_(desc), runtime_(runtime), checks_(runtime, problem)
    {
    }
    job(const job &) = delete; // `call` may hold the address of counted_
    job &operator=(const job &) = delete;
    /* The array, checked to have at least `needed` elements; `what` says why. */
    template <class Range> clprim_array room(const char *name, const Range &array, std::size_t needed, const char *what)
    {
        checks_.room(name, std::size(array), needed, what);
        return host(array);
    }
    /* The array, checked to have an element for each element of another array. */
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
    /* Run, and return what the C function wrote to `value`. */
    template <class T, class Value> result<T> run(const Value &value)
    {
        const verdict v = judged();
        return finish(v, static_cast<T>(value));
    }
    /* Run, and return the number of 64 bits that the C function writes to `out`, a member of the call. The number is a
     * member beside the call, which keeps its address. */
    result<std::size_t> run_counting(clprim_array &out)
    {
        out.host = &counted_;
        return run<std::size_t>(counted_);
    }

  private:
    const typename Api::desc &desc_;
    const runtime_ref &runtime_;
    checks checks_;
    std::uint64_t counted_ = 0;
};

template <class A, class... Others> constexpr void require_same()
{
    static_assert((std::is_same_v<value_of<A>, value_of<Others>> && ...),
                  "clPRIM: these arrays must have elements of one type");
}

} // namespace detail

/* Reduce `in` to a Result, by default of the element type. For SUM and PROD, Result may be a wider type, as in
 * reduce<double>(floats). For ARGMIN and ARGMAX, it is clprim_indexed. */
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

/* Reduce each segment of `in` to an element of `out`. `offsets` has one more element than there are segments, each of 4
 * or 8 bytes. */
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

/* Write the elements of `in` to `out` in the pseudo-random order that the seed chooses. */
template <class In, class Out>
outcome shuffle(const In &in, Out &&out, std::uint64_t seed, clprim_shuffle_desc desc = {},
                const runtime_ref &runtime = nullptr)
{
    static_assert(sizeof(detail::value_of<const In>) == sizeof(detail::value_of<Out>),
                  "clPRIM: shuffled elements keep their size");
    detail::describe<detail::value_of<const In>>(desc);
    detail::job<api::shuffle> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.seed = seed;
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    return job.run();
}

/* Write the prefixes of `in` to `out`. The elements of `out` may be wider, or clprim_indexed, like the Result
 * of reduce. */
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

/* Write the prefixes of each segment of `in` to `out`. `offsets` has one more element than there are segments, each of
 * 4 or 8 bytes. */
template <class In, class Offsets, class Out>
outcome scan_by_offsets(const In &in, const Offsets &offsets, Out &&out, clprim_scan_desc desc = {},
                        const runtime_ref &runtime = nullptr)
{
    const char *problem = detail::describe_fold<detail::value_of<const In>, detail::value_of<Out>>(desc);
    detail::describe_array<detail::value_of<const Offsets>>(desc.offsets_type);
    desc.segments = CLPRIM_SEGMENTS_BY_OFFSETS;
    detail::job<api::scan> job(desc, runtime, problem);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("out", out, std::size(in), "as many as in");
    detail::put_offsets(job.call, offsets);
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

/* Count, or add up `weights` if it is not nullptr. Returns the number of elements of all channels that belong to
 * no bin. */
template <class In, class Weights, class Out>
result<std::uint64_t> histogram(const In &in, const Weights *weights, Out &out, clprim_histogram_desc &desc,
                                const runtime_ref &runtime)
{
    const std::size_t channels = desc.channels != 0 ? desc.channels : 1;
    const std::size_t active = desc.active_channels != 0 ? desc.active_channels : channels;
    std::uint64_t outside[4] = {0, 0, 0, 0}; // at most 4 channels
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

/* Count the elements of `in` in each bin, and write the counters to `out`. If .bins is 0, there are as many bins as
 * `out` has room for. Returns the number of elements that belong to no bin. */
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

/* Sort in place: keys alone, or pairs of a key and a value. */
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

/* Sort the keys in place, and write the index that each key had before. Indices have 4 or 8 bytes. */
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

/* Set the keys, which are sorted in place, and the segments. */
template <class Keys, class Offsets>
void put_segments(clprim_segmented_sort_call &call, const Keys &keys, const Offsets &offsets)
{
    call.keys_in = call.keys_out = host(keys);
    call.count = std::size(keys);
    put_offsets(call, offsets);
}

} // namespace detail

/* Sort the keys of each segment in place, with their values. There is one more offset than segments. Offsets have 4 or
 * 8 bytes. With .argsort, the values are indices of 4 or 8 bytes, which are only written. */
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

/* Sort the keys and the arrays in place. `arrays` is std::tie(names, sizes, ...), with elements of any types that can
 * be copied byte by byte. */
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

/* Write to `out` the selected elements, the first element of each run, or the first part of a partition and then the
 * rest. `out` has room for all elements of `in`. Returns the number of elements kept, or in the first part. */
#define CLPRIM_CPP_COMPACT(op)                                                                                         \
    template <class In, class Out>                                                                                     \
    result<std::size_t> op(const In &in, Out &&out, clprim_##op##_desc desc = {},                                      \
                           const runtime_ref &runtime = nullptr)                                                       \
    {                                                                                                                  \
        detail::require_same<const In, Out>();                                                                         \
        detail::describe<detail::value_of<const In>>(desc);                                                            \
        detail::count_wide(desc, std::size(in));                                                                       \
        detail::job<api::op> job(desc, runtime);                                                                       \
        job.call.in = host(in);                                                                                        \
        job.call.count = std::size(in);                                                                                \
        job.call.out = job.room("out", out, std::size(in), "as many as in");                                           \
        return job.run_counting(job.call.out_count);                                                                   \
    }
CLPRIM_CPP_COMPACT(select)
CLPRIM_CPP_COMPACT(unique)
CLPRIM_CPP_COMPACT(partition)
#undef CLPRIM_CPP_COMPACT

/* Write the first key of each run of equal keys, and its value. Returns the number of keys written. */
template <class Keys, class Values, class KeysOut, class ValuesOut>
result<std::size_t> unique_by_key(const Keys &keys, const Values &values, KeysOut &&keys_out, ValuesOut &&values_out,
                                  clprim_unique_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::require_same<const Keys, KeysOut>();
    detail::require_same<const Values, ValuesOut>();
    detail::describe<detail::value_of<const Keys>, detail::value_of<const Values>>(desc);
    detail::count_wide(desc, std::size(keys));
    detail::job<api::unique> job(desc, runtime);
    job.call.in = host(keys);
    job.call.values_in = job.same("values", values, "keys", std::size(keys));
    job.call.count = std::size(keys);
    job.call.out = job.room("keys_out", keys_out, std::size(keys), "as many as keys");
    job.call.values_out = job.room("values_out", values_out, std::size(keys), "as many as keys");
    return job.run_counting(job.call.out_count);
}

#define CLPRIM_CPP_FLAGGED(op)                                                                                         \
    template <class In, class Flags, class Out>                                                                        \
    result<std::size_t> op##_flagged(const In &in, const Flags &flags, Out &&out, clprim_##op##_desc desc = {},        \
                                     const runtime_ref &runtime = nullptr)                                             \
    {                                                                                                                  \
        detail::require_same<const In, Out>();                                                                         \
        detail::describe<detail::value_of<const In>>(desc);                                                            \
        detail::describe_array<detail::value_of<const Flags>>(desc.flags_type);                                        \
        detail::count_wide(desc, std::size(in));                                                                       \
        detail::job<api::op> job(desc, runtime);                                                                       \
        job.call.in = host(in);                                                                                        \
        job.call.count = std::size(in);                                                                                \
        job.call.out = job.room("out", out, std::size(in), "as many as in");                                           \
        job.call.flags = job.room("flags", flags, std::size(in), "as many as in");                                     \
        return job.run_counting(job.call.out_count);                                                                   \
    }
CLPRIM_CPP_FLAGGED(select)
CLPRIM_CPP_FLAGGED(partition)
#undef CLPRIM_CPP_FLAGGED

/* The number of elements in each part of a partition. */
struct partition_counts {
    std::uint64_t first = 0, second = 0, rest = 0;
};

/* Write each part to its own range: two parts by .predicate, or three with .second_predicate. Each range has room for
 * all elements of `in`. */
template <class In, class First, class Rest>
result<partition_counts> partition_separate(const In &in, First &&first, Rest &&rest, clprim_partition_desc desc,
                                            const runtime_ref &runtime = nullptr)
{
    partition_counts counts;
    detail::require_same<const In, First, Rest>();
    detail::describe<detail::value_of<const In>>(desc);
    detail::count_wide(desc, std::size(in));
    desc.separate = true;
    detail::job<api::partition> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("first", first, std::size(in), "as many as in");
    job.call.rest_out = job.room("rest", rest, std::size(in), "as many as in");
    job.call.out_count.host = &counts.first;
    job.call.rest_count.host = &counts.rest;
    return job.template run<partition_counts>(counts);
}

template <class In, class First, class Second, class Rest>
result<partition_counts> partition_three(const In &in, First &&first, Second &&second, Rest &&rest,
                                         clprim_partition_desc desc, const runtime_ref &runtime = nullptr)
{
    partition_counts counts;
    detail::require_same<const In, First, Second, Rest>();
    detail::describe<detail::value_of<const In>>(desc);
    detail::count_wide(desc, std::size(in));
    desc.separate = true;
    detail::job<api::partition> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    job.call.out = job.room("first", first, std::size(in), "as many as in");
    job.call.second_out = job.room("second", second, std::size(in), "as many as in");
    job.call.rest_out = job.room("rest", rest, std::size(in), "as many as in");
    job.call.out_count.host = &counts.first;
    job.call.second_count.host = &counts.second;
    job.call.rest_count.host = &counts.rest;
    return job.template run<partition_counts>(counts);
}

/* Write the element and the length of each run of equal elements. Returns the number of runs. */
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

/* Write the key of each run of equal keys, and its values reduced as reduce does. Returns the number of runs. */
template <class Keys, class Values, class KeysOut, class ValuesOut>
result<std::size_t> reduce_by_key(const Keys &keys, const Values &values, KeysOut &&keys_out, ValuesOut &&values_out,
                                  clprim_reduce_by_key_desc desc = {}, const runtime_ref &runtime = nullptr)
{
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
    return job.run_counting(job.call.out_count);
}

namespace detail {

/* Run a job whose other arrays are set. */
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

/* Write the k largest keys, or with .smallest the k smallest, to `out`. If .k is 0, k is the size of `out`. Returns the
 * number of keys written. */
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

/* Like top_k, but also write the index of each key. Indices have 4 or 8 bytes. */
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

/* Write to `out` the key at each of `ranks` in the sorted order of `keys`. `keys` is unchanged. Ranks have 4 or 8
 * bytes. */
template <class Keys, class Ranks, class Out>
outcome nth_element(const Keys &keys, const Ranks &ranks, Out &&out, clprim_nth_element_desc desc = {},
                    const runtime_ref &runtime = nullptr)
{
    detail::require_same<const Keys, Out>();
    detail::describe<detail::value_of<const Keys>>(desc);
    detail::describe_indices<detail::value_of<const Ranks>>(desc.index_type);
    if (desc.max_ranks == 0)
        desc.max_ranks = std::size(ranks);
    detail::job<api::nth_element> job(desc, runtime);
    job.call.keys_in = host(keys);
    job.call.count = std::size(keys);
    job.call.ranks = host(ranks);
    job.call.rank_count = std::size(ranks);
    job.call.keys_out = job.room("out", out, std::size(ranks), "as many as ranks");
    return job.run();
}

namespace detail {

/* Segments given by offsets, or by one length for all. */
template <class Segments>
void put_segments(job<api::segmented_top_k> &job, clprim_segmented_top_k_desc &desc, const Segments &segments)
{
    if constexpr (std::is_integral_v<Segments>) {
        desc.segment_length = static_cast<std::size_t>(segments);
        job.call.segment_count = segments > 0 ? job.call.count / desc.segment_length : 0;
    } else {
        describe_array<value_of<const Segments>>(desc.offsets_type);
        put_offsets(job.call, segments);
    }
}

/* Run a job whose values are set. */
template <class Keys, class Segments, class Out>
outcome segmented_top_k(job<api::segmented_top_k> &job, const Keys &keys, const Segments &segments, Out &out,
                        clprim_segmented_top_k_desc &desc)
{
    require_same<const Keys, Out>();
    job.call.keys_in = host(keys);
    job.call.count = std::size(keys);
    put_segments(job, desc, segments);
    if (desc.k == 0 && job.call.segment_count > 0)
        desc.k = std::size(out) / job.call.segment_count;
    job.call.keys_out = job.room("out", out, job.call.segment_count * desc.k, "the description's k for each segment");
    return job.run();
}

} // namespace detail

/* Write the k largest keys of each segment, or with .smallest the k smallest, to a row of `out`. `segments` is a range
 * of offsets of 4 or 8 bytes, one more than there are segments; or a number, the length of all segments. If .k is 0, k
 * is the size of `out` divided by the number of segments. */
template <class Keys, class Segments, class Out>
outcome segmented_top_k(const Keys &keys, const Segments &segments, Out &&out, clprim_segmented_top_k_desc desc = {},
                        const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>>(desc);
    detail::job<api::segmented_top_k> job(desc, runtime);
    return detail::segmented_top_k(job, keys, segments, out, desc);
}

/* The same, and write the index of each key in its segment. Indices have 4 or 8 bytes. */
template <class Keys, class Segments, class Out, class Indices>
outcome segmented_top_k_indices(const Keys &keys, const Segments &segments, Out &&out, Indices &&indices,
                                clprim_segmented_top_k_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const Keys>>(desc);
    detail::describe_indices<detail::value_of<Indices>>(desc.index_type);
    desc.indices = true;
    detail::job<api::segmented_top_k> job(desc, runtime);
    job.call.values_out = job.room("indices", indices, std::size(out), "as many as out");
    return detail::segmented_top_k(job, keys, segments, out, desc);
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

/* Returns the index of the first element that satisfies desc.predicate, or the number of elements if none does. */
template <class In>
result<std::size_t> find(const In &in, clprim_find_desc desc = {}, const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const In>>(desc);
    detail::count_wide(desc, std::size(in));
    detail::job<api::find> job(desc, runtime);
    job.call.in = host(in);
    job.call.count = std::size(in);
    return job.run_counting(job.call.out);
}

namespace detail {

/* Run a job whose values are set. */
template <class A, class B, class Out>
result<std::size_t> set_operation(job<api::set_operation> &job, const A &a, const B &b, Out &out, std::size_t room,
                                  clprim_set_operation_desc &desc)
{
    require_same<const A, const B, Out>();
    count_wide(desc, std::size(a) + std::size(b));
    job.call.a_keys = host(a);
    job.call.b_keys = host(b);
    job.call.a_count = std::size(a);
    job.call.b_count = std::size(b);
    job.call.keys_out = job.room("out", out, room, "for the largest result");
    return job.run_counting(job.call.out_count);
}

/* The largest number of elements that the result may have for arrays of these sizes. */
inline std::size_t largest_set(const clprim_set_operation_desc &desc, std::size_t a_count, std::size_t b_count)
{
    switch (desc.op) {
    case CLPRIM_SET_INTERSECTION: return a_count < b_count ? a_count : b_count;
    case CLPRIM_SET_DIFFERENCE: return a_count;
    default: return a_count + b_count;
    }
}

} // namespace detail

/* The union of two sorted ranges, or with .op their intersection, difference or symmetric difference. Returns the
 * number of elements of the result. `out` has room for as many elements as the result may have
 * (clprim/set_operation.h). */
template <class A, class B, class Out>
result<std::size_t> set_operation(const A &a, const B &b, Out &&out, clprim_set_operation_desc desc = {},
                                  const runtime_ref &runtime = nullptr)
{
    detail::describe<detail::value_of<const A>>(desc);
    detail::job<api::set_operation> job(desc, runtime);
    return detail::set_operation(job, a, b, out, detail::largest_set(desc, std::size(a), std::size(b)), desc);
}

/* The same with values. Intersections and differences use only the values of a: there b_values may be empty. */
template <class A, class AValues, class B, class BValues, class Out, class OutValues>
result<std::size_t> set_operation_pairs(const A &a, const AValues &a_values, const B &b, const BValues &b_values,
                                        Out &&out, OutValues &&out_values, clprim_set_operation_desc desc = {},
                                        const runtime_ref &runtime = nullptr)
{
    detail::require_same<const AValues, const BValues, OutValues>();
    detail::describe<detail::value_of<const A>, detail::value_of<const AValues>>(desc);
    detail::job<api::set_operation> job(desc, runtime);
    const std::size_t room = detail::largest_set(desc, std::size(a), std::size(b));
    job.call.a_values = job.same("a_values", a_values, "a", std::size(a));
    if (desc.op == CLPRIM_SET_UNION || desc.op == CLPRIM_SET_SYMMETRIC_DIFFERENCE)
        job.call.b_values = job.same("b_values", b_values, "b", std::size(b));
    job.call.values_out = job.room("out_values", out_values, room, "for the largest result");
    return detail::set_operation(job, a, b, out, room, desc);
}

namespace detail {

/* Compute the length of the longest sorted prefix, for any number of elements. */
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

/* Returns the length of the longest sorted prefix. */
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

/* Write the index at which each needle belongs in the sorted array `in`. `out` has elements of uint32_t or uint64_t. */
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

#endif /* C++17 */

#endif
