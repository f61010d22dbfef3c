/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are the pools of huge pages large enough for this program? */
#include "experiments/cli/command.h"
#include "experiments/compare/comparison.h"
#include "experiments/memory/workspaces.h"

/* Pages beyond what the memory itself takes: each of malloc's chunks that has
 * a mapping of its own ends in a page that is not full. */
enum { MORE_SMALL = 16, MORE_LARGE = 1 };
static const size_t large = (size_t)1 << 30;

int pools_check(const struct comparison *c) {
  for (size_t i = 0; i < c->arms.count; i++) {
    struct hp_lack lack;
    const struct hp_kind *kind = c->arms.at[i].kind;
    if (kind->pooled && !c->options.warmup)
      return fail(VAT_USAGE,
                  "--warmup 0: how large a pool of %s pages has to be a run "
                  "must tell; mend: --warmup 1",
                  kind->name);
    struct hp_pool pool;
    if (kind->pooled && hp_pool_read(kind->bytes, &pool) &&
        hp_kind_explain(kind, kind->bytes, &lack))
      return workspace_lacking(kind, &lack, false);
  }
  return VAT_OK;
}

/* Named is what leaves room, though less than that may do. */
static int too_short(const struct hp_kind *kind, size_t wanted,
                     struct hp_lack *lack) {
  hp_kind_explain(kind, wanted, lack);
  return workspace_lacking(kind, lack, false);
}

int pools_prepare(struct comparison *c) {
  size_t open = granted_backing(c, 0, &c->warm[0])->open;
  for (size_t i = 0; i < c->arms.count; i++) {
    struct hp_lack lack;
    const struct hp_kind *kind = c->arms.at[i].kind;
    if (!kind->pooled) continue;
    size_t more = kind->bytes >= large ? MORE_LARGE : MORE_SMALL;
    size_t pages = open / kind->bytes + (open % kind->bytes != 0);
    /* Memory that no look saw counts here, too; and the program's files. */
    size_t most = c->warm[0].peak_bytes / kind->bytes + 1;
    if (most < pages) most = pages;
    size_t wanted = (most + most / 4 + more) * kind->bytes;
    int code = VAT_OK;
    if (c->options.reserve)
      code = workspace_reserve(kind, wanted, false, &c->reservations[i]);
    else if (hp_kind_explain(kind, (pages + !pages) * kind->bytes, &lack))
      code = too_short(kind, wanted, &lack);
    if (code) return code;
  }
  return VAT_OK;
}

void pools_release(struct comparison *c) {
  for (size_t i = 0; i < c->arms.count; i++) {
    hp_pool_release(c->reservations[i]);
    c->reservations[i] = NULL;
  }
}
