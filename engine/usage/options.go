package usage

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Setting declares what users set by its name: a flag of the command, and an option of the library for C, Python and
// R.
type Setting struct {
	Name    string
	To      any       // a pointer to a text, bool, number or list of texts, or to what its reader knows
	List    *[]string // where a list of texts goes that is given in place of a text
	Default any       // of the type that To points to; nil leaves what is there
	Help    string    // a line
	Choices []string  // the names that a text can be, perhaps among others
	Takes   string    // names the value in the help of the command
	More    bool      // only the long help of the command shows it

	Positive, NotNegative bool // what the number must be
	Share                 bool // the number is above 0 and below 1
	Most                  int  // the largest number; 0 and [math.MaxInt] bound nothing
	// Named are words that may stand in place of a number, each with what it sets: [ReadOptions] alone takes them.
	Named map[string]*bool
}

// SplitNames splits a list at its commas into names with their options, but not at commas in
// parentheses, as those of a formula. A part such as c=1 behind a name with options is a further one of
// these: behind a name without any it is a formula of that name.
func SplitNames(list string) (texts []string) {
	for _, part := range splitOutside(list) {
		if n := len(texts); n > 0 && startsOption(part) && hasOptions(texts[n-1]) {
			texts[n-1] += "," + part
		} else {
			texts = append(texts, part)
		}
	}
	return texts
}

// splitOutside splits a list at the commas outside parentheses.
func splitOutside(list string) (parts []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch {
		case list[i] == '(':
			depth++
		case list[i] == ')':
			depth = max(0, depth-1)
		case list[i] == ',' && depth == 0:
			parts, from = append(parts, list[from:i]), i+1
		}
	}
	return append(parts, list[from:])
}

// startsOption reports whether a part is name=value, before any colon.
func startsOption(part string) bool {
	equals, colon := strings.IndexByte(part, '='), strings.IndexByte(part, ':')
	return equals >= 0 && (colon < 0 || equals < colon)
}

// hasOptions reports whether a text is a name, a colon and name=value.
func hasOptions(text string) bool {
	colon := strings.IndexByte(text, ':')
	return colon >= 0 && !startsOption(text) && strings.Contains(text[colon:], "=")
}

// ReadOptions reads options such as "loss=l1,c=10" into the values of the settings, which are texts, bools and numbers; an
// empty text has none. A number must be above 0 unless NotNegative is set. Errors wrap [ErrUsage].
func ReadOptions(options string, settings []Setting) error {
	if options == "" {
		return nil
	}
	for option := range strings.SplitSeq(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
		if at < 0 {
			var known []string
			for _, s := range settings {
				known = append(known, s.Name)
			}
			return Unknown("option", name, known)
		}
		if err := settings[at].set(value); err != nil {
			return err
		}
	}
	return nil
}

// set parses a value and stores it.
func (s Setting) set(value string) error {
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
		if err != nil || n < 0 || n == 0 && !s.NotNegative {
			return Errorf("%s must be a whole number %s, not %q", s.Name, s.bound(), value)
		}
		*to = n
	case *float64:
		if named := s.Named[value]; named != nil {
			*named = true
			return nil
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v == 0 && !s.NotNegative {
			return Errorf("%s must be a number %s, not %q", s.Name, s.bound(), value)
		}
		*to = v
	}
	return nil
}

// bound describes the range of a number in words.
func (s Setting) bound() string {
	if s.NotNegative {
		return "of 0 or more"
	}
	return "above 0"
}

// sizes are the units of sizes in bytes.
var sizes = map[string]float64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// ParseSize parses a number of bytes, with a unit or without: 256MiB, 2GB, 1.5g. It is 0 for what is no size of a byte
// or more.
func ParseSize(text string) int64 {
	text = strings.ToLower(text)
	number := strings.TrimRight(text, "bikmgt")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if v *= sizes[text[len(number):]]; err != nil || !(v >= 1) || v >= math.MaxInt64 {
		return 0
	}
	return int64(v)
}

// WithTitles suggests known names by their titles, too: for "information_gain" the name whose
// title is "information gain". titles yields names with their titles; further ones of a name are what others call it.
// A title that is the same but for case and signs comes before all names that are spelled nearly alike; one that has
// all words of the unknown name, or nearly its letters, comes after them, if there is none that is the same.
func (e *UnknownError) WithTitles(titles iter.Seq2[string, string]) *UnknownError {
	wanted, first := wordsOf(e.Name), map[string]string{}
	var same, like []string
	for name, title := range titles {
		if first[name] == "" {
			first[name] = title
		}
		switch words := wordsOf(title); {
		case squeezed(words) == squeezed(wanted):
			same = append(same, name)
		case areLike(words, wanted):
			like = append(like, name)
		}
	}
	if len(same) > 0 {
		like = nil
	}
	byName := e.Near
	e.Near, e.Titles = nil, map[string]string{}
	for _, name := range slices.Concat(same, byName, like) {
		if len(e.Near) == mostNear || slices.Contains(e.Near, name) {
			continue
		}
		e.Near = append(e.Near, name)
		if slices.Contains(same, name) || slices.Contains(like, name) {
			e.Titles[name] = first[name]
		}
	}
	return e
}

// wordsOf returns the words of a name or a title, in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

func squeezed(words []string) string { return strings.Join(words, "") }

// areLike reports whether a title has all words that are wanted, or nearly the same letters.
func areLike(title, wanted []string) bool {
	letters := squeezed(wanted)
	const few = 4 // letters that too many titles have
	if len(letters) < few {
		return false
	}
	if !slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(title, word) }) {
		return true
	}
	limit := len(letters) / 5
	return editDistance(letters, squeezed(title), limit) <= limit
}
