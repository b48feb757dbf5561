/* Every operation panics in Go, and so does each goroutine that works for it, one after the other: panics INDEX. The
 * library is built with the tag termsift_panics. It prints the names of the operations and how often each panicked. */
#include "operations.h"

/* ts_go_panic_at lets the n-th place from now on panic, none if n is 0. It tells whether the one
 * before did. */
int32_t ts_go_panic_at(int64_t n);

/* run calls an operation with a panic at the n-th place, and without it. It reports whether there are n places. */
static int run(const operation *o, int64_t n) {
	begin_call(o);
	uint64_t kept = also;
	ts_go_panic_at(n);
	int32_t status = call_operation(o, o->given, 0);
	int panicked = ts_go_panic_at(0);
	if (panicked != (status == TS_INTERNAL) || (!panicked && status != TS_OK))
		FAIL("%s, place %" PRId64 ": status %" PRId32 ", %s: %s", o->name, n, status, panicked ? "a panic" : "no panic", message);
	if (panicked && strstr(message, "test panic") == NULL)
		FAIL("%s, place %" PRId64 ": %s", o->name, n, message);
	if (panicked && (made != 0 || also != kept))
		FAIL("%s, place %" PRId64 ": a handle in spite of a panic", o->name, n);
	if (panicked) /* nothing was poisoned */
		CHECK(call_operation(o, o->given, 0));
	ts_free(made), ts_free(also);
	return panicked;
}

static void check_scores(const double *want) {
	double scores[6], df[3];
	CHECK(score_some(scores, df));
	if (memcmp(want, scores, sizeof scores) != 0)
		FAIL("other scores than before the panics");
}

int main(int argc, char **argv) {
	if (argc != 2)
		FAIL("panics INDEX");
	double want[6], df[3];
	CHECK(score_some(want, df));
	make_operations(TS_ROWS, 1100, 200, argv[1], "[\"chi\", \"ttest\", \"sklearn-chi2\"]", 3, "\"tokens\": \"words\"", "\"tokens\": \"words\"");
	for (int i = 0; i < operation_count; i++) {
		int64_t n = 0;
		while (run(&operations[i], n + 1))
			n++;
		printf("%s %" PRId64 "\n", operations[i].name, n);
		check_scores(want);
	}
	return 0;
}
