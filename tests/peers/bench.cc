// SPDX-License-Identifier: GPL-3.0-or-later
// Measures each algorithm beside its peers on the same data and the same
// pages, in turns.  Operation = time / RAM complexity.  Times depend on the
// machine and the hour; what counts is the ratio, taken round by round.
// Exits with 1 only where an answer is wrong: this is no timed test.
#include <getopt.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
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

// Ours and one kernel of a peer in turns: one entry a round, per operation.
struct series {
  const peer_kernel *kernel;
  std::vector<double> ours_ns, peer_ns, ratios;
};

struct row {
  const peer *other;
  uint64_t n;
  std::string kind;
  bool granted;
  series fastest;  // of the peer's kernels, by its quickest round
};

static void check_answer(const char *who, const char *wrong) {
  if (wrong) throw std::runtime_error(std::string(who) + ": " + wrong);
}

// The thread's own time: whoever else has the processor meanwhile is left out.
static double now_ns() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

static double least(const std::vector<double> &values) {
  return *std::min_element(values.begin(), values.end());
}

static size_t bytes_of(const algo *algo, uint64_t n) {
  if (!algo->bytes(n))
    throw std::runtime_error("no such memory: choose a smaller --n");
  return algo->bytes(n);
}

// An algorithm on its input, ready to run.
class workspace {
 public:
  workspace(const char *name, const row &row, uint64_t seed)
      : algo_(cpu_algo_find(name)),
        pages_(row.kind, bytes_of(algo_, row.n)),
        operations_(algo_->ram_ops(row.n)) {
    run_.n = row.n;
    run_.seed = seed;
    run_.memory = pages_.memory();
    run_.bytes = algo_->bytes(row.n);
    run_.generator = row.other->generator;
    if (row.other->searches && row.other->searches < row.n) {
      run_.searches = row.other->searches;
      operations_ *= static_cast<double>(run_.searches) / row.n;
    }
    algo_->setup(&run_);
  }

  // Nanoseconds per operation of one run on fresh input; the answer is checked.
  double time(const char *who, void (*kernel)(algo_run *),
              const char *(*check)(const algo_run *)) {
    if (algo_->restore) algo_->restore(&run_);
    double start = now_ns();
    kernel(&run_);
    double ns = (now_ns() - start) / operations_;
    check_answer(who, (check ? check : algo_->check)(&run_));
    return ns;
  }

  const algo *of() const { return algo_; }
  bool granted() const { return pages_.granted(); }

 private:
  const algo *algo_;
  pages pages_;
  double operations_;  // of a run
  algo_run run_ = {};
};

static void measure_round(const peer *other, workspace *mine, workspace *its,
                          series *series) {
  const algo *algo = mine->of();
  double ours = mine->time(algo->name, algo->run, nullptr);
  double theirs = its->time(other->name, series->kernel->run, other->check);
  series->ours_ns.push_back(ours);
  series->peer_ns.push_back(theirs);
  series->ratios.push_back(ours / theirs);
}

// The first round warms caches and branch predictors and does not count.
static std::vector<series> measure_kernels(unsigned rounds, const peer *other,
                                           workspace *mine, workspace *its) {
  std::vector<series> all;
  for (const peer_kernel &kernel : other->kernels)
    if (!kernel.usable || kernel.usable()) all.push_back({&kernel, {}, {}, {}});
  std::vector<series> warmed = all;
  if (other->rounds > 1)
    for (series &series : warmed) measure_round(other, mine, its, &series);
  for (unsigned round = 0; round < std::min(rounds, other->rounds); round++)
    for (series &series : all) measure_round(other, mine, its, &series);
  return all;
}

static void measure(const options &options, row *row) {
  const peer *other = row->other;
  workspace mine(other->algo, *row, options.seed);
  std::unique_ptr<workspace> its;
  if (other->data) its.reset(new workspace(other->data, *row, options.seed));
  row->granted = mine.granted() && (!its || its->granted());
  for (const series &series :
       measure_kernels(options.rounds, other, &mine, its ? its.get() : &mine))
    if (row->fastest.peer_ns.empty() ||
        least(series.peer_ns) < least(row->fastest.peer_ns))
      row->fastest = series;
}

// Where there is no bar, it holds.
static bool holds(const row &row) {
  double bar = row.other->bar;
  return !bar || median(row.fastest.ratios) <= bar;
}

static void print_row(const row &row, bool json) {
  const series &best = row.fastest;
  auto range = std::minmax_element(best.ratios.begin(), best.ratios.end());
  double ratio = median(best.ratios), bar = row.other->bar;
  std::string name = row.other->name;
  if (*best.kernel->name) name += std::string(" (") + best.kernel->name + ")";
  std::string kind = row.kind + (row.granted ? "" : " not granted");
  printf(json ? "{\"work\":\"%s\",\"peer\":\"%s\",\"n\":%llu,\"pages\":\"%s\","
                "\"ours_ns_per_op\":%.4f,\"peer_ns_per_op\":%.4f,"
                "\"ratio\":%.4f,\"lo\":%.4f,\"hi\":%.4f,"
              : "%-19s %-41s %10llu %-5s %8.3f %8.3f   %.3f [%.3f, %.3f]",
         row.other->algo, name.c_str(), static_cast<unsigned long long>(row.n),
         kind.c_str(), median(best.ours_ns), median(best.peer_ns), ratio,
         *range.first, *range.second);
  if (json)
    printf("\"bar\":%s,\"holds\":%s}\n",
           bar ? std::to_string(bar).c_str() : "null",
           !bar         ? "null"
           : holds(row) ? "true"
                        : "false");
  else if (bar)
    printf("  %.2f %s\n", bar, holds(row) ? "holds" : "missed");
  else
    printf("     -\n");
  fflush(stdout);
}

static bool wanted(const options &options, const peer &peer) {
  return options.works.empty() ||
         std::count(options.works.begin(), options.works.end(), peer.algo);
}

// Does every bar hold?
static bool run_all(const options &options) {
  bool hold = true;
  const std::vector<peer> peers = all_peers();
  if (!options.json)
    printf("%-19s %-41s %10s %-5s %8s %8s   %s\n", "work", "peer", "n", "pages",
           "ours", "peer", "ratio [lo, hi]        bar");
  if (!options.json)
    printf("%-19s %-41s %10s %-5s %8s %8s   median of %u rounds\n", "", "", "",
           "", "ns/op", "ns/op", options.rounds);
  for (const peer &peer : peers) {
    if (!wanted(options, peer)) continue;
    for (uint64_t n : options.sizes.empty() ? peer.sizes : options.sizes)
      for (const std::string &kind : options.kinds) {
        row row = {};
        row.other = &peer;
        row.n = n;
        row.kind = kind;
        measure(options, &row);
        print_row(row, options.json);
        hold &= holds(row);
      }
  }
  return hold;
}

static const char usage[] =
    "usage: bench_peers [OPTION...] [WORK...]\n"
    "Measures algorithms beside their peers; WORK: as in vat list algos.\n"
    "Exits with 1 where a bar is missed.\n"
    "  -n, --n N         keys or rows, e.g. 2^24 or 8192; may be given often\n"
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
    return run_all(options) ? 0 : 1;
  } catch (const std::runtime_error &wrong) {
    fprintf(stderr, "bench_peers: %s\n", wrong.what());
    return 1;
  }
}
