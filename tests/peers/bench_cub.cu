/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce, scan, histogram and sorts beside CUB's, and beside the memory's own
 * speed, on the GPU that is there.  Arguments choose algorithms.
 *
 * Both run in turns, each on a device whose cache holds other things, timed by
 * events; what counts is the median of the ratios, round by round.  Exits with
 * 1 where an answer is wrong, with 2 for an unknown algorithm, with 77 where
 * there is no GPU.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string_view>
#include <vector>

extern "C" {
#include "gpu_algos/algos.h"
#include "gpu_algos/failure.h"
#include "gpu_algos/words.h"
}

namespace {

const struct gpu_device *const device = gpu_cuda_set.device;

void die_of(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "bench_cub: %s: %s\n", call, cudaGetErrorName(error));
  exit(1);
}
#define CALL(call) die_of(call, #call)

[[noreturn]] void die_of_failure() {
  const struct gpu_failure *failure = gpu_failure_first();
  fprintf(stderr, "bench_cub: %s: %s (%s)\n", failure->call, failure->name,
          failure->text);
  exit(1);
}

/* What CUB does on the same words, in the same memory. */
struct cub_call {
  const char *algo, *rival;
  double bytes_per_word; /* that have to be moved */
  cudaError_t (*run)(void *scratch, size_t &bytes, const uint32_t *in,
                     uint32_t *out, int n);
};

cudaError_t cub_reduce(void *scratch, size_t &bytes, const uint32_t *in,
                       uint32_t *out, int n) {
  return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
}

cudaError_t cub_scan(void *scratch, size_t &bytes, const uint32_t *in,
                     uint32_t *out, int n) {
  return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
}

/* Its bins are intervals: of the highest byte, where ours are of the lowest. */
cudaError_t cub_histogram(void *scratch, size_t &bytes, const uint32_t *in,
                          uint32_t *out, int n) {
  return cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, 257, 0ull,
                                             1ull << 32, n);
}

struct less_key {
  __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

cudaError_t cub_merge_sort(void *scratch, size_t &bytes, const uint32_t *in,
                           uint32_t *out, int n) {
  return cub::DeviceMergeSort::SortKeysCopy(scratch, bytes, in, out, n,
                                            less_key());
}

cudaError_t cub_radix_sort(void *scratch, size_t &bytes, const uint32_t *in,
                           uint32_t *out, int n) {
  return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n);
}

/* A merge sort compares keys, as ours do; a radix sort is what CUB has that is
 * fastest for such keys. */
const cub_call calls[] = {
    {"reduce", "Reduce", 4, cub_reduce},
    {"scan", "Scan", 8, cub_scan},
    {"histogram_shared", "Histogram", 4, cub_histogram},
    {"k_merge_32", "MergeSort", 8, cub_merge_sort},
    {"k_merge_32", "RadixSort", 8, cub_radix_sort},
    {"two_phase_merge_sort_32", "MergeSort", 8, cub_merge_sort},
    {"two_phase_merge_sort_32", "RadixSort", 8, cub_radix_sort},
    {"k_quicksort_32", "MergeSort", 8, cub_merge_sort},
    {"k_quicksort_32", "RadixSort", 8, cub_radix_sort},
    {"quicksort_gpu_32", "MergeSort", 8, cub_merge_sort},
    {"quicksort_gpu_32", "RadixSort", 8, cub_radix_sort}};

const struct algo *find(const char *name) {
  const struct algo *const *algo = gpu_cuda_set.algos;
  while (std::string_view((*algo)->name) != name) algo++;
  return *algo;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class flusher {
 public:
  flusher() {
    struct gpu_properties properties;
    if (device->describe(&properties)) die_of_failure();
    bytes_ = 2 * properties.l2_bytes;
    memory_ = device->allocate(bytes_);
    if (!memory_) die_of_failure();
  }
  void flush() {
    if (device->flush(memory_, bytes_)) die_of_failure();
  }

 private:
  void *memory_;
  size_t bytes_;
};

class comparison {
 public:
  comparison(const cub_call &call, uint64_t n)
      : call_(call), algo_(find(call.algo)) {
    host_.resize(algo_->bytes(n));
    run_.n = n;
    run_.seed = 1;
    run_.bytes = host_.size();
    run_.memory = host_.data();
    algo_->setup(&run_);
    CALL(cudaMalloc(&input_, host_.size()));
    CALL(cudaMemcpy(input_, host_.data(), host_.size(), cudaMemcpyDefault));
    CALL(cudaMalloc(&memory_, host_.size()));
    CALL(cudaMalloc(&out_, gpu_words_padded(n) * 4 + 2048));
    CALL(call_.run(nullptr, scratch_bytes_, words(), out_, (int)n));
    CALL(cudaMalloc(&scratch_, scratch_bytes_));
    CALL(cudaEventCreate(&start_));
    CALL(cudaEventCreate(&stop_));
  }
  ~comparison() {
    CALL(cudaFree(input_));
    CALL(cudaFree(memory_));
    CALL(cudaFree(out_));
    CALL(cudaFree(scratch_));
    CALL(cudaEventDestroy(start_));
    CALL(cudaEventDestroy(stop_));
  }

  double ours(flusher &flusher) {
    struct algo_run there = run_;
    uint64_t ns;
    there.memory = (unsigned char *)memory_;
    restore();
    flusher.flush();
    if (device->run(algo_, &there, &ns)) die_of_failure();
    return (double)ns;
  }

  double theirs(flusher &flusher) {
    float ms;
    restore(); /* ours may have written over it */
    flusher.flush();
    CALL(cudaEventRecord(start_));
    CALL(call_.run(scratch_, scratch_bytes_, words(), out_, (int)run_.n));
    CALL(cudaEventRecord(stop_));
    CALL(cudaEventSynchronize(stop_));
    CALL(cudaEventElapsedTime(&ms, start_, stop_));
    return ms * 1e6;
  }

  /* What ours has left, which is there until the next run. */
  void check() {
    uint64_t ns;
    if (device->download(run_.memory, memory_, run_.bytes, &ns))
      die_of_failure();
    const char *wrong = algo_->check(&run_);
    if (!wrong) return;
    fprintf(stderr, "bench_cub: %s: %s\n", algo_->name, wrong);
    exit(1);
  }

 private:
  /* From a copy there, as the host's would take most of the time. */
  void restore() {
    CALL(cudaMemcpy(memory_, input_, run_.bytes, cudaMemcpyDeviceToDevice));
  }
  const uint32_t *words() const { return (const uint32_t *)memory_; }

  const cub_call &call_;
  const struct algo *algo_;
  std::vector<unsigned char> host_;
  struct algo_run run_ = {};
  void *input_ = nullptr, *memory_ = nullptr, *scratch_ = nullptr;
  uint32_t *out_ = nullptr;
  size_t scratch_bytes_ = 0;
  cudaEvent_t start_, stop_;
};

void compare(const cub_call &call, uint64_t n, double copy_rate,
             flusher &flusher) {
  enum { ROUNDS = 11 };
  comparison both(call, n);
  std::vector<double> ours, theirs, ratios;
  for (int round = -1; round < ROUNDS; round++) {
    double a = both.ours(flusher);
    if (round < 0 || round + 1 == ROUNDS) both.check();
    double b = both.theirs(flusher);
    if (round < 0) continue; /* the first loads kernels */
    ours.push_back(a);
    theirs.push_back(b);
    ratios.push_back(b / a);
  }
  double rate = call.bytes_per_word * (double)n / median(ours) * 1e9;
  printf("%-23s  %-9s %10llu  %10.1f  %10.1f  %8.2f  %9.1f %%\n", call.algo,
         call.rival, (unsigned long long)n, median(ours) / 1e3,
         median(theirs) / 1e3, median(ratios), 100 * rate / copy_rate);
}

/* Whether it is among the arguments, of which there may be none. */
bool is_chosen(const cub_call &call, int count, char **names) {
  return !count || std::any_of(names, names + count, [&](const char *name) {
    return std::string_view(call.algo) == name;
  });
}

/* The first argument that no call is of, or NULL. */
const char *unknown(int count, char **names) {
  for (int i = 0; i < count; i++)
    if (std::none_of(std::begin(calls), std::end(calls),
                     [&](const cub_call &call) {
                       return is_chosen(call, 1, names + i);
                     }))
      return names[i];
  return nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0); /* minutes: each line as it comes */
  if (const char *name = unknown(argc - 1, argv + 1)) {
    fprintf(stderr, "bench_cub: %s: nothing of CUB's is beside it\n", name);
    return 2;
  }
  if (device->open()) {
    const struct gpu_failure *failure = gpu_failure_first();
    printf("SKIPPED beside CUB: %s: %s (%s)\n", failure->call, failure->name,
           failure->text);
    return 77;
  }
  struct gpu_properties properties;
  double copy_rate;
  if (device->describe(&properties) || device->copy_rate(&copy_rate))
    die_of_failure();
  printf("%s copies at %.0f GB/s (read and written)\n", properties.name,
         copy_rate / 1e9);
  printf("%-23s  %-9s %10s  %10s  %10s  %8s  %11s\n", "algorithm", "of CUB",
         "n", "ours us", "CUB us", "CUB/ours", "of copying");
  flusher flusher;
  for (const cub_call &call : calls)
    for (unsigned lg : {20, 22, 24, 26, 27, 28})
      if (is_chosen(call, argc - 1, argv + 1))
        compare(call, UINT64_C(1) << lg, copy_rate, flusher);
  return 0;
}
