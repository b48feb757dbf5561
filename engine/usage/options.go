package usage

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Option is the name of an option and a pointer to its value: a *string, *bool,
// *float64 or *int. Numbers must be above 0, or at least 0 if Zero is set.
type Option struct {
	Name string
	To   any
	Zero bool
}

// SplitNames splits a list at its commas into names with their options. A part such as c=1
// is a further option of the name before it.
func SplitNames(list string) (texts []string) {
	for part := range strings.SplitSeq(list, ",") {
		name, _, option := strings.Cut(part, "=")
		if n := len(texts); n > 0 && option && !strings.Contains(name, ":") {
			texts[n-1] += "," + part
		} else {
			texts = append(texts, part)
		}
	}
	return texts
}

// ReadOptions reads options such as "loss=l1,c=10" into the values of the settings; an
// empty text has none. Errors wrap [ErrUsage].
func ReadOptions(options string, settings []Option) error {
	if options == "" {
		return nil
	}
	for option := range strings.SplitSeq(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		at := slices.IndexFunc(settings, func(s Option) bool { return s.Name == name })
		if at < 0 {
			return unknownOption(name, settings)
		}
		if err := settings[at].set(value); err != nil {
			return err
		}
	}
	return nil
}

func unknownOption(name string, settings []Option) error {
	var known []string
	for _, s := range settings {
		known = append(known, s.Name)
	}
	return Unknown("option", name, known)
}

// set parses a value and stores it.
func (s Option) set(value string) error {
	switch to := s.To.(type) {
	case *string:
		*to = value
	case *bool:
		v, err := strconv.ParseBool(value)
		if err != nil {
			return Errorf("%s must be true or false, not %q", s.Name, value)
		}
		*to = v
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n == 0 && !s.Zero {
			return Errorf("%s must be a whole number %s, not %q", s.Name, s.bound(), value)
		}
		*to = n
	case *float64:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v == 0 && !s.Zero {
			return Errorf("%s must be a number %s, not %q", s.Name, s.bound(), value)
		}
		*to = v
	}
	return nil
}

// bound describes the range of a number in words.
func (s Option) bound() string {
	if s.Zero {
		return "of 0 or more"
	}
	return "above 0"
}
