/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each nuclide has points of its own, at energies of its own.  One grid has the
 * energies of all, and for each of them where it lies among every nuclide's. */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

/* As many as the materials of XSBench's small reactor have. */
const unsigned grid_nuclides[GRID_MATERIALS] = {34, 5,  4,  4,  27, 21,
                                                21, 21, 21, 21, 9,  9};

unsigned grid_nuclide(unsigned material, unsigned k) {
  return (material * 5 + k) % GRID_NUCLIDES;
}

uint64_t grid_energy(uint64_t i) { return cpu_random_at(2, i) >> 32; }

/* Fuel, water and the vessel are asked for most. */
unsigned grid_material(uint64_t i) {
  static const unsigned of_1000[GRID_MATERIALS] = {140, 52, 275, 134, 154, 64,
                                                   66,  55, 8,   15,  25,  12};
  uint64_t bits = cpu_random_at(3, i), at = cpu_random_take(&bits, 1000);
  unsigned material = 0;
  while (at >= of_1000[material]) at -= of_1000[material++];
  return material;
}

size_t grid_points_of(size_t bytes) {
  size_t points =
      bytes / (GRID_NUCLIDES * (sizeof(struct grid_point) + sizeof(uint64_t) +
                                GRID_NUCLIDES * sizeof(uint32_t)));
  return points < 2 ? 2 : points;
}

static int compare_energies(const void *x, const void *y) {
  uint64_t one = *(const uint64_t *)x, two = *(const uint64_t *)y;
  return (one > two) - (one < two);
}

void grid_points(struct grid_point *points, size_t count, uint64_t nuclide) {
  for (size_t i = 0; i < count; i++) {
    struct cpu_random random = {(nuclide << 32) + i * 8};
    points[i].energy = cpu_random_next(&random) >> 32;
    for (int s = 0; s < GRID_SECTIONS; s++)
      points[i].section[s] = cpu_random_next(&random) >> 32;
  }
  qsort(points, count, sizeof *points, compare_energies);
}

static struct grid_point *make_points(size_t count) {
  struct grid_point *points =
      footprint_got(calloc(GRID_NUCLIDES * count, sizeof *points));
  for (uint64_t n = 0; n < GRID_NUCLIDES; n++)
    grid_points(points + n * count, count, n);
  return points;
}

static uint64_t *make_energies(const struct grid_point *points, size_t count) {
  uint64_t *energies = footprint_got(calloc(count, sizeof *energies));
  for (size_t i = 0; i < count; i++) energies[i] = points[i].energy;
  qsort(energies, count, sizeof *energies, compare_energies);
  return energies;
}

/* Of each energy: each nuclide's last point of no more, but not the last. */
static uint32_t *make_places(const struct grid_point *points, size_t count,
                             const uint64_t *energies) {
  const size_t all = GRID_NUCLIDES * count;
  uint32_t *places = footprint_got(calloc(all * GRID_NUCLIDES, sizeof *places));
  uint32_t at[GRID_NUCLIDES] = {0};
  for (size_t i = 0; i < all; i++)
    for (size_t n = 0; n < GRID_NUCLIDES; n++) {
      const struct grid_point *of = points + n * count;
      while (at[n] + 2 < count && of[at[n] + 1].energy <= energies[i]) at[n]++;
      places[i * GRID_NUCLIDES + n] = at[n];
    }
  return places;
}

/* Between two points, in units of 2^-16 of their distance. */
static void add_sections(const struct grid_point *low, uint64_t energy,
                         uint64_t sum[GRID_SECTIONS]) {
  const struct grid_point *high = low + 1;
  uint64_t width = high->energy - low->energy, part = 0;
  if (energy > low->energy && width)
    part = energy >= high->energy ? 1 << 16
                                  : ((energy - low->energy) << 16) / width;
  for (int s = 0; s < GRID_SECTIONS; s++)
    sum[s] +=
        (low->section[s] * ((1 << 16) - part) + high->section[s] * part) >> 16;
}

uint64_t grid(size_t bytes, uint64_t look_ups) {
  const size_t count = grid_points_of(bytes), all = GRID_NUCLIDES * count;
  struct grid_point *points = make_points(count);
  uint64_t *energies = make_energies(points, all);
  uint32_t *places = make_places(points, count, energies);
  uint64_t sum[GRID_SECTIONS] = {0};
  for (uint64_t i = 0; i < look_ups; i++) {
    uint64_t energy = grid_energy(i);
    unsigned material = grid_material(i);
    const uint32_t *place =
        places + footprint_last(energies, all, energy) * GRID_NUCLIDES;
    for (unsigned k = 0; k < grid_nuclides[material]; k++) {
      size_t n = grid_nuclide(material, k);
      add_sections(points + n * count + place[n], energy, sum);
    }
  }
  free(points);
  free(energies);
  free(places);
  return footprint_sum(sum, GRID_SECTIONS);
}
