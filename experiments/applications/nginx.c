/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nginx: nginx.org, "Core functionality", has no directive for larger pages.
 * Its pools are its allocator's (src/os/unix/ngx_alloc.c), and zones are shared
 * anonymous mappings (ngx_shmem.c), which follow shmem_enabled. */
#include "experiments/applications/application.h"

static bool recognises(const struct application_seen *seen) {
  static const char *const programs[] = {"nginx", "nginx-debug", NULL};
  return seen_is_program(seen, programs);
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "no file of it says it; fix: nginx -v";
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct application_setting *setting = setting_add(
      settings, "larger pages",
      "its heap is its allocator's; shared zones are on larger pages by "
      "/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  (void)seen;
  SETTING_PRINT(setting->why, "nginx has no switch for larger pages");
}

const struct application application_nginx = {
    .name = "nginx",
    .kind = APPLICATION_PROGRAM,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
