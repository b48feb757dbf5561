/* What every peer in C shares: columns of a file, the answer of the last run,
 * and the requests that child.go describes. A peer includes this file and
 * defines run.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The answer of the last run. */
static int64_t answer_size;
static int32_t *answer_id;
static double *answer_value;

/* run does a job; it returns 0 if it does not know it. */
static int run(const char *job);

static void die(const char *problem) {
    printf("error: %s\n", problem);
    exit(1);
}

static void *allocate(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) die("out of memory");
    return p;
}

static void *read_column(FILE *f, int64_t n, size_t width) {
    void *p = allocate(n * width);
    if (fread(p, width, n, f) != (size_t)n) die("a file of the data is cut off");
    return p;
}

static void reserve_answer(int64_t elements) {
    answer_id = allocate(elements * sizeof *answer_id);
    answer_value = allocate(elements * sizeof *answer_value);
}

static int save(const char *path) {
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    fwrite(&answer_size, 8, 1, f);
    fwrite(answer_id, 4, answer_size, f);
    fwrite(answer_value, 8, answer_size, f);
    return fclose(f) == 0;
}

static int64_t cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void answer_request(const char *line) {
    char verb[8], what[4096];
    if (sscanf(line, "%7s %4095s", verb, what) != 2) {
        puts("error: a request has two words or more");
    } else if (!strcmp(verb, "run")) {
        int64_t before = cpu_time();
        int known = run(what);
        if (known) printf("%lld\n", (long long)(cpu_time() - before));
        else puts("error: unknown job");
    } else {
        puts(save(what) ? "ok" : "error: cannot write the answer");
    }
    fflush(stdout);
}

/* serve answers requests until there are no more. */
static void serve(void) {
    char line[8192];
    printf("ready gcc=%s\n", __VERSION__);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) answer_request(line);
}
