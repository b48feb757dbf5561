package reader

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Pipes, sockets and links in a tree are skipped and counted; none is opened, and
// none is followed, round in a circle or out of the root.
func TestSpecialFilesInTree(t *testing.T) {
	root := plant(t, "a/1", "b/1")
	elsewhere := plant(t, "secret/1")
	testkit.OK(syscall.Mkfifo(filepath.Join(root, "a", "pipe"), 0o600))
	t.Chdir(root) // the name of a socket must be short
	socket := testkit.Must(net.Listen("unix", filepath.Join("b", "socket")))
	defer socket.Close()
	for link, to := range map[string]string{
		"loop": ".", "a/up": "../..", "a/one": "two", "a/two": "one", "a/broken": "nowhere", "c": elsewhere, "b/out": filepath.Join(elsewhere, "secret", "1"),
	} {
		testkit.OK(os.Symlink(to, filepath.Join(root, link)))
	}
	got, sum, err := ids(t, Options{}, root)
	if err != nil || !slices.Equal(got, []string{"a/1 a", "b/1 b"}) || sum.Skipped["not a regular file"] != 9 || len(sum.Skipped) != 1 {
		t.Errorf("%q, %+v, %v", got, sum.Skipped, err)
	}
	testkit.Fails(t, testkit.Err(Read(t.Context(), []string{filepath.Join(root, "a", "one")}, Options{})),
		"a circle of links was taken for an input")
}

// Names that are not UTF-8, or differ in case only, are names.
func TestStrangeNames(t *testing.T) {
	root := plant(t, "caf\xe9/x\xff", "caf\xe8/1", "Case/1", "case/1", "new\nline/\x1b[31m")
	got, sum, err := ids(t, Options{}, root)
	want := []string{"Case/1 Case", "caf\xe8/1 cafè", "caf\xe9/x\xff café", "case/1 case", "new\nline/\x1b[31m new\nline"}
	if err != nil || !slices.Equal(got, want) || sum.Documents != 5 {
		t.Errorf("%q, %v", got, err)
	}
}

// A pipe that is named as an input is read, by its contents.
func TestPipeAsInput(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	testkit.OK(syscall.Mkfifo(pipe, 0o600))
	go func() { _ = os.WriteFile(pipe, []byte(strings.Repeat("1 2:3\n", 1000)), 0) }()
	if got, _, err := ids(t, Options{}, pipe); err != nil || len(got) != 1000 {
		t.Errorf("%d documents, %v", len(got), err)
	}
}

// The files of /proc have size 0, and are read all the same.
func TestFilesWithoutSize(t *testing.T) {
	const path = "/proc/self/limits"
	lines := strings.Count(string(testkit.Must(os.ReadFile(path))), "\n")
	got, _, err := ids(t, Options{Format: Lines}, path)
	testkit.OK(err)
	testkit.Equal(t, len(got), lines, path)
}
