/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Valgrind cannot run is told before it is tried. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/program.h"
#include "experiments/exec/executable.h"
#include "experiments/profile/profile_request.h"

static int check_elf(const char *path, const unsigned char *head) {
  unsigned machine = head[18] | (unsigned)head[19] << 8;
  if (head[EI_CLASS] == ELFCLASS32)
    return fail(VAT_USAGE,
                "%s: a 32-bit program, and `vat profile` reads 64-bit ones "
                "only",
                path);
  if (head[EI_DATA] != ELFDATA2LSB || machine != EM_X86_64)
    return fail(VAT_USAGE, "%s: a program for another processor", path);
  return VAT_OK;
}

/* What the kernel starts instead, which it says of the program itself that
 * there is no such file. */
static int check_starter(const char *path, const char *what,
                         const char *starter) {
  if (!access(starter, X_OK)) return VAT_OK;
  return fail(fail_code(errno),
              "%s: its %s %s: %s; fix: install it, or name another", path, what,
              starter, strerror(errno));
}

static int check_head(const char *path, int depth) {
  enum { SCRIPTS_MOST = 5 /* as the kernel follows them */ };
  unsigned char head[20] = {0};
  char starter[PATH_MAX];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail(fail_code(errno), "%s: %s; Valgrind has to read it", path,
                strerror(errno));
  ssize_t count = read(fd, head, sizeof head);
  bool elf = count == sizeof head && !memcmp(head, ELFMAG, SELFMAG);
  bool script = !elf && !executable_read_script(fd, starter);
  bool loaded = elf && !executable_read_loader(fd, starter);
  close(fd);
  int code = elf ? check_elf(path, head) : VAT_OK;
  if (code || (elf && !loaded)) return code;
  if (elf) return check_starter(path, "loader", starter);
  if (!script)
    return fail(VAT_USAGE,
                "%s: is neither an ELF program nor a script that begins with "
                "#!; fix: name the compiled program, or the interpreter before "
                "it, such as sh",
                path);
  code = check_starter(path, "interpreter", starter);
  if (code) return code;
  if (depth == SCRIPTS_MOST)
    return fail(VAT_USAGE, "%s: a script of scripts of scripts", path);
  return check_head(starter, depth + 1);
}

int profile_program_check(const char *name, char path[PATH_MAX]) {
  struct stat status;
  if (!strchr(name, '/') && !program_find(name, path))
    return fail(VAT_USAGE, "%s: not found along PATH%s", name,
                program_hint(name));
  if (strchr(name, '/') && snprintf(path, PATH_MAX, "%s", name) >= PATH_MAX)
    return fail(VAT_USAGE, "%s: the name is too long", name);
  if (stat(path, &status))
    return fail(fail_code(errno), "%s: %s%s", path, strerror(errno),
                program_hint(path));
  if (!S_ISREG(status.st_mode)) return fail(VAT_USAGE, "%s: not a file", path);
  if (status.st_mode & (S_ISUID | S_ISGID))
    return fail(VAT_USAGE,
                "%s: runs with the rights of its owner or group, which "
                "Valgrind cannot give it: profile a copy without them",
                path);
  int code = check_head(path, 0);
  if (code || !access(path, X_OK)) return code;
  return fail(VAT_USAGE, "%s: is not executable; fix: chmod +x %s", path, path);
}
