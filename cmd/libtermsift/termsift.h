/*
 * termsift.h: feature selection for text, from C and from every language that calls C.
 *
 * README.md beside this file has the rules for memory, threads and processes. In short:
 *
 *   - Every function returns a status, TS_OK = 0 if all went well. The text of an error is
 *     written to the ts_error that the caller gives. Nothing is ever printed.
 *   - Inputs are read where they are and not kept. Results are copied into the caller's
 *     buffers: one function tells the sizes, another copies.
 *   - A handle is a number above 0, never a pointer, and belongs to the process. ts_free
 *     releases it. What a handle stands for never changes.
 *   - All functions may be called from any thread at any time, but not in a process that was
 *     forked after the library was loaded: there they return TS_FORKED.
 *   - Options are a JSON object in UTF-8, NULL or "" for none, with the names of the command's flags. Unknown
 *     names, repeated ones and wrong types are refused; null leaves the default.
 *
 * Options of
 *
 *   ts_score        by: a measure or a list, each also as "ttest:avg", or a formula as "mine=A*D/(B*C)"; combine,
 *                   weight ("tf" or "binary"), base, rs-d, signed, yates, smooth, zeta-c,
 *                   bm25, reduce-frequent, seed-words (a list), seed-multiplier, threads. "sklearn-chi2" is scikit-learn's
 *                   chi2, of sums of values, to 1e-12; "chi" is that of the table of documents. target, the numbers
 *                   of the classes by number, each different: a list with as many as there are classes, for the
 *                   measures of a target ("pearson", "trend", ...), which need it.
 *   ts_score_classes  those of ts_score but combine, for measures that have values of classes.
 *   ts_fit          tokens ("auto", "words", "letters", "unicode", "zh-bigrams", "char", "char_wb", "pattern:REGEX"),
 *                   stop (the name of a list, or a list of words), stem, headers, ngrams (of words, or of the
 *                   characters of char and char_wb), hash-bits (N from 1 to 30 hashes terms into 2^N columns, whose
 *                   names are their numbers), normalize, markup, strip-accents ("none", "unicode", "ascii"),
 *                   keep-case, max-token, min-df and max-df (a share below 1, a number of documents from 1 on, 0
 *                   for none); classes, the names of the classes by number, none of them empty, else they are
 *                   numbers; and those of ts_select.
 *   ts_select       by (a measure, "mrmr", "jmi", "cmim", "best-terms:p=0.25", "project"); one of k (a number or
 *                   "all"), percentile, min-score, energy, fpr, fdr, fwe, per-document; per-class, round-robin,
 *                   keep and drop (lists of terms), p-values, exact, weight (also of the rows), and the
 *                   parameters of measures. Statistics take k and measures.
 *   ts_transform, ts_corpus_rows  weight (the model's if none is given), threads.
 *   ts_stats_texts  those of the analysis, classes, threads; stats-only: false keeps the documents in memory, and
 *                   then segments cuts each text into runs of so many tokens, which are the documents; target:
 *                   a name says that the names of the classes are numbers, one for each document, as "4.5", for
 *                   measures of a target. Documents without one are left out, which a warning tells.
 *                   tokens are "auto" by default here and in ts_fit: the texts decide, and a warning tells of
 *                   what is not "words". Parts that are to be added up take the options of ts_analysis.
 *                   ids, a text for each document, else its number from 0: with those of its input statistics have
 *                   the bytes of the command's. They are some of many, and may lack labels and terms, which a warning
 *                   tells.
 *   ts_stats_matrix classes, threads; target as of ts_stats_texts, where each document must have a number.
 *   ts_rank         by: a measure or a list, as of ts_score; combine ("class" if it is not given, "" for the
 *                   measure's own value of a term), class (these alone, a name or a list), top (a number, or "all"),
 *                   positive (terms alone that the class has more of), p-values, exact, correct ("holm", "bh", "none";
 *                   for all terms of a list), and the parameters of measures, threads.
 *   ts_bag_vocabulary  tokens ("words", "char", "char_wb", "pattern:REGEX"), ngrams (of words or of characters), stop
 *                   (a list of words, taken as they are), strip-accents ("unicode", "ascii"), keep-case, unicode
 *                   (the version whose characters are known, as "14.0"), binary.
 *   ts_bag_fit      those, min-df and max-df (numbers of documents), max-features, threads.
 *   ts_bag_hash     those of ts_bag_vocabulary, features (columns, 1048576), alternate-sign (true), threads.
 *   ts_bag_transform  threads.
 *   ts_keyness      by (a measure of termsift keyness), also (a list of measures whose columns are added), correct,
 *                   max-p (0.05), min-freq (5), min-range, exact, yates, top (20, a number or "all"), terms (these and no
 *                   others), drift (the target is the earlier corpus), count-by ("tokens", "documents"), smooth,
 *                   conf, zeta-c, permutations (p-values by so many), maxt, seed, threads; reference-list, with
 *                   the handle of the reference 0: the path of a frequency list, or an object of the occurrences of
 *                   each term, or of [occurrences, documents], reference-total, reference-documents.
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

/* The types of elements. */
enum { TS_NONE = 0, TS_INT32 = 1, TS_INT64 = 2, TS_FLOAT32 = 3, TS_FLOAT64 = 4, TS_UINT8 = 5 };

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

/* Returns TS_BAD_INPUT and names the first text that is no UTF-8. Counting needs no such check: there, bytes that
 * are no UTF-8 separate words. */
int32_t ts_texts_check(const ts_texts *texts, uint64_t cancel, ts_error *error);

/* Cancelling: a long call takes a handle of ts_cancel_new, or 0. ts_cancel ends the calls that have it soon,
 * with TS_CANCELLED, and later ones at once. ts_cancel_free cancels, too, and releases the handle. */
int32_t ts_cancel_new(uint64_t *cancel);
int32_t ts_cancel(uint64_t cancel);
int32_t ts_cancel_free(uint64_t cancel);

/* Releases a handle of any kind; 0 is no handle. Calls that have it go on, but those that need the file of a
 * corpus return TS_BAD_HANDLE. If several threads free one handle, one succeeds. */
int32_t ts_free(uint64_t handle);
/* Gives free memory back to the system, also what is kept for the next call. It takes milliseconds. */
int32_t ts_release_memory(void);
/* Bounds for the process: {"memory": "2GiB", "gc": 100, "threads": 4}. memory is where Go collects harder, gc
 * how much garbage there may be in percent of what is in use, threads how many run Go code. */
int32_t ts_limits(const char *options, ts_error *error);

/* Values of the terms of a matrix: scores has measures x terms, df has terms; df may be NULL. A term without
 * a document has the value NaN and df 0. Whole values count as occurrences, explicit zeros as absent; an
 * element that occurs twice in a row is TS_BAD_INPUT. start may begin above 0 and end below stored. */
int32_t ts_score(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                 double *scores, double *df, ts_error *error);
/* The sums of the columns of a matrix by rows; sums has terms. */
int32_t ts_matrix_sums(const ts_matrix *matrix, uint64_t cancel, double *sums, ts_error *error);
/* The share of its row that an element is, times the weight of its column: c-TF-IDF if rows are classes. Options: root
 * takes the roots of the shares, threads. weights has terms, values as many as are stored. */
int32_t ts_matrix_shares(const ts_matrix *matrix, const double *weights, const char *options, uint64_t cancel,
                         double *values, ts_error *error);
/* Values of the terms for each class: scores has measures x classes x terms. A class without a document has the value
 * NaN. */
int32_t ts_score_classes(const ts_matrix *matrix, const ts_labels *labels, const char *options, uint64_t cancel,
                         double *scores, double *df, ts_error *error);
/* The measures as a JSON list of objects in UTF-8: name, title, formula, source; default, how a term gets one value;
 * classes, whether a class has values, tokens, whether it counts occurrences, p-values, whether it has those. With json
 * NULL, size is set; then it is the size of the buffer. */
int32_t ts_measures(char *json, int64_t *size, ts_error *error);
/* The numbers of the k best terms, best first: by value, then df unless NULL, then number; NaN comes last. k is at
 * most terms. */
int32_t ts_best(const double *scores, const double *df, int64_t terms, int64_t k, int64_t *best, ts_error *error);

/* Models: selected terms, with all that turns further texts into rows. rows of ts_fit may be NULL. Results of
 * the functions that copy may be NULL, too, where they are not wanted. */
int32_t ts_fit(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
               uint64_t *model, uint64_t *rows, ts_error *error);
int32_t ts_transform(uint64_t model, const ts_texts *texts, const char *options, uint64_t cancel,
                     uint64_t *rows, ts_error *error);
int32_t ts_select(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *model, ts_error *error);
int32_t ts_model_sizes(uint64_t model, int64_t *three, ts_error *error); /* terms, bytes of their names, documents (N of idf) */
/* Best term first: names one behind the other, terms + 1 offsets. */
int32_t ts_model_terms(uint64_t model, char *names, int64_t *offsets, double *scores, double *df, ts_error *error);
/* The classes that terms were selected for, or that have their largest value. two: classes, bytes of their names. of has
 * the number of each term's class, -1 where the value is of no class; numbers has 3 x terms: A and B, the documents with
 * the term in the class and outside it, and log10 of the p-value. What is not known is NaN. */
int32_t ts_model_class_sizes(uint64_t model, int64_t *two, ts_error *error);
int32_t ts_model_classes(uint64_t model, char *names, int64_t *offsets, int32_t *of, double *numbers, ts_error *error);
/* The bytes of a features file, as termsift select writes it. With bytes NULL, size is set; then it is the size of
 * the buffer. A features file has no weighting of rows: after loading it is tf unless an option says another. */
int32_t ts_model_save(uint64_t model, char *bytes, int64_t *size, ts_error *error);
int32_t ts_model_load(const char *bytes, int64_t size, uint64_t *model, ts_error *error);

/* Rows: documents over the terms of a model, as a CSR matrix with documents + 1 starts. Columns count from 0 in
 * the order of the model's terms. */
int32_t ts_rows_sizes(uint64_t rows, int64_t *two, ts_error *error); /* documents, stored */
int32_t ts_rows_copy(uint64_t rows, int64_t *start, int32_t *indices, float *values, ts_error *error);

/* The same in the types of the caller's arrays: start and indices in index_type, TS_INT32 or TS_INT64; values in
 * value_type, converted as C does it, or NULL for TS_NONE. */
int32_t ts_rows_copy_as(uint64_t rows, uint32_t index_type, uint32_t value_type, void *start, void *indices, void *values, ts_error *error);

/* Bags of words: texts as counts of their terms, by the rules of scikit-learn's vectorizers. A vocabulary is the
 * terms in the order of their first occurrence, with their columns, which are in the order of their names by
 * bytes. The elements of the rows of ts_bag_fit come in the order of the vocabulary, those of other rows by column. */
int32_t ts_bag_fit(const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *vocabulary, uint64_t *rows, ts_error *error);
/* A vocabulary of given terms: the column of a term is its place. */
int32_t ts_bag_vocabulary(const ts_texts *terms, const char *options, uint64_t cancel, uint64_t *vocabulary, ts_error *error);
int32_t ts_bag_transform(uint64_t vocabulary, const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error);
int32_t ts_bag_sizes(uint64_t vocabulary, int64_t *three, ts_error *error); /* terms, bytes of their names, terms that the bounds left out */
/* In the order of the vocabulary. df and occurrences, the documents and tokens of a term, are 0 if it was given. */
int32_t ts_bag_terms(uint64_t vocabulary, char *names, int64_t *offsets, int32_t *columns, int64_t *df, int64_t *occurrences, ts_error *error);
/* The terms for which keep is not 0, which has an element for each in the order of the vocabulary, and rows of
 * ts_bag_fit over them. */
int32_t ts_bag_keep(uint64_t vocabulary, uint64_t rows, const uint8_t *keep, uint64_t *kept_vocabulary, uint64_t *kept_rows, ts_error *error);
/* The column of a term is that of its hash, MurmurHash3, and the sign of the hash that of what it adds. An element
 * whose terms add up to 0 is stored. */
int32_t ts_bag_hash(const ts_texts *texts, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error);

/* Corpora, and statistics, which are the counts of each term in each class. ts_open takes the path of an index
 * or of statistics. */
int32_t ts_open(const char *path, uint64_t *corpus, ts_error *error);
/* The documents of a corpus as rows, in the order in which they were read. */
int32_t ts_corpus_rows(uint64_t corpus, uint64_t model, const char *options, uint64_t cancel, uint64_t *rows, ts_error *error);
int32_t ts_corpus_sizes(uint64_t corpus_or_statistics, int64_t *five, ts_error *error); /* documents, terms, bytes, classes, bytes */
/* How the texts of a corpus, statistics or a model were analysed: options of ts_stats_texts and ts_fit as a JSON object,
 * with the tokens that were decided where they were "auto". Texts that are counted with them add up with these. As
 * ts_measures. */
int32_t ts_analysis(uint64_t handle, char *json, int64_t *size, ts_error *error);
/* Terms by descending df, then bytes. */
int32_t ts_corpus_terms(uint64_t corpus_or_statistics, char *names, int64_t *offsets, double *df, ts_error *error);
int32_t ts_corpus_classes(uint64_t corpus_or_statistics, char *names, int64_t *offsets, double *documents, ts_error *error);
/* Statistics of texts, or a corpus with {"stats-only": false}. */
int32_t ts_stats_texts(const ts_texts *texts, const ts_labels *labels, const char *options, uint64_t cancel,
                       uint64_t *statistics, ts_error *error);
/* Statistics of a matrix. terms are the names of its columns, all different and none empty; NULL names them by their
 * numbers. Columns without a document are left out. The terms are names that no analysis has made: these statistics add
 * up with, and are compared with, others of matrices only, and a model of them makes no rows of texts. */
int32_t ts_stats_matrix(const ts_matrix *matrix, const ts_texts *terms, const ts_labels *labels, const char *options,
                        uint64_t cancel, uint64_t *statistics, ts_error *error);
/* The statistics of disjoint documents that were analysed alike, as if counted together. */
int32_t ts_stats_add(uint64_t a, uint64_t b, uint64_t *sum, ts_error *error);
int32_t ts_stats_save(uint64_t statistics, char *bytes, int64_t *size, ts_error *error); /* as ts_model_save */
int32_t ts_stats_load(const char *bytes, int64_t size, uint64_t *statistics, ts_error *error);

/* Rankings: terms by their values, best first; one measure after the other, and for each one class after the other where
 * the combination is "class". two: rows, and columns of numbers, which are 9. measures has their numbers in the
 * option "by", classes those of ts_corpus_classes, -1 where the value is of no class, terms those of ts_corpus_terms.
 * numbers has columns x rows: value; df; A, B, C and D, the documents in the class with the term, outside it with the
 * term, in the class without it, outside it without it; the sign, 1 where the class has more of the term than all
 * documents have, -1 where it has less; and log10 of the p-value and of the corrected one. What is undefined is NaN. */
int32_t ts_rank(uint64_t corpus_or_statistics, const char *options, uint64_t cancel, uint64_t *ranking, ts_error *error);
int32_t ts_ranking_sizes(uint64_t ranking, int64_t *two, ts_error *error);
int32_t ts_ranking_copy(uint64_t ranking, int32_t *measures, int32_t *classes, int32_t *terms, double *numbers, ts_error *error);

/* Key words: terms that the target uses more, or less, than the reference. target and reference
 * are corpora or statistics, or reference is 0 and the options have a frequency list. nine: keys, bytes of their terms, columns, bytes of their names, terms
 * tested, keys found in each of the lists 0 to 3. lists: 0 positive, 1 negative, 2 neither; with
 * the option "drift", from an earlier target to a later reference: 0 new, 1 gone, 2 rising,
 * 3 falling, 4 steady. Keys come list after list, best first. numbers has columns x keys; the columns are
 * those of termsift keyness --format tsv, and what is undefined is NaN. */
int32_t ts_keyness(uint64_t target, uint64_t reference, const char *options, uint64_t cancel, uint64_t *keys, ts_error *error);
int32_t ts_keyness_sizes(uint64_t keys, int64_t *nine, ts_error *error);
int32_t ts_keyness_columns(uint64_t keys, char *names, int64_t *offsets, ts_error *error);
int32_t ts_keyness_copy(uint64_t keys, char *names, int64_t *offsets, int32_t *lists, double *numbers, ts_error *error);

#ifdef __cplusplus
}
#endif

#endif
