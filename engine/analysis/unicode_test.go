package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/termsift/termsift/engine/analysis/prepare"
)

// Every character is to us what it is to Pythons of each version of Unicode: testdata/characters.py
// prints the digests.
func TestCharactersOfEachVersionOfUnicode(t *testing.T) {
	for version, want := range map[string]string{
		"13.0":   "a0b7d03c7c1caa925b52f8c3d9f0fe474f6789d0bddcacfdd777dd4131a1f986",
		"14.0.0": "4ae4565ec76db9e4ab860859de25b552a322d41a2b5e614eeb0bb68b6217ec00",
		"15.0":   "99b0c7c2bf7934109195422e83f432e2e0eee1a74848220b748365af8ed174b7",
		"15.1":   "a3346941bbbe546b14c4dc32f6e0a266a24a5625c832ce371bdfaa50ccfad0b4",
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			words := must(Options{FullCase: true, Unicode: version})
			known := func(r rune) bool { return !(0xD800 <= r && r < 0xE000) && words.Knows([]byte(string(r))) }
			of := func(o Options) func(text []byte) []string {
				o.Unicode, o.MaxToken = version, 1<<20
				c := must(o).NewCounter()
				return func(text []byte) (terms []string) {
					c.scan(text)
					for _, id := range c.ids {
						terms = append(terms, string(c.Term(id)))
					}
					return terms
				}
			}
			folded := func(accents string) func(text []byte) []string {
				f := prepare.Folder{Accents: accents, Version: words.version}
				return func(text []byte) []string { return []string{string(f.Text(text))} }
			}
			all := []func(text []byte) []string{
				of(Options{}), of(Options{StripAccents: "unicode"}), folded(""), folded("unicode"), folded("ascii"),
				of(Options{Tokens: `pattern:\w+`, KeepCase: true}), of(Options{Tokens: `pattern:\d`, KeepCase: true}),
				of(Options{Tokens: `pattern:\S+`, KeepCase: true}), of(Options{Tokens: `pattern:\W\b`, KeepCase: true}),
			}
			digest := sha256.New()
			for first := rune(0); first < 0xE1000; first += 256 {
				if first == 0x40000 { // there is nothing between
					first = 0xE0000
				}
				var parts []string
				for c := first; c < first+256; c++ {
					if known(c) {
						parts = append(parts, fmt.Sprintf("x%cY AΣ%c AΣ%cA %c", c, c, c, c))
					}
				}
				text := []byte(strings.Join(parts, " "))
				for _, terms := range all {
					fmt.Fprintf(digest, "%s\x00", strings.Join(terms(text), "\n"))
				}
			}
			if got := hex.EncodeToString(digest.Sum(nil)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// What a version of Unicode lacks, and what Go lacks.
func TestVersionsOfUnicode(t *testing.T) {
	const newIn14, newIn15, newIn151, newer = "\u1715", "\U0001E4D0", "\U0002EBF0", "\U0001E5D0"
	for _, c := range []struct{ version, text, want string }{
		{"", "x" + newIn14 + "y x" + newIn15 + "y", "x" + newIn15 + "y"},
		{"15.0", "\u2C2Fx" + newIn15 + "y", "\u2C5Fx" + newIn15 + "y"},
		{"14.0", "\u2C2Fx" + newIn15 + "yy", "\u2C5Fx yy"},
		{"13.0", "\u2C2Fxx" + newIn15 + "yy", "xx yy"},
		{"13.0", "\uFFFFxx\uFFFFyy" + newIn15, "xx yy"},
		{"13.0", "İstanbul", "stanbul"},
	} {
		if got := strings.Join(must(Options{Unicode: c.version}).Terms([]byte(c.text)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.version, got, c.want)
		}
	}
	for _, c := range []struct {
		version, text string
		knows         bool
	}{
		{"", newer, true},
		{"14.0", newer, true},
		{"15.0", newIn151, true},
		{"15.1", newIn151, false},
		{"16.0", newer, false},
		{"17", newer, false},
		{"15.1", "é中" + newIn15, true},
		{"15.1", "plain text of ASCII", true},
		{"15.1", "\xff\xe4\xb8", true},
		{"13.0", "\u1734", false},
		{"14.0", "\u1734", true},
	} {
		if got := must(Options{Unicode: c.version}).Knows([]byte(c.text)); got != c.knows {
			t.Errorf("%s knows %q: %v", c.version, c.text, got)
		}
	}
	grams := must(Options{Tokens: "char", Unicode: "13.0", StripAccents: "unicode"}).Terms([]byte("É\u2C2F\uFFFFe\u0301" + newIn15))
	if want := "e|\u2C2F|\uFFFF|e|" + newIn15; strings.Join(grams, "|") != want {
		t.Errorf("%q, want %q", grams, want)
	}
	for _, version := range []string{"12.1", "x", "14x", "-14.0", "1e9", "14..0", "100.0"} {
		if _, err := New(Options{Unicode: version}); err == nil || !strings.Contains(err.Error(), "version of Unicode") {
			t.Errorf("%s: %v", version, err)
		}
	}
	if unicode.Version != "15.0.0" {
		t.Errorf("package unicode is of %s: additions of package prepare end at 15.0, and the digests of newer Pythons are to be met", unicode.Version)
	}
}
