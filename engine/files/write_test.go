package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

var content = map[string][]byte{"old": bytes.Repeat([]byte("old\n"), 1<<18), "new": bytes.Repeat([]byte("newer\n"), 1<<18)}

func fill(data []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		for at := 0; at < len(data); at += 1 << 17 {
			if _, err := w.Write(data[at:min(at+1<<17, len(data))]); err != nil {
				return err
			}
		}
		return nil
	}
}

// namedOnly is a system without nameless files.
type namedOnly struct{ OS }

func (namedOnly) Create(path string) (File, error) { return createNamed(path) }

func systems() map[string]System { return map[string]System{"os": OS{}, "named": namedOnly{}} }

func begin(t testing.TB) (path string) {
	path = filepath.Join(t.TempDir(), "file")
	testkit.Write(path, content["old"])
	return path
}

// has wants one file in the directory, with the content of a name.
func has(t *testing.T, path, name string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(path))
	testkit.EqualSlices(testkit.Stop(t), data, content[name], "it is not the", name, "file", len(data), "bytes")
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Fatalf("left behind: %v", left)
	}
}

func TestWrite(t *testing.T) {
	for name, sys := range systems() {
		t.Run(name, func(t *testing.T) {
			path := begin(t)
			testkit.OK(Write(t.Context(), sys, path, fill(content["new"])))
			has(t, path, "new")
			testkit.Equal(testkit.Stop(t), testkit.Must(os.Stat(path)).Mode().Perm()&0o600, 0o600, "mode")
		})
	}
}

func TestLinksStay(t *testing.T) {
	path := begin(t)
	link := filepath.Join(t.TempDir(), "link")
	testkit.OK(os.Symlink(path, link))
	testkit.OK(Write(t.Context(), OS{}, link, fill(content["new"])))
	has(t, path, "new")
	testkit.Equal(testkit.Stop(t), testkit.Must(os.Readlink(link)), path, "the link")
}

func TestADirectoryIsAnError(t *testing.T) {
	testkit.Fails(testkit.Stop(t), Write(t.Context(), OS{}, t.TempDir(), fill(nil)), "a directory was written to")
	testkit.Is(testkit.Stop(t), Write(t.Context(), OS{}, filepath.Join(t.TempDir(), "no", "file"), fill(nil)),
		os.ErrNotExist, "a directory that is not there")
}

func TestCancel(t *testing.T) {
	for name, sys := range systems() {
		ctx, cancel := context.WithCancel(t.Context())
		path := begin(t)
		err := Write(ctx, sys, path, func(w io.Writer) error {
			cancel()
			return fill(content["new"])(w)
		})
		testkit.Is(testkit.Stop(t), err, context.Canceled, name)
		has(t, path, "old")
	}
}

const killVariable = "TERMSIFT_KILL_PATH"

// TestMain writes without end where a test asks for a process to kill.
func TestMain(m *testing.M) {
	path := os.Getenv(killVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	for i := 0; ; i++ {
		name := []string{"new", "old"}[i%2]
		if err := Write(context.Background(), OS{}, path, fill(content[name])); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// Kills at random moments leave one of the files, whole. A kill between naming and
// renaming leaves the temporary name, which the next writer removes once it is old.
func TestKills(t *testing.T) {
	path := begin(t)
	left, kills := 0, testkit.CaseNumbers(t, 500)
	for _, i := range kills {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), killVariable+"="+path)
		testkit.OK(command.Start())
		time.Sleep(time.Duration(5000+i*7919%20000) * time.Microsecond)
		_ = command.Process.Kill()
		_ = command.Wait()
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(data, content["old"]) && !bytes.Equal(data, content["new"]) {
			t.Fatalf("kill %d: %d bytes, %v", i, len(data), err)
		}
		entries := testkit.Must(os.ReadDir(filepath.Dir(path)))
		for _, e := range entries {
			if e.Name() != filepath.Base(path) {
				left++
				name := filepath.Join(filepath.Dir(path), e.Name())
				old := time.Now().Add(-2 * time.Hour)
				testkit.OK(os.Chtimes(name, old, old))
			}
		}
	}
	testkit.OK(Write(t.Context(), OS{}, path, fill(content["new"])))
	has(t, path, "new")
	t.Log(strconv.Itoa(len(kills)) + " kills, " + strconv.Itoa(left) + " temporary names left for the next writer")
}

// Numbers have the same bytes in a file whatever the byte order of the machine, and wherever
// their section begins. A machine of the other order is played by bytes that are swapped once
// more.
func TestElementsOfAnyOrder(t *testing.T) {
	values := []uint32{1, 0x01020304, 1<<32 - 1}
	want := []byte{1, 0, 0, 0, 4, 3, 2, 1, 0xff, 0xff, 0xff, 0xff}
	own := littleEndian
	defer func() { littleEndian = own }()
	for _, swapped := range []bool{false, true} {
		littleEndian = own != swapped
		data := BytesOf(values)
		if swapped {
			for i := 0; i < len(want); i += 4 {
				slices.Reverse(want[i : i+4])
			}
		}
		testkit.EqualSlices(t, data, want, "little-endian", littleEndian, "bytes")
		for shift := range 4 {
			moved := append(make([]byte, shift), data...)[shift:]
			testkit.EqualSlices(t, ElementsOf[uint32](moved), values, "little-endian", littleEndian, "moved by", shift)
		}
	}
	testkit.Equal(t, values[1], 0x01020304, "BytesOf has changed the numbers", values)
	if len(BytesOf([]float64(nil))) != 0 || len(ElementsOf[float64](nil)) != 0 {
		t.Error("no numbers have bytes")
	}
}
