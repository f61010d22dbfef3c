/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/points.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/say.h"

/* Point number i, whose random numbers begin at `random`. */
typedef struct cpu_point generator(uint64_t seed, struct cpu_random random);

static double fraction(struct cpu_random *random) {
  return (double)(cpu_random_next(random) >> 11) * 0x1p-53;
}

static struct cpu_point in_square(uint64_t seed, struct cpu_random random) {
  (void)seed;
  struct cpu_point point;
  point.x = fraction(&random);
  point.y = fraction(&random);
  return point;
}

/*
 * A point of the disc around 0 of radius 2^53, in whole numbers, at least
 * `least` * 2^84 from 0, squared.  Returns the square of its distance / 2^42.
 */
static uint64_t whole_in_disc(struct cpu_random *random, uint64_t least,
                              int64_t *x, int64_t *y) {
  __extension__ typedef unsigned __int128 wide;
  for (;;) {
    *x = (int64_t)(cpu_random_next(random) >> 10) - (INT64_C(1) << 53);
    *y = (int64_t)(cpu_random_next(random) >> 10) - (INT64_C(1) << 53);
    uint64_t width = (uint64_t)(*x < 0 ? -*x : *x);
    uint64_t height = (uint64_t)(*y < 0 ? -*y : *y);
    wide square = (wide)width * width + (wide)height * height;
    if (square <= (wide)1 << 106 && square >= (wide)least << 84)
      return (uint64_t)(square >> 42);
  }
}

static struct cpu_point in_disc(uint64_t seed, struct cpu_random random) {
  (void)seed;
  int64_t x, y;
  whole_in_disc(&random, 0, &x, &y);
  return (struct cpu_point){(double)x * 0x1p-53, (double)y * 0x1p-53};
}

/* Not from near 0, where there are too few whole numbers for a direction. */
static struct cpu_point on_ring(uint64_t seed, struct cpu_random random) {
  (void)seed;
  int64_t x, y;
  uint64_t square = whole_in_disc(&random, 1 << 18, &x, &y);
  double radius = sqrt((double)square) * 0x1p21;
  return (struct cpu_point){(double)x / radius, (double)y / radius};
}

/* On y = 3 x - 1, in numbers that floats have, too. */
static struct cpu_point on_line(uint64_t seed, struct cpu_random random) {
  (void)seed;
  double x = (double)cpu_random_below(&random, 1 << 20);
  return (struct cpu_point){x, 3 * x - 1};
}

/* On y = x^2, each a vertex: x has half of the bits that its square takes. */
static struct cpu_point on_parabola(uint64_t seed, struct cpu_random random) {
  (void)seed;
  double x = (double)(cpu_random_next(&random) >> 38) * 0x1p-25 - 1;
  return (struct cpu_point){x, x * x};
}

/* Corners of triangles, each in all larger ones: on three rays, with three
 * vertices or a few more. */
static struct cpu_point nested(uint64_t seed, struct cpu_random random) {
  (void)seed;
  static const struct cpu_point corners[] = {{-1, -1}, {1, -1}, {0, 1}};
  struct cpu_point corner = corners[cpu_random_below(&random, 3)];
  double size = (double)cpu_random_below(&random, 1 << 20);
  return (struct cpu_point){corner.x * size, corner.y * size};
}

/* Of a thousand one anywhere in the disc, the others all but at its right. */
static struct cpu_point clustered(uint64_t seed, struct cpu_random random) {
  bool far = cpu_random_below(&random, 1000) == 0;
  struct cpu_point point = in_disc(seed, random);
  if (far) return point;
  return (struct cpu_point){1 + point.x * 0x1p-20, point.y * 0x1p-20};
}

static struct cpu_point one_of(uint64_t seed, uint64_t i) {
  struct cpu_random random = {cpu_random_mix(cpu_keys_seed(seed, 2) + i)};
  return in_disc(seed, random);
}

static struct cpu_point doubled(uint64_t seed, struct cpu_random random) {
  return one_of(seed, cpu_random_below(&random, 1000));
}

static struct cpu_point only_one(uint64_t seed, struct cpu_random random) {
  (void)random;
  return one_of(seed, 0);
}

const char *const cpu_points_generators[] = {
    "square",   "disc",      "ring",    "collinear", "duplicates",
    "parabola", "triangles", "cluster", "equal",     NULL};
static generator *const generators[] = {in_square, in_disc,   on_ring,
                                        on_line,   doubled,   on_parabola,
                                        nested,    clustered, only_one};

static generator *generator_of(const struct algo_run *run) {
  int i = 0;
  while (run->generator && strcmp(cpu_points_generators[i], run->generator)) {
    i++;
    assert(cpu_points_generators[i]);
  }
  return generators[i];
}

/* Through memory: gcc 12 takes two roundings in a row for none. */
static double to_float(double number) {
  volatile float rounded = (float)number;
  return rounded;
}

struct cpu_point cpu_points_at(const struct algo_run *run, uint64_t i,
                               bool floats) {
  if (run->given) return ((const struct cpu_point *)run->given->items)[i];
  struct cpu_random random = {cpu_random_at(run->seed, i)};
  struct cpu_point point = generator_of(run)(run->seed, random);
  if (floats) return (struct cpu_point){to_float(point.x), to_float(point.y)};
  return point;
}

/* NULL if bad(number) is false for all; else which is the first, and why.  A
 * file has a point a line, which is therefore its number, counted from 1. */
static const char *refuse(const struct algo_data *given, bool bad(double),
                          const char *why) {
  const struct cpu_point *points = given->items;
  for (uint64_t i = 0; i < given->count; i++) {
    bool x = bad(points[i].x);
    if (!x && !bad(points[i].y)) continue;
    return cpu_say("line %" PRIu64 ": %c = %.17g %s", i + 1, x ? 'x' : 'y',
                   x ? points[i].x : points[i].y, why);
  }
  return NULL;
}

static bool out_of_range(double number) {
  double size = fabs(number);
  return number != 0 && !(size >= 0x1p-480 && size <= 0x1p500);
}

static bool no_float(double number) {
  return !(fabs(number) <= 0x1.fffffep127) || to_float(number) != number;
}

const char *cpu_points_refuse(const struct algo_data *given) {
  return refuse(given, out_of_range,
                "is neither 0 nor of a size from 2^-480 to 2^500, where no "
                "product of two overflows or loses bits; scale all points");
}

const char *cpu_points_refuse_float(const struct algo_data *given) {
  return refuse(given, no_float,
                "is not a 32-bit float; round all to floats, or take the "
                "algorithm of that name without _float");
}
