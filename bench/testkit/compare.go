package testkit

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Equal reports an error where a value is not the one wanted. What it is of comes last, as for fmt.Println, and
// stands before the values in the report.
func Equal[T comparable](t testing.TB, got, want T, of ...any) {
	t.Helper()
	report(t, got == want, got, want, of)
}

// EqualSlices is [Equal] for slices, where nil is as good as empty.
func EqualSlices[S ~[]E, E comparable](t testing.TB, got, want S, of ...any) {
	t.Helper()
	report(t, slices.Equal(got, want), got, want, of)
}

// Same is [Equal] for what [reflect.DeepEqual] compares.
func Same(t testing.TB, got, want any, of ...any) {
	t.Helper()
	report(t, reflect.DeepEqual(got, want), got, want, of)
}

// Refused reports an error where err is none, is not as [errors.Is] says, or lacks a text.
func Refused(t testing.TB, err, is error, text string, of ...any) {
	t.Helper()
	report(t, err != nil && errors.Is(err, is) && strings.Contains(err.Error(), text), err, fmt.Errorf("%v, %s", is, text), of)
}

// Is reports an error where err is not the one wanted, as [errors.Is] says; that may be nil.
func Is(t testing.TB, err, want error, of ...any) {
	t.Helper()
	report(t, errors.Is(err, want), err, want, of)
}

// Says reports an error where err is none or lacks a text.
func Says(t testing.TB, err error, text string, of ...any) {
	t.Helper()
	report(t, err != nil && strings.Contains(err.Error(), text), err, text, of)
}

// Fails reports an error where err is none.
func Fails(t testing.TB, err error, of ...any) {
	t.Helper()
	report(t, err != nil, err, errors.New("an error"), of)
}

// Contains reports an error where a text lacks a part.
func Contains(t testing.TB, text, part string, of ...any) {
	t.Helper()
	report(t, strings.Contains(text, part), text, part, of)
}

// Close is [Equal] for numbers that are [Near].
func Close(t testing.TB, got, want, relative, absolute float64, of ...any) {
	t.Helper()
	report(t, Near(got, want, relative, absolute), got, want, of)
}

// Err returns the error of a call.
func Err[T any](_ T, err error) error { return err }

func report(t testing.TB, ok bool, got, want any, of []any) {
	t.Helper()
	for i, v := range of {
		if text, ok := v.([]byte); ok {
			of[i] = string(text)
		}
	}
	if !ok {
		t.Errorf("%s: %s, want %s", strings.TrimSpace(fmt.Sprintln(of...)), shown(got), shown(want))
	}
}

// shown quotes what is text.
func shown(v any) string {
	switch v.(type) {
	case string, []string, []byte:
		return fmt.Sprintf("%.4000q", v)
	}
	return fmt.Sprintf("%.4000s", fmt.Sprintf("%+v", v))
}

// Stop returns a test that an error of a comparison ends.
func Stop(t testing.TB) testing.TB { return stopping{t} }

type stopping struct{ testing.TB }

func (s stopping) Errorf(format string, args ...any) {
	s.Helper()
	s.Fatalf(format, args...)
}

// Public reports an error where lines, which say what users may rely on, are not those of a list in testdata/public. A
// test with the flag -update writes the list.
func Public(t testing.TB, list string, lines []string) {
	t.Helper()
	slices.Sort(lines)
	lines = slices.Compact(lines)
	path := filepath.Join("..", "..", "testdata", "public", list+".txt")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		Write(path, strings.Join(lines, "\n")+"\n")
	}
	Contains(t, string(Must(os.ReadFile("../../COMPATIBILITY.md"))), "(testdata/public/"+list+".txt)")
	listed := strings.Split(strings.TrimSuffix(string(Must(os.ReadFile(path))), "\n"), "\n")
	without := func(all, some []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(l string) bool { return slices.Contains(some, l) }), "\n\t")
	}
	if went, added := without(listed, lines), without(lines, listed); went+added != "" {
		t.Errorf("%s: went:\n\t%s\nnew:\n\t%s\nCHANGELOG.md announces what goes, see COMPATIBILITY.md; then run this test with -update", path, went, added)
	}
}
