// SPDX-License-Identifier: MIT
/* fuzz_tuning.c: the text of a file of parameters. Whatever it contains, the library uses only allowed values, and
 * reports every error. An input is such a text; or '@' and groups of three bytes, from which lines are made with the
 * help of the tables: a parameter, and a value close to the allowed ones. */
#include <string.h>

#include "fuzz.h"
#include "operations.h"
#include "runtime_internal.h"

enum { MAX_TUNING_SIZE = 512, UNTOUCHED = 0xa5, MAX_LINE = 128, MAX_LINES = 64, MAX_TABLES = 32 };

static const clprim__tunables *tables[MAX_TABLES]; /* of all operations that have one */
static size_t num_tables;

/* Either no parameter of a variant has changed, or all have values that the table allows. */
static void expect_allowed(const clprim_runtime *runtime, const clprim__tunables *table, const char *variant)
{
    union {
        unsigned char bytes[MAX_TUNING_SIZE];
        size_t aligned;
    } tuning;
    size_t untouched = 0;
    memset(&tuning, UNTOUCHED, sizeof tuning);
    memset(&untouched, UNTOUCHED, sizeof untouched);
    clprim__tuning_look_up(&tuning, runtime, table, variant, 4, 1000);
    for (size_t i = 0; i < table->count; i++) {
        const clprim__tunable *item = &table->items[i];
        size_t value = 0;
        EXPECT(item->offset + sizeof value <= sizeof tuning);
        memcpy(&value, tuning.bytes + item->offset, sizeof value);
        if (value == untouched || strcmp(item->variant, variant) != 0)
            continue;
        EXPECT(value >= item->least && value <= item->most);
        EXPECT(!item->is_power_of_two || (value & (value - 1)) == 0);
    }
}

/* The number of bytes written. */
static size_t make_lines(char *out, const uint8_t *bytes, size_t size)
{
    size_t written = 0;
    for (size_t line = 0; line < MAX_LINES && size >= 3; line++, bytes += 3, size -= 3) {
        const clprim__tunables *table = tables[bytes[0] % num_tables];
        const clprim__tunable *item = &table->items[bytes[1] % table->count];
        const size_t values[] = {item->least,    item->least - 1, item->most,      item->most + 1,
                                 item->most * 2, item->least * 2, item->least + 1, bytes[2]};
        const int length = snprintf(out + written, MAX_LINE, "%s %s %s=%zu\n", table->stem, item->variant, item->name,
                                    values[bytes[2] % (sizeof values / sizeof *values)]);
        EXPECT(length > 0 && length < MAX_LINE);
        written += (size_t)length;
    }
    return written;
}

/* A fictitious device, and the parameters that may be set for it. */
static void begin(clprim_runtime *runtime)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (subjects[i]->operation->tunables != NULL)
            tables[num_tables++] = subjects[i]->operation->tunables;
    EXPECT(num_tables > 5 && num_tables <= MAX_TABLES);
    EXPECT(setenv("CLPRIM_TUNING", "off", 1) == 0);
    runtime->info = (clprim_device_info){.name = "NVIDIA H200", .kind = CLPRIM_DEVICE_GPU};
    EXPECT(clprim__tuning_create(&runtime->tuning, &runtime->info) == CLPRIM_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static clprim_runtime runtime;
    static char lines[MAX_LINE * MAX_LINES];
    char problems[256];
    const char *text = (const char *)bytes;
    if (runtime.tuning == NULL)
        begin(&runtime);
    if (size > 0 && bytes[0] == '@') {
        size = make_lines(lines, bytes + 1, size - 1);
        text = lines;
    }
    EXPECT(clprim__tuning_set(runtime.tuning, "fuzz", text, size) == CLPRIM_SUCCESS);
    const size_t malformed = clprim__tuning_problems(runtime.tuning, NULL, 0);
    for (size_t t = 0; t < num_tables; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            expect_allowed(&runtime, tables[t], tables[t]->items[i].variant);
    clprim__tuning_check(runtime.tuning, tables, num_tables);
    const size_t count = clprim__tuning_problems(runtime.tuning, problems, sizeof problems);
    EXPECT(count >= malformed && (count > 0) == (problems[0] != '\0'));
    EXPECT(memchr(problems, '\0', sizeof problems) != NULL);
    return 0;
}
