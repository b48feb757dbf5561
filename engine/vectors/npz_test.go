package vectors

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// Numbers of places that need it are written as int64.
func TestWideNumbers(t *testing.T) {
	for wide, want := range map[bool]string{false: "'<i4'", true: "'<i8'"} {
		var out bytes.Buffer
		z := &npzWriter{zip: zip.NewWriter(&out)}
		z.whole("x", wide, 2, func(i int) int64 { return int64(i) - 1 })
		values := "\xff\xff\xff\xff\x00\x00\x00\x00"
		if wide {
			values = strings.Repeat("\xff", 8) + strings.Repeat("\x00", 8)
		}
		if z.err != nil || z.zip.Close() != nil || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "\n"+values) {
			t.Errorf("wide %v: %v: %q", wide, z.err, out.String())
		}
	}
	if beyondInt32(1<<31-1) || !beyondInt32(1<<31) {
		t.Error("int64 begins at another number than 2^31")
	}
}

// Texts have a fixed width unless that takes far more than they do.
func TestFixedWidth(t *testing.T) {
	repeat := func(n int, text string) *textList { return listOf(n, func(int) string { return text }) }
	odd := repeat(70_000, "ab")
	odd.add(strings.Repeat("é", 250)) // 250 characters, 70 MB for all
	for name, c := range map[string]struct {
		list  *textList
		width int
		fits  bool
	}{
		"none":          {&textList{}, 1, true},
		"empty":         {repeat(2, ""), 1, true},
		"no UTF-8":      {repeat(2, "a\xff\xfe"), 3, true},
		"zero within":   {repeat(2, "a\x00b"), 3, true},
		"zero at end":   {repeat(2, "a\x00"), 2, false},
		"large, alike":  {repeat(70_000, strings.Repeat("a", 250)), 250, true},
		"large, unlike": {odd, 250, false},
		"small, unlike": {listOf(60_000, func(i int) string { return strings.Repeat("a", 250*(i/59_999)) }), 250, true},
	} {
		if width, fits := fixedWidth(c.list); width != c.width || fits != c.fits {
			t.Errorf("%s: width %d, fits %v; want %d, %v", name, width, fits, c.width, c.fits)
		}
	}
}
