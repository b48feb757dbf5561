package testkit_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A recorder keeps what comparisons report.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.said += fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) {
	r.said += "stop " + fmt.Sprintf(format, args...)
}

// Every comparison reports what differs, with both values and what they are of, and nothing else.
func TestComparisons(t *testing.T) {
	wrapped := &fs.PathError{Op: "read", Path: "x", Err: io.EOF}
	for want, compare := range map[string]func(t testing.TB){
		`words 2: "a", want "b"`:                func(t testing.TB) { testkit.Equal(t, "a", "b", "words", 2) },
		`stop : 1, want 2`:                      func(t testing.TB) { testkit.Equal(testkit.Stop(t), 1, 2) },
		`said so: 1, want 2`:                    func(t testing.TB) { testkit.Equal(t, 1, 2, []byte("said"), "so") },
		`n: NaN, want NaN`:                      func(t testing.TB) { testkit.Equal(t, math.NaN(), math.NaN(), "n") },
		`of: [1], want [1 2]`:                   func(t testing.TB) { testkit.EqualSlices(t, []int{1}, []int{1, 2}, "of") },
		`of: map[a:1], want map[]`:              func(t testing.TB) { testkit.Same(t, map[string]int{"a": 1}, map[string]int{}, "of") },
		`of: 1.1, want 1`:                       func(t testing.TB) { testkit.Close(t, 1.1, 1, .05, .05, "of") },
		`of: "abc", want "d"`:                   func(t testing.TB) { testkit.Contains(t, "abc", "d", "of") },
		`is: read x: EOF, want file not exists`: func(t testing.TB) { testkit.Is(t, wrapped, errors.New("file not exists"), "is") },
		`is: read x: EOF, want <nil>`:           func(t testing.TB) { testkit.Is(t, wrapped, nil, "is") },
		`is: <nil>, want EOF`:                   func(t testing.TB) { testkit.Is(t, nil, io.EOF, "is") },
		`of: <nil>, want EOF, x`:                func(t testing.TB) { testkit.Refused(t, nil, io.EOF, "x", "of") },
		`of: read x: EOF, want EOF, y`:          func(t testing.TB) { testkit.Refused(t, wrapped, io.EOF, "y", "of") },
		`of: EOF, want unexpected EOF, EOF`:     func(t testing.TB) { testkit.Refused(t, io.EOF, io.ErrUnexpectedEOF, "EOF", "of") },
		`of: <nil>, want an error`:              func(t testing.TB) { testkit.Fails(t, nil, "of") },
		`of: EOF, want "x"`:                     func(t testing.TB) { testkit.Says(t, io.EOF, "x", "of") },
		`of: <nil>, want "x"`:                   func(t testing.TB) { testkit.Says(t, nil, "x", "of") },
		"": func(t testing.TB) {
			testkit.Equal(t, 1, 1)
			testkit.EqualSlices(t, nil, []int{})
			testkit.Same(t, []int{1}, []int{1})
			testkit.Close(t, math.NaN(), math.NaN(), 0, 0)
			testkit.Contains(t, "abc", "bc")
			testkit.Is(t, nil, nil)
			testkit.Is(t, wrapped, io.EOF)
			testkit.Refused(t, wrapped, io.EOF, "x")
			testkit.Fails(t, io.EOF)
			testkit.Says(t, wrapped, "read x")
		},
	} {
		r := &recorder{}
		if compare(r); r.said != want {
			t.Errorf("%q, want %q", r.said, want)
		}
	}
}

// What went from a list and what is new to it is named; what stayed is not.
func TestPublic(t *testing.T) {
	t.Chdir(filepath.Dir(testkit.Write(filepath.Join(t.TempDir(), "of/tests/x"), "")))
	testkit.Write("../../testdata/public/x.txt", "a\nb\nc\n")
	testkit.Write("../../COMPATIBILITY.md", "[x](testdata/public/x.txt)")
	r := &recorder{}
	testkit.Public(r, "x", []string{"c", "a", "c", "b"})
	testkit.Equal(t, r.said, "")
	testkit.Public(r, "x", []string{"d", "c", "a"})
	testkit.Contains(t, r.said, "went:\n\tb\nnew:\n\td\nCHANGELOG.md announces")
}
