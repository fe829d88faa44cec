/* Makes the n-th write of a process fail: loaded before the C library, it counts what is done to files of one folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static long at = -1, seen;
static int fault, lasting;

/* at: which write fails, from 0 on; lasting: all that follow fail, too. */
void shim_arm(const char *where, long which, int error, int stays) {
  strncpy(folder, where, sizeof folder - 1);
  at = which, fault = error, lasting = stays, seen = 0;
}
long shim_seen(void) { return seen; }

/* From here on there is no more memory than there is. */
static void no_more(void) {
  long pages = 0;
  FILE *told = fopen("/proc/self/statm", "r");
  if (!told) return;
  if (fscanf(told, "%ld", &pages) != 1) pages = 0;
  fclose(told);
  struct rlimit limit = {pages * sysconf(_SC_PAGESIZE), RLIM_INFINITY};
  if (pages) setrlimit(RLIMIT_AS, &limit);
}
static int fails(void) {
  long now = __sync_fetch_and_add(&seen, 1);
  if (at < 0 || !(now == at || (lasting && now > at))) return 0;
  if (fault == ENOMEM) return no_more(), 0;
  errno = fault;
  return 1;
}
static int ours(const char *path) { return folder[0] && path && !strncmp(path, folder, strlen(folder)); }
static int held(int fd) {
  char link[64], path[4096];
  if (!folder[0]) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return ours(path);
}
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
ssize_t write(int fd, const void *data, size_t size) { return held(fd) && fails() ? -1 : NEXT(write)(fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t where) {
  return held(fd) && fails() ? -1 : NEXT(pwrite)(fd, data, size, where);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t where) {
  return held(fd) && fails() ? -1 : NEXT(pwrite64)(fd, data, size, where);
}
int fsync(int fd) { return held(fd) && fails() ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return held(fd) && fails() ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return held(fd) && fails() ? -1 : NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return held(fd) && fails() ? -1 : NEXT(ftruncate64)(fd, size); }
int rename(const char *from, const char *to) { return ours(to) && fails() ? -1 : NEXT(rename)(from, to); }
#define OPENING(name)                                              \
  int name(const char *path, int flags, ...) {                     \
    va_list more;                                                  \
    va_start(more, flags);                                         \
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;      \
    va_end(more);                                                  \
    if (flags & O_CREAT && ours(path) && fails()) return -1;       \
    return NEXT(name)(path, flags, mode);                          \
  }
OPENING(open)
OPENING(open64)
