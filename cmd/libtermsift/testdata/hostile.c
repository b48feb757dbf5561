/* Wrong and random arguments, and memory that ends where the arrays do: hostile NAME ARGUMENT... */
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

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

/* random: random arguments give a status of the header, whatever they are. Pointers are right, NULL or to no memory, for
 * others would be written to. */
static const void *none;

static int64_t number(int64_t right) {
	static const int64_t odd[] = {0, 1, -1, 2, 1 << 20, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, (int64_t)1 << 40};
	switch (draw(12)) {
	case 0: return odd[draw(sizeof odd / sizeof *odd)];
	case 1: return right + (int64_t)draw(5) - 2;
	}
	return right;
}

static void *pointer(const void *right) {
	switch (draw(16)) {
	case 0: return NULL;
	case 1: return (void *)(uintptr_t)none;
	}
	return (void *)(uintptr_t)right;
}

static const char *random_options(const char *right) {
	static const char *const all[] = {
		NULL, "", "{}", "{\"k\": 3}", "{\"by\": \"ig\", \"k\": 2}", "{\"by\": [\"chi\", \"ttest\"]}", "{\"by\": \"sklearn-chi2\"}", "{\"k\": 0}", "{\"k\": -1}",
		"{\"k\": \"all\"}", "{\"k\": 1e300}", "{\"percentile\": 50}", "{\"fdr\": 0.5}", "{\"k\": 3, \"percentile\": 1}", "{\"by\": \"mrmr\", \"k\": 2}",
		"{\"by\": \"best-terms\"}", "{\"by\": \"project\", \"k\": 3}", "{\"by\": \"\"}", "{\"by\": []}", "{\"by\": null, \"k\": 1}", "[]", "{", "{\"k\": 3}}", "\"\\ud800\"", "{\"x\": 1}",
		"{\"classes\": [\"a\", \"b\"], \"k\": 3}", "{\"classes\": [\"a\", \"a\"], \"k\": 3}", "{\"classes\": [], \"k\": 3}", "{\"threads\": 2, \"k\": 3}", "{\"threads\": -1}", "{\"weight\": \"ltc\", \"k\": 4}",
		"{\"weight\": \"tf-rf\", \"k\": 4}", "{\"weight\": \"nonsense\", \"k\": 4}", "{\"tokens\": \"letters\", \"stop\": [\"the\"], \"k\": 4}", "{\"min-df\": 2, \"k\": 4}", "{\"min-df\": -1, \"k\": 4}",
		"{\"combine\": \"class\", \"k\": 4}", "{\"combine\": \"sum\", \"k\": 4}", "{\"per-class\": true, \"k\": 1}", "{\"round-robin\": true, \"k\": 3}", "{\"base\": 2, \"by\": \"mi\", \"k\": 3}",
		"{\"base\": -2, \"by\": \"mi\", \"k\": 3}", "{\"keep\": [\"the\"], \"drop\": \"moon\", \"k\": 1}", "{\"per-document\": 1}", "{\"ngrams\": \"1-2\", \"k\": 5}", "{\"stem\": \"porter\", \"k\": 5}",
		"{\"top\": 2, \"by\": \"z\"}", "{\"top\": 0}", "{\"top\": \"all\", \"drift\": true}", "{\"max-p\": 0}", "{\"terms\": [\"moon\"], \"exact\": true}", "{\"terms\": []}", "{\"stats-only\": false}",
		"{\"tokens\": \"nonsense\"}", "{\"ngrams\": \"0\"}", "{\"ngrams\": 2}", "{\"stop\": 1}", "{\"min-df\": 0.5}", "{\"max-df\": 0}", "{\"max-df\": 1e300}", "{\"max-features\": 1}", "{\"max-features\": -3}",
		"{\"binary\": 1}", "{\"threads\": 1000000}", "{\"features\": 1}", "{\"features\": 0}", "{\"features\": 2147483647, \"alternate-sign\": false}", "{\"top\": \"all\", \"p-values\": true}",
		"{\"class\": \"0\", \"positive\": true}", "{\"class\": [\"1\", \"none\"]}", "{\"by\": \"anova\"}", "{\"p-values\": true, \"exact\": true, \"correct\": \"bh\"}", "{\"combine\": \"max\", \"class\": \"0\"}",
		"{\"by\": \"ocfs\", \"combine\": \"\", \"weight\": \"ltc\"}",
	};
	return draw(2) ? right : draw(20) ? all[draw(sizeof all / sizeof *all)] : none;
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

/* random_matrix, random_labels and random_texts are right, or not; their numbers of terms and of texts never get larger. */
static void *random_matrix(ts_matrix m) {
	static ts_matrix odd;
	static int64_t start[64], indices[1024];
	for (int i = 0; i < 64; i++) start[i] = number(((const int64_t *)m.start)[i]);
	for (int i = 0; i < 1024; i++) indices[i] = number(((const int64_t *)m.indices)[i]);
	m.start = pointer(draw(2) ? start : m.start), m.indices = pointer(draw(2) ? indices : m.indices), m.values = pointer(m.values);
	m.struct_size = (uint32_t)number(m.struct_size), m.layout = (uint32_t)number(m.layout);
	m.index_type = (uint32_t)number(m.index_type), m.value_type = (uint32_t)number(m.value_type);
	m.documents = number(m.documents), m.stored = number(m.stored);
	if (draw(8) == 0) m.terms = (int64_t)draw((uint64_t)m.terms);
	odd = m;
	return &odd;
}

static void *random_labels(ts_labels y) {
	static ts_labels odd;
	static int32_t of[64];
	for (int i = 0; i < 64; i++) of[i] = (int32_t)number(y.of[i]);
	y.struct_size = (uint32_t)number(y.struct_size), y.documents = number(y.documents), y.classes = number(y.classes), y.stored = number(y.stored);
	y.of = pointer(draw(2) ? of : y.of), y.start = draw(9) ? NULL : none;
	odd = y;
	return &odd;
}

static void *random_texts(ts_texts t) {
	static ts_texts odd;
	t.struct_size = (uint32_t)number(t.struct_size), t.offset_type = (uint32_t)number(t.offset_type);
	if (draw(4) == 0) t.count = (int64_t)draw((uint64_t)t.count);
	t.data = pointer(t.data), t.offsets = pointer(t.offsets), t.pointers = pointer(NULL), t.lengths = pointer(NULL);
	odd = t;
	return &odd;
}

/* random_input is mostly right, or has wrong parts, another handle, other bytes. */
static ts_buffer random_input(ts_buffer b) {
	static char bytes[1 << 17];
	static uint64_t handle;
	if (draw(4))
		return b;
	switch (b.data == NULL ? TS_NONE : b.type) {
	case TS_MATRIX: b.data = random_matrix(matrix); break;
	case TS_LABELS: b.data = random_labels(labels); break;
	case TS_TEXTS: b.data = random_texts(texts); break;
	case TS_HANDLE: handle = bag - draw(50), b.data = &handle; break;
	case TS_TEXT: b.data = draw(2) ? "no such file" : "."; break;
	case TS_UINT8:
		memcpy(bytes, b.data, (size_t)b.count);
		if (draw(2)) bytes[draw((uint64_t)b.count)] ^= (char)(1 + draw(255));
		b.data = bytes, b.count = draw(8) ? b.count : (int64_t)draw((uint64_t)b.count);
	}
	b.type = (uint32_t)number(b.type), b.reserved = draw(50) == 0, b.count = number(b.count), b.data = pointer(b.data);
	return b;
}

/* random_columns asks a handle, of whatever kind, for what it holds. */
static void random_columns(uint64_t handle) {
	enum { MOST = 9, BYTES = 1 << 16 };
	static double memory[MOST][BYTES / 8];
	ts_buffer columns[MOST] = {{0}};
	int64_t n = 1 + (int64_t)draw(MOST);
	TRY(ts_read(handle, pointer(columns), n, errors()));
	for (int64_t i = 0; i < n; i++) {
		if (draw(4) == 0 || columns[i].count > BYTES / 8)
			continue;
		columns[i].data = pointer(memory[i]), columns[i].type = (uint32_t)number(columns[i].type);
		if (draw(8) == 0)
			columns[i].count += (int64_t)draw(5);
	}
	TRY(ts_read(handle, columns, n, errors()));
}

/* random_call calls an operation. Of what it gives the type, the count or the place may be wrong. */
static void random_call(const operation *o, uint64_t cancel) {
	operation odd = *o;
	arguments given = o->given;
	begin_call(o);
	uint64_t kept = also;
	odd.options = random_options(o->options), odd.columns = o->columns == 0 ? 0 : 1 + (int64_t)draw(12);
	if (draw(40) == 0) odd.name = pointer("nonsense");
	for (int i = 0; i < 3; i++)
		if (given.in[i].type != TS_NONE)
			given.in[i] = random_input(given.in[i]);
	for (int i = 0; i < 2; i++)
		if (given.out[i].type != TS_NONE && draw(4) == 0)
			given.out[i].type = (uint32_t)number(given.out[i].type), given.out[i].count = number(given.out[i].count), given.out[i].data = pointer(given.out[i].data);
	int32_t status = TRY(call_operation(&odd, given, cancel));
	if (status != TS_OK && (made != 0 || also != kept))
		FAIL("%s: handles in spite of status %" PRId32 ": %s", o->name, status, message);
	if (made != 0) random_columns(made), CHECK(ts_free(made));
	message[0] = '?'; /* for ts_free has no text */
	if (also != 0) TRY(ts_free(also));
	TRY(ts_free(1 + draw(100))), TRY(ts_cancel(1 + draw(100)));
}

static int random_arguments(uint64_t seed, int n, const char *index_path) {
	alarm(300);
	state = seed * 0x9e3779b97f4a7c15u + 1;
	none = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t over;
	CHECK(ts_cancel_new(&over));
	CHECK(ts_cancel(over));
	for (int calls = 0; tried < n; calls++) {
		if (calls % 500 == 0) /* for some of their handles are freed by chance */
			make_operations(draw(2) ? TS_ROWS : TS_COLUMNS, 60, 30, index_path, "[\"chi\", \"ig\", \"ttest\"]", 3, "\"tokens\": \"words\"", "\"tokens\": \"words\"");
		random_call(&operations[draw((uint64_t)operation_count)], draw(20) ? 0 : draw(2) ? over : 12345678);
	}
	double scores[6], df[3];
	CHECK(score_some(scores, df)); /* nothing was poisoned */
	printf("%d\n", tried);
	return 0;
}

int main(int argc, char **argv) {
	const char *name = argc > 1 ? argv[1] : "";
	if (strcmp(name, "faults") == 0) return faults();
	if (strcmp(name, "random") == 0 && argc == 5) return random_arguments((uint64_t)atoll(argv[2]), atoi(argv[3]), argv[4]);
	FAIL("what is %s?", name);
}
