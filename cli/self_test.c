// SPDX-License-Identifier: MIT
/* self_test.c: `clprim self-test`. */
#include <clprim/operation.h>
#include <clprim/self_test.h>
#include <stdio.h>

#include "cli.h"
#include "json.h"
#include "self_test_report.h"
#include "suggest.h"

/* The results printed so far. */
typedef struct listing {
    bool is_json;
    self_test_report report;
    size_t numbers[CLPRIM_SELF_TEST_UNSUPPORTED + 1];
} listing;

static const char *const outcomes[] = {"right", "wrong", "unsupported"};

static void print_json(const clprim_self_test_record *record, bool is_first)
{
    json object;
    printf("%s", is_first ? "{\"command\": \"self-test\", \"plans\": [" : ", ");
    json_begin(&object);
    json_member_text(&object, "primitive", record->primitive);
    json_member_text(&object, "variant", record->variant);
    json_member_text(&object, "plan", record->plan);
    json_member_text(&object, "outcome", outcomes[record->outcome]);
    json_member_text(&object, "why", record->why);
    printf("}");
}

static void print(void *user, const clprim_self_test_record *record)
{
    listing *self = user;
    const size_t before = self->numbers[0] + self->numbers[1] + self->numbers[2];
    self->numbers[record->outcome]++;
    if (self->is_json)
        print_json(record, before == 0);
    else
        printf("%-11s  %-17s  %-18s  %s%s%s\n", outcomes[record->outcome], record->primitive, record->variant,
               record->plan, record->outcome == CLPRIM_SELF_TEST_WRONG ? ": " : "",
               record->outcome == CLPRIM_SELF_TEST_WRONG ? record->why : "");
    (void)fflush(stdout); /* the self-test takes minutes */
    self_test_report_plan(&self->report, record, outcomes[record->outcome]);
}

static void take_speed(void *user, const clprim_self_test_speed *speed)
{
    listing *self = user;
    self_test_report_speed(&self->report, speed);
}

static cli_result refuse(const char *primitive)
{
    char meant[SUGGEST_SIZE];
    suggest like = suggest_for(primitive != NULL ? primitive : "");
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    for (size_t i = 0; i < count; i++)
        suggest_add(&like, operations[i]->name);
    return cli_refuse("self-test", "%s%s", clprim_last_error(), suggest_text(meant, &like, "", ""));
}

cli_result cli_self_test(const cli_options *options)
{
    enum { MEASURED = 1 << 20, MEASURED_QUICKLY = 1 << 18 };
    listing list = {.is_json = options->json, .report = SELF_TEST_REPORT_NONE};
    const clprim_self_test_desc desc = {.primitive = options->primitive,
                                        .quick = options->quick,
                                        .again = options->again,
                                        .report = print,
                                        .measured = options->report != NULL ? take_speed : NULL,
                                        .measured_count = options->quick ? MEASURED_QUICKLY : MEASURED,
                                        .user = &list};
    cli_device device = {0};
    size_t wrong = 0;
    cli_result result = CLI_OK;
    CLI_TRY(cli_device_open(&device, options));
    CLI_TRY(self_test_report_open(&list.report, options, device.runtime));
    const clprim_status status = clprim_runtime_self_test(&wrong, device.runtime, &desc);
    if (status == CLPRIM_INVALID_ARGUMENT) {
        result = refuse(options->primitive);
        goto done;
    }
    CLI_TRY(self_test_report_finish(&list.report, status != CLPRIM_SUCCESS ? clprim_last_error() : NULL));
    if (status != CLPRIM_SUCCESS) {
        result = cli_device_failed("clprim_runtime_self_test", status);
        goto done;
    }
    if (options->json)
        printf("], \"right\": %zu, \"wrong\": %zu}\n", list.numbers[CLPRIM_SELF_TEST_RIGHT], wrong);
    if (wrong > 0)
        result = cli_fail(clprim_runtime_info(device.runtime)->name, "%zu of %zu are wrong", wrong,
                          wrong + list.numbers[CLPRIM_SELF_TEST_RIGHT]);
done:
    self_test_report_abandon(&list.report);
    cli_device_close(&device);
    return result;
}
