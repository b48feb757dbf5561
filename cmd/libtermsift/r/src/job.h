/* A job: one call of the library, on a thread of its own, so that Ctrl-C reaches R meanwhile. */
#ifndef TERMSIFT_R_JOB_H
#define TERMSIFT_R_JOB_H

#include <pthread.h>

#include "termsift.h"

/* The arguments of all functions of the library, of which work takes those that it needs. */
typedef struct job {
	int32_t (*work)(struct job *job);
	ts_matrix matrix;
	ts_labels labels;
	ts_texts texts;
	const char *options;
	uint64_t from[2], made;     /* handles */
	const void *in[2];          /* arrays */
	void *out[5];
	int64_t size, sizes[9];
	uint64_t cancel;
	ts_error error;

	int32_t status;
	char text[8192];            /* of an error, or warnings */
	pthread_mutex_t mutex;      /* of the three below and cancel */
	pthread_cond_t changed;
	int done, interrupted;
} job;

/* do_job runs work. It returns the status, TS_CANCELLED after Ctrl-C. */
int32_t do_job(job *job, int32_t (*work)(struct job *));

#endif
