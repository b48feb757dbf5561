// Package settings reads the options that a name may have behind a colon, as in
// svm:loss=l1,c=10 or best-terms:function=ig,p=0.25, from the texts of flags.
package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/spelling"
)

// A Setting is an option by its name, and where to put its value: a *string, *bool,
// *float64 or *int. Numbers must be above 0, unless Zero says that 0 is a value as well.
type Setting struct {
	Name string
	To   any
	Zero bool
}

// Split cuts a list at its commas into names with their options. A part such as c=1 is a
// further option of the name before it.
func Split(list string) (texts []string) {
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

// Set reads options, separated by commas, into the settings; "" has none. Errors wrap
// [engine.ErrUsage].
func Set(options string, settings []Setting) error {
	if options == "" {
		return nil
	}
	for option := range strings.SplitSeq(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
		if at < 0 {
			return unknown(name, settings)
		}
		if err := settings[at].set(value); err != nil {
			return err
		}
	}
	return nil
}

func unknown(name string, settings []Setting) error {
	var known []string
	for _, s := range settings {
		known = append(known, s.Name)
	}
	return &engine.UnknownError{Kind: "option", Name: name, Near: spelling.Nearest(name, slices.Values(known)), Known: known}
}

func (s Setting) set(value string) error {
	switch to := s.To.(type) {
	case *string:
		*to = value
	case *bool:
		v, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%w: %s must be true or false, not %q", engine.ErrUsage, s.Name, value)
		}
		*to = v
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n == 0 && !s.Zero {
			return fmt.Errorf("%w: %s must be a whole number %s, not %q", engine.ErrUsage, s.Name, s.bound(), value)
		}
		*to = n
	case *float64:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v == 0 && !s.Zero {
			return fmt.Errorf("%w: %s must be a number %s, not %q", engine.ErrUsage, s.Name, s.bound(), value)
		}
		*to = v
	}
	return nil
}

func (s Setting) bound() string {
	if s.Zero {
		return "of 0 or more"
	}
	return "above 0"
}
