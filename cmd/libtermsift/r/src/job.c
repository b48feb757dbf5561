#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <time.h>

#include "job.h"

static void *thread(void *of) {
	job *j = of;
	pthread_mutex_lock(&j->mutex);
	int begin = !j->interrupted && (j->status = ts_cancel_new(&j->cancel)) == TS_OK;
	pthread_mutex_unlock(&j->mutex);
	if (begin)
		j->status = ts_call(j->operation, j->options, j->in, j->ins, j->out, j->outs, j->cancel, &j->error);
	else if (j->status != TS_OK)
		j->status = ts_limits(NULL, &j->error); /* of a fork, which ts_cancel_new has no text for */
	pthread_mutex_lock(&j->mutex);
	ts_free(j->cancel);
	j->done = 1, j->cancel = 0;
	pthread_cond_signal(&j->changed);
	pthread_mutex_unlock(&j->mutex);
	return NULL;
}

static void check_interrupt(void *unused) {
	(void)unused;
	R_CheckUserInterrupt();
}

/* await_or_cancel waits for the thread, and 20 times a second asks R whether Ctrl-C was pressed. */
static void await_or_cancel(job *j) {
	pthread_mutex_lock(&j->mutex);
	while (!j->done) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 50 * 1000 * 1000;
		if (until.tv_nsec >= 1000 * 1000 * 1000)
			until.tv_sec++, until.tv_nsec -= 1000 * 1000 * 1000;
		pthread_cond_timedwait(&j->changed, &j->mutex, &until);
		if (j->done || j->interrupted)
			continue;
		pthread_mutex_unlock(&j->mutex);
		int interrupted = !R_ToplevelExec(check_interrupt, NULL);
		pthread_mutex_lock(&j->mutex);
		if (interrupted) {
			j->interrupted = 1;
			if (j->cancel != 0)
				ts_cancel(j->cancel);
		}
	}
	pthread_mutex_unlock(&j->mutex);
}

int32_t do_job(job *j) {
	pthread_t id;
	j->done = j->interrupted = 0, j->cancel = 0, j->status = TS_OK;
	j->error.text = j->text, j->error.size = sizeof j->text, j->text[0] = 0;
	pthread_mutex_init(&j->mutex, NULL), pthread_cond_init(&j->changed, NULL);
	if (pthread_create(&id, NULL, thread, j) != 0)
		thread(j); /* there is no thread to have: Ctrl-C waits */
	else
		await_or_cancel(j), pthread_join(id, NULL);
	pthread_cond_destroy(&j->changed), pthread_mutex_destroy(&j->mutex);
	return j->interrupted ? j->status = TS_CANCELLED : j->status;
}
