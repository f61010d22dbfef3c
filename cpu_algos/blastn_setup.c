/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions, vectors, generated letters, and what a run is to find. */
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/blastn.h"
#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/random.h"

/* Of letters of the database; every fourth piece is planted. */
enum { LETTER_BITS = 62, PIECE = 32, PLANTED = 4 };

/* That there are; of a piece of a w-mer. */
enum { LETTERS = 4, PIECE_LETTERS = 3 };

/* H3 (5.17) of letters of four bits, A 0001, C 0010, G 0100, T 1000: a letter
 * takes one row of its place.  In two bits they are too few for (5.18): there
 * are but 4^w w-mers, and a function that is linear in them leads as many to
 * each bit (doc/bloom-blastn.md). */
struct h3 {
  uint32_t row[CPU_BLASTN_K_MAX][CPU_BLASTN_W_MAX][LETTERS];
};

static void make_rows(const struct cpu_blastn *f, uint64_t seed, uint32_t sub,
                      struct h3 *h3) {
  struct cpu_random random = {cpu_random_at(~seed, sub)};
  for (uint32_t j = 0; j < f->k; j++)
    for (uint32_t place = 0; place < f->w; place++)
      for (uint32_t letter = 0; letter < LETTERS; letter++)
        h3->row[j][place][letter] =
            (uint32_t)(cpu_random_next(&random) >> (64 - f->lg_m));
}

/* The letters of a w-mer at the places first..end-1. */
struct places {
  uint32_t first, end;
};

static uint32_t hash_places(const struct h3 *h3, uint32_t j, uint64_t mer,
                            struct places at) {
  uint32_t value = 0;
  for (uint32_t place = at.first; place < at.end; place++)
    value ^= h3->row[j][place][mer >> 2 * place & 3];
  return value;
}

static uint32_t hash(const struct cpu_blastn *f, const struct h3 *h3,
                     uint32_t j, uint64_t mer) {
  return hash_places(h3, j, mer, (struct places){0, f->w});
}

/* The places of a piece; it has none where w-mers are short. */
static struct places places_of(const struct cpu_blastn *f, uint32_t piece) {
  const uint32_t first = PIECE_LETTERS * piece, end = first + PIECE_LETTERS;
  return (struct places){first, end < f->w ? end : f->w};
}

/* What three letters give to the functions of a set, side by side. */
static uint64_t abreast(const struct cpu_blastn *f, const struct h3 *h3,
                        uint32_t first, uint32_t piece, uint64_t letters) {
  const uint64_t mer = letters << 2 * PIECE_LETTERS * piece;
  uint64_t values = 0;
  for (uint32_t i = 0; i < CPU_BLASTN_ABREAST && first + i < f->k; i++)
    values |= (uint64_t)hash_places(h3, first + i, mer, places_of(f, piece))
              << CPU_BLASTN_VALUE_BITS * i;
  return values;
}

static void make_tables(const struct cpu_blastn *f, const struct h3 *h3,
                        uint64_t *table) {
  for (uint32_t j = 0; j < f->k; j += CPU_BLASTN_ABREAST)
    for (uint32_t piece = 0; piece < CPU_BLASTN_PIECES; piece++)
      for (uint64_t x = 0; x < CPU_BLASTN_PIECE; x++)
        *table++ = abreast(f, h3, j, piece, x);
}

/* The w-mers of a query that begin in a sub-query. */
struct part {
  const uint64_t *letters, *starts;
  uint64_t first, end;
};

static void make_vector(const struct cpu_blastn *f, const struct h3 *h3,
                        const struct part *part, uint32_t *vector) {
  memset(vector, 0, cpu_blastn_vector(f) * sizeof *vector);
  for (uint64_t i = part->first; i < part->end; i++) {
    if (!cpu_dna_has(part->starts, i)) continue;
    uint64_t mer = cpu_dna_mer(part->letters, i, f->w);
    for (uint32_t j = 0; j < f->k; j++) {
      uint32_t place = hash(f, h3, j, mer);
      vector[place / 32] |= UINT32_C(1) << place % 32;
    }
  }
}

/* As it is defined, one function after the other, all of them: other loops
 * than those that are measured. */
static bool passes(const struct cpu_blastn *f, const struct h3 *h3,
                   const uint32_t *vector, uint64_t mer) {
  for (uint32_t j = f->k; j-- > 0;) {
    uint32_t place = hash(f, h3, j, mer);
    if (!(vector[place / 32] >> place % 32 & 1)) return false;
  }
  return true;
}

/* The different w-mers of a sub-query, ascending. */
struct members {
  uint32_t *mers;
  size_t count;
};

static bool is_member(const struct members *members, uint64_t mer) {
  size_t first = 0, end = members->count;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (members->mers[middle] == mer) return true;
    if (members->mers[middle] < mer)
      first = middle + 1;
    else
      end = middle;
  }
  return false;
}

/* Hits, and those that are in the sub-query indeed. */
static void expect(const struct cpu_blastn *f, const struct h3 *h3,
                   const uint32_t *vector, uint32_t sub,
                   const struct members *members) {
  const uint64_t *letters = (const uint64_t *)(const void *)f->database;
  for (uint64_t i = 0; i < f->letters; i++) {
    if (!(f->starts[i / 32] >> i % 32 & 1)) continue;
    uint64_t mer = cpu_dna_mer(letters, i, f->w);
    if (!passes(f, h3, vector, mer)) continue; /* members all do */
    f->known[sub].true_positives += is_member(members, mer);
    f->counts[sub]++;
    f->hits[i / 32] |= UINT32_C(1) << i % 32;
  }
}

static int compare_mers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* How many there are, as often as they are there, is returned. */
static uint32_t list_members(const struct cpu_blastn *f,
                             const struct part *part, struct members *members) {
  uint32_t *mers = members->mers, all = 0;
  for (uint64_t i = part->first; i < part->end; i++)
    if (cpu_dna_has(part->starts, i))
      mers[all++] = (uint32_t)cpu_dna_mer(part->letters, i, f->w);
  qsort(mers, all, sizeof *mers, compare_mers);
  members->count = 0;
  for (uint32_t i = 0; i < all; i++)
    if (!i || mers[i] != mers[i - 1]) mers[members->count++] = mers[i];
  return all;
}

/* Correlated: a letter is as the one before it twice as often as another. */
static uint64_t next_to(uint64_t last, uint64_t random) {
  uint64_t of_five = cpu_random_take(&random, 5);
  return of_five == 4 ? last : of_five;
}

/* n letters, with pieces of the query where there is one that is long enough.
 */
static void generate(uint64_t *letters, uint64_t n, uint64_t seed, bool markov,
                     const struct cpu_dna *query) {
  uint64_t from = 0, last = 0;
  memset(letters, 0, (cpu_dna_words(n) + 1) * sizeof *letters);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t random = cpu_random_at(seed, i), letter = random >> LETTER_BITS;
    if (markov) letter = next_to(last, random);
    if (query && query->n > PIECE && i / PIECE % PLANTED == 1) {
      if (i % PIECE == 0) from = cpu_random_take(&random, query->n - PIECE);
      letter = cpu_dna_letter(query->letters, from + i % PIECE);
    }
    cpu_dna_put(letters, i, last = letter);
  }
}

/* Letters and starts of both; what the query's are is returned. */
static struct cpu_dna make_letters(const struct algo_run *run,
                                   const struct cpu_blastn *f,
                                   uint64_t *facts) {
  uint64_t *letters = blastn_region(run, BLASTN_LETTERS);
  uint64_t *query = blastn_region(run, BLASTN_QUERY);
  struct cpu_dna database = {.letters = letters, .n = f->letters};
  struct cpu_dna sought = {.letters = query};
  sought.n = blastn_query_letters(f->letters, run->given);
  if (run->given) {
    database = cpu_dna_of(run->given);
    sought = cpu_dna_of(run->given->next);
    memcpy(letters, database.letters,
           cpu_dna_words(f->letters) * sizeof *letters);
    letters[cpu_dna_words(f->letters)] = 0;
  } else {
    bool markov = run->generator && !strcmp(run->generator, "markov");
    generate(query, sought.n, cpu_random_mix(run->seed), markov, NULL);
    generate(letters, f->letters, run->seed, markov, &sought);
  }
  uint64_t *starts = blastn_region(run, BLASTN_STARTS);
  facts[BLASTN_SKIPPED] = cpu_dna_starts(&database, f->w, starts);
  facts[BLASTN_MERS] = 0;
  for (uint64_t i = 0; i < f->letters; i++)
    facts[BLASTN_MERS] += cpu_dna_has(starts, i);
  cpu_dna_starts(&sought, f->w, blastn_region(run, BLASTN_QUERY_STARTS));
  return sought;
}

/* What stands in the answer. */
static uint64_t print_of(const struct algo_run *run) {
  const uint64_t *begin = blastn_region(run, BLASTN_COUNTS);
  uint64_t words = (uint64_t)(blastn_region(run, BLASTN_LETTERS) - begin);
  return cpu_dna_print(begin, words);
}

void cpu_blastn_setup(struct algo_run *run) {
  struct cpu_blastn f = cpu_blastn_of(run);
  uint64_t *facts = blastn_region(run, BLASTN_FACTS);
  struct members members = {
      (uint32_t *)(void *)blastn_region(run, BLASTN_MEMBERS), 0};
  struct cpu_dna query = make_letters(run, &f, facts);
  uint64_t *tables = blastn_region(run, BLASTN_TABLES);
  uint32_t *vectors = (uint32_t *)(void *)blastn_region(run, BLASTN_VECTORS);
  struct part part = {query.letters, blastn_region(run, BLASTN_QUERY_STARTS), 0,
                      0};
  cpu_blastn_restore(run);
  for (uint32_t s = 0; s < f.subs; s++) {
    struct h3 h3;
    uint32_t *vector = vectors + (size_t)s * cpu_blastn_vector(&f);
    part.first = part.end;
    part.end += f.n_sub - f.w + 1;
    if (part.end > query.n) part.end = query.n;
    make_rows(&f, run->seed, s, &h3);
    make_tables(&f, &h3, tables + (size_t)s * cpu_blastn_table(&f));
    make_vector(&f, &h3, &part, vector);
    const uint32_t w_mers = list_members(&f, &part, &members);
    f.known[s] = (struct cpu_blastn_sub){w_mers, (uint32_t)members.count, 0};
    expect(&f, &h3, vector, s, &members);
  }
  run->fingerprint[0] = print_of(run);
  run->fingerprint[1] = 0;
  cpu_blastn_restore(run);
}

const char *cpu_blastn_check(const struct algo_run *run) {
  if (print_of(run) == run->fingerprint[0]) return NULL;
  return "hits are not the w-mers whose bits are all set in a Bloom vector";
}
