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

static void print_terms(uint64_t model) {
	int64_t sizes[3];
	check(ts_model_sizes(model, sizes, &error));
	char *names = malloc((size_t)sizes[1]);
	int64_t *offsets = malloc(sizeof *offsets * (size_t)(sizes[0] + 1));
	double *scores = malloc(sizeof *scores * (size_t)sizes[0]);
	check(ts_model_terms(model, names, offsets, scores, NULL, &error));
	for (int64_t i = 0; i < sizes[0]; i++)
		printf("%-10.*s %.3f\n", (int)(offsets[i + 1] - offsets[i]), names + offsets[i], scores[i]);
	free(names);
	free(offsets);
	free(scores);
}

static void print_row(uint64_t rows) {
	int64_t sizes[2];
	check(ts_rows_sizes(rows, sizes, &error));
	int64_t *start = malloc(sizeof *start * (size_t)(sizes[0] + 1));
	int32_t *indices = malloc(sizeof *indices * (size_t)sizes[1]);
	float *values = malloc(sizeof *values * (size_t)sizes[1]);
	check(ts_rows_copy(rows, start, indices, values, &error));
	for (int64_t i = start[0]; i < start[1]; i++)
		printf("column %" PRId32 ": %.0f\n", indices[i], values[i]);
	free(start);
	free(indices);
	free(values);
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
	check(ts_best(scores, df, 3, 2, best, &error));
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
