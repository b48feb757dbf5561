package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func TestExitCode(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a reason"))
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{selection.ErrNothingSelected, exitNothing},
		{corpus.ErrNoDocuments, exitNothing},
		{errFindings, exitNothing},
		{usage.Unknown("term", "x", nil), exitNothing},
		{usageError("x"), exitUsage},
		{learn.ErrFolds, exitUsage},
		{usage.Unknown("class", "x", nil), exitUsage},
		{knownCommand(newApp(nil, io.Discard, io.Discard).tree(), []string{"x"}), exitUsage},
		{&reader.Error{Problem: "x"}, exitData},
		{reader.ErrEmpty, exitData},
		{ingest.ErrNoLabels, exitData},
		{table.ErrPruned, exitData},
		{learn.ErrBadRows, exitData},
		{learn.ErrNoModel, exitData},
		{learn.ErrMismatch, exitData},
		{usage.ErrContradiction, exitData},
		{&files.FileError{Err: files.ErrChecksum}, exitCorrupt},
		{files.ErrFormat, exitCorrupt},
		{files.ErrVersion, exitCorrupt},
		{files.ErrTruncated, exitCorrupt},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, exitIO},
		{errors.New("unforeseen"), exitIO},
		{context.Canceled, exitInterrupted},
		{usage.Cause(ctx), exitInterrupted},
	} {
		wrapped := c.err
		if c.err != nil {
			wrapped = fmt.Errorf("there: %w", c.err)
		}
		if usage.ExitCode(c.err) != c.want || c.want != exitUsage && usage.ExitCode(wrapped) != c.want {
			t.Errorf("%v: %d and %d, want %d", c.err, usage.ExitCode(c.err), usage.ExitCode(wrapped), c.want)
		}
	}
}
