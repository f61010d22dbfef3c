// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to profile a program, against running it and against
// cachegrind.
//
//   bench_profile [-r ROUNDS] [-v VAT] [-t TOOL,...] [sort|scan|sqlite|gzip...]
//
// Each program as it is, under `vat profile` with two page sizes, under
// Valgrind without a tool, and under cachegrind with its caches, in turns, in
// processor time of all that ran.  Printed are medians, and how many times the
// program's own.  Exits with 1 where a bar is missed.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using words = std::vector<std::string>;

// --- programs: this one runs as two of them, with an argument ----------------

uint64_t sort_numbers() {
  std::vector<uint64_t> numbers(10000000);
  std::mt19937_64 random(1);
  for (uint64_t &number : numbers) number = random();
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

// As many reads as there are numbers, at random places.
uint64_t scan_numbers() {
  std::vector<uint64_t> numbers(512 << 17, 1);
  uint64_t sum = 0, state = 1;
  for (size_t i = 0; i < numbers.size(); i++) {
    state = state * 6364136223846793005 + 1442695040888963407;
    sum += numbers[state >> 38];
  }
  return sum;
}

// Rows in random order, an index, and joins through it.
const char *const queries =
    "CREATE TABLE a(id INTEGER PRIMARY KEY, k INTEGER, t TEXT);"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<%u)"
    "INSERT INTO a SELECT i, (i*7919)%%1000003, 'row ' || (i*31) FROM n;"
    "CREATE INDEX by_k ON a(k);"
    "SELECT count(*), sum(length(y.t)) FROM a x JOIN a y ON y.k=(x.id*37)%%"
    "1000003;"
    "SELECT count(*) FROM a x JOIN a y ON y.id=x.k;";

struct program {
  const char *name;
  double bar;  // as many times its own time may be taken
};
const program programs[] = {
    {"sort", 5}, {"scan", 5}, {"sqlite", 15}, {"gzip", 7}};

// Text of words, some of which are frequent.
void write_text(const std::string &path, size_t bytes) {
  std::ofstream file(path);
  std::mt19937_64 random(2);
  for (size_t written = 0; written < bytes;) {
    uint64_t bits = random();
    std::string word = std::to_string((bits >> 40) >> (bits & 15));
    file << word << (bits & 48 ? ' ' : '\n');
    written += word.size() + 1;
  }
}

words command_of(const std::string &name, const std::string &self,
                 const std::string &directory) {
  if (name == "sqlite") {
    char text[1000];
    std::snprintf(text, sizeof text, queries, 300000u);
    return {"sqlite3", ":memory:", text};
  }
  if (name == "gzip") return {"gzip", "-kc", directory + "/text"};
  return {self, "--run", name};
}

// --- how they are run
// ---------------------------------------------------------

struct way {
  const char *name;
  words before;  // of the program
};

double seconds(const timeval &time) {
  return static_cast<double>(time.tv_sec) +
         1e-6 * static_cast<double>(time.tv_usec);
}

// Processor time of what it runs and all that that waits for.
double time_of(const words &before, const words &command) {
  std::vector<char *> arguments;
  for (const words *part : {&before, &command})
    for (const std::string &word : *part)
      arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status;
  rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status)
    throw std::runtime_error(std::string(arguments[0]) + " failed");
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

struct options {
  unsigned rounds = 3;
  std::string vat = "experiments/vat";
  words names, ways;
};

bool chosen(const words &list, const std::string &name) {
  return list.empty() ||
         std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<way> ways_of(const options &options, const std::string &directory) {
  const way all[] = {{"native", {}},
                     {"profile",
                      {options.vat, "profile", "--pages", "4k,2m", "-o",
                       directory + "/profile", "--"}},
                     {"none", {"valgrind", "-q", "--tool=none"}},
                     {"cachegrind",
                      {"valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes",
                       "--cachegrind-out-file=" + directory + "/cachegrind"}}};
  std::vector<way> taken;
  for (const way &way : all)
    if (way.before.empty() || chosen(options.ways, way.name))
      taken.push_back(way);
  return taken;
}

// Returns whether the bars are met.
bool run(const program &program, const options &options,
         const std::string &self, const std::string &directory) {
  std::vector<way> ways = ways_of(options, directory);
  std::vector<std::vector<double>> times(ways.size());
  words command = command_of(program.name, self, directory);
  for (unsigned round = 0; round < options.rounds; round++)
    for (size_t i = 0; i < ways.size(); i++)
      times[i].push_back(time_of(ways[i].before, command));
  std::printf("%-8s", program.name);
  double native = median(times[0]), profile = 0, cachegrind = 0;
  for (size_t i = 0; i < ways.size(); i++) {
    double time = median(times[i]);
    if (!std::strcmp(ways[i].name, "profile")) profile = time;
    if (!std::strcmp(ways[i].name, "cachegrind")) cachegrind = time;
    std::printf("  %s %.2f s", ways[i].name, time);
    if (i) std::printf(" (%.2f x)", time / native);
  }
  bool met = profile <= program.bar * native &&
             (cachegrind == 0 || profile <= cachegrind / 2);
  std::printf("  bar %.0f: %s\n", program.bar, met ? "met" : "MISSED");
  std::fflush(stdout);
  return met;
}

words split(const std::string &list) {
  words parts(1);
  for (char c : list)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

options parse(int argc, char **argv) {
  options options;
  for (int c; (c = getopt(argc, argv, "r:v:t:")) != -1;) {
    if (c == 'r')
      options.rounds = static_cast<unsigned>(std::stoul(optarg));
    else if (c == 'v')
      options.vat = optarg;
    else if (c == 't')
      options.ways = split(optarg);
    else
      throw std::runtime_error("usage: see the head of bench_profile.cc");
  }
  options.names.assign(argv + optind, argv + argc);
  return options;
}

int bench(int argc, char **argv) {
  options options = parse(argc, argv);
  char directory[] = "/tmp/bench-profile-XXXXXX";
  if (!mkdtemp(directory)) throw std::runtime_error("no temporary directory");
  write_text(std::string(directory) + "/text", 8000000);
  bool met = true;
  for (const program &program : programs)
    if (chosen(options.names, program.name))
      met &= run(program, options, argv[0], directory);
  for (const char *name : {"/text", "/profile", "/cachegrind"})
    unlink((std::string(directory) + name).c_str());
  rmdir(directory);
  return met ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 3 || std::strcmp(argv[1], "--run")) return bench(argc, argv);
    std::string name = argv[2];
    std::printf("%ju\n", static_cast<uintmax_t>(
                             name == "sort" ? sort_numbers() : scan_numbers()));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench_profile: %s\n", error.what());
    return 2;
  }
}
