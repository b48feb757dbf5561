/* What R's .C calls: arguments are vectors of R, which R owns. README.md says how to build it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "termsift.h"

/* Scores of the columns of a dgCMatrix. sizes has documents, terms, stored, classes, the bytes of
 * text, to which an error or warnings are written, and the labels of all documents: those of document i are
 * classes[first[i]] to classes[first[i+1]-1]. */
void termsift_r_score(const int *sizes, const int *start, const int *indices, const double *values, const int *classes, const int *first,
                      char **options, double *scores, double *df, int *status, unsigned char *text) {
	ts_error error = {(char *)text, (size_t)sizes[4]};
	int64_t *of = malloc(((size_t)sizes[0] + 1) * sizeof *of);
	if (of == NULL) {
		*status = TS_IO;
		snprintf(error.text, error.size, "no memory for the labels of %d documents", sizes[0]);
		return;
	}
	for (int i = 0; i <= sizes[0]; i++)
		of[i] = first[i];
	ts_matrix matrix = {sizeof matrix, TS_COLUMNS, sizes[0], sizes[1], sizes[2], TS_INT32, TS_FLOAT64, start, indices, values};
	ts_labels labels = {sizeof labels, 0, sizes[0], sizes[3], sizes[5], classes, of};
	*status = ts_score(&matrix, &labels, options[0], 0, scores, df, &error);
	free(of);
}
