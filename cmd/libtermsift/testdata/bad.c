/* Data and options that cannot be: each is refused with a status and a text that names the
 * argument and the place. All arrays are as long as the call says, which AddressSanitizer checks. */
#include <math.h>
#include <string.h>

#include "sample.h"

#define REFUSE(call, status, text) refuse(__LINE__, (call), status, text)

static int refused;

static void refuse(int line, int32_t got, int32_t want, const char *text) {
	if (got != want || strstr(message, text) == NULL)
		FAIL("line %d: status %" PRId32 " (%s), want %" PRId32 " (%s)", line, got, message, want, text);
	refused++;
}

static double scores[60], df[3];

static int32_t score(const ts_matrix *m, const ts_labels *y, const char *options) { return ts_score(m, y, options, 0, scores, df, errors()); }

/* heap returns a copy of an array, so that reading beyond it is found. */
static void *heap(const void *from, size_t bytes) { return memcpy(malloc(bytes), from, bytes); }

/* with_value, with_index and with_start score the matrix with one element changed. */
static int32_t with_value(uint32_t type, double v) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	double values[7] = {1, 2, 1, v, 1, 1, 1};
	float floats[7];
	int64_t longs[7];
	for (int i = 0; i < 7; i++)
		floats[i] = (float)values[i], longs[i] = values[i] == values[i] ? (int64_t)values[i] : 0;
	m.value_type = type;
	m.values = type == TS_FLOAT64 ? heap(values, sizeof values) : type == TS_FLOAT32 ? heap(floats, sizeof floats) : heap(longs, sizeof longs);
	int32_t status = score(&m, &y, NULL);
	free((void *)(uintptr_t)m.values);
	return status;
}

static int32_t with_index(uint32_t layout, int place, int32_t index) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	int32_t rows[] = {0, 2, 1, 0, 2, 1, 0}, column_start[] = {0, 3, 5, 7}, columns[] = {0, 2, 4, 1, 3, 0, 2}, *indices = layout == TS_ROWS ? rows : columns;
	indices[place] = index;
	m.layout = layout, m.indices = heap(indices, sizeof rows);
	if (layout == TS_COLUMNS)
		m.start = heap(column_start, sizeof column_start);
	int32_t status = score(&m, &y, NULL);
	free((void *)(uintptr_t)m.indices);
	return status;
}

static int32_t with_start(int place, int64_t start) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	int64_t all[] = {0, 2, 3, 5, 6, 7}, indices[] = {0, 2, 1, 0, 2, 1, 0};
	all[place] = start;
	m.index_type = TS_INT64, m.start = heap(all, sizeof all), m.indices = heap(indices, sizeof indices);
	int32_t status = score(&m, &y, NULL);
	free((void *)(uintptr_t)m.start), free((void *)(uintptr_t)m.indices);
	return status;
}

static void values_and_indices(void) {
	for (uint32_t type = TS_FLOAT32; type <= TS_FLOAT64; type++) {
		REFUSE(with_value(type, NAN), TS_BAD_INPUT, "element 3, document 2 and term 0: bad data: the value NaN");
		REFUSE(with_value(type, INFINITY), TS_BAD_INPUT, "element 3, document 2 and term 0: bad data: the value +Inf");
		REFUSE(with_value(type, -INFINITY), TS_BAD_INPUT, "element 3, document 2 and term 0: bad data: the value -Inf");
		REFUSE(with_value(type, -1), TS_BAD_INPUT, "element 3, document 2 and term 0: bad data: the value -1");
	}
	REFUSE(with_value(TS_INT64, -3), TS_BAD_INPUT, "element 3, document 2 and term 0: bad data: the value -3");
	REFUSE(with_index(TS_ROWS, 4, 0), TS_BAD_INPUT, "element 4");
	REFUSE(with_index(TS_COLUMNS, 4, 1), TS_BAD_INPUT, "element 4");
	REFUSE(with_index(TS_ROWS, 4, 3), TS_BAD_INPUT, "element 4");
	REFUSE(with_index(TS_ROWS, 4, -1), TS_BAD_INPUT, "element 4");
	REFUSE(with_index(TS_ROWS, 4, INT32_MAX), TS_BAD_INPUT, "element 4");
	REFUSE(with_index(TS_COLUMNS, 6, 5), TS_BAD_INPUT, "element 6");
	REFUSE(with_index(TS_COLUMNS, 6, INT32_MIN), TS_BAD_INPUT, "element 6");
	CHECK(with_index(TS_ROWS, 4, 2)); /* nothing changed */
	CHECK(with_index(TS_COLUMNS, 4, 3));
	REFUSE(with_start(2, 6), TS_BAD_INPUT, "3");
	REFUSE(with_start(0, -1), TS_BAD_INPUT, "-1");
	REFUSE(with_start(5, 8), TS_BAD_INPUT, "8");
	REFUSE(with_start(3, INT64_MAX), TS_BAD_INPUT, "4");
	CHECK(with_start(2, 3));
	CHECK(with_start(0, 1)); /* elements before the first line and behind the last are none */
	CHECK(with_start(5, 6));
}

static void sizes(void) {
	ts_matrix m = matrix_of(), none = matrix_of();
	ts_labels y = labels_of(5), other = labels_of(4);
	REFUSE(score(&m, &other, NULL), TS_USAGE, "labels.documents is 4, and there are 5 documents");
	other = labels_of(5), other.stored = 4;
	REFUSE(score(&m, &other, NULL), TS_USAGE, "labels.stored is 4, labels.documents 5");
	other = labels_of(5), other.classes = 1;
	REFUSE(score(&m, &other, NULL), TS_BAD_INPUT, "labels.of[1] is 1: a class must be in [0, 1)");
	other.classes = 0;
	REFUSE(score(&m, &other, NULL), TS_USAGE, "labels.classes is 0");
	static const int32_t same[5] = {0, 0, 0, 0, 0}, unlabelled[5] = {-1, -1, -1, -1, -1};
	other = labels_of(5), other.of = same;
	CHECK(score(&m, &other, NULL)); /* one class has values, all alike */
	if (scores[0] != 0 || scores[1] != 0)
		FAIL("chi of a single class is %g", scores[0]);
	other.of = unlabelled;
	REFUSE(score(&m, &other, NULL), TS_BAD_INPUT, "Labels.Of: bad data: none of the documents has a class");
	none.documents = 0;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.documents is 0");
	none = matrix_of(), none.terms = 0;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.terms is 0");
	none = matrix_of(), none.stored = -1;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.indices has -1 elements");
	none = matrix_of(), none.layout = 2;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.layout is 2");
	none = matrix_of(), none.index_type = TS_FLOAT32;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.index_type is 3");
	none = matrix_of(), none.value_type = 6;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.value_type is 6");
	none = matrix_of(), none.start = NULL;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.start is NULL");
	none = matrix_of(), none.struct_size--;
	REFUSE(score(&none, &y, NULL), TS_USAGE, "matrix.struct_size is");
	int32_t zeros[6] = {0};
	none = matrix_of(), none.stored = 0, none.start = zeros, none.indices = NULL, none.values = NULL;
	CHECK(score(&none, &y, NULL)); /* a matrix of nothing has no values */
	if (scores[0] == scores[0] || df[0] != 0)
		FAIL("chi of nothing is %g", scores[0]);
	REFUSE(score(NULL, &y, NULL), TS_USAGE, "matrix is NULL");
	REFUSE(score(&m, NULL, NULL), TS_USAGE, "labels is NULL");
	REFUSE(DO("matrix_sums", NULL, 0, {ONE(TS_MATRIX, NULL)}, {ARRAY(TS_FLOAT64, 3, df)}), TS_USAGE, "matrix is NULL");
	REFUSE(DO("matrix_sums", NULL, 0, {ONE(TS_MATRIX, &m)}, {ARRAY(TS_FLOAT64, 3, NULL)}), TS_USAGE, "sums is NULL");
	REFUSE(DO("matrix_shares", NULL, 0, {ONE(TS_MATRIX, &m)}, {ARRAY(TS_FLOAT64, 7, scores)}), TS_USAGE, "weights is NULL");
	REFUSE(DO("matrix_shares", "{\"roots\": true}", 0, {ONE(TS_MATRIX, &m), ARRAY(TS_FLOAT64, 3, df)}, {ARRAY(TS_FLOAT64, 7, scores)}), TS_USAGE, "unknown option \"roots\"; did you mean root");
	REFUSE(ts_score(&m, &y, NULL, 0, NULL, NULL, errors()), TS_USAGE, "scores is NULL");
	REFUSE(ts_score(&m, &y, NULL, 99, scores, NULL, errors()), TS_BAD_HANDLE, "no handle 99");
}

static void buffers(void) {
	int64_t best[3];
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores), ARRAY(TS_FLOAT64, 3, df)}, {ARRAY(TS_INT64, 4, best)}), TS_USAGE, "k is 4");
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores), ARRAY(TS_FLOAT64, 3, df)}, {ARRAY(TS_INT64, -1, best)}), TS_USAGE, "k is -1");
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores), ARRAY(TS_FLOAT64, 2, df)}, {ARRAY(TS_INT64, 3, best)}), TS_USAGE, "df has 2 elements, and 3 are needed");
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT32, 3, scores)}, {ARRAY(TS_INT64, 3, best)}), TS_USAGE, "scores.type is 3: it must be TS_FLOAT64");
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores)}, {ARRAY(TS_INT32, 3, best)}), TS_USAGE, "best.type is 1: it must be TS_INT64");
	REFUSE(DO("bets", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores)}, {ARRAY(TS_INT64, 3, best)}), TS_USAGE, "unknown operation \"bets\"; did you mean best");
	REFUSE(DO("best", NULL, 0, {ARRAY(TS_FLOAT64, 3, scores), ARRAY(TS_FLOAT64, 3, df), ARRAY(TS_FLOAT64, 3, df)}, {ARRAY(TS_INT64, 3, best)}), TS_USAGE, "best takes 2 inputs and 1 outputs, not 3 and 1");
	REFUSE(DO("best", NULL, 0, {{TS_FLOAT64, 1, 3, scores}}, {ARRAY(TS_INT64, 3, best)}), TS_USAGE, "reserved of a ts_buffer must be 0, not 1");
	REFUSE(ts_call("best", NULL, NULL, -1, NULL, 0, 0, errors()), TS_USAGE, "in has -1 elements");
}

/* make does an operation that makes so many handles, and frees them: there are none unless it went well. */
static int32_t make(const char *name, const char *options, int handles, arguments given) {
	uint64_t made[2] = {1, 1};
	for (int i = 0; i < handles; i++)
		given.out[i] = ONE(TS_HANDLE, &made[i]);
	int32_t status = do_operation(name, options, 0, given);
	for (int i = 0; i < handles; i++) {
		if ((status == TS_OK) != (made[i] != 0))
			FAIL("%s: status %" PRId32 ", handle %" PRIu64, name, status, made[i]);
		ts_free(made[i]);
	}
	return status;
}
#define MAKE(name, options, handles, ...) make(name, options, handles, (arguments){{__VA_ARGS__}, {{0}}})

static int32_t fit(const ts_texts *t, const ts_labels *y, const char *options) { return MAKE("fit", options, 1, ONE(TS_TEXTS, t), ONE(TS_LABELS, y)); }

static void texts_and_options(void) {
	ts_texts t = texts_of(5), none = texts_of(5);
	ts_labels y = labels_of(5), other = labels_of(4);
	REFUSE(fit(&t, &y, "{\"k\": 3, \"classes\": [\"a\"]}"), TS_USAGE, "1 names in the option \"classes\"");
	REFUSE(fit(&t, &y, "{\"min-score\": 1e9}"), TS_NOTHING, "");
	REFUSE(fit(&t, &other, "{\"k\": 3}"), TS_USAGE, "labels.documents is 4, and there are 5 documents");
	REFUSE(fit(NULL, &y, "{\"k\": 3}"), TS_USAGE, "texts is NULL");
	none.count = -1;
	REFUSE(fit(&none, &y, "{\"k\": 3}"), TS_USAGE, "texts.count is -1");
	none = texts_of(5), none.pointers = NULL;
	REFUSE(fit(&none, &y, "{\"k\": 3}"), TS_USAGE, "texts.pointers is NULL");
	static const int64_t lengths[] = {21, 19, -1, 22, 8};
	none = texts_of(5), none.lengths = lengths;
	REFUSE(fit(&none, &y, "{\"k\": 3}"), TS_USAGE, "texts.pointers[2]");
	static const int32_t cut[] = {0, 2, 3};
	none = (ts_texts){sizeof none, TS_INT32, 2, "ab\xff", cut, NULL, NULL};
	REFUSE(DO("texts_check", NULL, 0, {ONE(TS_TEXTS, &none)}, {{0}}), TS_BAD_INPUT, "text 1 is no UTF-8: its byte 0 is 0xff");
	none.data = "\xc3\xa4z";
	CHECK(DO("texts_check", NULL, 0, {ONE(TS_TEXTS, &none)}, {{0}}));
	none.data = "a\xe2\x82";
	REFUSE(DO("texts_check", NULL, 0, {ONE(TS_TEXTS, &none)}, {{0}}), TS_BAD_INPUT, "text 0 is no UTF-8: its byte 1 is 0xe2");
	REFUSE(DO("texts_check", NULL, 0, {ONE(TS_TEXTS, NULL)}, {{0}}), TS_USAGE, "texts is NULL");
	static const int32_t offsets[] = {0, 2, 1, 4, 4, 4}, negative[] = {-1, 2, 3, 4, 4, 4};
	none = (ts_texts){sizeof none, TS_INT32, 5, "abcd", offsets, NULL, NULL};
	REFUSE(fit(&none, &y, "{\"k\": 3}"), TS_BAD_INPUT, "texts.offsets[2] is 1, below 2");
	none.offsets = negative;
	REFUSE(fit(&none, &y, "{\"k\": 3}"), TS_BAD_INPUT, "texts.offsets[0] is -1");
	none = texts_of(0), other = labels_of(0);
	REFUSE(fit(&none, &other, "{\"k\": 3}"), TS_BAD_INPUT, "no document");
	REFUSE(ts_model_load("no features", 11, &(uint64_t){0}, errors()), TS_BAD_INPUT, "model");
	REFUSE(ts_stats_load("no statistics", 13, &(uint64_t){0}, errors()), TS_CORRUPT, "");
}

static uint64_t stats_of(int64_t from, int64_t to, const char *options) {
	ts_texts t = texts_of(to - from);
	ts_labels y = labels_of(to - from);
	uint64_t statistics = 0;
	t.pointers += from, t.lengths += from, y.of += from;
	CHECK(ts_stats_texts(&t, &y, options, 0, &statistics, errors()));
	return statistics;
}

static int32_t keyness(uint64_t target, uint64_t reference, const char *options) {
	return MAKE("keyness", options, 1, ONE(TS_HANDLE, &target), ONE(TS_HANDLE, &reference));
}

static void keys_and_options(void) {
	uint64_t a = stats_of(0, 2, NULL), b = stats_of(2, 5, NULL), stemmed = stats_of(2, 5, "{\"stem\": \"porter\"}"), keys = 0;
	CHECK(keyness(a, b, "{\"top\": \"all\", \"drift\": true, \"max-p\": 1, \"min-freq\": 1}"));
	REFUSE(keyness(99, b, NULL), TS_BAD_HANDLE, "target: bad handle: there is no handle 99");
	REFUSE(keyness(a, 99, NULL), TS_BAD_HANDLE, "reference: bad handle: there is no handle 99");
	REFUSE(keyness(a, stemmed, NULL), TS_BAD_INPUT, "stem");
	uint64_t pruned = stats_of(2, 5, "{\"min-df\": 2}");
	REFUSE(keyness(a, pruned, NULL), TS_BAD_INPUT, "the reference: statistics of an index that was pruned");
	REFUSE(keyness(a, b, "{\"max-p\": 1e-300, \"min-freq\": 1}"), TS_NOTHING, "has a p-value of 1e-300 or less");
	REFUSE(DO("keyness", NULL, 0, {ONE(TS_HANDLE, &a), ONE(TS_HANDLE, &b)}, {ONE(TS_HANDLE, NULL)}), TS_USAGE, "keys is NULL");
	REFUSE(DO("keyness", NULL, 0, {ONE(TS_TEXTS, &a), ONE(TS_HANDLE, &b)}, {ONE(TS_HANDLE, &keys)}), TS_USAGE, "target.type is 10: it must be TS_HANDLE");
	CHECK(DO("keyness", "{\"max-p\": 1, \"min-freq\": 1}", 0, {ONE(TS_HANDLE, &a), ONE(TS_HANDLE, &b)}, {ONE(TS_HANDLE, &keys)}));
	ts_buffer columns[8] = {{0}};
	char small[1];
	REFUSE(ts_read(keys, columns, 8, errors()), TS_USAGE, "there are 7 columns, and 8 are asked for");
	REFUSE(ts_read(keys, NULL, 7, errors()), TS_USAGE, "out is NULL");
	columns[0] = ARRAY(TS_TEXT, 1, small);
	REFUSE(ts_read(keys, columns, 1, errors()), TS_USAGE, "columns[0] has room for 1 elements, and there are");
	columns[0] = ARRAY(TS_INT32, -1, small);
	REFUSE(ts_read(keys, columns, 1, errors()), TS_USAGE, "columns[0].type is 1: it must be TS_UINT8");
	REFUSE(ts_save(keys, columns, errors()), TS_BAD_HANDLE, "is key words, and a model or statistics is needed");
	ts_free(a), ts_free(b), ts_free(stemmed), ts_free(pruned), ts_free(keys);
}

/* Statistics of matrices, whose terms are names. */
static int32_t stats_of_matrix(const ts_matrix *m, const ts_texts *terms, const ts_labels *y, const char *options) {
	return MAKE("stats_matrix", options, 1, ONE(TS_MATRIX, m), ONE(TS_TEXTS, terms), ONE(TS_LABELS, y));
}

static void names_of_columns(void) {
	static const char *const good[] = {"caf\xc3\xa9", "b", "c d"}, *const empty[] = {"a", "", "c"}, *const twice[] = {"a", "b", "a"}, *const broken[] = {"a", "\xff", "c"};
	static const int64_t lengths[] = {5, 1, 3}, ones[] = {1, 1, 1}, hole[] = {1, 0, 1};
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5), short_one = labels_of(4);
	ts_texts terms = {sizeof terms, TS_NONE, 3, NULL, NULL, good, lengths};
	uint64_t of_matrix = 0, loaded = 0, model = 0, of_texts = stats_of(0, 3, NULL);
	CHECK(stats_of_matrix(&m, NULL, &y, NULL));
	CHECK(DO("stats_matrix", "{\"classes\": [\"space\", \"sport\"]}", 0, {ONE(TS_MATRIX, &m), ONE(TS_TEXTS, &terms), ONE(TS_LABELS, &y)}, {ONE(TS_HANDLE, &of_matrix)}));
	REFUSE(stats_of_matrix(&m, &terms, &short_one, NULL), TS_USAGE, "labels.documents is 4");
	REFUSE(stats_of_matrix(NULL, &terms, &y, NULL), TS_USAGE, "matrix is NULL");
	REFUSE(DO("stats_matrix", NULL, 0, {ONE(TS_MATRIX, &m), ONE(TS_TEXTS, &terms), ONE(TS_LABELS, &y)}, {ONE(TS_HANDLE, NULL)}), TS_USAGE, "statistics is NULL");
	terms.count = 2;
	REFUSE(stats_of_matrix(&m, &terms, &y, NULL), TS_USAGE, "there are 2 names in terms, and matrix.terms is 3");
	terms.count = 3, terms.pointers = empty, terms.lengths = hole;
	REFUSE(stats_of_matrix(&m, &terms, &y, NULL), TS_BAD_INPUT, "terms[1] is empty");
	terms.pointers = twice, terms.lengths = ones;
	REFUSE(stats_of_matrix(&m, &terms, &y, NULL), TS_USAGE, "\"a\" twice");
	terms.pointers = broken;
	REFUSE(stats_of_matrix(&m, &terms, &y, NULL), TS_BAD_INPUT, "terms[1] is \"\\xff\", which is not UTF-8");

	REFUSE(keyness(of_matrix, of_texts, NULL), TS_BAD_INPUT, "the tokens of the target is \"matrix\"");
	REFUSE(ts_stats_add(of_matrix, of_texts, &loaded, errors()), TS_BAD_INPUT, "tokens");
	ts_buffer bytes;
	read_columns("save", of_matrix, &bytes, 1);
	CHECK(ts_stats_load(bytes.data, bytes.count, &loaded, errors()));
	ts_texts some = texts_of(5);
	for (int i = 0; i < 2; i++) {
		CHECK(ts_select(i == 0 ? of_matrix : loaded, "{\"k\": 2}", 0, &model, errors()));
		REFUSE(ts_transform(model, &some, NULL, 0, &(uint64_t){0}, errors()), TS_USAGE, "unknown tokens \"matrix\"");
		ts_free(model);
	}
	ts_free(of_matrix), ts_free(loaded), ts_free(of_texts);
}

static int32_t keep_of(uint64_t vocabulary, uint64_t rows, const uint8_t *keep, int64_t terms) {
	return MAKE("bag_keep", NULL, 2, ONE(TS_HANDLE, &vocabulary), ONE(TS_HANDLE, &rows), ARRAY(TS_UINT8, terms, keep));
}

static void bags_and_options(void) {
	ts_texts t = texts_of(5), none = texts_of(0), twice = texts_of(2);
	CHECK(MAKE("bag_fit", NULL, 2, ONE(TS_TEXTS, &none))); /* an empty vocabulary */
	REFUSE(MAKE("bag_fit", NULL, 2, ONE(TS_TEXTS, NULL)), TS_USAGE, "texts is NULL");
	REFUSE(MAKE("bag_fit", "{\"min-df\": 0.5}", 2, ONE(TS_TEXTS, &t)), TS_USAGE, "option \"min-df\" must be a whole number, not 0.5");
	static const char *const same[] = {"moon", "moon"};
	static const int64_t lengths[] = {4, 4};
	twice.pointers = same, twice.lengths = lengths;
	REFUSE(MAKE("bag_vocabulary", NULL, 1, ONE(TS_TEXTS, &twice)), TS_USAGE, "terms 0 and 1 of the vocabulary are the same, \"moon\"");
	REFUSE(MAKE("bag_hash", "{\"features\": 0}", 1, ONE(TS_TEXTS, &t)), TS_USAGE, "the number of features is 0: it must be in [1, 2^31)");
	REFUSE(MAKE("bag_hash", "{\"features\": 2147483648}", 1, ONE(TS_TEXTS, &t)), TS_USAGE, "option \"features\" must be a whole number, not 2147483648");

	uint64_t vocabulary = 0, rows = 0, other = 0, other_rows = 0, none_made = 1, none_of_rows = 1;
	uint8_t keep[32] = {1};
	CHECK(DO("bag_fit", NULL, 0, {ONE(TS_TEXTS, &t)}, {ONE(TS_HANDLE, &vocabulary), ONE(TS_HANDLE, &rows)}));
	CHECK(DO("bag_fit", NULL, 0, {ONE(TS_TEXTS, &t)}, {ONE(TS_HANDLE, &other), ONE(TS_HANDLE, &other_rows)}));
	REFUSE(DO("bag_fit", NULL, 0, {ONE(TS_TEXTS, &t)}, {ONE(TS_HANDLE, NULL), ONE(TS_HANDLE, &none_of_rows)}), TS_USAGE, "vocabulary is NULL");
	REFUSE(DO("bag_fit", NULL, 0, {ONE(TS_TEXTS, &t)}, {ONE(TS_HANDLE, &none_made), ONE(TS_HANDLE, NULL)}), TS_USAGE, "rows is NULL");
	REFUSE(MAKE("bag_transform", NULL, 1, ONE(TS_HANDLE, &rows), ONE(TS_TEXTS, &t)), TS_BAD_HANDLE, "is rows, and a vocabulary is needed");
	ts_buffer columns[3] = {{0}};
	CHECK(ts_read(vocabulary, columns, 3, errors()));
	int64_t terms = columns[2].count;
	REFUSE(keep_of(vocabulary, rows, NULL, terms), TS_USAGE, "keep is NULL");
	REFUSE(keep_of(vocabulary, other_rows, keep, terms), TS_USAGE, "the rows are not those of the texts that the vocabulary was fitted to");
	REFUSE(keep_of(vocabulary, vocabulary, keep, terms), TS_BAD_HANDLE, "is a vocabulary, and rows of bag_fit is needed");
	REFUSE(keep_of(vocabulary, rows, keep, terms - 1), TS_USAGE, "keep has");
	columns[0] = ARRAY(TS_FLOAT32, 6, scores), columns[1] = columns[2] = (ts_buffer){0};
	REFUSE(ts_read(rows, columns, 3, errors()), TS_USAGE, "columns[0].type is 3: places are TS_INT32 or TS_INT64");
	columns[0] = (ts_buffer){0}, columns[2] = ARRAY(TS_UINT8, -1, scores);
	REFUSE(ts_read(rows, columns, 3, errors()), TS_USAGE, "columns[2].type is 5: values are TS_INT32, TS_INT64, TS_FLOAT32 or TS_FLOAT64");
	ts_free(vocabulary), ts_free(rows), ts_free(other), ts_free(other_rows);
}

/* Rankings and values of classes. */
static int32_t rank_of(uint64_t statistics, const char *options) { return MAKE("rank", options, 1, ONE(TS_HANDLE, &statistics)); }

static void ranks_and_options(void) {
	uint64_t statistics = stats_of(0, 5, NULL), ranked = 0;
	CHECK(rank_of(statistics, NULL));
	CHECK(rank_of(statistics, "{\"by\": \"anova\", \"combine\": \"\"}"));
	REFUSE(rank_of(99, NULL), TS_BAD_HANDLE, "there is no handle 99");
	REFUSE(rank_of(statistics, "{\"by\": []}"), TS_USAGE, "option \"by\" has no measure");
	REFUSE(ts_rank(statistics, NULL, 0, NULL, errors()), TS_USAGE, "ranking is NULL");
	CHECK(ts_rank(statistics, NULL, 0, &ranked, errors()));
	REFUSE(ts_select(ranked, "{\"k\": 2}", 0, &(uint64_t){0}, errors()), TS_BAD_HANDLE, "is a ranking, and a corpus or statistics is needed");
	ts_free(statistics), ts_free(ranked);
}

static int32_t classes_of(const ts_matrix *m, const ts_labels *y, const char *options, double *values, int64_t n) {
	return DO("score_classes", options, 0, {ONE(TS_MATRIX, m), ONE(TS_LABELS, y)}, {ARRAY(TS_FLOAT64, n, values)});
}

static void values_of_classes(void) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	double values[9];
	y.classes = 3; /* the last has no document */
	CHECK(classes_of(&m, &y, NULL, values, 9));
	for (int i = 0; i < 3; i++)
		if (values[i] != values[3 + i] || values[6 + i] == values[6 + i])
			FAIL("column %d: %g, %g, and %g of no document", i, values[i], values[3 + i], values[6 + i]);
	y.classes = INT32_MAX, m.terms = INT32_MAX;
	REFUSE(classes_of(&m, &y, "{\"by\": [\"chi\", \"g2\", \"lor\"]}", values, -1), TS_USAGE, "more than memory");
	REFUSE(classes_of(&m, &y, "{\"by\": \"sklearn-chi2\"}", values, -1), TS_USAGE, "sklearn-chi2 has one value for a term here");
	y.classes = 3, m.terms = 3;
	REFUSE(classes_of(&m, &y, NULL, values, 8), TS_USAGE, "scores has room for 8 elements, and there are 9");
	ts_buffer json = ARRAY(TS_UINT8, 3, values);
	REFUSE(DO("measures", NULL, 0, {{0}}, {json}), TS_USAGE, "columns[0] has room for 3 elements");
	uint64_t none = 99;
	REFUSE(DO("analysis", NULL, 0, {ONE(TS_HANDLE, &none)}, {{0}}), TS_BAD_HANDLE, "there is no handle 99");
	REFUSE(ts_read(99, &json, 1, errors()), TS_BAD_HANDLE, "there is no handle 99");
}

int main(void) {
	ranks_and_options(), values_of_classes();
	names_of_columns(), values_and_indices(), sizes(), buffers(), texts_and_options(), keys_and_options(), bags_and_options();
	double values[6], of[3];
	CHECK(score_some(values, of));
	printf("%d\n", refused);
	return 0;
}
