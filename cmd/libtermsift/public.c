//go:build cgo && (unix || windows)

// The functions of termsift.h. All of them end in ts_call, and that in Go, unless the process was forked after the
// library was loaded: Go's threads do not exist in the child, and a call would wait for them for ever.

#include <string.h>

#ifdef _WIN32 // a DLL exports what says so; clang says it of all functions of a header
#pragma clang attribute push(__attribute__((dllexport)), apply_to = function)
#include "termsift.h"
#pragma clang attribute pop
#else
#include <pthread.h>

#include "termsift.h"
#endif
#include "_cgo_export.h"

#define VERSION "0.2.0" // of table.Version, says a test

static volatile int forked;

#ifndef _WIN32 // where no process forks
static void note_fork(void) { forked = 1; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, note_fork); }
#endif

static int32_t refuse_fork(ts_error *error) {
	static const char text[] = "this process was forked from one that had loaded termsift, and the runtime of Go does not survive a fork: "
		"load termsift after the fork, or start processes by spawn or forkserver";
	if (error != NULL && error->text != NULL && error->size > 0) {
		size_t n = sizeof text < error->size ? sizeof text : error->size;
		memcpy(error->text, text, n);
		error->text[n - 1] = 0;
	}
	return TS_FORKED;
}

int32_t ts_abi_version(void) { return TS_ABI_VERSION; }

const char *ts_version(void) { return VERSION; }

#define ADDRESS(pointer) ((uintptr_t)(pointer))

int32_t ts_call(const char *operation, const char *options, const ts_buffer *in, int64_t ins, ts_buffer *out, int64_t outs,
                uint64_t cancel, ts_error *error) {
	if (forked)
		return refuse_fork(error);
	return ts_go_call(ADDRESS(operation), ADDRESS(options), ADDRESS(in), ins, ADDRESS(out), outs, cancel, ADDRESS(error));
}

/* The typed functions: each says what ts_call is given. */
#define ONE(type, pointer) {type, 0, 1, (void *)ADDRESS(pointer)}
#define ARRAY(type, count, pointer) {type, 0, count, (void *)ADDRESS(pointer)}
#define ALL(type, pointer) ARRAY(type, -1, pointer)
#define LENGTH(array) (int64_t)(sizeof array / sizeof *array)
#define CALL(name, options, cancel) ts_call(name, options, in, LENGTH(in), out, LENGTH(out), cancel, error)

int32_t ts_cancel_new(uint64_t *cancel) {
	ts_buffer out = ONE(TS_HANDLE, cancel);
	return ts_call("cancel_new", NULL, NULL, 0, &out, 1, 0, NULL);
}

int32_t ts_cancel(uint64_t cancel) {
	ts_buffer in = ONE(TS_HANDLE, &cancel);
	return ts_call("cancel", NULL, &in, 1, NULL, 0, 0, NULL);
}

int32_t ts_free(uint64_t handle) {
	ts_buffer in = ONE(TS_HANDLE, &handle);
	return ts_call("free", NULL, &in, 1, NULL, 0, 0, NULL);
}

int32_t ts_release_memory(void) { return ts_call("release", NULL, NULL, 0, NULL, 0, 0, NULL); }

int32_t ts_limits(const char *options, ts_error *error) { return ts_call("limits", options, NULL, 0, NULL, 0, 0, error); }

int32_t ts_read(uint64_t handle, ts_buffer *columns, int64_t count, ts_error *error) {
	ts_buffer in = ONE(TS_HANDLE, &handle);
	return ts_call("read", NULL, &in, 1, columns, count, 0, error);
}

int32_t ts_save(uint64_t handle, ts_buffer *bytes, ts_error *error) {
	ts_buffer in = ONE(TS_HANDLE, &handle);
	return ts_call("save", NULL, &in, 1, bytes, 1, 0, error);
}

int32_t ts_score(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                 double *scores, double *df, ts_error *error) {
	ts_buffer in[] = {ONE(TS_MATRIX, matrix), ONE(TS_LABELS, labels)}, out[] = {ALL(TS_FLOAT64, scores), ALL(TS_FLOAT64, df)};
	return CALL("score", options, cancel);
}

int32_t ts_fit(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
               uint64_t *model, uint64_t *rows, ts_error *error) {
	ts_buffer in[] = {ONE(TS_TEXTS, texts), ONE(TS_LABELS, labels)}, out[] = {ONE(TS_HANDLE, model), ONE(TS_HANDLE, rows)};
	return CALL("fit", options, cancel);
}

int32_t ts_transform(uint64_t model, const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error) {
	ts_buffer in[] = {ONE(TS_HANDLE, &model), ONE(TS_TEXTS, texts)}, out[] = {ONE(TS_HANDLE, rows)};
	return CALL("transform", options, cancel);
}

int32_t ts_model_load(const char *bytes, int64_t size, uint64_t *model, ts_error *error) {
	ts_buffer in[] = {ARRAY(TS_UINT8, size, bytes)}, out[] = {ONE(TS_HANDLE, model)};
	return CALL("model_load", NULL, 0);
}

int32_t ts_open(const char *path, uint64_t *corpus, ts_error *error) {
	ts_buffer in[] = {ONE(TS_TEXT, path)}, out[] = {ONE(TS_HANDLE, corpus)};
	return CALL("open", NULL, 0);
}

int32_t ts_stats_texts(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
                       uint64_t *statistics, ts_error *error) {
	ts_buffer in[] = {ONE(TS_TEXTS, texts), ONE(TS_LABELS, labels)}, out[] = {ONE(TS_HANDLE, statistics)};
	return CALL("stats_texts", options, cancel);
}

int32_t ts_stats_add(uint64_t a, uint64_t b, uint64_t *sum, ts_error *error) {
	ts_buffer in[] = {ONE(TS_HANDLE, &a), ONE(TS_HANDLE, &b)}, out[] = {ONE(TS_HANDLE, sum)};
	return CALL("stats_add", NULL, 0);
}

int32_t ts_stats_load(const char *bytes, int64_t size, uint64_t *statistics, ts_error *error) {
	ts_buffer in[] = {ARRAY(TS_UINT8, size, bytes)}, out[] = {ONE(TS_HANDLE, statistics)};
	return CALL("stats_load", NULL, 0);
}

int32_t ts_select(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *model, ts_error *error) {
	ts_buffer in[] = {ONE(TS_HANDLE, &corpus_or_statistics)}, out[] = {ONE(TS_HANDLE, model)};
	return CALL("select", options, cancel);
}

int32_t ts_rank(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *ranking, ts_error *error) {
	ts_buffer in[] = {ONE(TS_HANDLE, &corpus_or_statistics)}, out[] = {ONE(TS_HANDLE, ranking)};
	return CALL("rank", options, cancel);
}
