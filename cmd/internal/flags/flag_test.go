package flags

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Values of every type of number give errors without the name of a parser, and other errors stay.
func TestValueError(t *testing.T) {
	for arg, want := range map[string]string{
		"--count=x":                    `invalid argument "x" for "--count": it takes a whole number`,
		"-n=1.5":                       `invalid argument "1.5" for "--count": it takes a whole number`,
		"--count=99999999999999999999": `invalid argument "99999999999999999999" for "--count": the number is out of range`,
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
	if err := ValueError(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}
