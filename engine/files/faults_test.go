package files_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
)

// namedOnly is a system without nameless files.
type namedOnly struct{ files.OS }

func (namedOnly) Create(path string) (files.File, error) { return files.CreateNamed(path) }

// Every call fails once, until none is left to fail: the old file stays, but for what
// fails after the new one has its name, and nothing is left behind.
func TestEveryFault(t *testing.T) {
	before, after := bytes.Repeat([]byte("old\n"), 1<<18), bytes.Repeat([]byte("newer\n"), 1<<18)
	points := 0
	for _, sys := range []files.System{files.OS{}, namedOnly{}} {
		for _, fault := range []faults.System{{Err: syscall.EIO}, {Err: syscall.ENOSPC}, {Err: io.ErrShortWrite, Short: true}} {
			for done := false; !done; {
				fault.Of = sys
				fault.At++
				system := fault // with no calls yet
				path := filepath.Join(t.TempDir(), "file")
				if err := os.WriteFile(path, before, 0o644); err != nil {
					t.Fatal(err)
				}
				err := files.Write(t.Context(), &system, path, func(w io.Writer) error {
					for part := range slices.Chunk(after, 1<<18) {
						if _, err := w.Write(part); err != nil {
							return err
						}
					}
					return nil
				})
				if done = system.Calls() < fault.At; done != (err == nil) || !done && !errors.Is(err, fault.Err) {
					t.Fatalf("%T: call %d of %d failed with %v, and it said %v", sys, fault.At, system.Calls(), fault.Err, err)
				}
				if !done {
					points++
				}
				data, _ := os.ReadFile(path)
				if !bytes.Equal(data, after) && (done || !bytes.Equal(data, before)) {
					t.Fatalf("%T: after a fault at call %d the file has %d bytes", sys, fault.At, len(data))
				}
				if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
					t.Fatalf("left behind: %v", left)
				}
			}
		}
	}
	t.Logf("%d faults", points)
}
