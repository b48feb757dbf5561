/* Every operation panics in Go, and so does each goroutine that works for it, one after the other: panics INDEX. The
 * library is built with the tag termsift_panics. It prints the names of the operations and how often each panicked. */
#include <string.h>

#include "sample.h"

/* ts_go_panic_at lets the n-th place from now on panic, none if n is 0. It tells whether the one
 * before did. */
int32_t ts_go_panic_at(int64_t n);

enum { DOCUMENTS = 1000, WORDS = 20, TERMS = 500 };

/* The arguments of all operations, made before anything panics. */
static const char *index_path;
static ts_texts texts, different; /* the second ones are the first half, without one twice */
static ts_labels labels;
static ts_matrix matrix;
static uint64_t model, rows, statistics, half, corpus, keys, ranked, vocabulary, bag;
static ts_buffer model_file, statistics_file;

/* Results: handles that an operation makes, and arrays large enough for all. */
static uint64_t made, also;
static double numbers[3 * TERMS], more[TERMS], shares[DOCUMENTS * WORDS], many[2 * 7 * TERMS];
static int64_t longs[10];
static uint8_t keep[TERMS];

#define HANDLE(h) ONE(TS_HANDLE, &h)

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
	CHECK(DO("keyness", "{\"max-p\": 1}", 0, {HANDLE(half), HANDLE(statistics)}, {HANDLE(keys)}));
	CHECK(ts_rank(statistics, NULL, 0, &ranked, errors()));
	CHECK(DO("bag_fit", "{\"threads\": 3}", 0, {ONE(TS_TEXTS, &texts)}, {HANDLE(vocabulary), HANDLE(bag)}));
	memset(keep, 1, sizeof keep);
	different = texts, different.count = TERMS;
	read_columns("save", model, &model_file, 1), read_columns("save", statistics, &statistics_file, 1);
	model_file.type = statistics_file.type = TS_UINT8;
}

/* Operations, with what they are given. An
 * operation stands there once for each kind of object that it takes. */
#define THREADS "{\"threads\": 3}"
typedef struct { const char *name, *options; arguments given; } operation;
static operation operations[] = {
	{"cancel_new", NULL, {{{0}}, {HANDLE(made)}}},
	{"cancel", NULL, {{HANDLE(also)}, {{0}}}},
	{"free", NULL, {{HANDLE(also)}, {{0}}}},
	{"release", NULL, {{{0}}, {{0}}}},
	{"limits", THREADS, {{{0}}, {{0}}}},
	{"score", "{\"by\": [\"chi\", \"ttest\", \"sklearn-chi2\"], \"threads\": 3}", {{ONE(TS_MATRIX, &matrix), ONE(TS_LABELS, &labels)}, {ARRAY(TS_FLOAT64, 3 * TERMS, numbers), ARRAY(TS_FLOAT64, TERMS, more)}}},
	{"score_classes", "{\"by\": [\"chi\", \"ttest\"], \"threads\": 3}", {{ONE(TS_MATRIX, &matrix), ONE(TS_LABELS, &labels)}, {ARRAY(TS_FLOAT64, 2 * 7 * TERMS, many), ARRAY(TS_FLOAT64, TERMS, more)}}},
	{"matrix_sums", NULL, {{ONE(TS_MATRIX, &matrix)}, {ARRAY(TS_FLOAT64, TERMS, more)}}},
	{"matrix_shares", THREADS, {{ONE(TS_MATRIX, &matrix), ARRAY(TS_FLOAT64, TERMS, more)}, {ARRAY(TS_FLOAT64, DOCUMENTS * WORDS, shares)}}},
	{"best", NULL, {{ARRAY(TS_FLOAT64, TERMS, more)}, {ARRAY(TS_INT64, 10, longs)}}},
	{"fit", "{\"k\": 100, \"threads\": 3}", {{ONE(TS_TEXTS, &texts), ONE(TS_LABELS, &labels)}, {HANDLE(made), HANDLE(also)}}},
	{"select", "{\"k\": 20, \"by\": \"ig\", \"threads\": 3}", {{HANDLE(corpus)}, {HANDLE(made)}}},
	{"transform", THREADS, {{HANDLE(model), ONE(TS_TEXTS, &texts)}, {HANDLE(made)}}},
	{"corpus_rows", NULL, {{HANDLE(corpus), HANDLE(model)}, {HANDLE(made)}}},
	{"model_load", NULL, {{{0}}, {HANDLE(made)}}},
	{"open", NULL, {{{0}}, {HANDLE(made)}}},
	{"stats_texts", THREADS, {{ONE(TS_TEXTS, &texts), ONE(TS_LABELS, &labels)}, {HANDLE(made)}}},
	{"stats_matrix", THREADS, {{ONE(TS_MATRIX, &matrix), ONE(TS_TEXTS, NULL), ONE(TS_LABELS, &labels)}, {HANDLE(made)}}},
	{"stats_add", NULL, {{HANDLE(statistics), HANDLE(statistics)}, {HANDLE(made)}}},
	{"stats_load", NULL, {{{0}}, {HANDLE(made)}}},
	{"rank", "{\"p-values\": true, \"threads\": 3}", {{HANDLE(statistics)}, {HANDLE(made)}}},
	{"keyness", "{\"top\": \"all\", \"max-p\": 1, \"threads\": 3}", {{HANDLE(half), HANDLE(statistics)}, {HANDLE(made)}}},
	{"bag_fit", THREADS, {{ONE(TS_TEXTS, &texts)}, {HANDLE(made), HANDLE(also)}}},
	{"bag_vocabulary", NULL, {{ONE(TS_TEXTS, &different)}, {HANDLE(made)}}},
	{"bag_transform", THREADS, {{HANDLE(vocabulary), ONE(TS_TEXTS, &texts)}, {HANDLE(made)}}},
	{"bag_keep", NULL, {{HANDLE(vocabulary), HANDLE(bag), ARRAY(TS_UINT8, TERMS, keep)}, {HANDLE(made), HANDLE(also)}}},
	{"bag_hash", THREADS, {{ONE(TS_TEXTS, &texts)}, {HANDLE(made)}}},
	{"texts_check", NULL, {{ONE(TS_TEXTS, &texts)}, {{0}}}},
	{"read", NULL, {{HANDLE(model)}, {{0}}}}, {"read", NULL, {{HANDLE(rows)}, {{0}}}}, {"read", NULL, {{HANDLE(corpus)}, {{0}}}},
	{"read", NULL, {{HANDLE(statistics)}, {{0}}}}, {"read", NULL, {{HANDLE(keys)}, {{0}}}}, {"read", NULL, {{HANDLE(ranked)}, {{0}}}},
	{"read", NULL, {{HANDLE(vocabulary)}, {{0}}}}, {"read", NULL, {{HANDLE(bag)}, {{0}}}},
	{"save", NULL, {{HANDLE(model)}, {{0}}}}, {"save", NULL, {{HANDLE(statistics)}, {{0}}}},
	{"measures", NULL, {{{0}}, {{0}}}}, {"options", NULL, {{{0}}, {{0}}}},
	{"analysis", NULL, {{HANDLE(statistics)}, {{0}}}},
};
enum { OPERATIONS = sizeof operations / sizeof *operations, SCORE = 5 };

static int32_t call(const operation *o) {
	arguments given = o->given;
	if (strcmp(o->name, "read") == 0 || strcmp(o->name, "save") == 0 || strcmp(o->name, "measures") == 0 || strcmp(o->name, "options") == 0 || strcmp(o->name, "analysis") == 0)
		return ts_call(o->name, o->options, given.in, given.in[0].type == TS_NONE ? 0 : 1, given.out, 1, 0, errors()); /* the size of a column */
	if (strcmp(o->name, "open") == 0)
		given.in[0] = ONE(TS_TEXT, index_path);
	if (strcmp(o->name, "model_load") == 0)
		given.in[0] = model_file;
	if (strcmp(o->name, "stats_load") == 0)
		given.in[0] = statistics_file;
	return do_operation(o->name, o->options, 0, given);
}

/* run calls an operation with a panic at the n-th place, and without it. It reports whether there are n places. */
static int run(const operation *o, int64_t n) {
	made = also = 0;
	if (strcmp(o->name, "cancel") == 0 || strcmp(o->name, "free") == 0)
		CHECK(ts_cancel_new(&also)); /* something to cancel or free */
	uint64_t kept = also;
	ts_go_panic_at(n);
	int32_t status = call(o);
	int panicked = ts_go_panic_at(0);
	if (panicked != (status == TS_INTERNAL) || (!panicked && status != TS_OK))
		FAIL("%s, place %" PRId64 ": status %" PRId32 ", %s: %s", o->name, n, status, panicked ? "a panic" : "no panic", message);
	if (panicked && strstr(message, "test panic") == NULL)
		FAIL("%s, place %" PRId64 ": %s", o->name, n, message);
	if (panicked && (made != 0 || also != kept))
		FAIL("%s, place %" PRId64 ": a handle in spite of a panic", o->name, n);
	if (panicked) /* nothing was poisoned */
		CHECK(call(o));
	ts_free(made), ts_free(also);
	return panicked;
}

static void check_scores(const double *want) {
	CHECK(call(&operations[SCORE]));
	if (memcmp(want, numbers, sizeof numbers) != 0)
		FAIL("other scores than before the panics");
}

int main(int argc, char **argv) {
	if (argc != 2)
		FAIL("panics INDEX");
	index_path = argv[1];
	prepare();
	CHECK(call(&operations[SCORE]));
	double want[3 * TERMS];
	memcpy(want, numbers, sizeof want);
	for (int i = 0; i < OPERATIONS; i++) {
		int64_t n = 0;
		while (run(&operations[i], n + 1))
			n++;
		printf("%s %" PRId64 "\n", operations[i].name, n);
		check_scores(want);
	}
	return 0;
}
