/* Every operation with right arguments, which panics.c, hostile.c and guards.c give it in their ways: of documents and
 * terms by chance, as many as make_operations is told. */
#include <string.h>

#include "sample.h"

/* draw returns a number below n. */
static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t n) {
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state % n;
}

enum { MOST_LINES = 2000, MOST_ELEMENTS = 100000, MOST_BYTES = 1 << 20, MOST_RESULTS = 1 << 21, CLASSES = 7 };

/* What the operations are given. The lines of the matrix are its rows or its columns; no two texts of different are the same, nor names of columns. */
static ts_matrix matrix;
static ts_labels labels;
static ts_texts texts, different, names;
static uint64_t model, rows, statistics, half, corpus, keys, ranked, vocabulary, bag;
static ts_buffer model_file, statistics_file;
static double weights[MOST_LINES];
static uint8_t keep_some[MOST_LINES * 4];

/* What they give: handles, and arrays that are large enough for all. */
static uint64_t made, also;
static double results[2][MOST_RESULTS];

/* An operation that gives columns has none of its own outputs. */
typedef struct { const char *name, *options; arguments given; int64_t columns; } operation;
static operation operations[64];
static int operation_count;

static void add(const char *name, const char *options, int64_t columns, arguments given) {
	operations[operation_count++] = (operation){name, options, given, columns};
}
#define ADD(name, options, ...) add(name, options, 0, (arguments){__VA_ARGS__})
#define ADD_COLUMNS(name, columns, ...) add(name, NULL, columns, (arguments){{__VA_ARGS__}, {{0}}})
#define HANDLE(h) ONE(TS_HANDLE, &h)

static void make_matrix(uint32_t layout, int lines, int width) {
	static int64_t start[MOST_LINES + 1], indices[MOST_ELEMENTS], values[MOST_ELEMENTS];
	static int32_t of[MOST_LINES];
	int64_t stored = 0;
	for (int i = 0; i < lines; i++) {
		start[i] = stored;
		for (int j = 0; j < width; j++)
			if (draw(4) == 0 && stored < MOST_ELEMENTS)
				indices[stored] = j, values[stored++] = 1 + (int64_t)draw(9);
	}
	start[lines] = stored;
	int64_t documents = layout == TS_ROWS ? lines : width;
	matrix = (ts_matrix){sizeof matrix, layout, documents, layout == TS_ROWS ? width : lines, stored, TS_INT64, TS_INT64, start, indices, values};
	for (int64_t i = 0; i < documents; i++)
		of[i] = i > 0 && draw(9) == 0 ? -1 : (int32_t)(i % CLASSES);
	labels = (ts_labels){sizeof labels, 0, documents, CLASSES, documents, of, NULL};
	for (int i = 0; i < MOST_LINES; i++)
		weights[i] = 1;
	for (size_t i = 0; i < sizeof keep_some; i++)
		keep_some[i] = i % 2;
}

/* make_texts makes texts of every length up to 130 bytes and more, of letters, signs and characters of two to four bytes. */
static void make_texts(int64_t documents, int64_t terms) {
	static const char *const pieces[] = {"a", "Word", " ", ", ", "orbit ", "goal ", "caf\xc3\xa9 ", "\xe4\xb8\xad\xe6\x96\x87", "\xf0\x9f\x8c\x99 ", "it's ", "1,234 ", "\t"};
	static char room[2][MOST_BYTES];
	static int64_t offsets[2][MOST_LINES + 1];
	for (int64_t i = 0, at = 0, other = 0; i < documents || i < terms; i++) {
		for (int64_t from = at; at - from < i % 131;)
			at += draw(3) ? sprintf(room[0] + at, "%s", pieces[draw(12)]) : sprintf(room[0] + at, "w%d ", (int)draw(500));
		memcpy(room[1] + other, room[0] + offsets[0][i], (size_t)(at - offsets[0][i]));
		other += at - offsets[0][i];
		other += sprintf(room[1] + other, "%d", (int)i);
		offsets[0][i + 1] = at, offsets[1][i + 1] = other;
	}
	texts = (ts_texts){sizeof texts, TS_INT64, documents, room[0], offsets[0], NULL, NULL};
	different = (ts_texts){sizeof different, TS_INT64, documents, room[1], offsets[1], NULL, NULL};
	names = different, names.count = terms;
}

/* make_operations makes all that the operations are given, but for the path of an index. by are the measures of score, as
 * JSON, analysis and bags are options of how texts become terms. */
static void make_operations(uint32_t layout, int lines, int width, const char *index_path, const char *by, int measures, const char *analysis, const char *bags) {
	static char scored[2000], counted[300], fitted[300], kept[300], counted_bags[300], named_bags[300];
	uint64_t before[] = {model, rows, statistics, half, corpus, keys, ranked, vocabulary, bag};
	for (int i = 0; i < LENGTH(before); i++)
		ts_free(before[i]);
	free(model_file.data), free(statistics_file.data);
	make_matrix(layout, lines, width);
	make_texts(matrix.documents, matrix.terms);
	snprintf(scored, sizeof scored, "{\"by\": %s, \"threads\": 3}", by);
	snprintf(counted, sizeof counted, "{\"threads\": 3, %s}", analysis);
	snprintf(kept, sizeof kept, "{\"threads\": 3, \"stats-only\": false, %s}", analysis);
	snprintf(fitted, sizeof fitted, "{\"threads\": 3, \"k\": 5, %s}", analysis);
	snprintf(counted_bags, sizeof counted_bags, "{\"threads\": 3, \"max-df\": %d, %s}", (int)labels.documents - 1, bags);
	snprintf(named_bags, sizeof named_bags, "{\"threads\": 3, %s}", bags);
	ts_texts less = texts;
	ts_labels of_less = labels;
	less.count = of_less.documents = of_less.stored = (labels.documents + 1) / 2;
	CHECK(ts_fit(&texts, &labels, fitted, 0, &model, &rows, errors()));
	CHECK(ts_stats_texts(&texts, &labels, counted, 0, &statistics, errors()));
	CHECK(ts_stats_texts(&texts, &labels, kept, 0, &corpus, errors()));
	CHECK(ts_stats_texts(&less, &of_less, kept, 0, &half, errors()));
	CHECK(DO("keyness", "{\"max-p\": 1, \"min-freq\": 1}", 0, {HANDLE(half), HANDLE(statistics)}, {HANDLE(keys)}));
	CHECK(ts_rank(statistics, NULL, 0, &ranked, errors()));
	CHECK(DO("bag_fit", counted_bags, 0, {ONE(TS_TEXTS, &texts)}, {HANDLE(vocabulary), HANDLE(bag)}));
	ts_buffer columns[3] = {{0}};
	CHECK(ts_read(vocabulary, columns, 3, errors()));
	int64_t words = columns[2].count, terms = matrix.terms, stored = matrix.stored;
	read_columns("save", model, &model_file, 1), read_columns("save", statistics, &statistics_file, 1);
	model_file.type = statistics_file.type = TS_UINT8;

	ts_buffer all_texts = ONE(TS_TEXTS, &texts), x = ONE(TS_MATRIX, &matrix), y = ONE(TS_LABELS, &labels);
	static const char threads[] = "{\"threads\": 3}";
	operation_count = 0;
	ADD("cancel_new", NULL, {{0}}, {HANDLE(made)});
	ADD("cancel", NULL, {HANDLE(also)}, {{0}});
	ADD("free", NULL, {HANDLE(also)}, {{0}});
	ADD("release", NULL, {{0}}, {{0}});
	ADD("limits", threads, {{0}}, {{0}});
	ADD("score", scored, {x, y}, {ARRAY(TS_FLOAT64, measures * terms, results[0]), ARRAY(TS_FLOAT64, terms, results[1])});
	ADD("score_classes", "{\"by\": [\"chi\", \"ttest\"], \"threads\": 3}", {x, y}, {ARRAY(TS_FLOAT64, 2 * CLASSES * terms, results[0]), ARRAY(TS_FLOAT64, terms, results[1])});
	if (layout == TS_ROWS) {
		ADD("matrix_sums", NULL, {x}, {ARRAY(TS_FLOAT64, terms, results[0])});
		ADD("matrix_shares", threads, {x, ARRAY(TS_FLOAT64, terms, weights)}, {ARRAY(TS_FLOAT64, stored, results[0])});
	}
	ADD("best", NULL, {ARRAY(TS_FLOAT64, terms, weights)}, {ARRAY(TS_INT64, (terms + 1) / 2, results[0])});
	ADD("best", NULL, {ARRAY(TS_FLOAT64, terms, weights), ARRAY(TS_FLOAT64, terms, weights)}, {ARRAY(TS_INT64, terms, results[0])});
	ADD("fit", fitted, {all_texts, y}, {HANDLE(made), HANDLE(also)});
	ADD("select", "{\"k\": 5, \"by\": \"ig\", \"threads\": 3}", {HANDLE(corpus)}, {HANDLE(made)});
	ADD("transform", "{\"weight\": \"ltc\", \"threads\": 3}", {HANDLE(model), all_texts}, {HANDLE(made)});
	ADD("corpus_rows", "{\"weight\": \"ltc\"}", {HANDLE(corpus), HANDLE(model)}, {HANDLE(made)});
	ADD("model_load", NULL, {model_file}, {HANDLE(made)});
	ADD("open", NULL, {ONE(TS_TEXT, index_path)}, {HANDLE(made)});
	ADD("stats_texts", counted, {all_texts, y}, {HANDLE(made)});
	ADD("stats_texts", kept, {all_texts, y}, {HANDLE(made)});
	ADD("stats_matrix", threads, {x, ONE(TS_TEXTS, NULL), y}, {HANDLE(made)});
	ADD("stats_matrix", threads, {x, ONE(TS_TEXTS, &names), y}, {HANDLE(made)});
	ADD("stats_add", NULL, {HANDLE(statistics), HANDLE(statistics)}, {HANDLE(made)});
	ADD("stats_load", NULL, {statistics_file}, {HANDLE(made)});
	ADD("rank", "{\"p-values\": true, \"threads\": 3}", {HANDLE(statistics)}, {HANDLE(made)});
	ADD("keyness", "{\"top\": \"all\", \"max-p\": 1, \"min-freq\": 1, \"threads\": 3}", {HANDLE(half), HANDLE(statistics)}, {HANDLE(made)});
	ADD("bag_fit", counted_bags, {all_texts}, {HANDLE(made), HANDLE(also)});
	ADD("bag_vocabulary", named_bags, {ONE(TS_TEXTS, &different)}, {HANDLE(made)});
	ADD("bag_transform", threads, {HANDLE(vocabulary), all_texts}, {HANDLE(made)});
	ADD("bag_keep", NULL, {HANDLE(vocabulary), HANDLE(bag), ARRAY(TS_UINT8, words, keep_some)}, {HANDLE(made), HANDLE(also)});
	ADD("bag_hash", named_bags, {all_texts}, {HANDLE(made)});
	ADD("texts_check", NULL, {all_texts}, {{0}});
	ADD_COLUMNS("read", 9, HANDLE(model));
	ADD_COLUMNS("read", 3, HANDLE(rows));
	ADD_COLUMNS("read", 7, HANDLE(corpus));
	ADD_COLUMNS("read", 7, HANDLE(statistics));
	ADD_COLUMNS("read", 7, HANDLE(keys));
	ADD_COLUMNS("read", 4, HANDLE(ranked));
	ADD_COLUMNS("read", 6, HANDLE(vocabulary));
	ADD_COLUMNS("read", 3, HANDLE(bag));
	ADD_COLUMNS("save", 1, HANDLE(model));
	ADD_COLUMNS("save", 1, HANDLE(statistics));
	ADD_COLUMNS("measures", 1, {0});
	ADD_COLUMNS("options", 12, {0});
	ADD_COLUMNS("analysis", 1, HANDLE(statistics));
}

/* begin_call sets the handles that an operation gives to 0, and those that it takes away to a new one. */
static void begin_call(const operation *o) {
	made = also = 0;
	if (strcmp(o->name, "cancel") == 0 || strcmp(o->name, "free") == 0)
		CHECK(ts_cancel_new(&also));
}

/* call_operation calls an operation with other arguments than its own, or of one with columns asks for their sizes. */
static inline int32_t call_operation(const operation *o, arguments given, uint64_t cancel) {
	ts_buffer columns[12] = {{0}};
	if (o->columns == 0)
		return do_operation(o->name, o->options, cancel, given);
	return ts_call(o->name, o->options, given.in, given.in[0].type == TS_NONE ? 0 : 1, columns, o->columns, cancel, errors());
}
