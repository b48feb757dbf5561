/* Arrays that end, or begin, where memory does: guards INDEX MEASURES NUMBER. Nothing may read or write beyond them, or
 * write to an input, which is read-only. Every operation gives the same from all of them, whatever the types of their
 * elements. Under AddressSanitizer the same arrays lie on the heap as well. */
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

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

/* The types of the arrays of a call: those of a matrix, and the offsets of texts. */
static uint32_t index_type, value_type, offset_type;

static const void *put_as(uint32_t type, const int64_t *from, int64_t n) {
	return keep(convert(type, from, n, place_array(size_of[type] * (size_t)n)));
}

static const ts_matrix *put_matrix(ts_matrix m) {
	int64_t lines = m.layout == TS_ROWS ? m.documents : m.terms;
	m.index_type = index_type, m.value_type = value_type;
	m.start = put_as(index_type, m.start, lines + 1), m.indices = put_as(index_type, m.indices, m.stored);
	m.values = value_type == TS_NONE ? NULL : put_as(value_type, m.values, m.stored);
	return put(&m, sizeof m);
}

/* put_labels has one label a document, half the time in the form of several. */
static const ts_labels *put_labels(ts_labels y) {
	int64_t start[MOST_LINES + 1];
	for (int64_t i = 0; i <= y.documents; i++)
		start[i] = i;
	y.of = put(y.of, 4 * (size_t)y.stored);
	if (draw(2))
		y.start = put(start, 8 * (size_t)(y.documents + 1));
	return put(&y, sizeof y);
}

/* put_texts places texts: each alone, or all in one piece with offsets of a type. */
static const ts_texts *put_texts(ts_texts t) {
	const int64_t *offsets = t.offsets;
	t.offset_type = offset_type;
	if (offset_type != TS_NONE) {
		t.data = put(t.data, (size_t)offsets[t.count]), t.offsets = put_as(offset_type, offsets, t.count + 1);
		return put(&t, sizeof t);
	}
	const char *pointers[MOST_LINES];
	int64_t lengths[MOST_LINES];
	for (int64_t i = 0; i < t.count; i++)
		lengths[i] = offsets[i + 1] - offsets[i], pointers[i] = put(t.data + offsets[i], (size_t)lengths[i]);
	t.data = NULL, t.offsets = NULL;
	t.pointers = put(pointers, sizeof *pointers * (size_t)t.count), t.lengths = put(lengths, 8 * (size_t)t.count);
	return put(&t, sizeof t);
}

static ts_buffer put_input(ts_buffer b) {
	const void *to = NULL;
	if (b.data == NULL)
		return b;
	switch (b.type) {
	case TS_MATRIX: to = put_matrix(*(ts_matrix *)b.data); break;
	case TS_LABELS: to = put_labels(*(ts_labels *)b.data); break;
	case TS_TEXTS: to = put_texts(*(ts_texts *)b.data); break;
	case TS_HANDLE: to = put(b.data, 8); break;
	case TS_TEXT: to = put_text(b.data); break;
	default: to = put(b.data, size_of[b.type] * (size_t)b.count);
	}
	b.data = (void *)(uintptr_t)to;
	return b;
}

/* digest takes in the numbers of an array, whatever their type is. */
static uint64_t digest;

static void take_in(ts_buffer b) {
	for (int64_t i = 0; i < b.count; i++) {
		double v = b.type == TS_FLOAT64 ? ((double *)b.data)[i] : b.type == TS_FLOAT32 ? ((float *)b.data)[i] : b.type == TS_INT32 ? ((int32_t *)b.data)[i] :
			b.type == TS_INT64 ? (double)((int64_t *)b.data)[i] : ((uint8_t *)b.data)[i];
		uint64_t bits = 1; /* of all that is NaN */
		if (v == v)
			memcpy(&bits, &v, 8);
		digest = (digest ^ bits) * 1099511628211u;
	}
}

/* read_placed has an operation write n columns to memory of their very sizes; those of a bag in the types of the call. */
static void read_placed(const char *name, const ts_buffer *in, int64_t ins, int64_t n) {
	ts_buffer *columns = place_array((size_t)n * sizeof *columns);
	memset(columns, 0, (size_t)n * sizeof *columns);
	CHECK(ts_call(name, NULL, in, ins, columns, n, 0, errors()));
	if (ins > 0 && *(uint64_t *)in->data == bag)
		columns[0].type = columns[1].type = index_type, columns[2].type = value_type == TS_NONE || value_type == TS_UINT8 ? TS_FLOAT32 : value_type;
	for (int64_t i = 0; i < n; i++)
		columns[i].data = place_array(size_of[columns[i].type] * (size_t)columns[i].count);
	CHECK(ts_call(name, NULL, in, ins, columns, n, 0, errors()));
	for (int64_t i = 0; i < n; i++)
		take_in(columns[i]);
}

/* read_made reads all columns of what a call has made. */
static void read_made(uint64_t handle) {
	ts_buffer in = ONE(TS_HANDLE, put(&handle, 8)), columns[9] = {{0}};
	int64_t n = 9;
	while (n > 0 && ts_read(handle, columns, n, errors()) != TS_OK)
		n--;
	if (n > 0)
		read_placed("read", &in, 1, n);
	CHECK(ts_free(handle));
}

/* call_placed calls an operation with its arguments placed. */
static void call_placed(const operation *o) {
	arguments given = o->given;
	int64_t ins = 3, outs = 2;
	digest = 14695981039346656037u;
	begin_call(o);
	while (ins > 0 && given.in[ins - 1].type == TS_NONE) ins--;
	while (outs > 0 && given.out[outs - 1].type == TS_NONE) outs--;
	for (int64_t i = 0; i < ins; i++)
		given.in[i] = put_input(given.in[i]);
	const ts_buffer *in = put(given.in, (size_t)ins * sizeof *in);
	if (o->columns > 0) {
		read_placed(put_text(o->name), in, ins, o->columns);
		return;
	}
	for (int64_t i = 0; i < outs; i++)
		given.out[i].data = place_array(given.out[i].type == TS_HANDLE ? 8 : size_of[given.out[i].type] * (size_t)given.out[i].count);
	ts_buffer *out = place_array((size_t)outs * sizeof *out);
	memcpy(out, given.out, (size_t)outs * sizeof *out);
	CHECK(ts_call(put_text(o->name), o->options == NULL ? NULL : put_text(o->options), in, ins, out, outs, 0, errors()));
	for (int64_t i = 0; i < outs; i++)
		if (out[i].type == TS_HANDLE)
			read_made(*(uint64_t *)out[i].data);
		else
			take_in(out[i]);
}

/* is_of_numbers reports whether an operation has arrays of the types that a matrix can have. */
static int is_of_numbers(const operation *o) {
	return o->given.in[0].type == TS_MATRIX || o->given.in[0].data == &bag;
}

/* all_types calls every operation with arrays of every type, everywhere. */
static void all_types(int round) {
	uint64_t want[64][2] = {{0}};
	for (value_type = TS_NONE; value_type <= TS_UINT8; value_type++)
		for (index_type = TS_INT32; index_type <= TS_INT64; index_type++)
			for (place = HEAP; place < PLACES; place++) {
				offset_type = value_type % 3;
				for (int i = 0; i < operation_count; i++) {
					if (!is_of_numbers(&operations[i]) && (index_type == TS_INT64 || value_type > TS_INT64))
						continue; /* each kind of texts was tried */
					call_placed(&operations[i]);
					free_all();
					uint64_t *first = &want[i][value_type == TS_NONE];
					if (*first != 0 && *first != digest)
						FAIL("round %d, %s, index %u, value %u, offset %u, place %d: other values", round, operations[i].name, index_type, value_type, offset_type, place);
					*first = digest;
				}
			}
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
	if (argc != 4)
		FAIL("guards INDEX MEASURES NUMBER");
	static const char *const analyses[] = {"\"tokens\": \"words\"", "\"tokens\": \"letters\", \"stem\": \"porter\"", "\"tokens\": \"unicode\", \"ngrams\": \"1-2\"",
	                                       "\"tokens\": \"zh-bigrams\"", "\"tokens\": \"words\", \"stop\": [\"goal\"]"};
	static const char *const bags[] = {"\"tokens\": \"words\"", "\"ngrams\": \"1-3\", \"binary\": true", "\"ngrams\": \"2\", \"stop\": [\"goal\"]"};
	for (int round = 0; round < 6; round++) {
		uint32_t layout = round % 2 ? TS_ROWS : TS_COLUMNS;
		int long_side = 20 + (int)draw(580), short_side = 20 + (int)draw(60);
		make_operations(layout, long_side, short_side, argv[1], argv[2], atoi(argv[3]), analyses[round % 5], bags[round % 3]);
		all_types(round);
	}
	for (int i = 0; i < operation_count; i++)
		printf("%s\n", operations[i].name);
	small_texts();
	return 0;
}
