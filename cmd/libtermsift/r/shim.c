/* What R's .C calls: arguments are vectors of R, which R owns. README.md says how to build it. */
#include <stddef.h>

#include "termsift.h"

/* Scores of the columns of a dgCMatrix. sizes has documents, terms, stored, classes, and the
 * bytes of text, to which an error or warnings are written. */
void termsift_r_score(const int *sizes, const int *start, const int *indices, const double *values, const int *classes,
                      char **options, double *scores, double *df, int *status, unsigned char *text) {
	ts_error error = {(char *)text, (size_t)sizes[4]};
	ts_matrix matrix = {sizeof matrix, TS_COLUMNS, sizes[0], sizes[1], sizes[2], TS_INT32, TS_FLOAT64, start, indices, values};
	ts_labels labels = {sizeof labels, 0, sizes[0], sizes[3], sizes[0], classes, NULL};
	*status = ts_score(&matrix, &labels, options[0], 0, scores, df, &error);
}
