//go:build unix

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func permissions(path string) fs.FileMode {
	info := testkit.Must(os.Stat(path))
	return info.Mode().Perm()
}

// A file that is replaced keeps its permissions; a new one has those that the umask
// leaves.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	for name, sys := range systems() {
		for _, umask := range []int{0, 0o022, 0o027, 0o077} {
			syscall.Umask(umask)
			path := filepath.Join(t.TempDir(), "file")
			for range 2 {
				testkit.OK(Write(t.Context(), sys, path, fill([]byte("text"))))
				testkit.Equal(t, permissions(path), fs.FileMode(0o666&^umask), name, "umask", umask, "a new file")
			}
			for _, want := range []fs.FileMode{0o600, 0o640, 0o644, 0o666, 0o400, 0o755} {
				testkit.OK(os.Chmod(path, want))
				testkit.OK(Write(t.Context(), sys, path, fill([]byte("text"))))
				testkit.Equal(t, permissions(path), want, name, "umask", umask, "a file with")
			}
		}
	}
}

// Names as long as the file system takes them, and one byte more.
func TestLongNames(t *testing.T) {
	for name, sys := range systems() {
		for _, length := range []int{79, 80, 81, 82, 244, 245, 246, 250, 254, 255} {
			for _, letters := range []string{"x", "ü", "\x80"} {
				base := strings.Repeat(letters, 256)[:length]
				path := filepath.Join(t.TempDir(), base)
				if os.WriteFile(path, nil, 0o600) != nil {
					continue // the file system takes fewer, or no such bytes
				}
				for _, there := range []bool{true, false} {
					if !there {
						testkit.OK(os.Remove(path))
					}
					testkit.Is(testkit.Stop(t), Write(t.Context(), sys, path, fill([]byte("text"))), nil, name,
						"a name of", length, "bytes")
				}
				if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 || entries[0].Name() != base {
					t.Fatalf("%s: a name of %d bytes: %v, %v", name, length, entries, err)
				}
			}
		}
		err := Write(t.Context(), sys, filepath.Join(t.TempDir(), strings.Repeat("x", 256)), fill(nil))
		testkit.Fails(t, err, name, "a name of 256 bytes was written")
	}
}

// Long names that begin alike have temporary names of their own.
func TestTemporaryNames(t *testing.T) {
	long := strings.Repeat("x", 250)
	if a, b := temporary(long+"a"), temporary(long+"b"); a == b || len(a) > 120 {
		t.Errorf("%q and %q", a, b)
	}
}
