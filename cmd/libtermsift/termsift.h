/*
 * termsift.h: feature selection for text, from C and from every language that calls C.
 *
 * README.md beside this file has the rules for memory, threads and processes. In short:
 *
 *   - Every function returns a status, TS_OK = 0 if all went well. The text of an error is
 *     written to the ts_error that the caller gives. Nothing is ever printed.
 *   - Inputs are read where they are and not kept. Results are copied into the caller's
 *     buffers: ts_read tells their sizes, and copies.
 *   - A handle is a number above 0, never a pointer, and belongs to the process. ts_free
 *     releases it. What a handle stands for never changes.
 *   - All functions may be called from any thread at any time, but not in a process that was
 *     forked after the library was loaded: there they return TS_FORKED.
 *   - Options are a JSON object in UTF-8, NULL or "" for none, with the names of the command's flags. Unknown
 *     names, repeated ones and wrong types are refused; null leaves the default. The operation options
 *     tells those of each operation, and the header of a release lists them here.
 */
#ifndef TERMSIFT_H
#define TERMSIFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TS_ABI_VERSION 1

/* What a function returns. */
enum {
	TS_OK = 0,
	TS_NOTHING = 1,      /* nothing was found or selected */
	TS_USAGE = 2,        /* the call is wrong whatever the data: an option, a size, a NULL pointer */
	TS_BAD_INPUT = 3,    /* the data cannot be processed: the text says where */
	TS_IO = 4,           /* the operating system refused */
	TS_CORRUPT = 5,      /* a file has changed since it was written */
	TS_BAD_HANDLE = 6,   /* there is no such handle, it is one of another kind, or it was freed during the call */
	TS_FORKED = 7,       /* the process was forked after the library was loaded */
	TS_INTERNAL = 8,     /* a pointer that cannot be read or written, or a fault of termsift */
	TS_CANCELLED = 130   /* ts_cancel was called */
};

/* The types of elements, and of what stands alone: a handle, a text that ends with 0, a struct. */
enum {
	TS_NONE = 0, TS_INT32 = 1, TS_INT64 = 2, TS_FLOAT32 = 3, TS_FLOAT64 = 4, TS_UINT8 = 5,
	TS_TEXT = 6, TS_HANDLE = 7, TS_MATRIX = 8, TS_LABELS = 9, TS_TEXTS = 10
};

/* The layouts of a matrix: compressed rows (CSR) or compressed columns (CSC). */
enum { TS_ROWS = 0, TS_COLUMNS = 1 };

/* The caller's memory for the text of an error: UTF-8, cut to size - 1 bytes, 0 at its end.
 * After TS_OK it holds warnings, one a line, or is empty. One that begins with "note: " need be told once a process. May be NULL. */
typedef struct {
	char *text;
	size_t size;
} ts_error;

/* A matrix of documents (rows) and terms (columns). start has documents + 1 elements, or
 * terms + 1 if the layout is TS_COLUMNS; indices and values have stored. start and indices
 * are of index_type, TS_INT32 or TS_INT64. Without values, TS_NONE, all are 1; those of TS_INT32 and
 * TS_UINT8 are copied. */
typedef struct {
	uint32_t struct_size, layout;
	int64_t documents, terms, stored;
	uint32_t index_type, value_type;
	const void *start, *indices, *values;
} ts_matrix;

/* The classes of documents, as numbers in [0, classes): of[start[i]] to of[start[i+1]-1]
 * are those of document i. start is NULL if each document has one number, -1 for none. */
typedef struct {
	uint32_t struct_size, reserved; /* reserved is 0 */
	int64_t documents, classes, stored;
	const int32_t *of;
	const int64_t *start;
} ts_labels;

/* Texts in UTF-8: data with count + 1 offsets of offset_type (TS_INT32 or TS_INT64), which is
 * the layout of Arrow; or, with offset_type TS_NONE, pointers with lengths in bytes. */
typedef struct {
	uint32_t struct_size, offset_type;
	int64_t count;
	const char *data;
	const void *offsets;
	const char *const *pointers;
	const int64_t *lengths;
} ts_texts;

/* The versions of the interface, to be compared with TS_ABI_VERSION, and of termsift. Both also work in a
 * process that was forked. */
int32_t ts_abi_version(void);
const char *ts_version(void);

/* What ts_call reads, or where it writes: count elements of a type at data. A struct, a text and a handle are one. */
typedef struct {
	uint32_t type, reserved; /* reserved is 0 */
	int64_t count;
	void *data;
} ts_buffer;

/* Does what the operation says, by its name. Inputs and outputs that come last may be left out if they may be NULL; an
 * output with the count -1 has room for all. An output of TS_HANDLE is set to a new handle, or to 0 if the call fails.
 *
 *   operation      inputs                         outputs
 *   score          matrix, labels                 scores: measures x terms, df: terms (or NULL), both TS_FLOAT64
 *   score_classes  matrix, labels                 scores: measures x classes x terms, df
 *   matrix_sums    matrix                         sums of the columns of a matrix by rows: terms, TS_FLOAT64
 *   matrix_shares  matrix, weights: terms         values: stored, TS_FLOAT64; the share of its row that an element is, times
 *                                                 the weight of its column: c-TF-IDF if rows are classes
 *   best           scores, df (or NULL)           the numbers of the best terms, best first, TS_INT64: by value, then df, then
 *                                                 number; NaN comes last
 *   fit            texts, labels                  model, rows (or NULL)
 *   select         corpus or statistics           model
 *   transform      model, texts                   rows
 *   corpus_rows    corpus, model                  rows, in the order in which the documents were read
 *   model_load     bytes of a features file       model
 *   open           path of an index or statistics, TS_TEXT    corpus or statistics
 *   stats_texts    texts, labels                  statistics, or a corpus with {"stats-only": false}
 *   stats_matrix   matrix, terms, labels          statistics; terms are the names of the columns as TS_TEXTS, all different and
 *                                                 none empty, or NULL, which names them by their numbers
 *   stats_add      statistics, statistics         statistics of both
 *   stats_load     bytes of a file of statistics  statistics
 *   rank           corpus or statistics           ranking
 *   keyness        target, reference              keys; the reference is NULL if the options have a frequency list
 *   bag_fit        texts                          vocabulary, rows: texts as counts of their terms, as scikit-learn counts them
 *   bag_vocabulary terms, TS_TEXTS                vocabulary: the column of a term is its place
 *   bag_transform  vocabulary, texts              rows
 *   bag_keep       vocabulary, rows of bag_fit, keep: an element for each term, TS_UINT8    vocabulary and rows of those that are not 0
 *   bag_hash       texts                          rows, whose columns are those of the terms' hashes, MurmurHash3; an element
 *                                                 whose terms add up to 0 is stored
 *   texts_check    texts                          none: TS_BAD_INPUT names the first text that is no UTF-8. Counting needs no
 *                                                 such check: there, bytes that are no UTF-8 separate words
 *   read, save, measures, analysis, options       columns, as ts_read has them: of an object; of its file; of a JSON list of the
 *                                                 measures; of a JSON object of the options that the texts of a corpus,
 *                                                 statistics or a model were analysed with; of the options of the operations,
 *                                                 each six texts: operation, name, type, bounds, default as JSON, help
 *   cancel_new, cancel, free, release, limits     as the functions below
 */
int32_t ts_call(const char *operation, const char *options, const ts_buffer *in, int64_t ins, ts_buffer *out, int64_t outs,
                uint64_t cancel, ts_error *error);

/* Cancelling: a call takes a handle of ts_cancel_new, or 0. ts_cancel ends the calls that have it soon, with
 * TS_CANCELLED, and later ones at once. ts_free cancels, too, and releases the handle. */
int32_t ts_cancel_new(uint64_t *cancel);
int32_t ts_cancel(uint64_t cancel);

/* Releases a handle of any kind; 0 is no handle. Calls that have it go on, but those that need the file of a
 * corpus return TS_BAD_HANDLE. If several threads free one handle, one succeeds. */
int32_t ts_free(uint64_t handle);
/* Gives free memory back to the system, also what is kept for the next call. It takes milliseconds. */
int32_t ts_release_memory(void);
/* Bounds for the process: {"memory": "2GiB", "gc": 100, "threads": 4}. memory is where Go collects harder, gc
 * how much garbage there may be in percent of what is in use, threads how many run Go code. */
int32_t ts_limits(const char *options, ts_error *error);

/* Reads what a handle stands for. A column whose data is NULL gets its type and count, and into all others the column is
 * copied. Of texts there are two columns: TS_TEXT, their bytes one behind the other, and TS_INT64, where each begins and the
 * last ends. What is not known is NaN.
 *
 *   model       0, 1 terms, best first; 2 scores; 3 df; 4, 5 the classes that terms were selected for, or that have their
 *               largest value; 6 the number of each term's class, TS_INT32, -1 for none; 7 three columns, A and B, the
 *               documents with the term in the class and outside it, and log10 of the p-value; 8 the number of documents
 *   rows        0 start; 1 columns, from 0 in the order of the terms; 2 values, TS_FLOAT32. Those of bags are
 *               copied in the types that the caller has set: TS_INT32 or TS_INT64 for 0 and 1; also TS_FLOAT32 or TS_FLOAT64
 *               for 2. Rows of bag_fit have their elements in the order of the vocabulary, all others by column
 *   corpus or statistics
 *               0, 1 terms by descending df, then bytes; 2 df; 3, 4 classes by bytes; 5 their documents; 6 the number of documents
 *   ranking     0 measures, their numbers in the option "by"; 1 classes, the numbers in column 3, 4 of the statistics, -1 for
 *               none; 2 terms, likewise; 3 nine columns: value; df; A, B, C and D, the documents in the class with the term,
 *               outside it with the term, in the class without it, outside it without it; the sign, 1 where the class has
 *               more of the term than all documents have, -1 where it has less; log10 of the p-value and of the corrected one.
 *               One measure comes after the other, for each one class after the other if values are of classes, best first
 *   keys        0, 1 terms, list after list, best first; 2 the list of each, TS_INT32: 0 positive, 1 negative, 2 neither; with
 *               the option "drift", from an earlier target to a later reference: 0 new, 1 gone, 2 rising, 3 falling, 4 steady;
 *               3 columns x keys, those of termsift keyness --format tsv; 4, 5 their names; 6 the terms tested, and the keys
 *               found in each of the lists 0 to 3
 *   vocabulary  0, 1 terms in the order of their first occurrence; 2 their columns, in the order of their names by bytes; 3 df
 *               and 4 occurrences, 0 if the terms were given; 5 the number of terms that the bounds left out
 */
int32_t ts_read(uint64_t handle, ts_buffer *columns, int64_t count, ts_error *error);
/* The bytes of the file of a model, which is a features file as termsift select writes it, or of statistics, as a column of
 * ts_read. A features file has no weighting of rows: after loading it is tf unless an option says another. */
int32_t ts_save(uint64_t handle, ts_buffer *bytes, ts_error *error);

/* Values of the terms of a matrix. A term without a document has the value NaN and df 0, a class without one NaN. Whole
 * values count as occurrences, explicit zeros as absent; an element that occurs twice in a row is TS_BAD_INPUT. start may
 * begin above 0 and end below stored. */
int32_t ts_score(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                 double *scores, double *df, ts_error *error);

/* Models: selected terms, with all that turns further texts into rows. */
int32_t ts_fit(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
               uint64_t *model, uint64_t *rows, ts_error *error);
int32_t ts_transform(uint64_t model, const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error);
int32_t ts_model_load(const char *bytes, int64_t size, uint64_t *model, ts_error *error);

/* Corpora, and statistics, which are the counts of each term in each class. Those of disjoint documents that were analysed
 * alike add up, as if counted together. The terms of a matrix are names that no analysis has made: statistics of matrices
 * add up with, and are compared with, others of matrices only, and a model of them makes no rows of texts. */
int32_t ts_open(const char *path, uint64_t *corpus, ts_error *error);
int32_t ts_stats_texts(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
                       uint64_t *statistics, ts_error *error);
int32_t ts_stats_add(uint64_t a, uint64_t b, uint64_t *sum, ts_error *error);
int32_t ts_stats_load(const char *bytes, int64_t size, uint64_t *statistics, ts_error *error);
int32_t ts_select(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *model, ts_error *error);
int32_t ts_rank(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *ranking, ts_error *error);

#ifdef __cplusplus
}
#endif

#endif
