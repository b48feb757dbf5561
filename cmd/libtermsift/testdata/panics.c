/* Every function of the header panics in Go, and so does each goroutine that works for it, one
 * after the other: panics INDEX. The library is built with the tag termsift_panics. It
 * prints the names of the functions and how often each panicked. */
#include <string.h>

#include "sample.h"

/* ts_go_panic_at lets the n-th place from now on panic, none if n is 0. It tells whether the one
 * before did. */
int32_t ts_go_panic_at(int64_t n);

enum { DOCUMENTS = 1000, WORDS = 20, TERMS = 500 };

/* The arguments of all functions, made before anything panics. */
static const char *index_path;
static ts_texts texts, different; /* the second ones are the first half, without one twice */
static ts_labels labels;
static ts_matrix matrix;
static uint64_t model, rows, statistics, half, corpus, keys, ranked, vocabulary, bag;
static char *model_bytes, *statistics_bytes;
static int64_t model_size, statistics_size;

/* Results: a handle that a function makes, and arrays large enough for all. */
static uint64_t made, also;
static double numbers[4 * TERMS], more[TERMS], shares[DOCUMENTS * WORDS], many[9 * 7 * TERMS];
static int64_t longs[DOCUMENTS * WORDS + 1];
static int32_t ints[DOCUMENTS * WORDS];
static float floats[DOCUMENTS * WORDS];
static char names[1 << 20];
static uint8_t keep[TERMS];

static char *saved(uint64_t handle, int32_t (*save)(uint64_t, char *, int64_t *, ts_error *), int64_t *size) {
	CHECK(save(handle, NULL, size, errors()));
	char *bytes = malloc((size_t)*size);
	CHECK(save(handle, bytes, size, errors()));
	return bytes;
}

static void prepare(void) {
	char *data = malloc((size_t)DOCUMENTS * WORDS * 8);
	int64_t *offsets = malloc(8 * (DOCUMENTS + 1)), *start = malloc(8 * (DOCUMENTS + 1));
	int32_t *indices = malloc(4 * (size_t)DOCUMENTS * WORDS), *of = malloc(4 * DOCUMENTS);
	int64_t at = 0;
	for (int i = 0; i < DOCUMENTS; i++) {
		offsets[i] = at, start[i] = (int64_t)i * WORDS, of[i] = i % 7;
		for (int j = 0; j < WORDS; j++) {
			indices[i * WORDS + j] = (i * 31 + j * 25 + j) % TERMS;
			at += sprintf(data + at, "w%d ", indices[i * WORDS + j]);
		}
	}
	offsets[DOCUMENTS] = at, start[DOCUMENTS] = (int64_t)DOCUMENTS * WORDS;
	int64_t *longer = malloc(8 * (size_t)DOCUMENTS * WORDS);
	for (int i = 0; i < DOCUMENTS * WORDS; i++)
		longer[i] = indices[i];
	texts = (ts_texts){sizeof texts, TS_INT64, DOCUMENTS, data, offsets, NULL, NULL};
	labels = (ts_labels){sizeof labels, 0, DOCUMENTS, 7, DOCUMENTS, of, NULL};
	matrix = (ts_matrix){sizeof matrix, TS_ROWS, DOCUMENTS, TERMS, (int64_t)DOCUMENTS * WORDS, TS_INT64, TS_NONE, start, longer, NULL};
	CHECK(ts_fit(&texts, &labels, "{\"k\": 100, \"threads\": 3}", 0, &model, &rows, errors()));
	CHECK(ts_stats_texts(&texts, &labels, "{\"threads\": 3}", 0, &statistics, errors()));
	CHECK(ts_open(index_path, &corpus, errors()));
	ts_texts less = texts;
	ts_labels of_less = labels;
	less.count = of_less.documents = of_less.stored = DOCUMENTS / 2 - 1;
	CHECK(ts_stats_texts(&less, &of_less, "{\"stats-only\": false, \"threads\": 3}", 0, &half, errors()));
	CHECK(ts_keyness(half, statistics, "{\"max-p\": 1}", 0, &keys, errors()));
	CHECK(ts_rank(statistics, NULL, 0, &ranked, errors()));
	CHECK(ts_bag_fit(&texts, "{\"threads\": 3}", 0, &vocabulary, &bag, errors()));
	memset(keep, 1, sizeof keep);
	different = texts, different.count = TERMS;
	model_bytes = saved(model, ts_model_save, &model_size);
	statistics_bytes = saved(statistics, ts_stats_save, &statistics_size);
}

/* Functions by number; the first ones have no text for errors. */
static const char *const functions[] = {
	"ts_cancel_new", "ts_cancel", "ts_cancel_free", "ts_free", "ts_release_memory", "ts_limits", "ts_score", "ts_best", "ts_fit", "ts_transform", "ts_select",
	"ts_model_sizes", "ts_model_terms", "ts_model_save", "ts_model_load", "ts_rows_sizes", "ts_rows_copy", "ts_open", "ts_corpus_rows", "ts_corpus_sizes",
	"ts_corpus_terms", "ts_corpus_classes", "ts_stats_texts", "ts_stats_add", "ts_stats_save", "ts_stats_load",
	"ts_keyness", "ts_keyness_sizes", "ts_keyness_columns", "ts_keyness_copy", "ts_stats_matrix",
	"ts_rows_copy_as", "ts_bag_fit", "ts_bag_vocabulary", "ts_bag_transform", "ts_bag_sizes", "ts_bag_terms", "ts_bag_keep", "ts_bag_hash", "ts_texts_check", "ts_matrix_sums", "ts_matrix_shares",
	"ts_measures", "ts_model_class_sizes", "ts_model_classes", "ts_rank", "ts_ranking_sizes", "ts_ranking_copy", "ts_score_classes", "ts_analysis",
};
enum { SILENT = 5, FUNCTIONS = sizeof functions / sizeof *functions };

static int32_t call(int function) {
	int64_t size = 0;
	switch (function) {
	case 0: return ts_cancel_new(&made);
	case 1: return ts_cancel(also);
	case 2: return ts_cancel_free(also);
	case 3: return ts_free(also);
	case 4: return ts_release_memory();
	case 5: return ts_limits("{\"threads\": 3}", errors());
	case 6: return ts_score(&matrix, &labels, "{\"by\": [\"chi\", \"ttest\", \"sklearn-chi2\"], \"threads\": 3}", 0, numbers, more, errors());
	case 7: return ts_best(more, NULL, TERMS, 10, longs, errors());
	case 8: return ts_fit(&texts, &labels, "{\"k\": 100, \"threads\": 3}", 0, &made, &also, errors());
	case 9: return ts_transform(model, &texts, "{\"threads\": 3}", 0, &made, errors());
	case 10: return ts_select(corpus, "{\"k\": 20, \"by\": \"ig\", \"threads\": 3}", 0, &made, errors());
	case 11: return ts_model_sizes(model, longs, errors());
	case 12: return ts_model_terms(model, names, longs, numbers, more, errors());
	case 13: return ts_model_save(model, NULL, &size, errors());
	case 14: return ts_model_load(model_bytes, model_size, &made, errors());
	case 15: return ts_rows_sizes(rows, longs, errors());
	case 16: return ts_rows_copy(rows, longs, ints, floats, errors());
	case 17: return ts_open(index_path, &made, errors());
	case 18: return ts_corpus_rows(corpus, model, NULL, 0, &made, errors());
	case 19: return ts_corpus_sizes(corpus, longs, errors());
	case 20: return ts_corpus_terms(statistics, names, longs, more, errors());
	case 21: return ts_corpus_classes(statistics, names, longs, more, errors());
	case 22: return ts_stats_texts(&texts, &labels, "{\"threads\": 3}", 0, &made, errors());
	case 23: return ts_stats_add(statistics, statistics, &made, errors());
	case 24: return ts_stats_save(statistics, NULL, &size, errors());
	case 25: return ts_stats_load(statistics_bytes, statistics_size, &made, errors());
	case 26: return ts_keyness(half, statistics, "{\"top\": \"all\", \"max-p\": 1, \"threads\": 3}", 0, &made, errors());
	case 27: return ts_keyness_sizes(keys, longs, errors());
	case 28: return ts_keyness_columns(keys, names, longs, errors());
	case 29: return ts_keyness_copy(keys, names, longs, ints, numbers, errors());
	case 30: return ts_stats_matrix(&matrix, NULL, &labels, "{\"threads\": 3}", 0, &made, errors());
	case 31: return ts_rows_copy_as(bag, TS_INT64, TS_FLOAT32, longs, NULL, floats, errors());
	case 32: return ts_bag_fit(&texts, "{\"threads\": 3}", 0, &made, &also, errors());
	case 33: return ts_bag_vocabulary(&different, NULL, 0, &made, errors());
	case 34: return ts_bag_transform(vocabulary, &texts, "{\"threads\": 3}", 0, &made, errors());
	case 35: return ts_bag_sizes(vocabulary, longs, errors());
	case 36: return ts_bag_terms(vocabulary, names, NULL, ints, longs, NULL, errors());
	case 37: return ts_bag_keep(vocabulary, bag, keep, &made, &also, errors());
	case 38: return ts_bag_hash(&texts, "{\"threads\": 3}", 0, &made, errors());
	case 39: return ts_texts_check(&texts, 0, errors());
	case 40: return ts_matrix_sums(&matrix, 0, more, errors());
	case 41: return ts_matrix_shares(&matrix, more, "{\"threads\": 3}", 0, shares, errors());
	case 42: return ts_measures(NULL, &size, errors());
	case 43: return ts_model_class_sizes(model, longs, errors());
	case 44: return ts_model_classes(model, names, longs, ints, many, errors());
	case 45: return ts_rank(statistics, "{\"p-values\": true, \"threads\": 3}", 0, &made, errors());
	case 46: return ts_ranking_sizes(ranked, longs, errors());
	case 47: return ts_ranking_copy(ranked, NULL, NULL, ints, many, errors());
	case 49: return ts_analysis(statistics, NULL, &size, errors());
	case 48: return ts_score_classes(&matrix, &labels, "{\"by\": [\"chi\", \"ttest\"], \"threads\": 3}", 0, many, more, errors());
	}
	FAIL("no function %d", function);
}

/* run calls a function with a panic at the n-th place, and without it. It reports whether there
 * are n places. */
static int run(int function, int64_t n) {
	made = also = 0;
	if (function >= 1 && function <= 3)
		CHECK(ts_cancel_new(&also)); /* something to cancel or free */
	uint64_t kept = also;
	ts_go_panic_at(n);
	int32_t status = call(function);
	int panicked = ts_go_panic_at(0);
	if (panicked != (status == TS_INTERNAL) || (!panicked && status != TS_OK))
		FAIL("%s, place %" PRId64 ": status %" PRId32 ", %s: %s", functions[function], n, status, panicked ? "a panic" : "no panic", message);
	if (panicked && function >= SILENT && strstr(message, "test panic") == NULL)
		FAIL("%s, place %" PRId64 ": %s", functions[function], n, message);
	if (panicked && (made != 0 || also != kept))
		FAIL("%s, place %" PRId64 ": a handle in spite of a panic", functions[function], n);
	if (panicked) /* nothing was poisoned */
		CHECK(call(function));
	ts_free(made), ts_free(also);
	return panicked;
}

static void check_scores(const double *want) {
	CHECK(call(6));
	if (memcmp(want, numbers, sizeof numbers) != 0)
		FAIL("other scores than before the panics");
}

int main(int argc, char **argv) {
	if (argc != 2)
		FAIL("panics INDEX");
	index_path = argv[1];
	prepare();
	CHECK(call(6));
	double want[4 * TERMS];
	memcpy(want, numbers, sizeof want);
	for (int function = 0; function < FUNCTIONS; function++) {
		int64_t n = 0;
		while (run(function, n + 1))
			n++;
		printf("%s %" PRId64 "\n", functions[function], n);
		check_scores(want);
	}
	return 0;
}
