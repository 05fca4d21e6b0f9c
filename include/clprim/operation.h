// SPDX-License-Identifier: MIT
/* clprim/operation.h: the description and the call of every operation as data, for programs that work with
 * all operations.
 *
 * Each operation has one table, clprim_<operation>_operation. It lists the members of the two structs with their kinds,
 * places and defaults. For each array it has the length, and for each output the input that it may be in place of. It
 * also has the operation's three functions, with void pointers instead of pointers to the two structs. The library
 * checks calls by this table; bindings, tools and tests read it.
 *
 * clprim_operations() lists all tables. CLPRIM_OPERATIONS (clprim/operations.h) lists their names for the preprocessor.
 *
 *     for (const clprim_member *m = clprim_merge_operation.call_members; m->name != NULL; m++)
 *         printf("%s: %s\n", m->name, m->summary);
 *
 * All tables are static and constant. */
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
    CLPRIM_MEMBER_SIZE,      /* size_t; in a call: a count */
    CLPRIM_MEMBER_DOUBLE,    /* double */
    CLPRIM_MEMBER_TEXT,      /* const char *: OpenCL C */
    CLPRIM_MEMBER_DATA,      /* const void *: values on the host, copied by create */
    CLPRIM_MEMBER_CUSTOM_OP, /* const clprim_custom_op * */
    CLPRIM_MEMBER_PARAMETER, /* clprim_parameter: a name for texts, and what it stands for */
    CLPRIM_MEMBER_INPUT,     /* clprim_array that is read */
    CLPRIM_MEMBER_OUTPUT,    /* clprim_array that is written */
    CLPRIM_MEMBER_UINT64     /* uint64_t: a number that counts nothing, such as a seed */
} clprim_member_kind;

/* An enumerator. A list of enumerators ends with a NULL name. */
typedef struct clprim_enumerator {
    const char *name; /* in lower case, without its prefix */
    int value;
} clprim_enumerator;

/* The element of an array. */
typedef struct clprim_element {
    /* In bytes. 0: with this description, the call does not have the array. */
    size_t size;

    /* CLPRIM_TYPE_DEFAULT if the element is the caller's struct or plain bytes, not a built-in type. */
    clprim_type type;
} clprim_element;

/* A member of a description or of a call. A list of members ends with a NULL name. */
typedef struct clprim_member {
    const char *name;
    const char *summary; /* one line: meaning, unit, default */
    clprim_member_kind kind;
    size_t place;                         /* offset in the struct, in bytes */
    size_t size;                          /* of the member, in bytes */
    const clprim_enumerator *enumerators; /* of an ENUM */

    /* The members below are about arrays of a call (INPUT and OUTPUT). DATA of a description also has .element and
     * .length; its .length takes a NULL call. */

    /* The member is an array of this many clprim_array. 0: it is one clprim_array. */
    size_t repeat;

    /* The element of the index-th array. */
    clprim_element (*element)(const void *desc, size_t index);

    /* The number of elements. SIZE_MAX if it does not fit size_t. */
    size_t (*length)(const void *desc, const void *call);

    /* Name of the input that this output may be in place of. NULL: it must not overlap any input. */
    const char *in_place_of;

    /* Name of the output that receives how many elements are written here. NULL: all elements are written. */
    const char *counted_by;

    /* Whether all elements are written, in spite of .counted_by. NULL: never. */
    bool (*is_whole)(const void *desc);

    /* Whether the operation reads the previous content of this output. NULL: never. */
    bool (*is_read)(const void *desc);

    /* Only for .arguments: whether the index-th argument is one value on the host, which enqueue copies. The others are
     * arrays of clprim_array.length elements, or by default of as many as .length returns. NULL: this member is not
     * .arguments. */
    bool (*is_value)(const void *desc, size_t index);

    /* The call may leave the array out. */
    bool is_optional;

    /* Some elements may keep their previous content. */
    bool is_partial;

    /* Whether the array is required with this description in spite of .is_optional. NULL: never. */
    bool (*is_needed)(const void *desc);

    /* The .length of a call's array may be smaller than .length here, unless .is_whole. Elements that do not fit are
     * not written; the output .counted_by says how many elements there are in all. */
    bool may_be_short;
} clprim_member;

/* An operation. */
typedef struct clprim_operation {
    const char *name;    /* such as "merge"; its functions and structs begin with clprim_merge_ */
    const char *summary; /* one line */
    size_t desc_size;    /* of clprim_<name>_desc, in bytes */
    size_t call_size;    /* of clprim_<name>_call, in bytes */
    const clprim_member *desc_members;
    const clprim_member *call_members; /* in the order of the struct: inputs, counts, outputs */

    /* All variants but AUTO. *count receives their number. NULL if the operation has no variants of its own. */
    const clprim_variant_info *(*variants)(size_t *count);

    /* clprim_<name>_create, clprim_<name>_enqueue and clprim_<name>_run. */
    clprim_status (*create)(clprim_plan **out, clprim_runtime *runtime, const void *desc);
    clprim_status (*enqueue)(clprim_plan *plan, cl_command_queue queue, const void *call, cl_uint num_waits,
                             const cl_event *waits, cl_event *done);
    clprim_status (*run)(clprim_runtime *runtime, const void *desc, const void *call);
} clprim_operation;

/* The tables of all operations. *count receives their number. A library of a single operation lacks this function. */
CLPRIM_API const clprim_operation *const *clprim_operations(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
