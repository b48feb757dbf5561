/* Wrong and random arguments, and memory that ends where the arrays do: hostile NAME ARGUMENT... */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sample.h"

/* texts_told fits a model with warnings that no text takes: the handle and the status are right. */
static void texts_told(const ts_error *e) {
	ts_texts t = texts_of(5);
	ts_labels y = labels_of(5);
	uint64_t model = 0;
	int32_t status = ts_fit(&t, &y, "{\"k\": 1000}", 0, &model, NULL, (ts_error *)(uintptr_t)e);
	if (status != TS_OK || model == 0 || ts_free(model) != TS_OK)
		FAIL("status %" PRId32 ", model %" PRIu64, status, model);
}

/* faults: pointers to memory that is not there are errors, and the process lives. */
static int faults(void) {
	char *none = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(edge + 4096, 4096);
	const void *wild[] = {none, (void *)8, (void *)(uintptr_t)0xdeadbeef000, (void *)(uintptr_t)0x8000000000000000, (void *)(uintptr_t)-4096, edge + 4088};
	double scores[6], df[3];
	for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
		for (int field = 0; field < (i < 5 ? 9 : 8); field++) {
			ts_matrix m = matrix_of();
			ts_labels y = labels_of(5);
			void *to = scores;
			const void **fields[] = {&m.start, &m.indices, &m.values, (const void **)&y.of, (const void **)&y.start, (const void **)&to};
			if (field < 6)
				*fields[field] = wild[i];
			int32_t status = ts_score(field == 6 ? wild[i] : &m, field == 7 ? wild[i] : &y, field == 8 ? wild[i] : "{\"by\": [\"chi\", \"ig\"]}", 0, to, df, errors());
			if (status == TS_OK)
				FAIL("pointer %zu in field %d: %s", i, field, message);
		}
		ts_texts t = texts_of(5);
		ts_labels y = labels_of(5);
		const char *list[5] = {some_texts[0], some_texts[1], wild[i], some_texts[3], some_texts[4]};
		uint64_t model;
		t.pointers = list;
		if (ts_fit(&t, &y, "{\"k\": 3}", 0, &model, NULL, errors()) != TS_INTERNAL)
			FAIL("pointer %zu in a text: %s", i, message);
		/* A text that cannot be written does not hide what was done. */
		ts_error e = {(char *)(uintptr_t)wild[i], 100};
		if (i < 5 && ts_limits("{\"x\": 1}", &e) != TS_USAGE)
			FAIL("pointer %zu as the text of an error", i);
		texts_told(&e), texts_told(wild[i]);
		CHECK(score_some(scores, df));
	}
	/* Memory that can be read and not written, on the caller's thread and on others. */
	void *fixed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int threads = 1; threads <= 2; threads++) {
		ts_matrix m = matrix_of();
		ts_labels y = labels_of(5);
		if (ts_score(&m, &y, threads == 1 ? "{\"threads\": 1}" : "{\"threads\": 2}", 0, fixed, df, errors()) != TS_INTERNAL)
			FAIL("scores that cannot be written, %d threads: %s", threads, message);
	}
	CHECK(score_some(scores, df));
	return 0;
}

/* random: random arguments give a status of the header, whatever they are. Pointers are right,
 * NULL or to no memory, for others would be written to. */
static uint64_t state;

static uint64_t draw(uint64_t n) {
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state % n;
}

static int64_t number(int64_t right) {
	static const int64_t odd[] = {0, 1, -1, 2, 1 << 20, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, (int64_t)1 << 40};
	switch (draw(12)) {
	case 0: return odd[draw(sizeof odd / sizeof *odd)];
	case 1: return right + (int64_t)draw(5) - 2;
	}
	return right;
}

static const void *pointer(const void *right, const void *none) {
	switch (draw(16)) {
	case 0: return NULL;
	case 1: return none;
	}
	return right;
}

static const char *options(void) {
	static const char *const all[] = {
		NULL, "", "{}", "{\"k\": 3}", "{\"by\": \"ig\", \"k\": 2}", "{\"by\": [\"chi\", \"ttest\"]}", "{\"by\": \"sklearn-chi2\"}", "{\"k\": 0}", "{\"k\": -1}",
		"{\"k\": \"all\"}", "{\"k\": 1e300}", "{\"percentile\": 50}", "{\"fdr\": 0.5}", "{\"k\": 3, \"percentile\": 1}", "{\"by\": \"mrmr\", \"k\": 2}",
		"{\"by\": \"best-terms\"}", "{\"by\": \"project\", \"k\": 3}", "{\"by\": \"\"}", "{\"by\": []}", "{\"by\": null, \"k\": 1}", "[]", "{", "{\"k\": 3}}", "\"\\ud800\"", "{\"x\": 1}",
		"{\"classes\": [\"a\", \"b\"], \"k\": 3}", "{\"classes\": [\"a\", \"a\"], \"k\": 3}", "{\"classes\": [], \"k\": 3}", "{\"threads\": 2, \"k\": 3}", "{\"threads\": -1}", "{\"weight\": \"ltc\", \"k\": 4}",
		"{\"weight\": \"tf-rf\", \"k\": 4}", "{\"weight\": \"nonsense\", \"k\": 4}", "{\"tokens\": \"letters\", \"stop\": [\"the\"], \"k\": 4}", "{\"min-df\": 2, \"k\": 4}", "{\"min-df\": -1, \"k\": 4}",
		"{\"combine\": \"class\", \"k\": 4}", "{\"combine\": \"sum\", \"k\": 4}", "{\"per-class\": true, \"k\": 1}", "{\"round-robin\": true, \"k\": 3}", "{\"base\": 2, \"by\": \"mi\", \"k\": 3}",
		"{\"base\": -2, \"by\": \"mi\", \"k\": 3}", "{\"keep\": [\"the\"], \"drop\": \"moon\", \"k\": 1}", "{\"per-document\": 1}", "{\"ngrams\": \"1-2\", \"k\": 5}", "{\"stem\": \"porter\", \"k\": 5}",
		"{\"top\": 2, \"by\": \"z\"}", "{\"top\": 0}", "{\"top\": \"all\", \"drift\": true}", "{\"max-p\": 0}", "{\"terms\": [\"moon\"], \"exact\": true}", "{\"terms\": []}", "{\"stats-only\": false}",
	};
	return all[draw(sizeof all / sizeof *all)];
}

static const char *bag_options(void) {
	static const char *const all[] = {
		NULL, "{}", "{\"tokens\": \"words\"}", "{\"tokens\": \"nonsense\"}", "{\"ngrams\": \"1-2\"}", "{\"ngrams\": \"0\"}", "{\"ngrams\": 2}", "{\"stop\": [\"the\"]}", "{\"stop\": 1}",
		"{\"min-df\": 2}", "{\"min-df\": -1}", "{\"min-df\": 0.5}", "{\"max-df\": 2}", "{\"max-df\": 0}", "{\"max-df\": 1e300}", "{\"max-df\": \"all\"}", "{\"max-features\": 1}", "{\"max-features\": -3}",
		"{\"binary\": true}", "{\"binary\": 1}", "{\"threads\": 3}", "{\"threads\": 1000000}", "{\"features\": 1}", "{\"features\": 0}", "{\"features\": 2147483647, \"alternate-sign\": false}", "{\"features\": 2147483648}", "[]",
	};
	return all[draw(sizeof all / sizeof *all)];
}

static const char *rank_options(void) {
	static const char *const all[] = {
		NULL, "{\"top\": 1}", "{\"top\": \"all\", \"p-values\": true}", "{\"class\": \"0\", \"positive\": true}", "{\"class\": [\"1\", \"none\"]}", "{\"class\": []}",
		"{\"by\": [\"chi\", \"g2tf\"], \"combine\": \"\", \"top\": 2}", "{\"by\": \"anova\"}", "{\"by\": \"ig\", \"combine\": \"max\"}", "{\"p-values\": true, \"exact\": true, \"correct\": \"bh\"}",
		"{\"correct\": \"nonsense\"}", "{\"top\": 0}", "{\"top\": 1e300}", "{\"combine\": \"max\", \"class\": \"0\"}", "{\"threads\": 3, \"by\": \"ttest\"}", "{\"by\": \"ocfs\", \"combine\": \"\", \"weight\": \"ltc\"}",
	};
	return all[draw(sizeof all / sizeof *all)];
}

/* TRY counts a call, and checks that its status and its text are those of the header. */
#define TRY(call) known(__LINE__, (call))
static int tried;

static int32_t known(int line, int32_t status) {
	tried++;
	if (status < 0 || (status > TS_INTERNAL && status != TS_CANCELLED) || status == TS_FORKED || memchr(message, 0, sizeof message) == NULL)
		FAIL("line %d: status %" PRId32 ": %.1000s", line, status, message);
	if (status != TS_OK && message[0] == 0)
		FAIL("line %d: status %" PRId32 " without a text", line, status);
	return status;
}

/* random_columns asks a handle, of whatever kind, for what it holds. */
static void random_columns(uint64_t handle, const void *none) {
	enum { MOST = 9, BYTES = 1 << 16 };
	static double memory[MOST][BYTES / 8];
	ts_buffer columns[MOST] = {{0}};
	int64_t n = 1 + (int64_t)draw(MOST);
	TRY(ts_read(handle, (ts_buffer *)(uintptr_t)pointer(columns, none), n, errors()));
	for (int64_t i = 0; i < n; i++) {
		if (draw(4) == 0 || columns[i].count > BYTES / 8)
			continue;
		columns[i].data = (void *)(uintptr_t)pointer(memory[i], none);
		columns[i].type = (uint32_t)number(columns[i].type);
		if (draw(8) == 0)
			columns[i].count += (int64_t)draw(5);
	}
	TRY(ts_read(handle, columns, n, errors()));
	ts_buffer in[3] = {{(uint32_t)number(TS_HANDLE), 0, number(1), (void *)(uintptr_t)pointer(&handle, none)}}, out[3] = {{0}};
	TRY(ts_call(draw(2) ? "analysis" : "measures", options(), in, number(1) % 4, out, number(1) % 4, 0, errors()));
}

/* random_bytes loads what save has written, whole or damaged. */
static void random_bytes(uint64_t handle, int32_t (*load)(const char *, int64_t, uint64_t *, ts_error *)) {
	ts_buffer saved = {0};
	uint64_t loaded = 0;
	if (TRY(ts_save(handle, &saved, errors())) != TS_OK)
		return;
	char *bytes = saved.data = malloc((size_t)saved.count);
	CHECK(ts_save(handle, &saved, errors()));
	if (draw(2)) bytes[draw((uint64_t)saved.count)] ^= (char)(1 + draw(255));
	TRY(load(bytes, draw(8) ? saved.count : (int64_t)draw((uint64_t)saved.count), &loaded, errors()));
	CHECK(ts_free(loaded));
	free(bytes);
}

/* ODD is a buffer that is right, or not. */
#define ODD(type, n, data) ((ts_buffer){(uint32_t)number(type), draw(50) ? 0 : 1, number(n), (void *)(uintptr_t)pointer(data, none)})
/* TO has room for as many elements as any count says that is accepted. */
#define TO(type, n, data) ((ts_buffer){(uint32_t)number(type), 0, n, (void *)(uintptr_t)pointer(data, none)})

static void random_matrix(const void *none, uint64_t cancel) {
	ts_matrix m = matrix_of();
	ts_labels y = labels_of(5);
	static int32_t start[6], indices[7], of[5];
	for (int i = 0; i < 6; i++) start[i] = (int32_t)number(some_start[i]);
	for (int i = 0; i < 7; i++) indices[i] = (int32_t)number(some_indices[i]);
	for (int i = 0; i < 5; i++) of[i] = (int32_t)number(some_classes[i]);
	if (draw(2)) m.start = start;
	if (draw(2)) m.indices = indices;
	if (draw(2)) y.of = of;
	m.struct_size = (uint32_t)number(sizeof m), m.layout = (uint32_t)number(0), m.index_type = (uint32_t)number(TS_INT32), m.value_type = (uint32_t)number(TS_FLOAT64);
	m.documents = number(5), m.stored = number(7);
	if (draw(8) == 0) m.terms = (int64_t)draw(4);
	m.start = pointer(m.start, none), m.indices = pointer(m.indices, none), m.values = pointer(m.values, none);
	y.struct_size = (uint32_t)number(sizeof y), y.documents = number(5), y.classes = number(2), y.stored = number(5), y.of = pointer(y.of, none), y.start = draw(9) ? NULL : none;
	double scores[64], df[64];
	ts_labels two = labels_of(5);
	TRY(DO("score_classes", draw(2) ? "{\"by\": [\"chi\", \"lor\"], \"threads\": 2}" : "{\"by\": \"df\", \"combine\": \"max\"}", cancel, {ODD(TS_MATRIX, 1, &m), ODD(TS_LABELS, 1, &two)}, {TO(TS_FLOAT64, -1, scores)}));
	TRY(ts_score(pointer(&m, none), pointer(&y, none), options(), cancel, (double *)(uintptr_t)pointer(scores, none), (double *)(uintptr_t)pointer(df, none), errors()));
	TRY(DO("matrix_sums", NULL, cancel, {ODD(TS_MATRIX, 1, &m)}, {TO(TS_FLOAT64, 64, df)}));
	TRY(DO("matrix_sums", NULL, cancel, {ODD(TS_MATRIX, 1, &m)}, {TO(TS_FLOAT64, 3, df)}));
	TRY(DO("matrix_shares", draw(2) ? NULL : options(), cancel, {ODD(TS_MATRIX, 1, &m), ODD(TS_FLOAT64, 3, some_values)}, {TO(TS_FLOAT64, 7, scores)}));
	ts_texts names = texts_of(draw(4) ? 3 : (int64_t)draw(6));
	names.pointers = pointer(names.pointers, none), names.lengths = pointer(names.lengths, none);
	uint64_t statistics = 0;
	TRY(DO("stats_matrix", draw(2) ? NULL : options(), cancel, {ODD(TS_MATRIX, 1, &m), ODD(TS_TEXTS, 1, draw(2) ? NULL : &names), ODD(TS_LABELS, 1, &y)}, {TO(TS_HANDLE, 1, &statistics)}));
	random_columns(statistics, none);
	random_bytes(statistics, ts_stats_load);
	TRY(ts_free(statistics));
	int64_t best[8];
	int64_t terms = (int64_t)draw(8);
	TRY(DO("best", NULL, 0, {ARRAY((uint32_t)number(TS_FLOAT64), terms, pointer(some_values, none)), ARRAY(TS_FLOAT64, terms, pointer(some_values, none))}, {TO(TS_INT64, number(3) % 9, best)}));
}

/* random_bags counts texts as bags of words. */
static void random_bags(const ts_texts *t, const void *none, uint64_t cancel, uint64_t handle) {
	static const uint8_t keep[64] = {0, 1, 2, 0, 255};
	uint64_t made[8] = {0};
	TRY(DO("bag_fit", bag_options(), cancel, {ODD(TS_TEXTS, 1, t)}, {TO(TS_HANDLE, 1, &made[0]), TO(TS_HANDLE, 1, &made[1])}));
	TRY(DO("bag_vocabulary", bag_options(), cancel, {ODD(TS_TEXTS, 1, t)}, {TO(TS_HANDLE, 1, &made[2])}));
	TRY(DO("bag_transform", draw(2) ? NULL : bag_options(), cancel, {ODD(TS_HANDLE, 1, draw(8) ? &made[2 * draw(2)] : &handle), ODD(TS_TEXTS, 1, t)}, {TO(TS_HANDLE, 1, &made[3])}));
	TRY(DO("bag_keep", NULL, 0, {ODD(TS_HANDLE, 1, draw(8) ? &made[2 * draw(2)] : &handle), ODD(TS_HANDLE, 1, draw(8) ? &made[1] : &handle), ODD(TS_UINT8, (int64_t)draw(20), keep)}, {TO(TS_HANDLE, 1, &made[4]), TO(TS_HANDLE, 1, &made[5])}));
	TRY(DO("bag_hash", bag_options(), cancel, {ODD(TS_TEXTS, 1, t)}, {TO(TS_HANDLE, 1, &made[6])}));
	for (int i = 0; i < 7; i++) {
		random_columns(made[i], none);
		TRY(ts_free(made[i]));
	}
}

static void random_texts(const void *none, uint64_t cancel) {
	ts_texts t = texts_of(5);
	ts_labels y = labels_of(5);
	t.struct_size = (uint32_t)number(sizeof t), t.offset_type = (uint32_t)number(0), t.count = draw(4) ? 5 : (int64_t)draw(5);
	t.pointers = pointer(t.pointers, none), t.lengths = pointer(t.lengths, none), t.data = pointer(NULL, none), t.offsets = pointer(NULL, none);
	y.documents = draw(4) ? t.count : number(5), y.stored = draw(4) ? t.count : number(5), y.classes = number(2);
	uint64_t made[9] = {0};
	TRY(ts_fit(pointer(&t, none), pointer(&y, none), options(), cancel, (uint64_t *)(uintptr_t)pointer(&made[0], none), draw(2) ? &made[1] : NULL, errors()));
	TRY(DO("texts_check", NULL, cancel, {ODD(TS_TEXTS, 1, &t)}, {{0}}));
	TRY(ts_stats_texts(pointer(&t, none), pointer(&y, none), draw(2) ? NULL : options(), cancel, &made[2], errors()));
	TRY(ts_transform(made[draw(4)], pointer(&t, none), draw(2) ? NULL : options(), cancel, &made[3], errors()));
	uint64_t handle = draw(8) ? made[draw(4)] : draw(100);
	TRY(ts_select(handle, options(), cancel, &made[4], errors()));
	TRY(ts_stats_add(handle, made[2], &made[5], errors()));
	ts_texts less = texts_of(1 + (int64_t)draw(4));
	ts_labels of_less = labels_of(less.count);
	TRY(ts_stats_texts(&less, &of_less, draw(2) ? NULL : "{\"stats-only\": false}", cancel, &made[6], errors()));
	TRY(DO("keyness", draw(2) ? NULL : options(), cancel, {ODD(TS_HANDLE, 1, draw(4) ? &made[2] : &handle), ODD(TS_HANDLE, 1, draw(8) ? &made[6] : &handle)}, {TO(TS_HANDLE, 1, &made[7])}));
	uint64_t rows = 0;
	TRY(DO("corpus_rows", draw(2) ? NULL : options(), cancel, {ODD(TS_HANDLE, 1, &handle), ODD(TS_HANDLE, 1, &made[draw(5)])}, {TO(TS_HANDLE, 1, &rows)}));
	TRY(ts_free(rows));
	TRY(ts_rank(draw(8) ? made[2] : made[draw(8)], draw(2) ? rank_options() : options(), cancel, (uint64_t *)(uintptr_t)pointer(&made[8], none), errors()));
	for (int i = 0; i < 9; i++) {
		random_bags(pointer(&t, none), none, cancel, made[i]);
		random_columns(made[i], none);
		random_bytes(made[i], ts_model_load), random_bytes(made[i], ts_stats_load);
		TRY(ts_free(made[i]));
	}
}

static void random_rest(const void *none) {
	uint64_t handle = draw(100);
	TRY(ts_limits((const char *)pointer(options(), none), errors()));
	TRY(ts_open(pointer(draw(2) ? "no such file" : ".", none), (uint64_t *)(uintptr_t)pointer(&handle, none), errors()));
	TRY(ts_call(pointer("nonsense", none), pointer(options(), none), pointer(NULL, none), number(1), NULL, number(0), 0, errors()));
	message[0] = '?'; /* for these have no text */
	TRY(ts_free(handle)), TRY(ts_cancel(1000 + draw(100)));
}

static int random_arguments(uint64_t seed, int n) {
	alarm(300);
	state = seed * 0x9e3779b97f4a7c15u + 1;
	const void *none = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t over;
	CHECK(ts_cancel_new(&over));
	CHECK(ts_cancel(over));
	while (tried < n) {
		uint64_t cancel = draw(20) ? 0 : draw(2) ? over : 12345678;
		switch (draw(4)) {
		case 0: random_texts(none, cancel); break;
		case 1: random_rest(none); break;
		default: random_matrix(none, cancel);
		}
	}
	double scores[6], df[3];
	CHECK(score_some(scores, df)); /* nothing was poisoned */
	printf("%d\n", tried);
	return 0;
}

int main(int argc, char **argv) {
	const char *name = argc > 1 ? argv[1] : "";
	if (strcmp(name, "faults") == 0) return faults();
	if (strcmp(name, "random") == 0 && argc == 4) return random_arguments((uint64_t)atoll(argv[2]), atoi(argv[3]));
	FAIL("what is %s?", name);
}
