// SPDX-License-Identifier: MIT
/* radix_sort_keys.c: combines several keys into one. The image of each key is an unsigned integer with the key's
 * order. The images are concatenated in a word, from the highest bit on, so the word's order is the keys'
 * lexicographic order. */
#include <stdio.h>

#include "element_types.h"
#include "error.h"
#include "expression.h"
#include "kinds.h"
#include "nan_order.h"
#include "radix_sort_internal.h"

/* One of the keys. */
typedef struct sort_key {
    const char *input;
    clprim_type type;
    unsigned bits;
    bool descending;
} sort_key;

static sort_key key_at(const clprim__radix_sort_setting *setting, size_t k)
{
    const clprim_sort_keys *then = setting->then;
    sort_key key = {setting->input, setting->first_type, 0, setting->first_descends};
    if (k > 0)
        key = (sort_key){then->inputs[k - 1], then->types[k - 1], 0, then->descending[k - 1]};
    if (key.type == CLPRIM_TYPE_DEFAULT)
        key.type = CLPRIM_U32;
    key.bits = 8 * (unsigned)clprim_type_size(key.type);
    return key;
}

static clprim_status count_keys(size_t *out, const clprim_sort_keys *then)
{
    size_t count = 0;
    while (count < CLPRIM_MAX_KEYS - 1 && then->inputs[count] != NULL)
        count++;
    for (size_t k = 0; k < CLPRIM_MAX_KEYS - 1; k++) {
        if (then->types[k] != CLPRIM_TYPE_DEFAULT && !clprim__is_key_type(then->types[k]))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "then_types[%zu] is unknown: %d", k, (int)then->types[k]);
        if (k >= count && (then->inputs[k] != NULL || then->types[k] != CLPRIM_TYPE_DEFAULT || then->descending[k]))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "then[%zu] is missing: it needs an expression", count);
    }
    *out = count + 1;
    return CLPRIM_SUCCESS;
}

/* Refuse members that make sense only for a single key. */
static clprim_status check_several(const clprim__radix_sort_setting *setting, const clprim_radix_sort_desc *desc)
{
    if (desc->input == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "then needs an input: with several keys, each is an expression");
    if (desc->bit_range)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "bit_range supports only one key, but then has more");
    return setting->value_size != 0
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT,
                              "with several keys, there are no sorted keys to write: ask for values or indices");
}

clprim_status clprim__radix_sort_join_keys(clprim__radix_sort_setting *setting, const clprim_radix_sort_desc *desc)
{
    clprim_status status = CLPRIM_SUCCESS;
    unsigned bits = 0;
    setting->then = &desc->then;
    setting->first_type = setting->key_type;
    setting->first_descends = setting->descending;
    CLPRIM__TRY(count_keys(&setting->num_keys, setting->then));
    if (setting->num_keys == 1)
        return status;
    CLPRIM__TRY(check_several(setting, desc));
    for (size_t k = 0; k < setting->num_keys; k++)
        bits += key_at(setting, k).bits;
    if (bits > 64)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "the keys have %u bits together, more than 64: comparison_sort takes any order", bits);
    setting->key_type = bits <= 16 ? CLPRIM_U16 : bits <= 32 ? CLPRIM_U32 : CLPRIM_U64;
    setting->key_size = clprim_type_size(setting->key_type);
    setting->descending = false;
    setting->end_bit = 8 * (unsigned)setting->key_size;
    setting->begin_bit = setting->end_bit - bits;
done:
    return status;
}

clprim_status clprim__radix_sort_check_keys(const clprim__radix_sort_setting *setting, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t k = 0; k < setting->num_keys; k++)
        CLPRIM__TRY(clprim__key_check(key_at(setting, k).type, NULL, 0, true, info));
done:
    return status;
}

/* Write the image of key k as a function of its bits, as in kernels/radix_sort/parts/keys.cl, shifted to its place in
 * the word. */
static void write_image(clprim__text *text, const sort_key *key, size_t k, clprim_nan_order nan_order, const char *word,
                        unsigned shift)
{
    const char *type = clprim__type_bits(key->type);
    const unsigned sign = key->bits - 1;
    const int kind = clprim__key_kind(key->type, nan_order);
    clprim__text_format(text, "static inline %s clprim__image_%zu(%s key)\n{\n", word, k, type);
    if (kind == 1)
        clprim__text_format(text, "    key ^= (%s)((%s)1 << %u);\n", type, type, sign);
    if (kind >= 2)
        clprim__text_format(text, "    key ^= (%s)((%s)(0 - (key >> %u)) | (%s)1 << %u);\n", type, type, sign, type,
                            sign);
    if (kind == 3)
        clprim__text_format(text, "    key -= (%s)%lluul;\n", type,
                            (unsigned long long)clprim__moved_nans(key->type, nan_order));
    clprim__text_format(text, "    return (%s)((%s)(%s)%skey << %u);\n}\n", word, word, type,
                        key->descending ? "~" : "", shift);
}

void clprim__radix_sort_write_keys(clprim__prelude *prelude, const clprim__radix_sort_setting *setting)
{
    const char *word = clprim__type_bits(setting->key_type);
    clprim__text value = {0};
    unsigned shift = setting->end_bit;
    for (size_t k = 0; k < setting->num_keys; k++) {
        const sort_key key = key_at(setting, k);
        const char *from_float = clprim__type_from_float(key.type);
        char name[16];
        (void)snprintf(name, sizeof name, k == 0 ? "input" : "then_%zu", k - 1);
        shift -= key.bits;
        clprim__prelude_expression(prelude, &(clprim__expression){.name = name,
                                                                  .type = clprim__input_type(key.type, NULL),
                                                                  .operands = {{"ulong", "i"}},
                                                                  .text = key.input});
        write_image(&prelude->own, &key, k, setting->nan_order, word, shift);
        clprim__text_format(&value, "%sclprim__image_%zu(%s%s(clprim__callers_%s(i)))", k == 0 ? "" : " | ", k,
                            from_float != NULL ? from_float : "as_",
                            from_float != NULL ? "" : clprim__type_bits(key.type), name);
    }
    clprim__text_format(&prelude->own, "static inline %s clprim__joined_keys(ulong i)\n{\n    return (%s)(", word,
                        word);
    clprim__text_append(&prelude->own, value.data, value.size);
    clprim__text_format(&prelude->own, ");\n}\n#define INPUT_AT(i) clprim__joined_keys(i)\n");
    prelude->own.failed = prelude->own.failed || value.failed;
    clprim__text_free(&value);
}
