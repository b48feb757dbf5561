/* What the programs of the tests share: a few texts and a matrix of the same shape, and checks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "termsift.h"

#define FAIL(...) (fprintf(stderr, "line %d: ", __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))
#define CHECK(call) check(__LINE__, (call))

static __thread char message[4096];

static ts_error *errors(void) {
	static __thread ts_error e;
	e.text = message;
	e.size = sizeof message;
	return &e;
}

static void check(int line, int32_t status) {
	if (status != TS_OK) {
		fprintf(stderr, "line %d: status %" PRId32 ": %s\n", line, status, message);
		exit(1);
	}
}

/* The texts and labels that most tests need, and a matrix of the same shape. */
static const char *const some_texts[] = {"the orbit of the moon", "a goal in the match", "an orbit and a launch", "the match and its goal", "the moon"};
static const int64_t some_lengths[] = {21, 19, 21, 22, 8};
static const int32_t some_classes[] = {0, 1, 0, 1, 0};
static const int32_t some_start[] = {0, 2, 3, 5, 6, 7}, some_indices[] = {0, 2, 1, 0, 2, 1, 0};
static const double some_values[] = {1, 2, 1, 3, 1, 1, 1};

static inline ts_texts texts_of(int64_t n) {
	ts_texts t = {sizeof t, TS_NONE, n, NULL, NULL, some_texts, some_lengths};
	return t;
}

static inline ts_labels labels_of(int64_t n) {
	ts_labels y = {sizeof y, 0, n, 2, n, some_classes, NULL};
	return y;
}

static inline ts_matrix matrix_of(void) {
	ts_matrix m = {sizeof m, TS_ROWS, 5, 3, 7, TS_INT32, TS_FLOAT64, some_start, some_indices, some_values};
	return m;
}

/* Buffers of ts_call. */
#define ONE(type, pointer) ((ts_buffer){type, 0, 1, (void *)(uintptr_t)(pointer)})
#define ARRAY(type, n, pointer) ((ts_buffer){type, 0, n, (void *)(uintptr_t)(pointer)})
#define LENGTH(array) ((int64_t)(sizeof array / sizeof *array))

/* do_operation calls an operation with at most three inputs and two outputs, of which those that have no type are left out. */
typedef struct { ts_buffer in[3], out[2]; } arguments;

static inline int32_t do_operation(const char *name, const char *options, uint64_t cancel, arguments a) {
	int64_t ins = 3, outs = 2;
	while (ins > 0 && a.in[ins - 1].type == TS_NONE) ins--;
	while (outs > 0 && a.out[outs - 1].type == TS_NONE) outs--;
	return ts_call(name, options, a.in, ins, a.out, outs, cancel, errors());
}
#define DO(name, options, cancel, ...) do_operation(name, options, cancel, (arguments){__VA_ARGS__})

/* The bytes of an element of each type. */
static const size_t size_of[] = {0, 4, 8, 4, 8, 1, 1};

/* convert stores whole numbers as elements of a type. */
static inline void *convert(uint32_t type, const int64_t *from, int64_t n, void *to) {
	for (int64_t i = 0; i < n; i++)
		switch (type) {
		case TS_INT32: ((int32_t *)to)[i] = (int32_t)from[i]; break;
		case TS_INT64: ((int64_t *)to)[i] = from[i]; break;
		case TS_FLOAT32: ((float *)to)[i] = (float)from[i]; break;
		case TS_FLOAT64: ((double *)to)[i] = (double)from[i]; break;
		case TS_UINT8: ((uint8_t *)to)[i] = (uint8_t)from[i]; break;
		}
	return to;
}

/* read_columns reads n columns into new memory. */
static inline void read_columns(const char *operation, uint64_t handle, ts_buffer *columns, int64_t n) {
	ts_buffer in = ONE(TS_HANDLE, &handle);
	for (int64_t i = 0; i < n; i++)
		columns[i] = (ts_buffer){0, 0, 0, NULL};
	CHECK(ts_call(operation, NULL, &in, 1, columns, n, 0, errors()));
	for (int64_t i = 0; i < n; i++)
		columns[i].data = malloc(size_of[columns[i].type] * (size_t)columns[i].count + 1);
	CHECK(ts_call(operation, NULL, &in, 1, columns, n, 0, errors()));
}

static inline void free_columns(ts_buffer *columns, int64_t n) {
	for (int64_t i = 0; i < n; i++)
		free(columns[i].data);
}

static inline int32_t score_some(double *scores, double *df) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	return ts_score(&m, &y, "{\"by\": [\"chi\", \"ig\"]}", 0, scores, df, errors());
}
