/* expressions.c: of the guide of that name: an axpy whose factor comes with each call, what a table makes of indices, and
 * two outputs at once. */
#include "guide.h"

static clprim_status axpy_twice(void)
{
    static const clprim_transform_desc axpy = {
        .expressions = {"a * x[i] + y[i]"},
        .types = {CLPRIM_F32},
        .text.parameters = {{"a", CLPRIM_F32},
                            {"x", CLPRIM_F32, .is_array = true},
                            {"y", CLPRIM_F32, .is_array = true}},
    };
    float x[] = {1, 2, 3, 4};
    float y[] = {10, 20, 30, 40};
    float a = 2;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_call call = {
        .arguments = {{.host = &a}, {.host = x}, {.host = y}}, .count = 4, .out = {{.host = y}}};
    TRY(clprim_transform_run(NULL, &axpy, &call));
    a = -1;
    TRY(clprim_transform_run(NULL, &axpy, &call)); /* nothing is compiled again */
    EXPECT(y[0] == 11 && y[3] == 44);
done:
    return status;
}

static clprim_status colour(void)
{
    cl_uchar levels[] = {3, 0, 3, 1, 2, 2};
    cl_uint palette[] = {0x000000, 0x0000ff, 0x00ff00, 0xff0000};
    cl_uint pixels[6] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"palette[level[i]]"},
        .types = {CLPRIM_U32},
        .text.parameters = {{"palette", CLPRIM_U32, .is_array = true}, {"level", CLPRIM_U8, .is_array = true}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = palette, .length = 4}, {.host = levels}},
                                                      .count = 6,
                                                      .out = {{.host = pixels}}}));
    EXPECT(pixels[0] == 0xff0000 && pixels[1] == 0 && pixels[5] == 0x00ff00);
done:
    return status;
}

static clprim_status split(void)
{
    float angle[] = {0, 1, 2};
    float cosine[3] = {0};
    float sine[3] = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_transform_desc desc = {
        .expressions = {"cos(angle[i])", "sin(angle[i])"},
        .types = {CLPRIM_F32, CLPRIM_F32},
        .text.parameters = {{"angle", CLPRIM_F32, .is_array = true}},
    };
    TRY(clprim_transform_run(NULL, &desc,
                             &(clprim_transform_call){.arguments = {{.host = angle}},
                                                      .count = 3,
                                                      .out = {{.host = cosine}, {.host = sine}}}));
    EXPECT(cosine[0] == 1 && sine[0] == 0 && cosine[2] < 0);
done:
    return status;
}

int main(void)
{
    const bool is_right = axpy_twice() == CLPRIM_SUCCESS && colour() == CLPRIM_SUCCESS && split() == CLPRIM_SUCCESS;
    return is_right ? 0 : 1;
}
