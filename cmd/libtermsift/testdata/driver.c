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

static void read_all(FILE *f, void *to, size_t bytes) {
	if (fread(to, 1, bytes, f) != bytes)
		FAIL("the file is too short");
}

static void *read_array(FILE *f, int64_t bytes) {
	void *p = malloc((size_t)bytes + 1);
	read_all(f, p, (size_t)bytes);
	return p;
}

static void write_all(FILE *f, const void *from, size_t bytes) {
	if (fwrite(from, 1, bytes, f) != bytes)
		FAIL("cannot write");
}

static FILE *open_file(const char *path, const char *mode) {
	FILE *f = fopen(path, mode);
	if (f == NULL)
		FAIL("cannot open %s", path);
	return f;
}

/* same: fits the texts of a file and writes the features and the rows, once from ts_fit and
 * once from ts_transform. */
static int same(const char *in, const char *options, const char *features, const char *rows_path) {
	FILE *f = open_file(in, "rb");
	int64_t head[4]; /* documents, classes, labels, bytes of text */
	read_all(f, head, sizeof head);
	int64_t *offsets = read_array(f, 8 * (head[0] + 1)), *start = read_array(f, 8 * (head[0] + 1));
	int32_t *of = read_array(f, 4 * head[2]);
	char *data = read_array(f, head[3]);
	fclose(f);
	ts_texts t = {sizeof t, TS_INT64, head[0], data, offsets, NULL, NULL};
	ts_labels y = {sizeof y, 0, head[0], head[1], head[2], of, start};
	uint64_t model, rows[2];
	CHECK(ts_fit(&t, &y, options, 0, &model, &rows[0], errors()));
	CHECK(ts_transform(model, &t, "{\"threads\": 3}", 0, &rows[1], errors()));
	ts_buffer bytes, columns[3];
	read_columns("save", model, &bytes, 1);
	write_all(f = open_file(features, "wb"), bytes.data, (size_t)bytes.count);
	fclose(f);
	f = open_file(rows_path, "wb");
	for (int i = 0; i < 2; i++) {
		read_columns("read", rows[i], columns, 3);
		int64_t two[2] = {columns[0].count - 1, columns[2].count};
		write_all(f, two, sizeof two), write_all(f, columns[0].data, 8 * (size_t)(two[0] + 1));
		write_all(f, columns[1].data, 4 * (size_t)two[1]), write_all(f, columns[2].data, 4 * (size_t)two[1]);
		free_columns(columns, 3);
		CHECK(ts_free(rows[i]));
	}
	fclose(f);
	CHECK(ts_free(model));
	return 0;
}

/* layouts: scores the matrix of a file in every layout and with every type of index, with the
 * types of values and the threads that are given as digits, and holds the values against those
 * of another file, by bits. It prints how many matrices it scored. */
typedef struct { int64_t documents, terms, classes, labels, stored; } collection;

/* transpose makes columns of rows; documents ascend within each. */
static void transpose(const collection *c, const int64_t *start, const int64_t *indices, const int64_t *values, int64_t *to[3]) {
	to[0] = calloc((size_t)c->terms + 1, 8), to[1] = malloc(8 * (size_t)c->stored), to[2] = malloc(8 * (size_t)c->stored);
	for (int64_t i = 0; i < c->stored; i++)
		to[0][indices[i] + 1]++;
	for (int64_t i = 0; i < c->terms; i++)
		to[0][i + 1] += to[0][i];
	int64_t *at = malloc(8 * (size_t)c->terms);
	memcpy(at, to[0], 8 * (size_t)c->terms);
	for (int64_t d = 0; d < c->documents; d++)
		for (int64_t i = start[d]; i < start[d + 1]; i++) {
			int64_t place = at[indices[i]]++;
			to[1][place] = d, to[2][place] = values[i];
		}
	free(at);
}

static int layouts(const char *in, const char *by, int64_t measures, const char *wanted, const char *types, const char *threads) {
	FILE *f = open_file(in, "rb");
	collection c;
	read_all(f, &c, sizeof c);
	int64_t *label_start = read_array(f, 8 * (c.documents + 1));
	int32_t *of = read_array(f, 4 * c.labels);
	int64_t *rows[3] = {read_array(f, 8 * (c.documents + 1)), read_array(f, 8 * c.stored), read_array(f, 8 * c.stored)}, *columns[3];
	fclose(f);
	transpose(&c, rows[0], rows[1], rows[2], columns);
	int64_t n = measures * c.terms;
	double *want = read_array(f = open_file(wanted, "rb"), 8 * (n + c.terms)), *got = malloc(8 * (size_t)(n + c.terms));
	fclose(f);
	ts_labels y = {sizeof y, 0, c.documents, c.classes, c.labels, of, label_start};
	char *text = malloc(strlen(by) + 100);
	int done = 0;
	for (uint32_t layout = TS_ROWS; layout <= TS_COLUMNS; layout++)
		for (uint32_t index = TS_INT32; index <= TS_INT64; index++)
			for (const char *type = types; *type != 0; type++) {
				int64_t **x = layout == TS_ROWS ? rows : columns, lines = layout == TS_ROWS ? c.documents : c.terms;
				uint32_t value = (uint32_t)(*type - '0');
				void *start = malloc(8 * (size_t)(lines + 1)), *indices = malloc(8 * (size_t)c.stored), *values = malloc(8 * (size_t)c.stored);
				convert(index, x[0], lines + 1, start), convert(index, x[1], c.stored, indices), convert(value, x[2], c.stored, values);
				ts_matrix m = {sizeof m, layout, c.documents, c.terms, c.stored, index, value, start, indices, value == TS_NONE ? NULL : values};
				for (const char *t = threads; *t != 0; t++, done++) {
					sprintf(text, "{\"by\": %s, \"threads\": %c}", by, *t);
					memset(got, 0x55, 8 * (size_t)(n + c.terms));
					CHECK(ts_score(&m, &y, text, 0, got, got + n, errors()));
					for (int64_t i = 0; i < n + c.terms; i++)
						if (memcmp(&got[i], &want[i], 8) != 0)
							FAIL("layout %u, index %u, value %u, %c threads: measure %" PRId64 " of term %" PRId64 " is %.17g, want %.17g",
							     layout, index, value, *t, i / c.terms, i % c.terms, got[i], want[i]);
				}
				free(start), free(indices), free(values);
			}
	printf("%d\n", done);
	return 0;
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
	if (strcmp(name, "same") == 0 && argc == 6) return same(argv[2], argv[3], argv[4], argv[5]);
	if (strcmp(name, "layouts") == 0 && argc == 8) return layouts(argv[2], argv[3], atoll(argv[4]), argv[5], argv[6], argv[7]);
	if (strcmp(name, "forked") == 0 && argc == 3) return forked(atoi(argv[2]));
	if (strcmp(name, "threads") == 0 && argc == 4) return threads(atoi(argv[2]), atoi(argv[3]));
	if (strcmp(name, "memory") == 0 && argc == 3) return memory(atoi(argv[2]));
	if (strcmp(name, "cancelled") == 0) return cancelled();
	FAIL("what is %s?", name);
}
