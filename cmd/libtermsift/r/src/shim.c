/* What R calls: each function reads vectors of R, where they are, and calls one function of
 * termsift.h. It returns a list: the status, the text of an error or warnings, and the value.
 * A handle is a number, which R's code frees. */
#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include <string.h>

#include "job.h"

/* answer returns what a job has come to. value is NULL unless it went well. */
static SEXP answer(const job *j, SEXP value) {
	PROTECT(value);
	const char *names[] = {"status", "text", "value", ""};
	SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
	SET_VECTOR_ELT(list, 0, Rf_ScalarInteger(j->status));
	SET_VECTOR_ELT(list, 1, Rf_ScalarString(Rf_mkCharCE(j->text, CE_UTF8)));
	SET_VECTOR_ELT(list, 2, j->status == TS_OK ? value : R_NilValue);
	UNPROTECT(2);
	return list;
}

/* made answers with the handle that a job has made, and does the job. */
static SEXP made(job *j, int32_t (*work)(job *)) {
	do_job(j, work);
	if (j->status != TS_OK && j->made != 0)
		ts_free(j->made), j->made = 0; /* done before Ctrl-C was heard */
	return answer(j, Rf_ScalarReal((double)j->made));
}

static uint64_t handle(SEXP number) { return (uint64_t)Rf_asReal(number); }

static const char *text(SEXP one) { return CHAR(STRING_ELT(one, 0)); }

/* read_matrix takes a dgCMatrix apart: its slots p, i, x and Dim. */
static void read_matrix(job *j, SEXP p, SEXP i, SEXP x, SEXP dim) {
	j->matrix = (ts_matrix){sizeof j->matrix, TS_COLUMNS, INTEGER_RO(dim)[0], INTEGER_RO(dim)[1], XLENGTH(i), TS_INT32, TS_FLOAT64,
	                        INTEGER_RO(p), INTEGER_RO(i), REAL_RO(x)};
}

/* read_labels takes classes by number, and where those of each document begin, or NULL. */
static void read_labels(job *j, SEXP of, SEXP start, SEXP classes) {
	int64_t *starts = NULL, documents = XLENGTH(of);
	if (start != R_NilValue) {
		documents = XLENGTH(start) - 1;
		starts = (int64_t *)R_alloc((size_t)documents + 1, sizeof *starts);
		for (int64_t i = 0; i <= documents; i++)
			starts[i] = INTEGER_RO(start)[i];
	}
	j->labels = (ts_labels){sizeof j->labels, 0, documents, Rf_asInteger(classes), XLENGTH(of), INTEGER_RO(of), starts};
}

static void read_texts(job *j, SEXP texts) {
	int64_t n = XLENGTH(texts);
	const char **pointers = (const char **)R_alloc((size_t)n + 1, sizeof *pointers);
	int64_t *lengths = (int64_t *)R_alloc((size_t)n + 1, sizeof *lengths);
	for (int64_t i = 0; i < n; i++) {
		SEXP one = STRING_ELT(texts, i);
		pointers[i] = CHAR(one), lengths[i] = LENGTH(one);
	}
	j->texts = (ts_texts){sizeof j->texts, TS_NONE, n, NULL, NULL, pointers, lengths};
}

/* strings returns n texts that lie one behind the other. */
static SEXP strings(const char *names, const int64_t *offsets, int64_t n) {
	SEXP all = PROTECT(Rf_allocVector(STRSXP, n));
	for (int64_t i = 0; i < n; i++)
		SET_STRING_ELT(all, i, Rf_mkCharLenCE(names + offsets[i], (int)(offsets[i + 1] - offsets[i]), CE_UTF8));
	UNPROTECT(1);
	return all;
}

/* room_for_names is memory for n names of so many bytes, as out[at] and out[at+1] of a job. */
static void room_for_names(job *j, int at, int64_t n, int64_t bytes) {
	j->out[at] = R_alloc((size_t)bytes + 1, 1);
	j->out[at + 1] = R_alloc((size_t)n + 1, sizeof(int64_t));
}

static SEXP room_for_numbers(void **out, int64_t n) {
	SEXP numbers = Rf_allocVector(REALSXP, n);
	*out = REAL(numbers);
	return numbers;
}

/* scores of the columns of a matrix */
static int32_t score(job *j) { return ts_score(&j->matrix, &j->labels, j->options, j->cancel, j->out[0], j->out[1], &j->error); }

static SEXP r_score(SEXP p, SEXP i, SEXP x, SEXP dim, SEXP of, SEXP start, SEXP classes, SEXP options, SEXP measures) {
	job j = {.options = text(options)};
	read_matrix(&j, p, i, x, dim), read_labels(&j, of, start, classes);
	const char *names[] = {"scores", "df", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	SET_VECTOR_ELT(value, 0, room_for_numbers(&j.out[0], j.matrix.terms * Rf_asInteger(measures)));
	SET_VECTOR_ELT(value, 1, room_for_numbers(&j.out[1], j.matrix.terms));
	do_job(&j, score);
	UNPROTECT(1);
	return answer(&j, value);
}

static int32_t best(job *j) { return ts_best(j->in[0], j->in[1], j->sizes[0], j->sizes[1], j->out[0], &j->error); }

static SEXP r_best(SEXP scores, SEXP df, SEXP k) {
	job j = {.in = {REAL_RO(scores), REAL_RO(df)}, .sizes = {XLENGTH(scores), (int64_t)Rf_asReal(k)}};
	SEXP value = PROTECT(Rf_allocVector(INTSXP, j.sizes[1]));
	int64_t *columns = (int64_t *)R_alloc((size_t)j.sizes[1] + 1, sizeof *columns);
	j.out[0] = columns;
	if (do_job(&j, best) == TS_OK)
		for (int64_t i = 0; i < j.sizes[1]; i++)
			INTEGER(value)[i] = (int)columns[i] + 1;
	UNPROTECT(1);
	return answer(&j, value);
}

/* statistics, and models */
static int32_t count_texts(job *j) { return ts_stats_texts(&j->texts, &j->labels, j->options, j->cancel, &j->made, &j->error); }

static SEXP r_count_texts(SEXP texts, SEXP of, SEXP start, SEXP classes, SEXP options) {
	job j = {.options = text(options)};
	read_texts(&j, texts), read_labels(&j, of, start, classes);
	return made(&j, count_texts);
}

static int32_t count_matrix(job *j) { return ts_stats_matrix(&j->matrix, &j->texts, &j->labels, j->options, j->cancel, &j->made, &j->error); }

static SEXP r_count_matrix(SEXP p, SEXP i, SEXP x, SEXP dim, SEXP terms, SEXP of, SEXP start, SEXP classes, SEXP options) {
	job j = {.options = text(options)};
	read_matrix(&j, p, i, x, dim), read_texts(&j, terms), read_labels(&j, of, start, classes);
	return made(&j, count_matrix);
}

static int32_t fit(job *j) { return ts_fit(&j->texts, &j->labels, j->options, j->cancel, &j->made, NULL, &j->error); }

static SEXP r_fit(SEXP texts, SEXP of, SEXP start, SEXP classes, SEXP options) {
	job j = {.options = text(options)};
	read_texts(&j, texts), read_labels(&j, of, start, classes);
	return made(&j, fit);
}

static int32_t select_terms(job *j) { return ts_select(j->from[0], j->options, j->cancel, &j->made, &j->error); }

static SEXP r_select(SEXP statistics, SEXP options) {
	job j = {.options = text(options), .from = {handle(statistics)}};
	return made(&j, select_terms);
}

static int32_t transform(job *j) { return ts_transform(j->from[0], &j->texts, j->options, j->cancel, &j->made, &j->error); }

static SEXP r_transform(SEXP model, SEXP texts, SEXP options) {
	job j = {.options = text(options), .from = {handle(model)}};
	read_texts(&j, texts);
	return made(&j, transform);
}

static int32_t add(job *j) { return ts_stats_add(j->from[0], j->from[1], &j->made, &j->error); }

static SEXP r_add(SEXP a, SEXP b) {
	job j = {.from = {handle(a), handle(b)}};
	return made(&j, add);
}

static int32_t rank(job *j) { return ts_rank(j->from[0], j->options, j->cancel, &j->made, &j->error); }

static SEXP r_rank(SEXP statistics, SEXP options) {
	job j = {.options = text(options), .from = {handle(statistics)}};
	return made(&j, rank);
}

static int32_t compare(job *j) { return ts_keyness(j->from[0], j->from[1], j->options, j->cancel, &j->made, &j->error); }

static SEXP r_keyness(SEXP target, SEXP reference, SEXP options) {
	job j = {.options = text(options), .from = {handle(target), handle(reference)}};
	return made(&j, compare);
}

/* their bytes */
static int32_t save_statistics(job *j) { return ts_stats_save(j->from[0], j->out[0], &j->size, &j->error); }

static int32_t save_model(job *j) { return ts_model_save(j->from[0], j->out[0], &j->size, &j->error); }

static SEXP save(SEXP of, int32_t (*work)(job *)) {
	job j = {.from = {handle(of)}};
	if (do_job(&j, work) != TS_OK)
		return answer(&j, R_NilValue);
	SEXP bytes = PROTECT(Rf_allocVector(RAWSXP, j.size));
	j.out[0] = RAW(bytes);
	do_job(&j, work);
	UNPROTECT(1);
	return answer(&j, bytes);
}

static SEXP r_save_statistics(SEXP statistics) { return save(statistics, save_statistics); }

static SEXP r_save_model(SEXP model) { return save(model, save_model); }

static int32_t load_statistics(job *j) { return ts_stats_load(j->in[0], j->size, &j->made, &j->error); }

static int32_t load_model(job *j) { return ts_model_load(j->in[0], j->size, &j->made, &j->error); }

static SEXP load(SEXP bytes, int32_t (*work)(job *)) {
	job j = {.in = {RAW_RO(bytes)}, .size = XLENGTH(bytes)};
	return made(&j, work);
}

static SEXP r_load_statistics(SEXP bytes) { return load(bytes, load_statistics); }

static SEXP r_load_model(SEXP bytes) { return load(bytes, load_model); }

/* what they hold */
static int32_t statistics_sizes(job *j) { return ts_corpus_sizes(j->from[0], j->sizes, &j->error); }

static int32_t statistics_terms(job *j) { return ts_corpus_terms(j->from[0], j->out[0], j->out[1], j->out[2], &j->error); }

static int32_t statistics_classes(job *j) { return ts_corpus_classes(j->from[0], j->out[0], j->out[1], j->out[2], &j->error); }

static SEXP r_statistics_sizes(SEXP statistics) {
	job j = {.from = {handle(statistics)}};
	do_job(&j, statistics_sizes);
	SEXP value = PROTECT(Rf_allocVector(REALSXP, 5));
	for (int i = 0; i < 5; i++)
		REAL(value)[i] = (double)j.sizes[i];
	UNPROTECT(1);
	return answer(&j, value);
}

/* named_numbers answers with n names and the number of each, df of terms or documents of classes. */
static SEXP named_numbers(SEXP statistics, int sizes, int32_t (*work)(job *)) {
	job j = {.from = {handle(statistics)}};
	if (do_job(&j, statistics_sizes) != TS_OK)
		return answer(&j, R_NilValue);
	int64_t n = j.sizes[sizes];
	const char *names[] = {"names", "numbers", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	room_for_names(&j, 0, n, j.sizes[sizes + 1]);
	SET_VECTOR_ELT(value, 1, room_for_numbers(&j.out[2], n));
	if (do_job(&j, work) == TS_OK)
		SET_VECTOR_ELT(value, 0, strings(j.out[0], j.out[1], n));
	UNPROTECT(1);
	return answer(&j, value);
}

static SEXP r_statistics_terms(SEXP statistics) { return named_numbers(statistics, 1, statistics_terms); }

static SEXP r_statistics_classes(SEXP statistics) { return named_numbers(statistics, 3, statistics_classes); }

static int32_t model_sizes(job *j) { return ts_model_sizes(j->from[0], j->sizes, &j->error); }

static int32_t model_terms(job *j) { return ts_model_terms(j->from[0], j->out[0], j->out[1], j->out[2], j->out[3], &j->error); }

static SEXP r_model_terms(SEXP model) {
	job j = {.from = {handle(model)}};
	if (do_job(&j, model_sizes) != TS_OK)
		return answer(&j, R_NilValue);
	int64_t n = j.sizes[0];
	const char *names[] = {"term", "score", "df", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	room_for_names(&j, 0, n, j.sizes[1]);
	SET_VECTOR_ELT(value, 1, room_for_numbers(&j.out[2], n));
	SET_VECTOR_ELT(value, 2, room_for_numbers(&j.out[3], n));
	if (do_job(&j, model_terms) == TS_OK)
		SET_VECTOR_ELT(value, 0, strings(j.out[0], j.out[1], n));
	UNPROTECT(1);
	return answer(&j, value);
}

static int32_t rows_sizes(job *j) { return ts_rows_sizes(j->from[0], j->sizes, &j->error); }

static int32_t rows_copy(job *j) { return ts_rows_copy(j->from[0], j->out[0], j->out[1], j->out[2], &j->error); }

/* r_rows answers with the row, the column, both from 1, and the value of each element. */
static SEXP r_rows(SEXP rows) {
	job j = {.from = {handle(rows)}};
	if (do_job(&j, rows_sizes) != TS_OK)
		return answer(&j, R_NilValue);
	int64_t documents = j.sizes[0], stored = j.sizes[1];
	const char *names[] = {"i", "j", "x", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	for (int k = 0; k < 2; k++)
		SET_VECTOR_ELT(value, k, Rf_allocVector(INTSXP, stored));
	SET_VECTOR_ELT(value, 2, Rf_allocVector(REALSXP, stored));
	int *i = INTEGER(VECTOR_ELT(value, 0)), *column = INTEGER(VECTOR_ELT(value, 1));
	double *x = REAL(VECTOR_ELT(value, 2));
	int64_t *start = (int64_t *)R_alloc((size_t)documents + 1, sizeof *start);
	float *values = (float *)R_alloc((size_t)stored + 1, sizeof *values);
	j.out[0] = start, j.out[1] = column, j.out[2] = values;
	if (do_job(&j, rows_copy) == TS_OK)
		for (int64_t d = 0; d < documents; d++)
			for (int64_t k = start[d]; k < start[d + 1]; k++)
				i[k] = (int)d + 1, column[k]++, x[k] = values[k];
	UNPROTECT(1);
	return answer(&j, value);
}

static int32_t ranking_sizes(job *j) { return ts_ranking_sizes(j->from[0], j->sizes, &j->error); }

static int32_t ranking_copy(job *j) { return ts_ranking_copy(j->from[0], j->out[0], j->out[1], j->out[2], j->out[3], &j->error); }

/* r_ranking answers with the measure, class and term of each row, by number from 0, and the columns. */
static SEXP r_ranking(SEXP ranking) {
	job j = {.from = {handle(ranking)}};
	if (do_job(&j, ranking_sizes) != TS_OK)
		return answer(&j, R_NilValue);
	const char *names[] = {"measure", "class", "term", "numbers", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	for (int k = 0; k < 3; k++) {
		SET_VECTOR_ELT(value, k, Rf_allocVector(INTSXP, j.sizes[0]));
		j.out[k] = INTEGER(VECTOR_ELT(value, k));
	}
	SET_VECTOR_ELT(value, 3, room_for_numbers(&j.out[3], j.sizes[0] * j.sizes[1]));
	do_job(&j, ranking_copy);
	UNPROTECT(1);
	return answer(&j, value);
}

static int32_t keys_sizes(job *j) { return ts_keyness_sizes(j->from[0], j->sizes, &j->error); }

static int32_t keys_columns(job *j) { return ts_keyness_columns(j->from[0], j->out[0], j->out[1], &j->error); }

static int32_t keys_copy(job *j) { return ts_keyness_copy(j->from[0], j->out[0], j->out[1], j->out[2], j->out[3], &j->error); }

/* r_keys answers with the keys, the list of each, the columns, their names, and how many terms
 * were tested and were found in each list. */
static SEXP r_keys(SEXP keys) {
	job j = {.from = {handle(keys)}};
	if (do_job(&j, keys_sizes) != TS_OK)
		return answer(&j, R_NilValue);
	int64_t n = j.sizes[0], columns = j.sizes[2];
	const char *names[] = {"term", "list", "numbers", "columns", "counts", ""};
	SEXP value = PROTECT(Rf_mkNamed(VECSXP, names));
	SET_VECTOR_ELT(value, 1, Rf_allocVector(INTSXP, n));
	SET_VECTOR_ELT(value, 4, Rf_allocVector(REALSXP, 5));
	for (int i = 0; i < 5; i++)
		REAL(VECTOR_ELT(value, 4))[i] = (double)j.sizes[4 + i];
	room_for_names(&j, 0, columns, j.sizes[3]);
	if (do_job(&j, keys_columns) == TS_OK) {
		SET_VECTOR_ELT(value, 3, strings(j.out[0], j.out[1], columns));
		room_for_names(&j, 0, n, j.sizes[1]);
		j.out[2] = INTEGER(VECTOR_ELT(value, 1));
		SET_VECTOR_ELT(value, 2, room_for_numbers(&j.out[3], n * columns));
		if (do_job(&j, keys_copy) == TS_OK)
			SET_VECTOR_ELT(value, 0, strings(j.out[0], j.out[1], n));
	}
	UNPROTECT(1);
	return answer(&j, value);
}

static SEXP r_free(SEXP of) {
	ts_free(handle(of));
	return R_NilValue;
}

#define CALL(name, arguments) {#name, (DL_FUNC)&r_##name, arguments}

static const R_CallMethodDef calls[] = {
	CALL(score, 9), CALL(best, 3), CALL(count_texts, 5), CALL(count_matrix, 9), CALL(fit, 5), CALL(select, 2), CALL(transform, 3), CALL(add, 2), CALL(keyness, 3),
	CALL(save_statistics, 1), CALL(save_model, 1), CALL(load_statistics, 1), CALL(load_model, 1), CALL(statistics_sizes, 1), CALL(statistics_terms, 1),
	CALL(statistics_classes, 1), CALL(model_terms, 1), CALL(rows, 1), CALL(keys, 1), CALL(rank, 2), CALL(ranking, 1), CALL(free, 1), {NULL, NULL, 0},
};

void R_init_termsift(DllInfo *dll) {
	if (ts_abi_version() != TS_ABI_VERSION)
		Rf_error("libtermsift has version %d of the interface, and this package was built for %d: install it again", (int)ts_abi_version(), TS_ABI_VERSION);
	R_registerRoutines(dll, NULL, calls, NULL, NULL);
	R_useDynamicSymbols(dll, FALSE);
	R_forceSymbols(dll, TRUE);
}
