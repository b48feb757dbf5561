package flags

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader"
)

// Whatever wrote a list, its names are the same: with the mark of UTF-8, with the line ends of
// any system, without an end of the last line.
func TestListsOfOtherSystems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	for _, read := range []struct {
		what string
		list func(string) ([]string, error)
		text string
		want []string
	}{
		{"stop words", Lists{1000}.StopWords, "# of ours\nthe of\n\n  #more\na # article\ni | pronoun\n|all\n", []string{"the", "of", "a", "i"}},
		{"stop words that begin so", Lists{1000}.StopWords, "c# a|b\n", []string{"c#", "a|b"}},
		{"terms", Lists{1000}.Terms, "new york\n #tag \n\n \t\nc#\n|\n", []string{"new york", "#tag", "c#", "|"}},
		{"names", Lists{1000}.Names, "sci.space\n #tag \n\n \t\nor it\n", []string{"sci.space", "#tag", "or it"}},
		{"ids", Lists{1000}.IDs, "a\n #b \n\n \nc d\n", []string{"a", " #b ", " ", "c d"}},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			for _, end := range []string{"\n", "\r\n", "\r\r\n", "\r"} {
				for _, last := range []string{end, "", end + end} {
					text := mark + strings.ReplaceAll(strings.TrimSuffix(read.text, "\n"), "\n", end) + last
					testkit.Write(path, text)
					if got, err := read.list(path); err != nil || !slices.Equal(got, read.want) {
						t.Errorf("%s, %q: %q, %v; want %q", read.what, text, got, err, read.want)
					}
				}
			}
		}
	}
}

// What is no list in UTF-8 is an error that says where.
func TestListsThatAreNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	for text, want := range map[string]string{
		"\xff\xfet\x00h\x00e\x00": "it is UTF-16",
		"\xfe\xff\x4e\x2d":        "it is UTF-16",
		"t\x00h\x00e\x00":         "byte 2 is zero",
		"the\r\ncaf\xe9\r\n":      `:2: the line is not UTF-8: "caf\xe9"`,
	} {
		testkit.Write(path, text)
		for _, list := range []func(string) ([]string, error){Lists{1000}.StopWords, Lists{1000}.Terms} {
			if _, err := list(path); !errors.Is(err, reader.ErrBadInput) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
