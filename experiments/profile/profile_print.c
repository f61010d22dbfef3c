/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that a person reads. */
#include "experiments/cli/command.h"
#include "experiments/profile/profile_heat.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/what_if_table.h"

enum { TOP = 15 };

static double share(uint64_t part, uint64_t all) {
  return all ? 100. * (double)part / (double)all : 0;
}

/* Less than one miss in 100000 accesses costs less than a thousandth of a
 * cycle an access, however slow a walk is: nobody should act on shares of it.
 */
static bool counts(const struct profile *profile, unsigned tree) {
  return profile_nodes(&profile->totals, tree) >=
         profile->totals.accesses / 100000 + 1;
}

static void print_totals(const struct profile *profile, FILE *to) {
  const struct profile_counts *all = &profile->totals;
  fprintf(to, "%llu accesses", (unsigned long long)all->accesses);
  if (profile->processes > 1)
    fprintf(to, " of %u processes", profile->processes);
  if (profile->threads > profile->processes)
    fprintf(to, ", %llu threads at once, each with caches of its own",
            (unsigned long long)profile->threads);
  fprintf(to, "\n\n%-6s %7s %10s %14s %14s %10s  %s\n", "pages", "W", "touched",
          "leaf misses", "node misses", "per 1000",
          "node misses by layer, leaf to root");
  for (unsigned t = 0; t < profile->trees; t++) {
    uint64_t nodes = profile_nodes(all, t);
    fprintf(to, "%-6s %7u %10llu %14llu %14llu %10.3f ", profile->tree[t].name,
            profile->tree[t].nodes,
            (unsigned long long)profile_pages(profile, t),
            (unsigned long long)all->misses[t][0], (unsigned long long)nodes,
            share(nodes, all->accesses) * 10);
    for (unsigned i = 0; i < profile->tree[t].layers; i++)
      fprintf(to, " %llu", (unsigned long long)all->misses[t][i]);
    fputc('\n', to);
  }
  profile_plan_print(profile, to);
  for (unsigned t = 0; t < profile->trees; t++)
    if (!counts(profile, t))
      fprintf(to,
              "%s: fewer than 1 miss in 100000 accesses, so the tables show "
              "no percentages for them\n",
              profile->tree[t].name);
}

static double share_of(const struct profile *profile,
                       const struct profile_counts *part, unsigned tree) {
  return share(profile_nodes(part, tree),
               profile_nodes(&profile->totals, tree));
}

/* Percent of all misses of each tree's nodes. */
static void print_shares(const struct profile *profile,
                         const struct profile_counts *part, FILE *to) {
  for (unsigned t = 0; t < profile->trees; t++)
    if (counts(profile, t))
      fprintf(to, " %6.1f", share_of(profile, part, t));
    else
      fprintf(to, " %6s", "-");
}

/* Would a share be printed as more than 0.0? */
static bool matters(const struct profile *profile,
                    const struct profile_counts *part) {
  for (unsigned t = 0; t < profile->trees; t++)
    if (counts(profile, t) && share_of(profile, part, t) >= 0.05) return true;
  return false;
}

static void print_sizes(const struct profile *profile, FILE *to) {
  for (unsigned t = 0; t < profile->trees; t++)
    fprintf(to, " %4s %%", profile->tree[t].name);
}

static void print_functions(const struct profile *profile, FILE *to) {
  char name[64], text[512];
  fprintf(to, "\n%-35s %14s", "function", "accesses");
  print_sizes(profile, to);
  fputs("  with callees:", to);
  print_sizes(profile, to);
  fputs("  where\n", to);
  for (size_t i = 0; i < profile->functions.count && i < TOP; i++) {
    const struct profile_row *row = &profile->functions.row[i];
    if (!matters(profile, &row->counts) && !matters(profile, &row->inclusive))
      continue;
    fprintf(to, "%-35s %14llu", profile_place_function(&row->at, name),
            (unsigned long long)row->counts.accesses);
    print_shares(profile, &row->counts, to);
    fprintf(to, "  %13s", "");
    print_shares(profile, &row->inclusive, to);
    fprintf(to, "  %s\n", profile_place_where(&row->at, text));
  }
}

static void print_lines(const struct profile *profile, FILE *to) {
  char name[64], text[512];
  fprintf(to, "\n%-35s %14s", "line", "accesses");
  print_sizes(profile, to);
  fputs("  function\n", to);
  for (size_t i = 0; i < profile->lines.count && i < TOP; i++) {
    const struct profile_row *row = &profile->lines.row[i];
    if (!matters(profile, &row->counts)) continue;
    fprintf(to, "%-35s %14llu", profile_place_where(&row->at, text),
            (unsigned long long)row->counts.accesses);
    print_shares(profile, &row->counts, to);
    fprintf(to, "  %s\n", profile_place_function(&row->at, name));
  }
}

/* Why the heap has no sites. */
static void print_heap(const struct profile *profile, FILE *to) {
  if (profile->nameless)
    fprintf(to,
            "\n%u of %u processes: no heap sites, as functions have no names "
            "by which malloc() could be told: who grew the heap is named by "
            "`break` and `mapping`; fix: profile the program before it is "
            "stripped\n",
            profile->nameless, profile->processes);
  if (profile->unknown)
    fprintf(to,
            "\n%u of %u processes: no heap sites, as no malloc() was called; "
            "what allocates can be named by --allocator\n",
            profile->unknown, profile->processes);
}

/* Where a part of a site's memory has most of its misses. */
static void print_uneven(const struct profile *profile,
                         const struct profile_site *site, FILE *to) {
  const double most = .9;
  if (!counts(profile, 0) || share_of(profile, &site->counts, 0) < 1) return;
  struct profile_uneven uneven = profile_heat_uneven(profile, site, most);
  if (!uneven.hot || uneven.hot > uneven.bytes / 2) return;
  fprintf(to, "%10s %g %% of its leaf misses on %s in %llu of %llu MiB\n", "",
          most * 100, profile->tree[0].name,
          (unsigned long long)uneven.hot >> 20,
          (unsigned long long)(uneven.bytes + (1 << 20) - 1) >> 20);
}

static void print_sites(const struct profile *profile, FILE *to) {
  char text[PROFILE_WHERE];
  print_heap(profile, to);
  fprintf(to, "\n%10s %10s %14s", "peak KiB", "blocks",
          profile->sampled < profile->totals.accesses ? "est. accesses"
                                                      : "accesses");
  for (unsigned t = 0; t < profile->trees; t++)
    fprintf(to, " %4s pages", profile->tree[t].name);
  print_sizes(profile, to);
  fputs("  allocated at\n", to);
  for (size_t i = 0; i < profile->sites.count && i < TOP; i++) {
    const struct profile_site *site = &profile->sites.site[i];
    if (!matters(profile, &site->counts)) continue;
    fprintf(to, "%10llu %10llu %14llu",
            (unsigned long long)(site->peak + 1023) / 1024,
            (unsigned long long)site->blocks,
            (unsigned long long)site->counts.accesses);
    for (unsigned t = 0; t < profile->trees; t++)
      fprintf(to, " %10llu", (unsigned long long)site->pages[t]);
    print_shares(profile, &site->counts, to);
    fprintf(to, "  %s\n", profile_site_where(site, text));
    print_uneven(profile, site, to);
  }
}

int profile_print(const struct profile_request *request,
                  const struct profile *profile, FILE *to) {
  print_totals(profile, to);
  if (profile->what_if) what_if_print(profile->what_if, profile, to);
  print_functions(profile, to);
  print_sites(profile, to);
  print_lines(profile, to);
  profile_code_print(request, profile, to);
  return 0;
}
