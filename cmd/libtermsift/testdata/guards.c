/* Arrays that end, or begin, where memory does: guards MEASURES. Nothing may read or write beyond
 * them, or write to an input, which is read-only: every function with inputs is called. Under AddressSanitizer the same arrays lie on the heap as well. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sample.h"

enum { PAGE = 4096, MOST_PIECES = 4096 };

/* A place says where an array lies: on the heap, before a page that cannot be read, or behind one. */
enum place { HEAP, BEFORE, BEHIND, PLACES };

static enum place place;
static struct { void *memory; size_t size; } pieces[MOST_PIECES];
static int taken;

/* place_array returns room for an array, which is freed by free_all. */
static void *place_array(size_t bytes) {
	if (taken == MOST_PIECES)
		FAIL("too many arrays");
	size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
	if (place == HEAP) {
		pieces[taken].memory = malloc(bytes), pieces[taken].size = 0;
		return pieces[taken++].memory;
	}
	char *p = mmap(NULL, pages + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) != 0 || mprotect(p + PAGE + pages, PAGE, PROT_NONE) != 0)
		FAIL("no memory");
	pieces[taken].memory = p, pieces[taken++].size = pages + 2 * PAGE;
	return place == BEFORE ? p + PAGE + pages - bytes : p + PAGE;
}

/* keep makes the array that was placed last read-only, as an input may be. */
static void *keep(void *array) {
	if (pieces[taken - 1].size > 0 && mprotect((char *)pieces[taken - 1].memory + PAGE, pieces[taken - 1].size - 2 * PAGE, PROT_READ) != 0)
		FAIL("an array cannot be made read-only");
	return array;
}

static void *put(const void *from, size_t bytes) {
	void *to = place_array(bytes);
	memcpy(to, from, bytes);
	return keep(to);
}

static const char *put_text(const char *text) { return put(text, strlen(text) + 1); }

static void free_all(void) {
	while (taken > 0) {
		taken--;
		if (pieces[taken].size == 0)
			free(pieces[taken].memory);
		else
			munmap(pieces[taken].memory, pieces[taken].size);
	}
}

static uint64_t state = 88172645463325252u;

static int draw(int n) {
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return (int)(state % (uint64_t)n);
}

/* A sparse matrix with counts in [1, 9]. */
typedef struct { int lines, width, stored; int64_t start[600], indices[600 * 80], values[600 * 80]; } sparse;

static void fill(sparse *x, int lines, int width) {
	x->lines = lines, x->width = width, x->stored = 0, x->start[0] = 0;
	for (int i = 0; i < lines; i++) {
		for (int j = 0; j < width; j++)
			if (draw(4) == 0)
				x->indices[x->stored] = j, x->values[x->stored++] = 1 + draw(9);
		x->start[i + 1] = x->stored;
	}
}

static const void *put_as(uint32_t type, const int64_t *from, int64_t n) {
	return keep(convert(type, from, n, place_array(size_of[type] * (size_t)n)));
}

/* operate does an operation whose buffers and texts are placed, too. */
static void operate(int line, const char *name, const char *options, arguments a) {
	int64_t ins = 3, outs = 2;
	while (ins > 0 && a.in[ins - 1].type == TS_NONE) ins--;
	while (outs > 0 && a.out[outs - 1].type == TS_NONE) outs--;
	ts_buffer *out = place_array((size_t)outs * sizeof *out);
	memcpy(out, a.out, (size_t)outs * sizeof *out);
	check(line, ts_call(put_text(name), put_text(options), put(a.in, (size_t)ins * sizeof *a.in), ins, out, outs, 0, errors()));
}
#define OPERATE(name, options, ...) operate(__LINE__, name, options, (arguments){__VA_ARGS__})
#define MATRIX(m) ONE(TS_MATRIX, put(&m, sizeof m))
#define LABELS(y) ONE(TS_LABELS, put(&y, sizeof y))
#define TO(type, n) ARRAY(type, n, place_array(size_of[type] * (size_t)(n)))
#define HANDLE(h) ONE(TS_HANDLE, put(&(uint64_t){h}, 8))

/* columns_placed reads n columns into memory of their very sizes. If there are types, the first two columns have the first one, and all others the second. */
static void columns_placed(uint64_t handle, int64_t n, uint32_t index, uint32_t value) {
	ts_buffer *columns = place_array((size_t)n * sizeof *columns);
	memset(columns, 0, (size_t)n * sizeof *columns);
	CHECK(ts_read(handle, columns, n, errors()));
	for (int64_t i = 0; i < n; i++) {
		if (index != TS_NONE)
			columns[i].type = i < 2 ? index : value;
		columns[i].data = place_array(size_of[columns[i].type] * (size_t)columns[i].count);
	}
	CHECK(ts_read(handle, columns, n, errors()));
}

/* score_placed scores a matrix from the place, and copies the values to out. */
static void score_placed(const sparse *x, uint32_t layout, uint32_t index, uint32_t value, const int32_t *of, int classes, const char *options, int measures, double *out) {
	int documents = layout == TS_ROWS ? x->lines : x->width, terms = layout == TS_ROWS ? x->width : x->lines;
	ts_matrix m = {sizeof m, layout, documents, terms, x->stored, index, value, put_as(index, x->start, x->lines + 1),
	               put_as(index, x->indices, x->stored), value == TS_NONE ? NULL : put_as(value, x->values, x->stored)};
	ts_labels y = {sizeof y, 0, documents, classes, documents, put(of, 4 * (size_t)documents), NULL};
	size_t bytes = 8 * (size_t)(measures * terms);
	double *scores = place_array(bytes), *df = place_array(8 * (size_t)terms);
	CHECK(ts_score(put(&m, sizeof m), put(&y, sizeof y), put_text(options), 0, scores, df, errors()));
	memcpy(out, scores, bytes);
	OPERATE("score_classes", "{\"by\": \"chi\", \"threads\": 2}", {MATRIX(m), LABELS(y)}, {TO(TS_FLOAT64, classes * terms), ARRAY(TS_FLOAT64, terms, df)});
	if (layout == TS_ROWS) {
		OPERATE("matrix_sums", "", {MATRIX(m)}, {ARRAY(TS_FLOAT64, terms, df)});
		double *shares = place_array(8 * (size_t)x->stored), total = 0;
		for (int i = 0; i < terms; i++) df[i] = 1;
		OPERATE("matrix_shares", "{\"threads\": 2}", {MATRIX(m), ARRAY(TS_FLOAT64, terms, put(df, 8 * (size_t)terms))}, {ARRAY(TS_FLOAT64, x->stored, shares)});
		for (int i = x->start[0]; i < x->start[1]; i++) total += shares[i];
		if (x->start[1] > x->start[0] && (total < 1 - 1e-9 || total > 1 + 1e-9)) FAIL("the shares of a row add up to %g", total);
	}
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
	int64_t offsets[601] = {0};
	char names[600 * 3];
	for (int i = 0; i < terms; i++)
		offsets[i + 1] = 3 * (i + 1), names[3 * i] = letters[i / 26], names[3 * i + 1] = letters[i % 26], names[3 * i + 2] = '.';
	ts_texts named = {sizeof named, TS_INT64, terms, put(names, 3 * (size_t)terms), put(offsets, 8 * (size_t)(terms + 1)), NULL, NULL};
	uint64_t *statistics = place_array(8);
	OPERATE("stats_matrix", "{\"threads\": 2}", {MATRIX(m), ONE(TS_TEXTS, put(&named, sizeof named)), LABELS(y)}, {ONE(TS_HANDLE, statistics)});
	CHECK(ts_free(*statistics));
	int k = 1 + draw(terms);
	OPERATE("best", "", {ARRAY(TS_FLOAT64, terms, put(scores, 8 * (size_t)terms)), ARRAY(TS_FLOAT64, terms, draw(2) ? put(df, 8 * (size_t)terms) : NULL)}, {TO(TS_INT64, k)});
	free_all();
}

static void matrices(const char *by, int measures) {
	static sparse x;
	static double want[64 * 600], got[64 * 600];
	char options[2000];
	for (int round = 0; round < 12; round++) {
		int classes = 2 + draw(12);
		uint32_t layout = round % 2 ? TS_ROWS : TS_COLUMNS;
		int documents = 1 + draw(layout == TS_ROWS ? 600 : 80), terms = 1 + draw(layout == TS_ROWS ? 80 : 600);
		int32_t of[600];
		for (int i = 0; i < documents; i++)
			of[i] = draw(9) ? i % classes : -1;
		of[0] = 0;
		fill(&x, layout == TS_ROWS ? documents : terms, layout == TS_ROWS ? terms : documents);
		snprintf(options, sizeof options, "{\"by\": %s, \"threads\": %d}", by, 1 + draw(3));
		for (uint32_t value = TS_NONE; value <= TS_UINT8; value++) /* other values for TS_NONE, which is first */
			for (uint32_t index = TS_INT32; index <= TS_INT64; index++)
				for (place = HEAP; place < PLACES; place++) {
					int first = value <= TS_INT32 && index == TS_INT32 && place == HEAP;
					score_placed(&x, layout, index, value, of, classes, options, measures, first ? want : got);
					if (!first && memcmp(want, got, 8 * (size_t)(measures * terms)) != 0)
						FAIL("round %d, layout %u, index %u, value %u, place %d: other values", round, layout, index, value, place);
				}
	}
}

/* put_texts places texts: each alone, or all in one piece with offsets of a type. */
static const ts_texts *put_texts(const char *const *texts, int n, uint32_t type) {
	ts_texts t = {sizeof t, type, n, NULL, NULL, NULL, NULL};
	const char **pointers = malloc(sizeof *pointers * (size_t)n);
	int64_t *lengths = malloc(8 * (size_t)n);
	int64_t *offsets = malloc(8 * (size_t)(n + 1));
	char *all = malloc(1 << 20);
	offsets[0] = 0;
	for (int i = 0; i < n; i++) {
		lengths[i] = (int64_t)strlen(texts[i]);
		if (type == TS_NONE)
			pointers[i] = put(texts[i], (size_t)lengths[i]);
		memcpy(all + offsets[i], texts[i], (size_t)lengths[i]);
		offsets[i + 1] = offsets[i] + lengths[i];
	}
	if (type == TS_NONE)
		t.pointers = put(pointers, sizeof *pointers * (size_t)n), t.lengths = put(lengths, 8 * (size_t)n);
	else
		t.data = put(all, (size_t)offsets[n]), t.offsets = put_as(type, offsets, n + 1);
	free(pointers), free(lengths), free(offsets), free(all);
	return put(&t, sizeof t);
}

static const ts_labels *put_labels(int n, int classes) {
	static int32_t of[512];
	static int64_t start[513];
	int at = 0;
	for (int i = 0; i < n; i++) { /* one class or two */
		start[i] = at;
		of[at++] = i % classes;
		if (i % 3 == 0 && at < 511 - (n - i))
			of[at++] = (i + 1) % classes;
	}
	start[n] = at;
	ts_labels y = {sizeof y, 0, n, classes, at, put(of, 4 * (size_t)at), put(start, 8 * (size_t)(n + 1))};
	return put(&y, sizeof y);
}

static void read_rows(uint64_t rows) {
	columns_placed(rows, 3, TS_NONE, TS_NONE);
	CHECK(ts_free(rows));
}

/* save_and_load saves into a buffer of the very size and loads from it. */
static uint64_t save_and_load(uint64_t handle, int32_t (*load)(const char *, int64_t, uint64_t *, ts_error *)) {
	ts_buffer *bytes = place_array(sizeof *bytes);
	uint64_t *again = place_array(8);
	memset(bytes, 0, sizeof *bytes);
	CHECK(ts_save(handle, bytes, errors()));
	bytes->data = place_array((size_t)bytes->count);
	CHECK(ts_save(handle, bytes, errors()));
	CHECK(load(put(bytes->data, (size_t)bytes->count), bytes->count, again, errors()));
	CHECK(ts_free(handle));
	return *again;
}

/* read_keys reads the keys of the first third of texts against statistics of all. */
static void read_keys(uint64_t all, const ts_texts *t, const ts_labels *y, const char *analysis) {
	ts_texts less = *t;
	ts_labels of_less = *y;
	less.count /= 3, of_less.documents = less.count;
	uint64_t *part = place_array(8), *keys = place_array(8);
	OPERATE("texts_check", "", {ONE(TS_TEXTS, put(&less, sizeof less))}, {{0}});
	CHECK(ts_stats_texts(put(&less, sizeof less), put(&of_less, sizeof of_less), put_text(analysis), 0, part, errors()));
	OPERATE("keyness", "{\"top\": \"all\", \"max-p\": 1, \"min-freq\": 1}", {HANDLE(*part), HANDLE(all)}, {ONE(TS_HANDLE, keys)});
	columns_placed(*keys, 7, TS_NONE, TS_NONE);
	CHECK(ts_free(*part)), CHECK(ts_free(*keys));
}

/* rank_placed ranks the terms of statistics: there are so many pairs of a term and a class. */
static void rank_placed(uint64_t statistics, size_t pairs) {
	uint64_t *ranked = place_array(8);
	CHECK(ts_rank(statistics, put_text(draw(2) ? "{\"p-values\": true}" : "{\"by\": \"g2tf\", \"threads\": 2}"), 0, ranked, errors()));
	ts_buffer columns[4] = {{0}};
	CHECK(ts_read(*ranked, columns, 4, errors()));
	if ((size_t)columns[0].count != pairs || (size_t)columns[3].count != 9 * pairs)
		FAIL("%" PRId64 " rows of %zu pairs, %" PRId64 " numbers", columns[0].count, pairs, columns[3].count);
	columns_placed(*ranked, 4, TS_NONE, TS_NONE);
	CHECK(ts_free(*ranked));
}

/* corpus_placed selects terms of a corpus, and makes rows of it. */
static void corpus_placed(const ts_texts *t, const ts_labels *y, const char *analysis) {
	char options[500];
	uint64_t *corpus = place_array(8), *model = place_array(8), *rows = place_array(8);
	snprintf(options, sizeof options, "{\"stats-only\": false, %s}", analysis);
	CHECK(ts_stats_texts(t, y, put_text(options), 0, corpus, errors()));
	CHECK(ts_select(*corpus, put_text("{\"k\": 5, \"by\": \"ig\"}"), 0, model, errors()));
	OPERATE("corpus_rows", "{\"weight\": \"ltc\"}", {HANDLE(*corpus), HANDLE(*model)}, {ONE(TS_HANDLE, rows)});
	read_rows(*rows);
	CHECK(ts_free(*corpus)), CHECK(ts_free(*model));
}

static void texts_placed(const char *const *texts, int n, uint32_t type, const char *analysis) {
	char options[500];
	snprintf(options, sizeof options, "{\"k\": \"all\", \"threads\": %d, %s}", 1 + draw(3), analysis);
	uint64_t *model = place_array(8), *rows = place_array(8), *statistics = place_array(8);
	const ts_texts *t = put_texts(texts, n, type);
	const ts_labels *y = put_labels(n, 2);
	CHECK(ts_fit(t, y, put_text(options), 0, model, rows, errors()));
	read_rows(*rows);
	uint64_t loaded = save_and_load(*model, ts_model_load);
	CHECK(ts_transform(loaded, t, put_text("{\"weight\": \"ltc\"}"), 0, rows, errors()));
	read_rows(*rows);
	columns_placed(loaded, 9, TS_NONE, TS_NONE);
	CHECK(ts_free(loaded));

	snprintf(options, sizeof options, "{%s}", analysis);
	CHECK(ts_stats_texts(t, y, put_text(options), 0, statistics, errors()));
	loaded = save_and_load(*statistics, ts_stats_load);
	ts_buffer columns[7] = {{0}};
	CHECK(ts_read(loaded, columns, 7, errors()));
	columns_placed(loaded, 7, TS_NONE, TS_NONE);
	rank_placed(loaded, (size_t)(columns[2].count * columns[5].count));
	corpus_placed(t, y, analysis);
	if (strstr(analysis, "min-df") == NULL) /* bounded statistics are not compared */
		read_keys(loaded, t, y, options);
	CHECK(ts_free(loaded));
	free_all();
}

/* bags_placed counts texts as bags of words, with each function of these. */
static void bags_placed(const char *const *texts, int n, uint32_t type, const char *analysis) {
	char options[500];
	uint64_t *vocabulary = place_array(8), *rows = place_array(8), *other = place_array(8), *less = place_array(8), *less_rows = place_array(8);
	const ts_texts *t = put_texts(texts, n, type);
	snprintf(options, sizeof options, "{\"threads\": %d, \"max-df\": %d, %s}", 1 + draw(3), n - 1, analysis);
	OPERATE("bag_fit", options, {ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, vocabulary), ONE(TS_HANDLE, rows)});
	for (uint32_t value = TS_INT32; value <= TS_FLOAT64; value++)
		columns_placed(*rows, 3, TS_INT32, value), columns_placed(*rows, 3, TS_INT64, value);
	columns_placed(*vocabulary, 6, TS_NONE, TS_NONE);
	ts_buffer columns[3] = {{0}};
	CHECK(ts_read(*vocabulary, columns, 3, errors()));
	size_t terms = (size_t)columns[2].count;
	uint8_t *every_other = place_array(terms);
	for (size_t i = 0; i < terms; i++)
		every_other[i] = i % 2;
	keep(every_other);
	OPERATE("bag_keep", "", {HANDLE(*vocabulary), HANDLE(*rows), ARRAY(TS_UINT8, (int64_t)terms, every_other)}, {ONE(TS_HANDLE, less), ONE(TS_HANDLE, less_rows)});
	read_rows(*less_rows);
	snprintf(options, sizeof options, "{%s}", analysis);
	OPERATE("bag_vocabulary", options, {ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, other)});
	CHECK(ts_free(*rows));
	OPERATE("bag_transform", "{\"threads\": 2}", {HANDLE(*other), ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, rows)});
	read_rows(*rows);
	OPERATE("bag_hash", options, {ONE(TS_TEXTS, t)}, {ONE(TS_HANDLE, rows)});
	read_rows(*rows);
	CHECK(ts_free(*vocabulary)), CHECK(ts_free(*other)), CHECK(ts_free(*less));
	free_all();
}

/* Texts of every length up to 130 bytes, of letters, signs and characters of two to four bytes. */
static void texts(void) {
	enum { N = 131 };
	static char room[N][1100], terms[N][1110];
	const char *all[N], *different[N];
	static const char *const pieces_of_text[] = {"a", "Word", " ", ", ", "orbit ", "goal ", "caf\xc3\xa9 ", "\xe4\xb8\xad\xe6\x96\x87", "\xf0\x9f\x8c\x99 ", "it's ", "1,234 ", "\t"};
	for (int i = 0; i < N; i++) {
		room[i][0] = 0;
		while ((int)strlen(room[i]) < i)
			strcat(room[i], pieces_of_text[draw(12)]);
		all[i] = room[i];
	}
	for (int i = 0; i < N; i++) /* terms of a vocabulary differ */
		sprintf(strcpy(terms[i], room[i]) + strlen(room[i]), "%d", i), different[i] = terms[i];
	static const char *const analyses[] = {"\"tokens\": \"words\"", "\"tokens\": \"letters\", \"stem\": \"porter\"", "\"tokens\": \"unicode\", \"ngrams\": \"1-2\"",
	                                       "\"tokens\": \"zh-bigrams\"", "\"tokens\": \"words\", \"stop\": [\"goal\"], \"min-df\": 2"};
	for (size_t a = 0; a < sizeof analyses / sizeof *analyses; a++)
		for (uint32_t type = TS_NONE; type <= TS_INT64; type++)
			for (place = HEAP; place < PLACES; place++)
				texts_placed(all, N, type, analyses[a]);
	static const char *const bags[] = {"\"tokens\": \"words\"", "\"ngrams\": \"1-3\", \"binary\": true", "\"ngrams\": \"2\", \"stop\": [\"goal\"]"};
	for (size_t b = 0; b < sizeof bags / sizeof *bags; b++)
		for (uint32_t type = TS_NONE; type <= TS_INT64; type++)
			for (place = HEAP; place < PLACES; place++)
				bags_placed(different, N, type, bags[b]);
}

/* The text of an error is cut to the caller's memory, and a path ends where it does. */
static void small_texts(void) {
	for (place = HEAP; place < PLACES; place++) {
		for (size_t size = 1; size < 100; size++) {
			ts_error e = {place_array(size), size};
			uint64_t *handle = place_array(8);
			if (ts_open(put_text("no such file"), handle, put(&e, sizeof e)) != TS_IO || strlen(e.text) >= size)
				FAIL("%s", e.text);
			if (ts_limits(put_text("{\"x\": 1}"), put(&e, sizeof e)) != TS_USAGE || strlen(e.text) >= size)
				FAIL("%s", e.text);
		}
		free_all();
	}
}

/* beyond tells of arrays that are an element shorter than they are said to be: AddressSanitizer, or
 * the guard page, must find it. */
static void beyond(enum place where) {
	static const int start[] = {0, 1, 2}, indices[] = {0, 1}, classes[] = {0, 1};
	double scores[2];
	place = where;
	ts_matrix m = {sizeof m, TS_ROWS, 2, 2, 2, TS_INT32, TS_NONE, put(start, sizeof start), put(indices, sizeof indices - 4), NULL};
	ts_labels y = {sizeof y, 0, 2, 2, 2, classes, NULL};
	printf("status %d\n", (int)ts_score(&m, &y, NULL, 0, scores, NULL, errors()));
}

int main(int argc, char **argv) {
	if (argc == 2 && strcmp(argv[1], "beyond-heap") == 0)
		return beyond(HEAP), 0;
	if (argc == 2 && strcmp(argv[1], "beyond-page") == 0)
		return beyond(BEFORE), 0;
	if (argc != 3)
		FAIL("guards MEASURES NUMBER");
	matrices(argv[1], atoi(argv[2]));
	texts();
	small_texts();
	return 0;
}
