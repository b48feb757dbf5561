// Package pattern finds the tokens of a regular expression of Python, as its re.findall does.
//
// It takes the expression and gives a [Pattern], or an [Error] that says what it cannot do the same
// way. Begin reading with [New].
//
// Go's package regexp has the classes \w, \d, \s and the bound \b of ASCII only. So a pattern is not
// run on a text but on one byte for each of its characters: the name of the character's class, where
// characters are of one class if the pattern tells them apart nowhere. Names of classes of word
// characters are word characters of ASCII, so that \b finds its places.
package pattern

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// An Error reports an expression that this package cannot take as Python does, or that is none. It
// matches [usage.ErrUsage].
type Error struct{ Pattern, Why string }

func (e *Error) Error() string { return fmt.Sprintf("pattern %q: %s", usage.Cut(e.Pattern), e.Why) }

// Is makes the error one of usage.
func (e *Error) Is(target error) bool { return target == usage.ErrUsage }

// A Pattern is a checked regular expression. It is immutable and safe for concurrent use.
type Pattern struct {
	classes *classes
	runs    *runs          // not nil where tokens are runs of one class
	expr    *regexp.Regexp // else, of names of classes
	group   int            // that is the token: 0, or 1 for that in parentheses
}

// New checks an expression. isNewer reports whether a character is none of the version of Unicode
// asked for; nil if all are.
func New(expression string, isNewer func(r rune) bool) (*Pattern, error) {
	p := parser{pattern: expression, rest: expression}
	if err := p.parse(); err != nil {
		return nil, err
	}
	classes, err := newClasses(&p, isNewer)
	if err != nil {
		return nil, err
	}
	made := &Pattern{classes: classes, group: p.groups}
	if made.runs = p.runs(classes); made.runs != nil {
		return made, nil
	}
	if made.expr, err = p.compile(classes); err != nil {
		return nil, err
	}
	return made, nil
}

// MatchesSpace reports whether a token may have a space in it.
func (p *Pattern) MatchesSpace() bool { return p.classes.takesSpace }

// A Finder finds tokens. It belongs to one goroutine.
type Finder struct {
	p      *Pattern
	plane  []byte // the names of the classes of characters of the basic plane, 0 where not looked up yet
	names  []byte // of the classes of a text's characters
	starts []int  // of the characters, and the end; of a text beyond ASCII only
}

// NewFinder returns a finder.
func (p *Pattern) NewFinder() *Finder { return &Finder{p: p} }

// Each calls f with the place of each token of a text, which must be UTF-8. A token may be empty where
// the group of the pattern is.
func (f *Finder) Each(text []byte, each func(from, to int)) {
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
func (f *Finder) name(text []byte) {
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
func (f *Finder) nameBeyond(text []byte, at int) {
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
func (f *Finder) nameOf(r rune) byte {
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
