/* What the tests of this package do from C: driver NAME ARGUMENT... */
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sample.h"

/* abi: sizes and places of all that a caller compiles in. */
#define SIZE(type) printf("sizeof %s %zu\n", #type, sizeof(type))
#define PLACE(type, field) printf("offsetof %s.%s %zu\n", #type, #field, offsetof(type, field))
#define VALUE(name) printf("%s %d\n", #name, name)
static int abi(void) {
	SIZE(ts_error), PLACE(ts_error, text), PLACE(ts_error, size);
	SIZE(ts_buffer), PLACE(ts_buffer, type), PLACE(ts_buffer, reserved), PLACE(ts_buffer, count), PLACE(ts_buffer, data);
	SIZE(ts_matrix), PLACE(ts_matrix, struct_size), PLACE(ts_matrix, layout), PLACE(ts_matrix, documents), PLACE(ts_matrix, terms);
	PLACE(ts_matrix, stored), PLACE(ts_matrix, index_type), PLACE(ts_matrix, value_type), PLACE(ts_matrix, start);
	PLACE(ts_matrix, indices), PLACE(ts_matrix, values);
	SIZE(ts_labels), PLACE(ts_labels, struct_size), PLACE(ts_labels, reserved), PLACE(ts_labels, documents), PLACE(ts_labels, classes);
	PLACE(ts_labels, stored), PLACE(ts_labels, of), PLACE(ts_labels, start);
	SIZE(ts_texts), PLACE(ts_texts, struct_size), PLACE(ts_texts, offset_type), PLACE(ts_texts, count), PLACE(ts_texts, data);
	PLACE(ts_texts, offsets), PLACE(ts_texts, pointers), PLACE(ts_texts, lengths);
	VALUE(TS_ABI_VERSION), VALUE(TS_OK), VALUE(TS_NOTHING), VALUE(TS_USAGE), VALUE(TS_BAD_INPUT), VALUE(TS_IO), VALUE(TS_CORRUPT);
	VALUE(TS_BAD_HANDLE), VALUE(TS_FORKED), VALUE(TS_INTERNAL), VALUE(TS_CANCELLED), VALUE(TS_NONE), VALUE(TS_INT32), VALUE(TS_INT64);
	VALUE(TS_FLOAT32), VALUE(TS_FLOAT64), VALUE(TS_UINT8), VALUE(TS_TEXT), VALUE(TS_HANDLE), VALUE(TS_MATRIX), VALUE(TS_LABELS), VALUE(TS_TEXTS);
	VALUE(TS_ROWS), VALUE(TS_COLUMNS);
	return 0;
}

static FILE *open_file(const char *path, const char *mode) {
	FILE *f = fopen(path, mode);
	if (f == NULL)
		FAIL("cannot open %s", path);
	return f;
}

/* forked: in the child of a fork every function returns TS_FORKED, at once, and the parent
 * goes on. */
static int forked(int used) {
	double scores[6], df[3];
	if (used)
		CHECK(score_some(scores, df));
	pid_t child = fork();
	if (child == 0) {
		alarm(10);
		uint64_t handle = 0;
		message[0] = 0;
		if (score_some(scores, df) != TS_FORKED || strstr(message, "fork") == NULL)
			_exit(1);
		char cut[8];
		ts_error small = {cut, sizeof cut};
		if (ts_limits("{}", &small) != TS_FORKED || strcmp(cut, "this pr") != 0 || ts_limits(NULL, NULL) != TS_FORKED)
			_exit(2);
		ts_buffer buffer = {0};
		if (ts_cancel_new(&handle) != TS_FORKED || ts_cancel(1) != TS_FORKED || ts_free(1) != TS_FORKED || ts_release_memory() != TS_FORKED ||
		    ts_call("bag_fit", NULL, NULL, 0, NULL, 0, 0, NULL) != TS_FORKED || ts_read(1, &buffer, 1, NULL) != TS_FORKED || ts_save(1, &buffer, NULL) != TS_FORKED ||
		    ts_fit(NULL, NULL, NULL, 0, &handle, NULL, NULL) != TS_FORKED || ts_transform(1, NULL, NULL, 0, &handle, NULL) != TS_FORKED ||
		    ts_select(1, NULL, 0, &handle, NULL) != TS_FORKED || ts_model_load(NULL, 0, &handle, NULL) != TS_FORKED || ts_open("x", &handle, NULL) != TS_FORKED ||
		    ts_stats_texts(NULL, NULL, NULL, 0, &handle, NULL) != TS_FORKED || ts_stats_add(1, 1, &handle, NULL) != TS_FORKED ||
		    ts_stats_load(NULL, 0, &handle, NULL) != TS_FORKED || ts_rank(1, NULL, 0, &handle, NULL) != TS_FORKED)
			_exit(3);
		if (ts_abi_version() != TS_ABI_VERSION || strlen(ts_version()) == 0)
			_exit(4);
		_exit(0);
	}
	int status = 0;
	waitpid(child, &status, 0);
	if (status != 0)
		FAIL("the child ended with %d", status);
	CHECK(score_some(scores, df));
	return 0;
}

/* threads: many threads make models and scores at the same time, which are those of one. */
static double first_scores[6];

/* count_bags counts texts as a bag of words, and again over its terms: the same elements in another order. */
static void count_bags(const ts_texts *t) {
	uint64_t vocabulary, rows, again;
	ts_buffer start, other;
	CHECK(DO("bag_fit", NULL, 0, {ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, &vocabulary), ONE(TS_HANDLE, &rows)}));
	CHECK(DO("bag_transform", NULL, 0, {ONE(TS_HANDLE, &vocabulary), ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, &again)}));
	read_columns("read", rows, &start, 1), read_columns("read", again, &other, 1);
	if (start.count != 6 || other.count != 6 || memcmp(start.data, other.data, 6 * sizeof(int64_t)) != 0)
		FAIL("%" PRId64 " starts, and %" PRId64, start.count, other.count);
	free(start.data), free(other.data);
	CHECK(ts_free(rows)), CHECK(ts_free(again)), CHECK(ts_free(vocabulary));
}

static void *work(void *calls) {
	for (int i = 0; i < *(int *)calls / 8; i++) { /* of eight calls, and those of count_bags */
		double scores[6], df[3];
		CHECK(score_some(scores, df));
		if (memcmp(scores, first_scores, sizeof scores) != 0)
			FAIL("other scores in call %d", i);
		ts_texts t = texts_of(5);
		ts_labels y = labels_of(5);
		uint64_t model, rows, cancel;
		ts_buffer columns[3];
		CHECK(ts_cancel_new(&cancel));
		CHECK(ts_fit(&t, &y, "{\"k\": 3}", cancel, &model, &rows, errors()));
		read_columns("read", model, columns, 3);
		double *values = columns[2].data;
		if (columns[2].count != 3 || values[0] < values[2])
			FAIL("%" PRId64 " terms", columns[2].count);
		free_columns(columns, 3);
		CHECK(ts_free(rows));
		CHECK(ts_free(model));
		CHECK(ts_free(cancel));
		count_bags(&t);
	}
	return NULL;
}

static int threads(int n, int calls) {
	double df[3];
	CHECK(score_some(first_scores, df));
	pthread_t *all = malloc(sizeof *all * (size_t)n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&all[i], NULL, work, &calls) != 0)
			FAIL("no thread");
	for (int i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	return 0;
}

/* memory: calls leave nothing behind. It prints the growth of the resident memory in KiB. */
static long resident(void) {
	long pages = 0, total = 0;
	CHECK(ts_release_memory());
	FILE *f = open_file("/proc/self/statm", "r");
	if (fscanf(f, "%ld %ld", &total, &pages) != 2)
		FAIL("/proc/self/statm");
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* many makes calls, eighty at a time: scores, and all of work. */
static void many(int calls) {
	double scores[6], df[3];
	int eight = 8;
	for (int i = 0; i < calls / 80; i++) {
		for (int j = 0; j < 72; j++)
			CHECK(score_some(scores, df));
		work(&eight);
	}
}

static int memory(int calls) {
	double df[3];
	CHECK(score_some(first_scores, df));
	many(calls / 10);
	long before = resident();
	many(calls);
	printf("%ld\n", resident() - before);
	return 0;
}

static double seconds(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* cancelled: a call that is cancelled ends soon with TS_CANCELLED, and so does one that is
 * cancelled before it begins. */
static void *cancel_soon(void *handle) {
	usleep(20000);
	CHECK(ts_cancel(*(uint64_t *)handle));
	return NULL;
}

static int cancelled(void) {
	enum { N = 400000, WORDS = 12 };
	char *data = malloc((size_t)N * WORDS * 8 + 1);
	int64_t *offsets = malloc(8 * (N + 1)), at = 0;
	int32_t *of = malloc(4 * N);
	for (int i = 0; i < N; i++) {
		offsets[i] = at, of[i] = i % 7;
		for (int j = 0; j < WORDS; j++)
			at += sprintf(data + at, "w%06d ", (i * 31 + j * 1009) % 200000);
	}
	offsets[N] = at;
	ts_texts t = {sizeof t, TS_INT64, N, data, offsets, NULL, NULL};
	ts_labels y = {sizeof y, 0, N, 7, N, of, NULL};
	uint64_t cancel, model = 1, rows = 1;
	CHECK(ts_cancel_new(&cancel));
	pthread_t other;
	pthread_create(&other, NULL, cancel_soon, &cancel);
	double from = seconds();
	int32_t status = ts_fit(&t, &y, "{\"k\": 10}", cancel, &model, NULL, errors());
	double took = seconds() - from;
	pthread_join(other, NULL);
	if (status != TS_CANCELLED || model != 0 || strcmp(message, "the call was cancelled") != 0)
		FAIL("status %" PRId32 " after %.3f s: %s", status, took, message);
	model = 1;
	if (ts_fit(&t, &y, "{\"k\": 10}", cancel, &model, &rows, errors()) != TS_CANCELLED || model != 0 || rows != 0)
		FAIL("not cancelled: %s, model %" PRIu64 ", rows %" PRIu64, message, model, rows);
	model = rows = 1;
	if (DO("bag_fit", NULL, cancel, {ONE(TS_TEXTS, &t)}, {ONE(TS_HANDLE, &model), ONE(TS_HANDLE, &rows)}) != TS_CANCELLED || model != 0 || rows != 0)
		FAIL("not cancelled: %s, vocabulary %" PRIu64 ", rows %" PRIu64, message, model, rows);
	CHECK(ts_free(cancel));
	if (ts_fit(&t, &y, "{\"k\": 10}", cancel, &model, NULL, errors()) != TS_BAD_HANDLE)
		FAIL("a handle that was freed: %s", message);
	printf("%.3f\n", took);
	return 0;
}

int main(int argc, char **argv) {
	const char *name = argc > 1 ? argv[1] : "";
	if (strcmp(name, "abi") == 0) return abi();
	if (strcmp(name, "forked") == 0 && argc == 3) return forked(atoi(argv[2]));
	if (strcmp(name, "threads") == 0 && argc == 4) return threads(atoi(argv[2]), atoi(argv[3]));
	if (strcmp(name, "memory") == 0 && argc == 3) return memory(atoi(argv[2]));
	if (strcmp(name, "cancelled") == 0) return cancelled();
	FAIL("what is %s?", name);
}
