// SPDX-License-Identifier: GPL-3.0-or-later
// Measures each algorithm beside its peers on the same data and the same
// pages, in turns.  Operation = time / RAM complexity.  Times depend on the
// machine and the hour; what counts is the ratio, taken round by round.
// Exits with 1 only where an answer is wrong: this is no timed test.
#include <getopt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/peers/pages.h"
#include "tests/peers/peers.h"

struct options {
  std::vector<std::string> works;
  std::vector<uint64_t> sizes;
  std::vector<std::string> kinds;
  unsigned rounds = 5;
  uint64_t seed = 1;
  bool json = false;
};

struct row {
  const peer *other;
  uint64_t n;
  std::string kind;
  bool granted;
  std::string fastest;  // kernel of the peer, in the last round
  std::vector<double> ours_ns, peer_ns, ratios;  // one a round, per operation
};

static void check_answer(const char *who, const char *wrong) {
  if (wrong) throw std::runtime_error(std::string(who) + ": " + wrong);
}

// Nanoseconds per operation of one run on fresh input.
static double time_run(const algo *algo, algo_run *run,
                       void (*kernel)(algo_run *)) {
  if (algo->restore) algo->restore(run);
  auto start = std::chrono::steady_clock::now();
  kernel(run);
  std::chrono::duration<double, std::nano> took =
      std::chrono::steady_clock::now() - start;
  return took.count() / algo->ram_ops(run->n);
}

// Kernels of one peer compete: the round's time is that of the fastest.
static double time_peer(const algo *algo, algo_run *run, row *row) {
  double best = INFINITY;
  for (const peer_kernel &kernel : row->other->kernels) {
    if (kernel.usable && !kernel.usable()) continue;
    double ns = time_run(algo, run, kernel.run);
    auto check = row->other->check ? row->other->check : algo->check;
    check_answer(row->other->name, check(run));
    if (ns < best) row->fastest = kernel.name;
    best = std::min(best, ns);
  }
  return best;
}

static void measure(const options &options, const algo *algo, row *row) {
  pages pages(row->kind, algo->bytes(row->n));
  row->granted = pages.granted();
  algo_run run = {};
  run.n = row->n;
  run.seed = options.seed;
  run.memory = pages.memory();
  run.bytes = algo->bytes(row->n);
  algo->setup(&run);
  for (unsigned round = 0; round <= options.rounds; round++) {
    double ours = time_run(algo, &run, algo->run);
    check_answer(algo->name, algo->check(&run));
    double theirs = time_peer(algo, &run, row);
    if (!round) continue;  // caches and branch predictors are warm now
    row->ours_ns.push_back(ours);
    row->peer_ns.push_back(theirs);
    row->ratios.push_back(ours / theirs);
  }
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

static void print_row(const row &row, bool json) {
  auto range = std::minmax_element(row.ratios.begin(), row.ratios.end());
  double ratio = median(row.ratios), bar = row.other->bar;
  const char *holds = !bar ? "" : ratio <= bar ? "holds" : "missed";
  std::string name = row.other->name;
  if (!row.fastest.empty()) name += " (" + row.fastest + ")";
  std::string kind = row.kind + (row.granted ? "" : " not granted");
  printf(json ? "{\"work\":\"%s\",\"peer\":\"%s\",\"n\":%llu,\"pages\":\"%s\","
                "\"ours_ns_per_op\":%.4f,\"peer_ns_per_op\":%.4f,"
                "\"ratio\":%.4f,\"lo\":%.4f,\"hi\":%.4f,"
              : "%-16s %-41s %10llu %-5s %8.3f %8.3f   %.3f [%.3f, %.3f]",
         row.other->algo, name.c_str(), static_cast<unsigned long long>(row.n),
         kind.c_str(), median(row.ours_ns), median(row.peer_ns), ratio,
         *range.first, *range.second);
  if (json)
    printf("\"bar\":%s,\"holds\":%s}\n",
           bar ? std::to_string(bar).c_str() : "null",
           !bar           ? "null"
           : ratio <= bar ? "true"
                          : "false");
  else if (bar)
    printf("  %.2f %s\n", bar, holds);
  else
    printf("     -\n");
  fflush(stdout);
}

static bool wanted(const options &options, const peer &peer) {
  return options.works.empty() ||
         std::count(options.works.begin(), options.works.end(), peer.algo);
}

static void run_all(const options &options) {
  const std::vector<peer> peers = all_peers();
  if (!options.json)
    printf("%-16s %-41s %10s %-5s %8s %8s   %s\n", "work", "peer", "n", "pages",
           "ours", "peer", "ratio [lo, hi]        bar");
  if (!options.json)
    printf("%-16s %-41s %10s %-5s %8s %8s   median of %u rounds\n", "", "", "",
           "", "ns/op", "ns/op", options.rounds);
  for (const peer &peer : peers) {
    if (!wanted(options, peer)) continue;
    for (uint64_t n : options.sizes.empty() ? peer.sizes : options.sizes)
      for (const std::string &kind : options.kinds) {
        row row = {};
        row.other = &peer;
        row.n = n;
        row.kind = kind;
        measure(options, cpu_algo_find(peer.algo), &row);
        print_row(row, options.json);
      }
  }
}

static const char usage[] =
    "usage: bench_peers [OPTION...] [WORK...]\n"
    "Measures algorithms beside their peers; WORK: as in vat list algos.\n"
    "  -n, --n N         keys, e.g. 2^24 or 1000000; may be given often\n"
    "  -p, --pages KIND  4k or thp; may be given often (both)\n"
    "  -r, --rounds N    interleaved rounds, one more is thrown away (5)\n"
    "  -s, --seed N      of the data (1)\n"
    "  -j, --json        one object a line\n";

static uint64_t number(const std::string &text) {
  size_t end = 0;
  uint64_t value = std::stoull(text, &end);
  if (text.compare(0, 2, "2^") == 0) {
    unsigned long power = std::stoul(text.substr(2), &end);
    end += 2;
    if (power > 40) throw std::out_of_range(text);
    value = UINT64_C(1) << power;
  }
  if (end != text.size() || !value) throw std::invalid_argument(text);
  return value;
}

static bool take_option(options *options, int option) {
  switch (option) {
    case 'n':
      options->sizes.push_back(number(optarg));
      return true;
    case 'p':
      options->kinds.push_back(optarg);
      return options->kinds.back() == "4k" || options->kinds.back() == "thp";
    case 'r':
      options->rounds = number(optarg);
      return true;
    case 's':
      options->seed = number(optarg);
      return true;
    case 'j':
      options->json = true;
      return true;
    default:
      return false;
  }
}

static bool parse(int argc, char **argv, options *options) {
  static const option names[] = {{"n", required_argument, nullptr, 'n'},
                                 {"pages", required_argument, nullptr, 'p'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"seed", required_argument, nullptr, 's'},
                                 {"json", no_argument, nullptr, 'j'},
                                 {}};
  for (int c; (c = getopt_long(argc, argv, "n:p:r:s:j", names, nullptr)) != -1;)
    if (!take_option(options, c)) return false;
  for (; optind < argc; optind++) {
    if (!cpu_algo_find(argv[optind])) return false;
    options->works.push_back(argv[optind]);
  }
  if (options->kinds.empty()) options->kinds = {"4k", "thp"};
  return true;
}

int main(int argc, char **argv) {
  options options;
  try {
    if (!parse(argc, argv, &options)) throw std::invalid_argument("usage");
  } catch (const std::logic_error &) {
    fputs(usage, stderr);
    return 2;
  }
  try {
    run_all(options);
  } catch (const std::runtime_error &wrong) {
    fprintf(stderr, "bench_peers: %s\n", wrong.what());
    return 1;
  }
  return 0;
}
