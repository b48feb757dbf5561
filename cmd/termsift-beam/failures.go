package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file carries errors from the workers to the one who started the job. A runner passes
// on their text alone, among places in Beam's code, so that the text has marks around it and
// the exit code at its beginning.

// errorMark stands before and behind the exit code and the text of an error.
const errorMark = "\u2063"

// A markedError is an error of a worker.
type markedError struct{ err error }

// Error returns the exit code and the text, between marks.
func (e *markedError) Error() string {
	return fmt.Sprintf("%s%d:%v%s", errorMark, usage.ExitCode(e.err), e.err, errorMark)
}

// Unwrap returns the error without marks.
func (e *markedError) Unwrap() error { return e.err }

// marked returns an error that jobError finds in what a runner reports; nil for nil.
func marked(err error) error {
	var already *markedError
	if err == nil || errors.As(err, &already) {
		return err
	}
	return &markedError{err}
}

// mark marks the error that a function returns.
func mark(err *error) { *err = marked(*err) }

// ofShard returns a marked error that names the shard; nil for nil.
func ofShard(shard string, err error) error {
	var already *markedError
	if err == nil || errors.As(err, &already) || names(err, shard) {
		return marked(err)
	}
	return marked(fmt.Errorf("%s: %w", shard, err))
}

// names reports whether an error says that it is of a shard.
func names(err error, shard string) bool {
	var input *reader.Error
	var file *fs.PathError
	return errors.As(err, &input) && strings.HasPrefix(input.Pos.File, shard) || errors.As(err, &file) && file.Path == shard
}

// A jobFailure is the error of a job as a runner reports it.
type jobFailure struct {
	text string
	code int // exit code
}

// Error returns the text.
func (e *jobFailure) Error() string { return "the job failed: " + e.text }

// beamMark stands before the text of an error of Beam's own functions.
const beamMark = "failed:\n"

// jobError returns the error of a worker within that of a job, or the last part of what Beam
// says of its own.
func jobError(err error) error {
	_, text, found := strings.Cut(err.Error(), errorMark)
	if text, _, _ = strings.Cut(text, errorMark); found {
		failure := &jobFailure{code: usage.ExitIO}
		if _, err := fmt.Sscanf(text, "%d:", &failure.code); err != nil {
			failure.text = text // a runner has changed it
			return failure
		}
		_, failure.text, _ = strings.Cut(text, ":")
		return failure
	}
	text = err.Error()
	if i := strings.LastIndex(text, beamMark); i >= 0 {
		text = text[i+len(beamMark):]
	}
	return &jobFailure{text, usage.ExitCode(err)}
}
