/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T1, Tinf, M and T_P of an algorithm or of any program, at every combination
 * of numbers that was asked for. */
#include <math.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/tmm_request.h"

static const char *const limit_names[] = {
    [TMM_LIMIT_HARDWARE] = "X",
    [TMM_LIMIT_LOCAL] = "Z / (Q S)",
    [TMM_LIMIT_PARALLELISM] = "T1 / (Tinf P)"};

/* What is told of a point. */
struct told {
  const struct tmm_request *request;
  const struct tmm_algo *algo; /* NULL: any program */
  struct tmm_point point;
  struct tmm_program program;
  struct tmm_result result;
  const struct tmm_small *small; /* NULL: the problem is larger */
  const struct tmm_refined *refined;
  const struct tmm_transition *transition; /* NULL: it has none */
};

/* At the combination `place`, on the machine. */
static int evaluate(struct told *told, const struct tmm_machine *machine,
                    size_t place) {
  const struct tmm_algo *algo = told->algo;
  const double *value = told->point.value;
  *told = (struct told){.request = told->request, .algo = algo};
  int code = tmm_point_at(told->request, machine, place, &told->point);
  if (code) return code;
  if (algo) {
    code = tmm_point_program(&told->point, algo, &told->program);
    told->small = tmm_small_of(algo, &told->point.at);
    told->refined = tmm_refined_of(algo);
    told->transition = tmm_transition_of(algo, &told->point.at);
  } else {
    told->program = (struct tmm_program){value[TMM_T1], value[TMM_TINF],
                                         value[TMM_MEM], value[TMM_S]};
  }
  double threads = value[TMM_THREADS]; /* else as many as there can be */
  tmm_evaluate(&told->point.machine, &told->program,
               isnan(threads) ? INFINITY : threads, &told->result);
  return code;
}

static void add_tables(json_t *object, const struct told *told) {
  const struct tmm_at *at = &told->point.at;
  const struct tmm_refined *refined = told->refined;
  const struct tmm_transition *transition = told->transition;
  if (told->small)
    json_object_set_new(object, "small", json_string(told->small->when.text));
  if (refined) {
    json_t *terms = json_pack("{ss}", "equation", refined->equation);
    model_json_add(terms, "small_n", refined->small.value(at), "large_n",
                   refined->large.value(at), "time",
                   tmm_refined_time(refined, at));
    json_object_set_new(object, "refined", terms);
  }
  if (transition)
    json_object_set_new(
        object, "transition",
        json_pack("{ss so ss ss ss}", "condition", transition->when.text, "n",
                  model_json_number(transition->n.value(at)), "n_formula",
                  transition->n.text, "bound", tmm_term_names[transition->term],
                  "bound_formula", transition->bound.text));
}

static void print_json(const struct told *told) {
  const struct tmm_result *r = &told->result;
  const struct tmm_program *program = &told->program;
  json_t *object = json_pack("{ss ss ss}", "model", "tmm", "algo",
                             told->algo ? told->algo->name : "program", "arch",
                             told->point.machine.name);
  json_t *terms = json_object();
  tmm_json_place(told->request, &told->point, object);
  model_json_add(object, "T1", program->T1, "Tinf", program->Tinf, "M",
                 program->M, "threads_per_core", r->threads, "threads_limit",
                 r->most);
  for (int i = 0; i < TMM_TERMS; i++)
    model_json_add(terms, tmm_term_names[i], r->term[i]);
  json_object_update_new(
      object, json_pack("{ss so ss}", "limited_by", limit_names[r->by], "terms",
                        terms, "dominant", tmm_term_names[r->dominant]));
  model_json_add(object, "time", r->time, "speedup", r->speedup);
  json_object_set_new(object, "linear_speedup", json_boolean(r->linear));
  model_json_add(object, "linear_threads", r->least_threads, "linear_latency",
                 r->most_latency, "effective_work", r->effective, "pram_time",
                 tmm_pram(&told->point.machine, program));
  add_tables(object, told);
  model_json_print(object);
}

#define LINE "%10s %10s %10s %10s %10s %10s %10s\n"

/* What stands above lines that have their formulas in common. */
static void print_formulas(const struct told *told) {
  const struct tmm_algo *algo = told->algo;
  if (algo && !told->small)
    printf("T1 = %s, Tinf = %s, M = %s\n", algo->T1.text, algo->Tinf.text,
           algo->M.text);
  else if (algo)
    printf("T1 = %s, Tinf = %s, M = %s, as %s\n", told->small->T1.text,
           told->small->Tinf.text, told->small->M.text, told->small->when.text);
  tmm_print_place(told->request, NULL);
  printf(LINE, "T", "T1 / P", "Tinf", "ML/(TP)", "rules", "time", "speed-up");
}

static void print_line(const struct told *told) {
  const struct tmm_result *r = &told->result;
  tmm_print_place(told->request, &told->point);
  printf(LINE, NUMBER_TEXT(r->threads), NUMBER_TEXT(r->term[TMM_WORK]),
         NUMBER_TEXT(r->term[TMM_SPAN]), NUMBER_TEXT(r->term[TMM_MEMORY]),
         tmm_term_names[r->dominant], NUMBER_TEXT(r->time),
         r->linear ? "P" : NUMBER_TEXT(r->speedup));
}

static void print_refined(const struct told *told) {
  const struct tmm_at *at = &told->point.at;
  const struct tmm_refined *refined = told->refined;
  printf(
      "Equation (%s), with T P = n or T = X: memory takes %s of small n (%s) "
      "and %s of large n (%s), all %s.\n",
      refined->equation, NUMBER_TEXT(refined->small.value(at)),
      refined->small.text, NUMBER_TEXT(refined->large.value(at)),
      refined->large.text, NUMBER_TEXT(tmm_refined_time(refined, at)));
}

/* Tables 4.2 and 4.3. */
static void print_transition(const struct told *told) {
  const struct tmm_at *at = &told->point.at;
  const struct tmm_transition *t = told->transition;
  printf(
      "As %s here, the time depends on n from n = %s = %s on (table 4.2); "
      "from there it is bound by %s, %s (table 4.3).\n",
      t->when.text, t->n.text, NUMBER_TEXT(t->n.value(at)),
      tmm_term_names[t->term], t->bound.text);
}

/* What the numbers mean, where there is one line of them. */
static void print_words(const struct told *told) {
  static const char *const meaning[TMM_TERMS] = {
      [TMM_WORK] = "all cores compute, and threads hide the memory",
      [TMM_SPAN] = ("the critical path is what takes longest: more cores or "
                    "threads do not help"),
      [TMM_MEMORY] = "there are too few threads to hide the memory"};
  const struct tmm_result *r = &told->result;
  printf("%s rules: %s.  T is at most %s, by %s.\n",
         tmm_term_names[r->dominant], meaning[r->dominant],
         NUMBER_TEXT(r->most), limit_names[r->by]);
  printf(
      "A linear speed-up takes T of at least M L / T1 = %s%s, so L of at "
      "most %s; and P of at most T1 / Tinf = %s.\n",
      NUMBER_TEXT(r->least_threads),
      r->least_threads > r->most ? ", which there cannot be" : "",
      NUMBER_TEXT(r->most_latency),
      NUMBER_TEXT(told->program.T1 / told->program.Tinf));
}

static int tell_on(const struct tmm_request *request,
                   const struct tmm_algo *algo, size_t machine, size_t points) {
  struct told told = {.request = request, .algo = algo};
  const struct tmm_small *small = NULL; /* of the line before */
  int code = VAT_OK;
  for (size_t i = 0; !code && i < points; i++) {
    code = evaluate(&told, &request->machine[machine], i);
    if (code) break;
    if (request->json) {
      print_json(&told);
      continue;
    }
    if (!i) {
      printf("TMM model (%s, %s): %s%s%s\n", TMM_SOURCE,
             algo ? algo->source : "3.1 to 3.3",
             algo ? algo->name : "a program", algo ? ", " : "",
             algo ? algo->title : "");
      tmm_print_machine(request, &told.point);
    }
    if (!i || told.small != small) print_formulas(&told);
    print_line(&told);
    small = told.small;
  }
  if (code || request->json) return code;
  if (points == 1) print_words(&told);
  if (points == 1 && told.refined) print_refined(&told);
  if (told.transition) print_transition(&told);
  return VAT_OK;
}

int tmm_tell(const struct tmm_request *request, const struct tmm_algo *algo) {
  size_t points = tmm_points_count(request);
  int code = points ? VAT_OK : VAT_USAGE;
  for (size_t i = 0; !code && i < request->machines; i++) {
    if (i && !request->json) putchar('\n');
    code = tell_on(request, algo, i, points);
  }
  return code;
}
