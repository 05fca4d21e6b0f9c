/* clprim/operation.h: what every operation's description and call consist of, as data.
 *
 * Each operation has one table, clprim_<operation>_operation. The library checks calls by it; bindings, tools and tests
 * read it: it names every member of the two structs with its kind, place and default, says how long each array is and
 * which output may lie in place of which input, and it holds the operation's three functions without their types.
 * clprim_operations() lists all tables; CLPRIM_OPERATIONS (clprim/operations.h) has their names for the preprocessor.
 *
 *     for (const clprim_member *m = clprim_merge_operation.call_members; m->name != NULL; m++)
 *         printf("%s: %s\n", m->name, m->summary);
 *
 * All of it is static and constant. */
#ifndef CLPRIM_OPERATION_H
#define CLPRIM_OPERATION_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clprim_plan clprim_plan;

/* The C type of a member. */
typedef enum clprim_member_kind {
    CLPRIM_MEMBER_TYPE = 0,  /* clprim_type */
    CLPRIM_MEMBER_ENUM,      /* an enumeration: see .enumerators; for .variant see clprim_operation.variants */
    CLPRIM_MEMBER_BOOL,      /* bool */
    CLPRIM_MEMBER_UNSIGNED,  /* unsigned */
    CLPRIM_MEMBER_SIZE,      /* size_t */
    CLPRIM_MEMBER_DOUBLE,    /* double */
    CLPRIM_MEMBER_TEXT,      /* const char *: OpenCL C */
    CLPRIM_MEMBER_DATA,      /* const void *: values on the host, copied by create */
    CLPRIM_MEMBER_CUSTOM_OP, /* const clprim_custom_op * */
    CLPRIM_MEMBER_PARAMETER, /* clprim_parameter: a name for texts, and what it stands for */
    CLPRIM_MEMBER_INPUT,     /* clprim_array that is read */
    CLPRIM_MEMBER_OUTPUT     /* clprim_array that is written */
} clprim_member_kind;

/* An enumerator; a list of them ends with a NULL name. */
typedef struct clprim_enumerator {
    const char *name; /* without its prefix, in lower case */
    int value;
} clprim_enumerator;

/* What one element of an array is. */
typedef struct clprim_element {
    size_t size;      /* in bytes; 0: with this description the call has no such array */
    clprim_type type; /* CLPRIM_TYPE_DEFAULT where it is no built-in type: the caller's struct, or plain bytes */
} clprim_element;

/* A member of a description or of a call. A list of them ends with a NULL name. */
typedef struct clprim_member {
    const char *name;
    const char *summary; /* one line: meaning, unit, default */
    clprim_member_kind kind;
    size_t place; /* offset in the struct, in bytes */
    size_t size;  /* of the member, in bytes */
    const clprim_enumerator *enumerators;
    /* Of arrays. DATA has .element and .length, too; its length takes a NULL call: */
    size_t repeat;                                             /* this many clprim_array one after another; 0: one */
    clprim_element (*element)(const void *desc, size_t index); /* of the index-th of them */
    size_t (*length)(const void *desc, const void *call);      /* in elements; SIZE_MAX where it does not fit size_t */
    const char *in_place_of; /* the input in whose place this output may be written; NULL: it overlaps nothing */
    const char *counted_by;  /* the output that says how many elements of this one are written; NULL: all of them */
    bool (*is_whole)(const void *desc); /* all elements are written in spite of .counted_by; NULL: never */
    bool (*is_read)(const void *desc);  /* what this output held before counts, too; NULL: never */
    /* Of arguments, whose lengths are their own (clprim_array.length, else .length): the index-th is one value on the
     * host, which enqueue copies; NULL: this member is no argument. */
    bool (*is_value)(const void *desc, size_t index);
    bool is_optional;                    /* the call may leave it out */
    bool is_partial;                     /* some of its elements may keep what they held */
    bool (*is_needed)(const void *desc); /* .is_optional does not hold with this description; NULL: it always holds */
} clprim_member;

/* An operation. */
typedef struct clprim_operation {
    const char *name;    /* "merge": functions and structs begin with clprim_merge_ */
    const char *summary; /* one line */
    size_t desc_size;    /* of clprim_<name>_desc, in bytes */
    size_t call_size;    /* of clprim_<name>_call, in bytes */
    const clprim_member *desc_members;
    const clprim_member *call_members; /* in the order of the struct: inputs, counts, outputs */
    /* All variants but AUTO, *count of them. NULL where the operation has none of its own. */
    const clprim_variant_info *(*variants)(size_t *count);
    /* clprim_<name>_create, clprim_<name>_enqueue and clprim_<name>_run. */
    clprim_status (*create)(clprim_plan **out, clprim_runtime *runtime, const void *desc);
    clprim_status (*enqueue)(clprim_plan *plan, cl_command_queue queue, const void *call, cl_uint num_waits,
                             const cl_event *waits, cl_event *done);
    clprim_status (*run)(clprim_runtime *runtime, const void *desc, const void *call);
} clprim_operation;

/* The tables of all operations, *count of them. Only the whole library has this function, not the library of a single
 * operation. */
CLPRIM_API const clprim_operation *const *clprim_operations(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
