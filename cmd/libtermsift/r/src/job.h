/* A job: one call of the library, on a thread of its own, so that Ctrl-C reaches R meanwhile. */
#ifndef TERMSIFT_R_JOB_H
#define TERMSIFT_R_JOB_H

#include <pthread.h>

#include "termsift.h"

enum { MOST_BUFFERS = 9 };

/* What ts_call is given. */
typedef struct job {
	const char *operation, *options;
	ts_buffer in[MOST_BUFFERS], out[MOST_BUFFERS];
	int64_t ins, outs;
	uint64_t cancel;
	ts_error error;

	int32_t status;
	char text[8192];            /* of an error, or warnings */
	pthread_mutex_t mutex;      /* of the three below and cancel */
	pthread_cond_t changed;
	int done, interrupted;
} job;

/* do_job does the operation. It returns the status, TS_CANCELLED after Ctrl-C. */
int32_t do_job(job *job);

#endif
