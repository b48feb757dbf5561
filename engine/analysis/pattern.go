package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// This file finds the tokens of a regular expression of Python, as its re.findall does.
//
// Go's package regexp has the classes \w, \d, \s and the bound \b of ASCII only. So a pattern is not
// run on a text but on one byte for each of its characters: the name of the character's class, where
// characters are of one class if the pattern tells them apart nowhere. Names of classes of word
// characters are word characters of ASCII, so that \b finds its places.

// A PatternError reports an expression that this package cannot take as Python does, or that is none. It
// matches [usage.ErrUsage].
type PatternError struct{ Pattern, Why string }

func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %q: %s", usage.Cut(e.Pattern), e.Why)
}

// Is makes the error one of usage.
func (e *PatternError) Is(target error) bool { return target == usage.ErrUsage }

// A tokenPattern is a checked regular expression. It is immutable and safe for concurrent use.
type tokenPattern struct {
	classes *classes
	runs    *runs          // not nil where tokens are runs of one class
	expr    *regexp.Regexp // else, of names of classes
	group   int            // that is the token: 0, or 1 for that in parentheses
}

// compilePattern checks an expression. isNewer reports whether a character is none of the version of Unicode
// asked for; nil if all are.
func compilePattern(expression string, isNewer func(r rune) bool) (*tokenPattern, error) {
	p := parser{pattern: expression, rest: expression}
	if err := p.parse(); err != nil {
		return nil, err
	}
	classes, err := newClasses(&p, isNewer)
	if err != nil {
		return nil, err
	}
	made := &tokenPattern{classes: classes, group: p.groups}
	if made.runs = p.runs(classes); made.runs != nil {
		return made, nil
	}
	if made.expr, err = p.compile(classes); err != nil {
		return nil, err
	}
	return made, nil
}

// A finder finds tokens. It belongs to one goroutine.
type finder struct {
	p      *tokenPattern
	plane  []byte // the names of the classes of characters of the basic plane, 0 where not looked up yet
	names  []byte // of the classes of a text's characters
	starts []int  // of the characters, and the end; of a text beyond ASCII only
}

// each calls f with the place of each token of a text, which must be UTF-8. A token may be empty where
// the group of the pattern is.
func (f *finder) each(text []byte, each func(from, to int)) {
	if f.p.runs != nil {
		f.eachRun(text, each)
		return
	}
	f.name(text)
	g := 2 * f.p.group
	for _, match := range f.p.expr.FindAllSubmatchIndex(f.names, -1) {
		from, to := match[g], match[g+1]
		switch {
		case from < 0:
			each(0, 0)
		case len(f.starts) > 0:
			each(f.starts[from], f.starts[to])
		default:
			each(from, to)
		}
	}
}

// name sets f.names to the names of a text's classes.
func (f *finder) name(text []byte) {
	f.names, f.starts = f.names[:0], f.starts[:0]
	ascii := &f.p.classes.ascii
	for at, b := range text {
		if b >= utf8.RuneSelf {
			f.nameBeyond(text, at)
			return
		}
		f.names = append(f.names, ascii[b])
	}
}

// nameBeyond goes on with a text beyond ASCII from a place on.
func (f *finder) nameBeyond(text []byte, at int) {
	for i := range at {
		f.starts = append(f.starts, i)
	}
	for at < len(text) {
		f.starts = append(f.starts, at)
		if b := text[at]; b < utf8.RuneSelf {
			f.names = append(f.names, f.p.classes.ascii[b])
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		f.names = append(f.names, f.nameOf(r))
		at += size
	}
	f.starts = append(f.starts, len(text))
}

// nameOf returns the name of the class of a character beyond ASCII.
func (f *finder) nameOf(r rune) byte {
	if r >= planeSize {
		return f.p.classes.nameOf(r)
	}
	if f.plane == nil {
		f.plane = make([]byte, planeSize)
	}
	if f.plane[r] == 0 {
		f.plane[r] = f.p.classes.nameOf(r)
	}
	return f.plane[r]
}

// planeSize is how many characters the basic plane has.
const planeSize = 1 << 16

// A set is a set of characters as patterns write it: [a-z_\d], \w, a dot, or a character.
type set struct {
	ranges  [][2]rune
	kinds   [kinds]bool // word characters that are no digits, digits, white space, others
	negated bool
}

// What a character is to \w, \d and \s.
const (
	other = iota
	letter
	digit
	space
	kinds
)

// has reports whether a character that is of a kind is in the set.
func (s *set) has(r rune, kind int) bool {
	in := s.kinds[kind]
	for _, of := range s.ranges {
		in = in || of[0] <= r && r <= of[1]
	}
	return in != s.negated
}

func (c *classes) kindOf(r rune) int {
	switch {
	case isWhite(r):
		return space
	case r >= utf8.RuneSelf && c.isNewer != nil && c.isNewer(r):
		return other
	case unicode.Is(unicode.Nd, r):
		return digit
	case unicode.IsLetter(r), unicode.IsNumber(r), r == '_':
		return letter
	}
	return other
}

// classes are the classes of characters of a pattern, which have bytes as names.
type classes struct {
	isNewer    func(r rune) bool
	sets       []*set
	names      map[string]byte // by the sets that have the class, and whether it is of word characters
	ascii      [utf8.RuneSelf]byte
	bounds     []rune        // where the ranges beyond ASCII begin and end
	beyond     [][kinds]byte // for each stretch between bounds
	takesSpace bool          // whether a token may have a space in it
}

// wordNames and otherNames are the bytes for classes of word characters and others.
var wordNames, otherNames = func() (word, other []byte) {
	for b := range byte(utf8.RuneSelf) {
		switch {
		case b == 0: // says "not looked up"
		case b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z':
			word = append(word, b)
		default:
			other = append(other, b)
		}
	}
	return word, other
}()

// newClasses finds the classes of a parsed pattern. It names all that may be, whether there is such a
// character or not.
func newClasses(p *parser, isNewer func(r rune) bool) (*classes, error) {
	c := &classes{isNewer: isNewer, sets: p.sets, names: map[string]byte{}, bounds: []rune{utf8.RuneSelf}}
	for r := range rune(utf8.RuneSelf) {
		c.ascii[r] = c.name(r, c.kindOf(r))
	}
	for _, s := range p.sets {
		c.takesSpace = c.takesSpace || s.has(' ', space)
		for _, in := range s.ranges {
			c.bounds = append(c.bounds, max(in[0], utf8.RuneSelf), max(in[1]+1, utf8.RuneSelf))
		}
	}
	slices.Sort(c.bounds)
	c.bounds = slices.Compact(c.bounds)
	for _, from := range c.bounds {
		var names [kinds]byte
		for kind := range names {
			names[kind] = c.name(from, kind)
		}
		c.beyond = append(c.beyond, names)
	}
	for _, name := range c.names {
		if name == 0 {
			return nil, &PatternError{p.pattern, "it tells too many classes of characters apart"}
		}
	}
	return c, nil
}

// name returns the name of the class of a character of a kind, which is new if need be, 0 if there are
// too many.
func (c *classes) name(r rune, kind int) byte {
	word := kind == letter || kind == digit
	key := []byte{0}
	if word {
		key[0] = 1
	}
	for _, s := range c.sets {
		if s.has(r, kind) {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	if name, ok := c.names[string(key)]; ok {
		return name
	}
	names, used := otherNames, 0
	if word {
		names = wordNames
	}
	for other := range c.names {
		if other[0] == key[0] {
			used++
		}
	}
	c.names[string(key)] = 0
	if used < len(names) {
		c.names[string(key)] = names[used]
	}
	return c.names[string(key)]
}

// nameOf returns the name of the class of a character beyond ASCII.
func (c *classes) nameOf(r rune) byte {
	stretch := sort.Search(len(c.bounds), func(i int) bool { return c.bounds[i] > r }) - 1
	return c.beyond[stretch][c.kindOf(r)]
}

// expression returns set i as a class of names in Go's syntax.
func (c *classes) expression(i int) string {
	var names []byte
	for key, name := range c.names {
		if key[1+i] == 1 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, `\x%02x`, name)
	}
	return "[" + b.String() + "]"
}

// The tokens of some patterns are one class repeated, such as \b\w\w+\b and [a-z]+:
// runs of its characters. No expression is needed for them.

// runs says which runs of characters are tokens.
type runs struct {
	in            [utf8.RuneSelf]bool // the names of the classes in the set
	word          [utf8.RuneSelf]bool // those of word characters
	least         int                 // characters of a token
	before, after bool                // whether a bound \b must be there
}

// runs returns the runs that the pattern stands for, nil if it is not one class repeated.
func (p *parser) runs(c *classes) *runs {
	r := &runs{}
	items := p.items
	if len(items) > 0 && items[0].text == `\b` {
		r.before, items = true, items[1:]
	}
	if n := len(items); n > 0 && items[n-1].text == `\b` {
		r.after, items = true, items[:n-1]
	}
	if n := len(items); n > 2 && items[0].text == "(" && items[n-1].text == ")" && items[n-1].least == 1 && items[n-1].most == 1 {
		items = items[1 : n-1]
	}
	endless := false
	for _, it := range items {
		if it.set < 0 || it.set != items[0].set || it.lazy {
			return nil
		}
		r.least += it.least
		endless = endless || it.most < 0
	}
	if !endless || r.least == 0 || len(p.sets) != 1 {
		return nil
	}
	for key, name := range c.names {
		r.in[name] = key[1] == 1
		r.word[name] = key[0] == 1
		if r.in[name] && !r.word[name] && (r.before || r.after) {
			return nil // a bound may lie within a run
		}
	}
	return r
}

// eachRun is each for runs.
func (f *finder) eachRun(text []byte, each func(from, to int)) {
	r := f.p.runs
	inASCII, ascii := f.p.runs.in, &f.p.classes.ascii
	var last byte // the name before the run
	for at := 0; at < len(text); {
		name, size := f.nameAt(text, at)
		if !r.in[name] {
			last = name
			at += size
			continue
		}
		from, characters := at, 0
		for r.in[name] {
			characters++
			at += size
			for at < len(text) && text[at] < utf8.RuneSelf && inASCII[ascii[text[at]]] {
				characters++
				at++
			}
			if at == len(text) {
				name = 0
				break
			}
			name, size = f.nameAt(text, at)
		}
		if characters >= r.least && !(r.before && r.word[last]) && !(r.after && r.word[name]) {
			each(from, at)
		}
		last = name
	}
}

// nameAt returns the name of the class of the character at a place, and its length.
func (f *finder) nameAt(text []byte, at int) (name byte, size int) {
	if b := text[at]; b < utf8.RuneSelf {
		return f.p.classes.ascii[b], 1
	}
	r, size := utf8.DecodeRune(text[at:])
	return f.nameOf(r), size
}
