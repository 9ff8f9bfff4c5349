// Loaded before libc by the tests of faults: a disk that cannot sync while a flag file exists, and a clock that can be stepped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int sync_fails(void) {
    const char *flag = getenv("FAULT_SYNC_FLAG");
    return flag && access(flag, F_OK) == 0;
}

int fsync(int fd) {
    if (sync_fails()) { errno = EIO; return -1; }
    return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    if (sync_fails()) { errno = EIO; return -1; }
    return syscall(SYS_fdatasync, fd);
}

// Nanoseconds to add to the wall clock, in a file that the test writes.
static volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
    const char *path = getenv("FAULT_CLOCK_FILE");
    int fd = path ? open(path, O_RDONLY) : -1;
    if (fd < 0) return;
    void *mapped = mmap(0, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME && offset) {
        int64_t nanos = (int64_t)now->tv_nsec + *offset % 1000000000;
        now->tv_sec += *offset / 1000000000 + (nanos < 0 ? -1 : nanos / 1000000000);
        now->tv_nsec = nanos < 0 ? nanos + 1000000000 : nanos % 1000000000;
    }
    return result;
}
