/* Selects the terms that tell two classes apart, turns a new text into a row, and scores the
 * columns of a matrix. README.md says how to build it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "termsift.h"

static char message[512];
static ts_error error = {message, sizeof message};

static void check(int32_t status) {
	if (status != TS_OK) {
		fprintf(stderr, "status %" PRId32 ": %s\n", status, message);
		exit(1);
	}
}

/* read_columns asks for the sizes of n columns, and reads them into new memory. */
static void read_columns(uint64_t handle, ts_buffer *columns, int n) {
	static const size_t sizes[] = {0, 4, 8, 4, 8, 1, 1}; /* of elements, by type */
	check(ts_read(handle, columns, n, &error));
	for (int i = 0; i < n; i++)
		columns[i].data = malloc(sizes[columns[i].type] * (size_t)columns[i].count + 1);
	check(ts_read(handle, columns, n, &error));
}

static void free_columns(ts_buffer *columns, int n) {
	for (int i = 0; i < n; i++)
		free(columns[i].data);
}

static void print_terms(uint64_t model) {
	ts_buffer columns[3] = {{0, 0, 0, NULL}};
	read_columns(model, columns, 3);
	const char *names = columns[0].data;
	const int64_t *offsets = columns[1].data;
	const double *scores = columns[2].data;
	for (int64_t i = 0; i < columns[2].count; i++)
		printf("%-10.*s %.3f\n", (int)(offsets[i + 1] - offsets[i]), names + offsets[i], scores[i]);
	free_columns(columns, 3);
}

static void print_row(uint64_t rows) {
	ts_buffer columns[3] = {{0, 0, 0, NULL}};
	read_columns(rows, columns, 3);
	const int64_t *start = columns[0].data;
	const int32_t *indices = columns[1].data;
	const float *values = columns[2].data;
	for (int64_t i = start[0]; i < start[1]; i++)
		printf("column %" PRId32 ": %.0f\n", indices[i], values[i]);
	free_columns(columns, 3);
}

static void select_terms(void) {
	const char data[] = "the orbit of the moon" "a goal in the match" "an orbit and a launch" "the match and its goal";
	const int32_t offsets[] = {0, 21, 40, 61, 83};
	const int32_t classes[] = {0, 1, 0, 1};
	ts_texts texts = {sizeof texts, TS_INT32, 4, data, offsets, NULL, NULL};
	ts_labels labels = {sizeof labels, 0, 4, 2, 4, classes, NULL};
	uint64_t model = 0, rows = 0;
	check(ts_fit(&texts, &labels, "{\"by\": \"chi\", \"k\": 3, \"classes\": [\"space\", \"sport\"]}", 0, &model, NULL, &error));
	print_terms(model);

	const char *pointers[] = {"match after match, and no goal"};
	const int64_t lengths[] = {30};
	ts_texts more = {sizeof more, TS_NONE, 1, NULL, NULL, pointers, lengths};
	check(ts_transform(model, &more, NULL, 0, &rows, &error));
	print_row(rows);
	check(ts_free(rows));
	check(ts_free(model));
}

static void score_matrix(void) {
	const int32_t start[] = {0, 2, 3, 5, 6}, indices[] = {0, 2, 1, 0, 2, 1}, values[] = {1, 2, 1, 3, 1, 1};
	const int32_t classes[] = {0, 1, 0, 1};
	ts_matrix matrix = {sizeof matrix, TS_ROWS, 4, 3, 6, TS_INT32, TS_INT32, start, indices, values};
	ts_labels labels = {sizeof labels, 0, 4, 2, 4, classes, NULL};
	double scores[6], df[3];
	int64_t best[2];
	check(ts_score(&matrix, &labels, "{\"by\": [\"chi\", \"ig\"]}", 0, scores, df, &error));
	ts_buffer in[] = {{TS_FLOAT64, 0, 3, scores}, {TS_FLOAT64, 0, 3, df}}, out = {TS_INT64, 0, 2, best};
	check(ts_call("best", NULL, in, 2, &out, 1, 0, &error));
	for (int i = 0; i < 2; i++)
		printf("term %" PRId64 ": chi %.3f, ig %.3f, df %.0f\n", best[i], scores[best[i]], scores[3 + best[i]], df[best[i]]);
}

int main(void) {
	if (ts_abi_version() != TS_ABI_VERSION) {
		fprintf(stderr, "the library is of another version than termsift.h\n");
		return 1;
	}
	select_terms();
	score_matrix();
	return 0;
}
