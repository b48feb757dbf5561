package usage

import (
	"math"
	"strconv"
	"strings"
)

// All is the bound that is a share of 1: the largest number below 1, because 1 is a number of
// things.
const All = 1 - 0x1p-53

// ParseBound parses a bound as people write it: a whole number is a number of things, a number
// with a point is a share of them from 0.0 to 1.0, and so is a percentage. The bound is below 1
// for a share: "1" is one document, "1.0" and "100%" are [All]. name is that of the option, for
// the error, an [ErrUsage].
func ParseBound(name, text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	share := percent || strings.Contains(number, ".") || v < 1
	most := math.MaxFloat64
	switch {
	case percent:
		most = 100
	case share:
		most = 1
	}
	if err != nil || !(v >= 0 && v <= most) || !share && v != math.Trunc(v) {
		return 0, Errorf("%s is a number of documents (5) or a share of them (0.5 or 50%%; 1.0 and 100%% are all), not %q", name, Cut(text))
	}
	switch {
	case share && v == most:
		return All, nil
	case percent:
		return v / 100, nil
	}
	return v, nil
}
