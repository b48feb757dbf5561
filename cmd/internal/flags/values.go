package flags

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// numbers says what flags of pflag's types of numbers take.
var numbers = map[string]string{
	"bool":     "true or false",
	"float":    "a number", // of a Rule
	"float64":  "a number",
	"int":      "a whole number",
	"int64":    "a whole number",
	"intSlice": "a list of whole numbers",
	"uint64":   "a whole number that is not negative",
}

// ValueError returns the error of a flag that was given no number, or one out of range, in words of its own in
// place of those of package strconv. It returns other errors as they are.
func ValueError(err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &invalid) || !errors.As(err, &number) {
		return err
	}
	flag := invalid.GetFlag()
	takes, ok := numbers[flag.Value.Type()]
	if !ok {
		return err
	}
	problem := "it takes " + takes
	switch most := Of(flag).Most; {
	case errors.Is(err, strconv.ErrRange) && most > 0 && most < Unlimited:
		return fmt.Errorf("--%s can be %d at most, not %s", flag.Name, most, invalid.GetValue())
	case errors.Is(err, strconv.ErrRange):
		problem = "the number is out of range"
	}
	return fmt.Errorf("invalid argument %q for \"--%s\": %s", invalid.GetValue(), flag.Name, problem)
}
