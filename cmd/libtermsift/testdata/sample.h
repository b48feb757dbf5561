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

static inline int32_t score_some(double *scores, double *df) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	return ts_score(&m, &y, "{\"by\": [\"chi\", \"ig\"]}", 0, scores, df, errors());
}
