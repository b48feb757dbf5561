package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// A status is what a function of the header returns.
type status int32

const (
	statusOK        status = usage.ExitOK
	statusNothing   status = usage.ExitNothing
	statusUsage     status = usage.ExitUsage
	statusBadInput  status = usage.ExitData
	statusIO        status = usage.ExitIO
	statusCorrupt   status = usage.ExitCorrupt
	statusBadHandle status = 6
	statusInternal  status = 8
	statusCancelled status = usage.ExitInterrupted
)

// errBadHandle is the kind of errors about handles.
var errBadHandle = errors.New("bad handle")

// statusOf returns the status of an error.
func statusOf(err error) status {
	switch {
	case errors.Is(err, errBadHandle) || errors.Is(err, postings.ErrClosed):
		return statusBadHandle
	case err == nil || usage.KindOf(err) != nil:
		return status(usage.ExitCode(err))
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return statusIO
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return statusIO
	}
	return statusInternal
}

// textOf returns the text of an error for the caller.
func textOf(err error) string {
	if errors.Is(err, postings.ErrClosed) {
		return fmt.Sprintf("%v: a handle was freed while this call had it: %v", errBadHandle, err)
	}
	return err.Error()
}

// putText copies text to dst, cut before a character that does not fit, and ends it by 0.
// A 0 within the text becomes a space.
func putText(dst []byte, text string) {
	if len(dst) == 0 {
		return
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", " ")
	if most := len(dst) - 1; len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	dst[copy(dst, text)] = 0
}

// handleError returns an error of the kind errBadHandle.
func handleError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errBadHandle, fmt.Sprintf(format, args...))
}

// dataError returns an error about data that the caller gave.
func dataError(format string, args ...any) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf(format, args...))
}
