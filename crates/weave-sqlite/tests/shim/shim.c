/* Preloaded into a process that works on a store: records what it writes and syncs, in order, and lets calls fail.
 *
 * SHIM_TRACE   file to which records are appended: one byte for the kind (W write, T truncate, S sync, A acknowledgement), one for
 *              the file (0 the database, 1 its log, 2 the acknowledgements), offset and length as 64 bits each, then the bytes.
 * SHIM_FAIL    "sync:N" lets the Nth sync of the database or its log fail with EIO, "full:N" lets the Nth write and all after it
 *              fail with ENOSPC, "write:N" lets the Nth write fail with EIO. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -2;
static const char *fail_kind = "";
static long fail_at = 0, syncs = 0, writes = 0;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_truncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

static void start(void) {
    if (trace != -2) return;
    trace = -1;
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    const char *path = getenv("SHIM_TRACE");
    if (path) trace = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    static char buffer[64];
    const char *fail = getenv("SHIM_FAIL");
    if (fail && strlen(fail) < sizeof buffer) {
        strcpy(buffer, fail);
        char *colon = strchr(buffer, ':');
        if (colon) {
            *colon = 0;
            fail_kind = buffer;
            fail_at = atol(colon + 1);
        }
    }
}

static int ends(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Which of our files it is, or -1. */
static int which(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return -1;
    path[length] = 0;
    return ends(path, "runs.db") ? 0 : ends(path, "runs.db-wal") ? 1 : ends(path, "acknowledged") ? 2 : -1;
}

static void record(char kind, int file, uint64_t offset, const void *bytes, uint64_t length) {
    if (trace < 0) return;
    char head[18] = {kind, (char)file};
    memcpy(head + 2, &offset, 8);
    memcpy(head + 10, &length, 8);
    real_write(trace, head, sizeof head);
    if (bytes) real_write(trace, bytes, length);
}

/* Whether this write is to fail; errno says how. */
static int refused(int file) {
    if (file < 0 || file > 1) return 0;
    writes++;
    if (strcmp(fail_kind, "full") == 0 && writes >= fail_at) return errno = ENOSPC, 1;
    if (strcmp(fail_kind, "write") == 0 && writes == fail_at) return errno = EIO, 1;
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    start();
    int file = which(fd);
    if (file < 0) return real_write(fd, bytes, length);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (!refused(file)) {
        uint64_t offset = (uint64_t)lseek(fd, 0, SEEK_CUR);
        done = real_write(fd, bytes, length);
        if (done > 0) record(file == 2 ? 'A' : 'W', file, offset, bytes, (uint64_t)done);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
    start();
    int file = which(fd);
    if (file < 0) return real_pwrite(fd, bytes, length, offset);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (!refused(file)) {
        done = real_pwrite(fd, bytes, length, offset);
        if (done > 0) record('W', file, (uint64_t)offset, bytes, (uint64_t)done);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

int ftruncate64(int fd, off_t length) {
    start();
    int file = which(fd);
    pthread_mutex_lock(&lock);
    int done = real_truncate(fd, length);
    if (done == 0 && (file == 0 || file == 1)) record('T', file, (uint64_t)length, NULL, 0);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, int (*real)(int)) {
    int file = which(fd);
    if (file != 0 && file != 1) return real(fd);
    /* What was written before the call is synced by it; what is written meanwhile may not be. */
    pthread_mutex_lock(&lock);
    syncs++;
    int done = 0;
    if (strcmp(fail_kind, "sync") == 0 && syncs == fail_at) {
        errno = EIO;
        done = -1;
    } else {
        done = real(fd);
    }
    if (done == 0) record('S', file, 0, NULL, 0);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

int fsync(int fd) {
    start();
    return synced(fd, real_fsync);
}

int fdatasync(int fd) {
    start();
    return synced(fd, real_fdatasync);
}
