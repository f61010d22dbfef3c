/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/warp_results.h"

static const uint64_t undefined_value = UINT64_C(0xdeadbeefdeadbeef);

#define EACH_LANE(lane, mask)                               \
  for (uint32_t rest_ = (mask), lane = 0;                   \
       rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1); \
       rest_ &= rest_ - 1)

/* Which lane this one asks; outside of its segment it asks itself. */
static int asked(const struct simt_warp_call *call, int lane) {
  int first = lane & ~(call->width - 1), end = first + call->width;
  int source;
  switch (call->op) {
    case SIMT_SHUFFLE_UP:
      source = lane - call->argument;
      return source >= first ? source : lane;
    case SIMT_SHUFFLE_DOWN:
      source = lane + call->argument;
      return source < end ? source : lane;
    case SIMT_SHUFFLE_XOR:
      source = lane ^ call->argument;
      return source < end ? source : lane;
    default:
      return first + (call->argument & (call->width - 1));
  }
}

static void shuffle(struct simt_warp *warp, uint32_t mask) {
  EACH_LANE(lane, mask) {
    int source = asked(&warp->calls[lane], (int)lane);
    warp->results[lane] =
        mask >> source & 1 ? warp->calls[source].value : undefined_value;
  }
}

static uint32_t lanes_with(const struct simt_warp *warp, uint32_t mask,
                           uint64_t value) {
  uint32_t with = 0;
  EACH_LANE(lane, mask)
  with |= (uint32_t)(warp->calls[lane].value == value) << lane;
  return with;
}

static uint64_t combine(enum simt_warp_op op, uint64_t a, uint64_t b) {
  switch (op) {
    case SIMT_REDUCE_MIN:
      return b < a ? b : a;
    case SIMT_REDUCE_MAX:
      return b > a ? b : a;
    case SIMT_REDUCE_AND:
      return a & b;
    case SIMT_REDUCE_OR:
      return a | b;
    case SIMT_REDUCE_XOR:
      return a ^ b;
    default:
      return (uint32_t)(a + b);
  }
}

static uint64_t reduce(const struct simt_warp *warp, uint32_t mask) {
  uint32_t first = (uint32_t)__builtin_ctz(mask);
  uint64_t result = warp->calls[first].value;
  EACH_LANE(lane, mask & (mask - 1))
  result = combine(warp->calls[first].op, result, warp->calls[lane].value);
  return result;
}

/* One value for all lanes of the mask. */
static uint64_t common(const struct simt_warp *warp, uint32_t mask) {
  const struct simt_warp_call *call = &warp->calls[__builtin_ctz(mask)];
  switch (call->op) {
    case SIMT_SYNC:
      return 0;
    case SIMT_VOTE:
      return mask & ~lanes_with(warp, mask, 0);
    case SIMT_MATCH_ALL:
      return lanes_with(warp, mask, call->value) == mask ? mask : 0;
    default:
      return reduce(warp, mask);
  }
}

void simt_warp_results(struct simt_warp *warp, uint32_t mask) {
  enum simt_warp_op op = warp->calls[__builtin_ctz(mask)].op;
  if (op >= SIMT_SHUFFLE && op <= SIMT_SHUFFLE_XOR) {
    shuffle(warp, mask);
  } else if (op == SIMT_MATCH_ANY) {
    EACH_LANE(lane, mask)
    warp->results[lane] = lanes_with(warp, mask, warp->calls[lane].value);
  } else {
    uint64_t result = common(warp, mask);
    EACH_LANE(lane, mask) warp->results[lane] = result;
  }
}
