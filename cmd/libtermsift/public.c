//go:build cgo && (unix || windows)

// The functions of termsift.h. Each calls a function of Go, unless the process was forked
// after the library was loaded: Go's threads do not exist in the child, and a call would
// wait for them for ever.

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

#define ADDRESS(pointer) ((uintptr_t)(pointer))
#define UNLESS_FORKED(error, call) return forked ? refuse_fork(error) : (call)

int32_t ts_abi_version(void) { return TS_ABI_VERSION; }

const char *ts_version(void) { return VERSION; }

int32_t ts_cancel_new(uint64_t *cancel) { UNLESS_FORKED(NULL, ts_go_cancel_new(ADDRESS(cancel))); }

int32_t ts_cancel(uint64_t cancel) { UNLESS_FORKED(NULL, ts_go_cancel(cancel)); }

int32_t ts_cancel_free(uint64_t cancel) { UNLESS_FORKED(NULL, ts_go_cancel_free(cancel)); }

int32_t ts_free(uint64_t handle) { UNLESS_FORKED(NULL, ts_go_free(handle)); }

int32_t ts_release_memory(void) { UNLESS_FORKED(NULL, ts_go_release_memory()); }

int32_t ts_limits(const char *options, ts_error *error) { UNLESS_FORKED(error, ts_go_limits(ADDRESS(options), ADDRESS(error))); }

int32_t ts_texts_check(const ts_texts *texts, uint64_t cancel, ts_error *error) { UNLESS_FORKED(error, ts_go_texts_check(ADDRESS(texts), cancel, ADDRESS(error))); }

int32_t ts_score(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                 double *scores, double *df, ts_error *error) {
	UNLESS_FORKED(error, ts_go_score(ADDRESS(matrix), ADDRESS(labels), ADDRESS(options), cancel, ADDRESS(scores), ADDRESS(df), ADDRESS(error)));
}

int32_t ts_matrix_sums(const ts_matrix *matrix, uint64_t cancel, double *sums, ts_error *error) {
	UNLESS_FORKED(error, ts_go_matrix_sums(ADDRESS(matrix), cancel, ADDRESS(sums), ADDRESS(error)));
}

int32_t ts_matrix_shares(const ts_matrix *matrix, const double *weights, const char *options, uint64_t cancel, double *values, ts_error *error) {
	UNLESS_FORKED(error, ts_go_matrix_shares(ADDRESS(matrix), ADDRESS(weights), ADDRESS(options), cancel, ADDRESS(values), ADDRESS(error)));
}

int32_t ts_score_classes(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                         double *scores, double *df, ts_error *error) {
	UNLESS_FORKED(error, ts_go_score_classes(ADDRESS(matrix), ADDRESS(labels), ADDRESS(options), cancel, ADDRESS(scores), ADDRESS(df), ADDRESS(error)));
}

int32_t ts_measures(char *json, int64_t *size, ts_error *error) { UNLESS_FORKED(error, ts_go_measures(ADDRESS(json), ADDRESS(size), ADDRESS(error))); }

int32_t ts_best(const double *scores, const double *df, int64_t terms, int64_t k, int64_t *best, ts_error *error) {
	UNLESS_FORKED(error, ts_go_best(ADDRESS(scores), ADDRESS(df), terms, k, ADDRESS(best), ADDRESS(error)));
}

int32_t ts_fit(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
               uint64_t *model, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_fit(ADDRESS(texts), ADDRESS(labels), ADDRESS(options), cancel, ADDRESS(model), ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_transform(uint64_t model, const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_transform(model, ADDRESS(texts), ADDRESS(options), cancel, ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_select(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *model, ts_error *error) {
	UNLESS_FORKED(error, ts_go_select(corpus_or_statistics, ADDRESS(options), cancel, ADDRESS(model), ADDRESS(error)));
}

int32_t ts_model_sizes(uint64_t model, int64_t *three, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_sizes(model, ADDRESS(three), ADDRESS(error)));
}

int32_t ts_model_terms(uint64_t model, char *names, int64_t *offsets, double *scores, double *df, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_terms(model, ADDRESS(names), ADDRESS(offsets), ADDRESS(scores), ADDRESS(df), ADDRESS(error)));
}

int32_t ts_model_class_sizes(uint64_t model, int64_t *two, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_class_sizes(model, ADDRESS(two), ADDRESS(error)));
}

int32_t ts_model_classes(uint64_t model, char *names, int64_t *offsets, int32_t *of, double *numbers, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_classes(model, ADDRESS(names), ADDRESS(offsets), ADDRESS(of), ADDRESS(numbers), ADDRESS(error)));
}

int32_t ts_model_save(uint64_t model, char *bytes, int64_t *size, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_save(model, ADDRESS(bytes), ADDRESS(size), ADDRESS(error)));
}

int32_t ts_model_load(const char *bytes, int64_t size, uint64_t *model, ts_error *error) {
	UNLESS_FORKED(error, ts_go_model_load(ADDRESS(bytes), size, ADDRESS(model), ADDRESS(error)));
}

int32_t ts_rows_sizes(uint64_t rows, int64_t *two, ts_error *error) { UNLESS_FORKED(error, ts_go_rows_sizes(rows, ADDRESS(two), ADDRESS(error))); }

int32_t ts_rows_copy(uint64_t rows, int64_t *start, int32_t *indices, float *values, ts_error *error) {
	UNLESS_FORKED(error, ts_go_rows_copy(rows, ADDRESS(start), ADDRESS(indices), ADDRESS(values), ADDRESS(error)));
}

int32_t ts_rows_copy_as(uint64_t rows, uint32_t index_type, uint32_t value_type, void *start, void *indices, void *values, ts_error *error) {
	UNLESS_FORKED(error, ts_go_rows_copy_as(rows, index_type, value_type, ADDRESS(start), ADDRESS(indices), ADDRESS(values), ADDRESS(error)));
}

int32_t ts_bag_fit(const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *vocabulary, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_fit(ADDRESS(texts), ADDRESS(options), cancel, ADDRESS(vocabulary), ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_bag_vocabulary(const ts_texts *terms, const char *options, uint64_t cancel, uint64_t *vocabulary, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_vocabulary(ADDRESS(terms), ADDRESS(options), cancel, ADDRESS(vocabulary), ADDRESS(error)));
}

int32_t ts_bag_transform(uint64_t vocabulary, const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_transform(vocabulary, ADDRESS(texts), ADDRESS(options), cancel, ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_bag_sizes(uint64_t vocabulary, int64_t *three, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_sizes(vocabulary, ADDRESS(three), ADDRESS(error)));
}

int32_t ts_bag_terms(uint64_t vocabulary, char *names, int64_t *offsets, int32_t *columns, int64_t *df, int64_t *occurrences, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_terms(vocabulary, ADDRESS(names), ADDRESS(offsets), ADDRESS(columns), ADDRESS(df), ADDRESS(occurrences), ADDRESS(error)));
}

int32_t ts_bag_keep(uint64_t vocabulary, uint64_t rows, const uint8_t *keep, uint64_t *kept_vocabulary, uint64_t *kept_rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_keep(vocabulary, rows, ADDRESS(keep), ADDRESS(kept_vocabulary), ADDRESS(kept_rows), ADDRESS(error)));
}

int32_t ts_bag_hash(const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_bag_hash(ADDRESS(texts), ADDRESS(options), cancel, ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_open(const char *path, uint64_t *corpus, ts_error *error) { UNLESS_FORKED(error, ts_go_open(ADDRESS(path), ADDRESS(corpus), ADDRESS(error))); }

int32_t ts_corpus_rows(uint64_t corpus, uint64_t model, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error) {
	UNLESS_FORKED(error, ts_go_corpus_rows(corpus, model, ADDRESS(options), cancel, ADDRESS(rows), ADDRESS(error)));
}

int32_t ts_corpus_sizes(uint64_t corpus_or_statistics, int64_t *five, ts_error *error) {
	UNLESS_FORKED(error, ts_go_corpus_sizes(corpus_or_statistics, ADDRESS(five), ADDRESS(error)));
}

int32_t ts_analysis(uint64_t handle, char *json, int64_t *size, ts_error *error) {
	UNLESS_FORKED(error, ts_go_analysis(handle, ADDRESS(json), ADDRESS(size), ADDRESS(error)));
}

int32_t ts_corpus_terms(uint64_t corpus_or_statistics, char *names, int64_t *offsets, double *df, ts_error *error) {
	UNLESS_FORKED(error, ts_go_corpus_terms(corpus_or_statistics, ADDRESS(names), ADDRESS(offsets), ADDRESS(df), ADDRESS(error)));
}

int32_t ts_corpus_classes(uint64_t corpus_or_statistics, char *names, int64_t *offsets, double *documents, ts_error *error) {
	UNLESS_FORKED(error, ts_go_corpus_classes(corpus_or_statistics, ADDRESS(names), ADDRESS(offsets), ADDRESS(documents), ADDRESS(error)));
}

int32_t ts_stats_texts(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
                       uint64_t *statistics, ts_error *error) {
	UNLESS_FORKED(error, ts_go_stats_texts(ADDRESS(texts), ADDRESS(labels), ADDRESS(options), cancel, ADDRESS(statistics), ADDRESS(error)));
}

int32_t ts_stats_matrix(const ts_matrix *matrix, const ts_texts *terms, const ts_labels *labels, const char *options,
                        uint64_t cancel, uint64_t *statistics, ts_error *error) {
	UNLESS_FORKED(error, ts_go_stats_matrix(ADDRESS(matrix), ADDRESS(terms), ADDRESS(labels), ADDRESS(options), cancel, ADDRESS(statistics), ADDRESS(error)));
}

int32_t ts_stats_add(uint64_t a, uint64_t b, uint64_t *sum, ts_error *error) { UNLESS_FORKED(error, ts_go_stats_add(a, b, ADDRESS(sum), ADDRESS(error))); }

int32_t ts_stats_save(uint64_t statistics, char *bytes, int64_t *size, ts_error *error) {
	UNLESS_FORKED(error, ts_go_stats_save(statistics, ADDRESS(bytes), ADDRESS(size), ADDRESS(error)));
}

int32_t ts_stats_load(const char *bytes, int64_t size, uint64_t *statistics, ts_error *error) {
	UNLESS_FORKED(error, ts_go_stats_load(ADDRESS(bytes), size, ADDRESS(statistics), ADDRESS(error)));
}

int32_t ts_rank(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *ranking, ts_error *error) {
	UNLESS_FORKED(error, ts_go_rank(corpus_or_statistics, ADDRESS(options), cancel, ADDRESS(ranking), ADDRESS(error)));
}

int32_t ts_ranking_sizes(uint64_t ranking, int64_t *two, ts_error *error) {
	UNLESS_FORKED(error, ts_go_ranking_sizes(ranking, ADDRESS(two), ADDRESS(error)));
}

int32_t ts_ranking_copy(uint64_t ranking, int32_t *measures, int32_t *classes, int32_t *terms, double *numbers, ts_error *error) {
	UNLESS_FORKED(error, ts_go_ranking_copy(ranking, ADDRESS(measures), ADDRESS(classes), ADDRESS(terms), ADDRESS(numbers), ADDRESS(error)));
}

int32_t ts_keyness(uint64_t target, uint64_t reference, const char *options, uint64_t cancel, uint64_t *keys, ts_error *error) {
	UNLESS_FORKED(error, ts_go_keyness(target, reference, ADDRESS(options), cancel, ADDRESS(keys), ADDRESS(error)));
}

int32_t ts_keyness_sizes(uint64_t keys, int64_t *nine, ts_error *error) {
	UNLESS_FORKED(error, ts_go_keyness_sizes(keys, ADDRESS(nine), ADDRESS(error)));
}

int32_t ts_keyness_columns(uint64_t keys, char *names, int64_t *offsets, ts_error *error) {
	UNLESS_FORKED(error, ts_go_keyness_columns(keys, ADDRESS(names), ADDRESS(offsets), ADDRESS(error)));
}

int32_t ts_keyness_copy(uint64_t keys, char *names, int64_t *offsets, int32_t *lists, double *numbers, ts_error *error) {
	UNLESS_FORKED(error, ts_go_keyness_copy(keys, ADDRESS(names), ADDRESS(offsets), ADDRESS(lists), ADDRESS(numbers), ADDRESS(error)));
}
