// SPDX-License-Identifier: MIT
/* scene.c: a knot of splats in dust, by formulas. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"

static const double TURN = 6.283185307179586;
static const double TUBE = 0.55; /* the knot's radius */
static const double AREA = 110;  /* of the knot's surface, about */
static const double EYE[] = {0.8, -5.2, 7.4};
static const double LIGHT[] = {0.35, -0.45, 0.82};

typedef struct vector {
    double x, y, z;
} vector;

static vector sum(double a, vector u, double b, vector v)
{
    return (vector){a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z};
}

static double dot(vector u, vector v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z;
}

static vector cross(vector u, vector v)
{
    return (vector){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static vector unit(vector u)
{
    return sum(1 / sqrt(dot(u, u)), u, 0, u);
}

/* Numbers from 0 to 1. Pairs of multiples of these two irrational numbers fill a square evenly (Roberts 2018). */
static double part(size_t i, double irrational)
{
    const double product = (double)i * irrational;
    return product - floor(product);
}

/* The knot goes twice around its axis while it goes three times around a ring. */
static vector knot(double turn)
{
    const double radius = 2.1 + 0.9 * cos(3 * TURN * turn);
    return (vector){radius * cos(2 * TURN * turn), radius * sin(2 * TURN * turn), -0.9 * sin(3 * TURN * turn)};
}

/* A splat with standard deviations `reach` along three axes at right angles. */
static void add(scene *self, vector centre, double opacity, const vector axes[3], const double reach[3], vector colour)
{
    const size_t i = self->count++;
    double c[6] = {0};
    for (size_t k = 0; k < 3; k++) {
        const vector u = sum(reach[k], axes[k], 0, axes[k]);
        const double products[6] = {u.x * u.x, u.x * u.y, u.x * u.z, u.y * u.y, u.y * u.z, u.z * u.z};
        for (size_t p = 0; p < 6; p++)
            c[p] += products[p];
    }
    self->centres[i] = (cl_float4){{(float)centre.x, (float)centre.y, (float)centre.z, (float)opacity}};
    self->covariances[2 * i] = (cl_float4){{(float)c[0], (float)c[1], (float)c[2], (float)c[3]}};
    self->covariances[2 * i + 1] = (cl_float4){{(float)c[4], (float)c[5], 0, 0}};
    self->colours[i] = (cl_float4){{(float)colour.x, (float)colour.y, (float)colour.z, 0}};
}

/* A splat on the surface, with the light that falls on it. */
static void add_to_knot(scene *self, double turn, double around, double size)
{
    const vector middle = knot(turn);
    const vector along = unit(sum(1, knot(turn + 1e-4), -1, middle));
    const vector u = unit(cross(along, middle));
    const vector v = cross(u, along);
    const vector normal = sum(cos(TURN * around), u, sin(TURN * around), v);
    const vector axes[] = {along, cross(along, normal), normal};
    const double reach[] = {1.5 * size, size, 0.1 * size};
    const vector centre = sum(1, middle, TUBE, normal);
    const vector light = unit((vector){LIGHT[0], LIGHT[1], LIGHT[2]});
    const vector to_eye = unit(sum(1, (vector){EYE[0], EYE[1], EYE[2]}, -1, centre));
    const double diffuse = fmax(dot(normal, light), 0);
    const double gloss = pow(fmax(dot(normal, unit(sum(1, light, 1, to_eye))), 0), 40);
    const double stripe = 0.75 + 0.25 * tanh(4 * sin(TURN * (4 * around + 18 * turn)));
    const double shade = stripe * (0.18 + 0.82 * diffuse);
    const vector hue = {0.55 + 0.45 * cos(TURN * turn), 0.5 + 0.4 * cos(TURN * (turn - 0.36)),
                        0.6 + 0.4 * cos(TURN * (turn - 0.64))};
    const vector colour = sum(shade, hue, 0.5 * gloss, (vector){1, 1, 1});
    add(self, centre, 0.95, axes, reach, (vector){fmin(colour.x, 1), fmin(colour.y, 1), fmin(colour.z, 1)});
}

/* A thin spiral with three arms. */
static void add_dust(scene *self, uint64_t *random, double size)
{
    static const vector axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double reach[] = {2.2 * size, 2.2 * size, 0.8 * size};
    const double radius = 0.3 + 7 * sqrt((double)random_share(random));
    const double arm = floor(3 * (double)random_share(random)) / 3;
    const double beside = pow(2 * (double)random_share(random) - 1, 3); /* mostly in the middle of the arm */
    const double angle = TURN * (arm + 0.2 * beside) + 0.55 * radius;
    const double z = -1.8 + 0.6 * (double)random_share(random);
    const double glow = exp(-radius / 3);
    const vector colour = {0.35 + 0.6 * glow, 0.4 + 0.35 * glow, 0.75};
    add(self, (vector){radius * cos(angle), radius * sin(angle), z}, 0.05 + 0.3 * glow, axes, reach, colour);
}

clprim_status scene_make(scene *out, size_t count)
{
    enum { DUST = 5 }; /* one in so many */
    *out = (scene){.centres = malloc(count * sizeof(cl_float4)),
                   .covariances = malloc(2 * count * sizeof(cl_float4)),
                   .colours = malloc(count * sizeof(cl_float4))};
    if (out->centres == NULL || out->covariances == NULL || out->colours == NULL)
        return example_fail("no memory for %zu splats on the host", count);
    uint64_t random = 1;
    const double size = 0.75 * sqrt(AREA / (double)count);
    for (size_t i = 0; i < count; i++) {
        if (i % DUST == 0)
            add_dust(out, &random, size);
        else
            add_to_knot(out, part(i, 0.7548776662466927), part(i, 0.5698402909980532), size);
    }
    return CLPRIM_SUCCESS;
}

void scene_clear(scene *self)
{
    free(self->centres);
    free(self->covariances);
    free(self->colours);
    *self = (scene){0};
}

static cl_float4 row(vector direction, vector eye)
{
    return (cl_float4){{(float)direction.x, (float)direction.y, (float)direction.z, (float)-dot(direction, eye)}};
}

camera scene_camera(cl_uint width, cl_uint height)
{
    const vector eye = {EYE[0], EYE[1], EYE[2]};
    const vector ahead = unit(sum(-1, eye, 0, eye));
    const vector right = unit(cross(ahead, (vector){0, 0, 1}));
    return (camera){.right = row(right, eye),
                    .down = row(cross(ahead, right), eye),
                    .ahead = row(ahead, eye),
                    .focal = 1.2F * (cl_float)height,
                    .width = width,
                    .height = height};
}
