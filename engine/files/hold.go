package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/termsift/termsift/engine/usage"
)

// ErrChanged reports that another process has replaced or written to a file while it was
// held. Replacing the file would undo that change.
var ErrChanged = errors.New("another process has changed the file meanwhile")

// A Held file is a file that is locked while it is read, and then replaced by a file that
// is made from it. Other processes that want to hold it wait, so that none of them
// replaces a version that it has not read.
//
// The file itself is locked, not one beside it, so a killed process leaves nothing behind.
// A process that does not hold the file may still replace it; [Held.Write] detects that
// just before it renames the new file. Where the system or the file system has no such
// locks, this check is the only protection.
type Held struct {
	path string
	lock *os.File // nil where there are no locks
	info fs.FileInfo
}

// longestPause is the longest time that Hold sleeps between two attempts.
const longestPause = 100 * time.Millisecond

// Hold waits until no other process holds the file, and holds it. It calls waiting, if
// that is not nil, once if it must wait. If ctx ends first, it returns the cause.
func Hold(ctx context.Context, path string, waiting func()) (*Held, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	pause := time.Millisecond
	for {
		h, err := tryHold(path)
		if h != nil || err != nil {
			return h, err
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, usage.Cause(ctx)
		case <-time.After(pause):
			pause = min(2*pause, longestPause)
		}
	}
}

// tryHold holds the file. It returns nil if another process holds it or has just replaced
// it.
func tryHold(path string) (*Held, error) {
	file, err := openLocked(path)
	if err != nil || file == nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "replace", Path: path, Err: errors.New("it is no regular file")}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	h := &Held{path: path, lock: file, info: info}
	if h.check() != nil { // it has been replaced between opening and locking
		return nil, file.Close()
	}
	if !keepsLocked {
		h.lock = nil
		return h, file.Close()
	}
	return h, nil
}

// check returns [ErrChanged] if the file at the path is not the one that is held, or has
// changed since.
func (h *Held) check() error {
	now, err := os.Stat(h.path)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", h.path, ErrChanged, err)
	}
	if !os.SameFile(now, h.info) || now.Size() != h.info.Size() || !now.ModTime().Equal(h.info.ModTime()) {
		return fmt.Errorf("%s: %w; nothing was written, run the command again", h.path, ErrChanged)
	}
	return nil
}

// Write replaces the file as [Write] does. If the file is no longer the one that was held,
// it stays as it is and the error wraps [ErrChanged].
func (h *Held) Write(ctx context.Context, sys System, fill func(w io.Writer) error) error {
	return write(ctx, sys, h.path, fill, h.check)
}

// Close releases the file so that others can hold it.
func (h *Held) Close() error {
	if h.lock == nil {
		return nil
	}
	return h.lock.Close()
}
