package flags

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader"
)

// Values of every type of number give errors without the name of a parser, and other errors stay.
func TestValueError(t *testing.T) {
	for arg, want := range map[string]string{
		"--count=x":                    `invalid argument "x" for "-n, --count": it takes a whole number`,
		"-n=1.5":                       `invalid argument "1.5" for "-n, --count": it takes a whole number`,
		"--count=99999999999999999999": `invalid argument "99999999999999999999" for "-n, --count": the number is out of range`,
		"--large=x":                    `invalid argument "x" for "--large": it takes a whole number`,
		"--share=x":                    `invalid argument "x" for "--share": it takes a number`,
		"--seed=-1":                    `invalid argument "-1" for "--seed": it takes a whole number that is not negative`,
		"--all=x":                      `invalid argument "x" for "--all": it takes true or false`,
		"--energy=much":                `invalid argument "much" for "--energy": it takes a number`,
		"--list=1,x":                   `invalid argument "1,x" for "--list": it takes a list of whole numbers`,
	} {
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.SetOutput(io.Discard)
		f.IntP("count", "n", 0, "")
		f.Int64("large", 0, "")
		f.Float64("share", 0, "")
		f.Uint64("seed", 0, "")
		f.Bool("all", false, "")
		f.IntSlice("list", nil, "")
		Add(f, new(Rules).Flags()...)
		if err := ValueError(f.Parse([]string{arg})); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	unknown := f.Parse([]string{"--nothing"})
	if err := ValueError(unknown); !errors.Is(err, unknown) || strings.Contains(err.Error(), "invalid argument") {
		t.Errorf("an unknown flag: %v", err)
	}
	testkit.Is(t, ValueError(nil), nil, "no error")
}

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
					testkit.EqualSlices(t, testkit.Must(read.list(path)), read.want, read.what, text)
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
