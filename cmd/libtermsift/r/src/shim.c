/* What R calls: an operation of ts_call. It reads vectors of R where they are, and answers with a list: the status, the
 * text of an error or warnings, and the value. A handle is a number, which R's code frees. */
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

static ts_buffer buffer(uint32_t type, int64_t count, const void *data) { return (ts_buffer){type, 0, count, (void *)(uintptr_t)data}; }

/* read_matrix takes a dgCMatrix apart. */
static ts_buffer read_matrix(SEXP x) {
	SEXP p = R_do_slot(x, Rf_install("p")), i = R_do_slot(x, Rf_install("i")), values = R_do_slot(x, Rf_install("x"));
	const int *dim = INTEGER_RO(R_do_slot(x, Rf_install("Dim")));
	ts_matrix *m = (ts_matrix *)R_alloc(1, sizeof *m);
	*m = (ts_matrix){sizeof *m, TS_COLUMNS, dim[0], dim[1], XLENGTH(i), TS_INT32, TS_FLOAT64, INTEGER_RO(p), INTEGER_RO(i), REAL_RO(values)};
	return buffer(TS_MATRIX, 1, m);
}

/* read_labels takes a list: classes by number, where those of each document begin, or NULL, and the number of classes. */
static ts_buffer read_labels(SEXP list) {
	SEXP of = VECTOR_ELT(list, 0), start = VECTOR_ELT(list, 1);
	int64_t *starts = NULL, documents = XLENGTH(of);
	if (start != R_NilValue) {
		documents = XLENGTH(start) - 1;
		starts = (int64_t *)R_alloc((size_t)documents + 1, sizeof *starts);
		for (int64_t i = 0; i <= documents; i++)
			starts[i] = INTEGER_RO(start)[i];
	}
	ts_labels *y = (ts_labels *)R_alloc(1, sizeof *y);
	*y = (ts_labels){sizeof *y, 0, documents, Rf_asInteger(VECTOR_ELT(list, 2)), XLENGTH(of), INTEGER_RO(of), starts};
	return buffer(TS_LABELS, 1, y);
}

static ts_buffer read_texts(SEXP texts) {
	int64_t n = XLENGTH(texts);
	const char **pointers = (const char **)R_alloc((size_t)n + 1, sizeof *pointers);
	int64_t *lengths = (int64_t *)R_alloc((size_t)n + 1, sizeof *lengths);
	for (int64_t i = 0; i < n; i++) {
		SEXP one = STRING_ELT(texts, i);
		pointers[i] = CHAR(one), lengths[i] = LENGTH(one);
	}
	ts_texts *t = (ts_texts *)R_alloc(1, sizeof *t);
	*t = (ts_texts){sizeof *t, TS_NONE, n, NULL, NULL, pointers, lengths};
	return buffer(TS_TEXTS, 1, t);
}

/* read_input says what a value of R is: a matrix, texts, labels, bytes of a file, a handle, or nothing. */
static ts_buffer read_input(SEXP value) {
	switch (TYPEOF(value)) {
	case S4SXP:
		return read_matrix(value);
	case STRSXP:
		return read_texts(value);
	case VECSXP:
		return read_labels(value);
	case RAWSXP:
		return buffer(TS_UINT8, XLENGTH(value), RAW_RO(value));
	case REALSXP: {
		uint64_t *handle = (uint64_t *)R_alloc(1, sizeof *handle);
		*handle = (uint64_t)REAL_RO(value)[0];
		return buffer(TS_HANDLE, 1, handle);
	}
	}
	return buffer(TS_NONE, 0, NULL);
}

static job job_of(SEXP operation, SEXP inputs, SEXP options) {
	job j = {.operation = CHAR(STRING_ELT(operation, 0)), .options = CHAR(STRING_ELT(options, 0)), .ins = XLENGTH(inputs)};
	for (int64_t i = 0; i < j.ins && i < MOST_BUFFERS; i++)
		j.in[i] = read_input(VECTOR_ELT(inputs, i));
	return j;
}

/* r_make answers with the handle that an operation makes. */
static SEXP r_make(SEXP operation, SEXP inputs, SEXP options) {
	job j = job_of(operation, inputs, options);
	uint64_t made = 0;
	j.out[0] = buffer(TS_HANDLE, 1, &made), j.outs = 1;
	do_job(&j);
	if (j.status != TS_OK && made != 0)
		ts_free(made); /* done before Ctrl-C was heard */
	return answer(&j, Rf_ScalarReal((double)made));
}

/* r_numbers answers with a list of as many numbers as counts says. */
static SEXP r_numbers(SEXP operation, SEXP inputs, SEXP options, SEXP counts) {
	job j = job_of(operation, inputs, options);
	j.outs = XLENGTH(counts);
	SEXP value = PROTECT(Rf_allocVector(VECSXP, j.outs));
	for (int64_t i = 0; i < j.outs; i++) {
		SET_VECTOR_ELT(value, i, Rf_allocVector(REALSXP, (R_xlen_t)REAL_RO(counts)[i]));
		j.out[i] = buffer(TS_FLOAT64, XLENGTH(VECTOR_ELT(value, i)), REAL(VECTOR_ELT(value, i)));
	}
	do_job(&j);
	UNPROTECT(1);
	return answer(&j, value);
}

/* room allocates what a column is read into: a vector, or memory for types that R does not have. */
static SEXP room(ts_buffer *column) {
	SEXP vector = R_NilValue;
	switch (column->type) {
	case TS_INT32:
		vector = Rf_allocVector(INTSXP, column->count), column->data = INTEGER(vector);
		break;
	case TS_FLOAT64:
		vector = Rf_allocVector(REALSXP, column->count), column->data = REAL(vector);
		break;
	case TS_UINT8:
		vector = Rf_allocVector(RAWSXP, column->count), column->data = RAW(vector);
		break;
	default: /* of texts the offsets are the next column */
		column->data = R_alloc((size_t)column->count + 1, sizeof(int64_t));
	}
	return vector;
}

/* vector_of returns a column as a vector, if room has made none. */
static SEXP vector_of(const ts_buffer *column) {
	const int64_t *numbers = column[column->type == TS_TEXT].data;
	if (column->type != TS_TEXT) {
		SEXP all = Rf_allocVector(REALSXP, column->count);
		for (int64_t i = 0; i < column->count; i++)
			REAL(all)[i] = column->type == TS_FLOAT32 ? ((const float *)column->data)[i] : (double)numbers[i];
		return all;
	}
	const char *names = column->data;
	SEXP all = PROTECT(Rf_allocVector(STRSXP, column[1].count - 1));
	for (int64_t i = 0; i < column[1].count - 1; i++)
		SET_STRING_ELT(all, i, Rf_mkCharLenCE(names + numbers[i], (int)(numbers[i + 1] - numbers[i]), CE_UTF8));
	UNPROTECT(1);
	return all;
}

/* r_read answers with a list of the first columns that an operation such as read gives. Texts are one with their offsets,
 * which are NULL. */
static SEXP r_read(SEXP operation, SEXP inputs, SEXP columns) {
	job j = job_of(operation, inputs, R_BlankScalarString);
	j.outs = Rf_asInteger(columns);
	if (do_job(&j) != TS_OK)
		return answer(&j, R_NilValue);
	SEXP value = PROTECT(Rf_allocVector(VECSXP, j.outs));
	for (int64_t i = 0; i < j.outs; i++)
		SET_VECTOR_ELT(value, i, room(&j.out[i]));
	if (do_job(&j) == TS_OK)
		for (int64_t i = 0; i < j.outs; i++)
			if (VECTOR_ELT(value, i) == R_NilValue && (i == 0 || j.out[i - 1].type != TS_TEXT))
				SET_VECTOR_ELT(value, i, vector_of(&j.out[i]));
	UNPROTECT(1);
	return answer(&j, value);
}

static SEXP r_free(SEXP handle) {
	ts_free((uint64_t)Rf_asReal(handle));
	return R_NilValue;
}

#define CALL(name, arguments) {#name, (DL_FUNC)&r_##name, arguments}

static const R_CallMethodDef calls[] = {CALL(make, 3), CALL(numbers, 4), CALL(read, 3), CALL(free, 1), {NULL, NULL, 0}};

void R_init_termsift(DllInfo *dll) {
	if (ts_abi_version() != TS_ABI_VERSION)
		Rf_error("libtermsift has version %d of the interface, and this package was built for %d: install it again", (int)ts_abi_version(), TS_ABI_VERSION);
	R_registerRoutines(dll, NULL, calls, NULL, NULL);
	R_useDynamicSymbols(dll, FALSE);
	R_forceSymbols(dll, TRUE);
}
