package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Each of many writers adds a line to what it has read: none is lost.
func TestHeldFilesLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	testkit.OK(os.WriteFile(path, nil, 0o600))
	var group sync.WaitGroup
	var mu sync.Mutex
	var added []string
	for i := range 16 {
		group.Go(func() {
			line := fmt.Sprintf("line %d\n", i)
			err := addLine(t.Context(), path, line)
			if err != nil && !errors.Is(err, ErrChanged) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				added = append(added, line)
			}
		})
	}
	group.Wait()
	data := testkit.Must(os.ReadFile(path))
	for _, line := range added {
		if !strings.Contains(string(data), line) {
			t.Errorf("%q is lost", line)
		}
	}
	if keepsLocked && len(added) != 16 {
		t.Errorf("%d of 16 were added, and the others did not wait", len(added))
	}
}

func addLine(ctx context.Context, path, line string) (err error) {
	h, err := Hold(ctx, path, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return h.Write(ctx, OS{}, func(w io.Writer) error {
		_, err := io.WriteString(w, string(data)+line)
		return err
	})
}

// Somebody who does not hold the file replaces it, writes to it or removes it: that
// stays, and the holder is told.
func TestHeldFileIsChanged(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error { return Write(t.Context(), OS{}, path, fill([]byte("changed"))) },
		"written":  func(path string) error { return os.WriteFile(path, []byte("changed"), 0o600) },
		"removed":  os.Remove,
	} {
		path := begin(t)
		h := testkit.Must(Hold(t.Context(), path, nil))
		err := h.Write(t.Context(), OS{}, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return errors.Join(err, change(path))
		})
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(path); err == nil && string(data) != "changed" {
			t.Errorf("%s: the file is %d bytes", name, len(data))
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 1 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}
