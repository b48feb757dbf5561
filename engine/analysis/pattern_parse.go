package analysis

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// An item is a piece of a pattern: a set of characters, or what stands between.
type item struct {
	set  int    // its place, -1 for none
	text string // else, in Go's syntax
	// how often the set or the group that ends here is to come
	least, most int // most -1: without end
	lazy        bool
}

// A parser reads a pattern in Python's syntax.
type parser struct {
	pattern, rest string
	items         []item
	sets          []*set
	groups        int  // that give a token
	dotAll        bool // a dot is any character
	anyCase       bool
}

func (p *parser) fail(why string) error { return &PatternError{p.pattern, why} }

// parse reads all of the pattern.
func (p *parser) parse() error {
	if !utf8.ValidString(p.pattern) {
		return p.fail("it is not UTF-8")
	}
	p.flags()
	for p.rest != "" {
		if err := p.piece(); err != nil {
			return err
		}
	}
	if p.groups > 1 {
		return p.fail("it has more than one group in parentheses; (?:...) groups and is none")
	}
	return nil
}

// flags takes the flags at the start.
func (p *parser) flags() {
	end := strings.IndexByte(p.rest, ')')
	if !strings.HasPrefix(p.rest, "(?") || end < 3 || strings.Trim(p.rest[2:end], "ius") != "" {
		return
	}
	p.dotAll, p.anyCase = strings.Contains(p.rest[2:end], "s"), strings.Contains(p.rest[2:end], "i")
	p.rest = p.rest[end+1:]
}

// piece takes one item off p.rest.
func (p *parser) piece() error {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	switch r {
	case '(':
		return p.open()
	case ')':
		p.add(")")
		return p.repeat(true)
	case '|':
		p.add("|")
		return nil
	case '^':
		p.add(`\A`)
		return p.repeat(false)
	case '$':
		return p.fail("$ is also before a line break at the end in Python; \\Z is the end alone")
	case '*', '+', '?', '{':
		return p.fail("nothing to repeat before " + string(r))
	case '.':
		var lineBreaks [][2]rune
		if !p.dotAll {
			lineBreaks = [][2]rune{{'\n', '\n'}}
		}
		return p.addSet(&set{ranges: lineBreaks, negated: true})
	case '[':
		return p.brackets()
	case '\\':
		return p.escape()
	}
	return p.addSet(&set{ranges: [][2]rune{{r, r}}})
}

func (p *parser) add(text string) {
	p.items = append(p.items, item{set: -1, text: text, least: 1, most: 1})
}

// addSet adds a set, and how often it is to come.
func (p *parser) addSet(s *set) error {
	if p.anyCase {
		s.foldCase()
	}
	place := slices.IndexFunc(p.sets, func(known *set) bool {
		return slices.Equal(known.ranges, s.ranges) && known.kinds == s.kinds && known.negated == s.negated
	})
	if place < 0 {
		place = len(p.sets)
		p.sets = append(p.sets, s)
	}
	p.items = append(p.items, item{set: place, least: 1, most: 1})
	return p.repeat(true)
}

// open takes what stands behind an opening parenthesis.
func (p *parser) open() error {
	switch {
	case !strings.HasPrefix(p.rest, "?"):
		p.groups++
		p.add("(")
		return nil
	case strings.HasPrefix(p.rest, "?:"):
		p.rest = p.rest[2:]
		p.add("(?:")
		return nil
	case strings.HasPrefix(p.rest, "?P<"):
		name, rest, ok := strings.Cut(p.rest[3:], ">")
		if !ok || name == "" || strings.Trim(name, asciiWord) != "" || '0' <= name[0] && name[0] <= '9' {
			return p.fail("the name of a group has letters of ASCII, digits and _ only here")
		}
		p.rest = rest
		p.groups++
		p.add("(")
		return nil
	}
	return p.fail("of groups with a ? there are (?:...) and (?P<name>...) only: no look-around, no flags but (?i), (?s) and (?u) at the start")
}

const asciiWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// repeat takes the quantifier behind the last item. able says whether it may have one.
func (p *parser) repeat(able bool) error {
	least, most, rest, ok := quantifier(p.rest)
	if !ok {
		if strings.HasPrefix(p.rest, "{") {
			return p.fail(`a { that repeats nothing is written \{ here`)
		}
		return nil
	}
	if !able {
		return p.fail("a place is repeated")
	}
	last := &p.items[len(p.items)-1]
	last.least, last.most, p.rest = least, most, rest
	if last.lazy = strings.HasPrefix(p.rest, "?"); last.lazy {
		p.rest = p.rest[1:]
	}
	if p.rest != "" && strings.Contains("*+?{", p.rest[:1]) {
		return p.fail("a quantifier is repeated or possessive")
	}
	return nil
}

// quantifier reads *, +, ? and {m,n} at the start of a text.
func quantifier(text string) (least, most int, rest string, ok bool) {
	if text == "" {
		return 0, 0, text, false
	}
	switch text[0] {
	case '*':
		return 0, -1, text[1:], true
	case '+':
		return 1, -1, text[1:], true
	case '?':
		return 0, 1, text[1:], true
	}
	inside, rest, closed := strings.Cut(text, "}")
	if !closed || inside == "" || inside[0] != '{' {
		return 0, 0, text, false
	}
	low, high, isRange := strings.Cut(inside[1:], ",")
	least, lowErr := strconv.Atoi("0" + low)
	if !isRange {
		return least, least, rest, lowErr == nil && low != ""
	}
	most, highErr := strconv.Atoi("0" + high)
	if high == "" {
		most = -1
	}
	return least, most, rest, lowErr == nil && highErr == nil && (most < 0 || least <= most)
}

// escape takes what stands behind a backslash outside brackets.
func (p *parser) escape() error {
	if p.rest == "" {
		return p.fail("it ends with a backslash")
	}
	switch p.rest[0] {
	case 'b', 'B', 'A':
		p.add(`\` + p.rest[:1])
		p.rest = p.rest[1:]
		return p.repeat(false)
	case 'Z':
		p.add(`\z`)
		p.rest = p.rest[1:]
		return p.repeat(false)
	}
	s := &set{}
	if err := p.escapedInto(s); err != nil {
		return err
	}
	return p.addSet(s)
}

// escapedInto adds to a set what stands behind a backslash. It adds one range for a character.
func (p *parser) escapedInto(s *set) error {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	if strings.ContainsRune("wWdDsS", r) {
		s.addKinds(r)
		return nil
	}
	if r == 'p' || r == 'P' {
		return p.property(s, r == 'P')
	}
	if strings.ContainsRune("xuU", r) {
		digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[r]
		if len(p.rest) < digits {
			return p.fail("an escape is cut short")
		}
		code, err := strconv.ParseUint(p.rest[:digits], 16, 32)
		if err != nil || code > utf8.MaxRune {
			return p.fail("an escape is no character")
		}
		p.rest = p.rest[digits:]
		s.ranges = append(s.ranges, [2]rune{rune(code), rune(code)})
		return nil
	}
	if i := strings.IndexRune("abfnrtv", r); i >= 0 {
		r = rune("\a\b\f\n\r\t\v"[i])
	} else if r < utf8.RuneSelf && strings.ContainsRune(asciiWord, r) && r != '_' {
		return p.fail(`\` + string(r) + " is unknown here")
	}
	s.ranges = append(s.ranges, [2]rune{r, r})
	return nil
}

// property adds to a set the characters of a category or a script of Unicode, as \pL, \p{Lu} and \p{Han} name them, or
// those it leaves.
func (p *parser) property(s *set, negated bool) error {
	name, rest, closed := strings.Cut(strings.TrimPrefix(p.rest, "{"), "}")
	if !strings.HasPrefix(p.rest, "{") {
		_, size := utf8.DecodeRuneInString(p.rest)
		name, rest, closed = p.rest[:size], p.rest[size:], true
	}
	table := cmp.Or(unicode.Categories[name], unicode.Scripts[name])
	if table == nil || !closed {
		return p.fail(`behind \p stands a category or a script of Unicode, as \p{L} and \p{Han}`)
	}
	p.rest = rest
	var in [][2]rune
	rangetable.Visit(table, func(r rune) {
		if n := len(in); n > 0 && in[n-1][1] == r-1 {
			in[n-1][1] = r
		} else {
			in = append(in, [2]rune{r, r})
		}
	})
	if !negated {
		s.ranges = append(s.ranges, in...)
		return nil
	}
	from := rune(0)
	for _, of := range append(in, [2]rune{utf8.MaxRune + 1}) {
		if from < of[0] {
			s.ranges = append(s.ranges, [2]rune{from, of[0] - 1})
		}
		from = of[1] + 1
	}
	return nil
}

// foldCase adds the other cases of the characters of a set's ranges, those that Python knows.
func (s *set) foldCase() {
	add := func(r rune) {
		if !slices.ContainsFunc(s.ranges, func(in [2]rune) bool { return in[0] <= r && r <= in[1] }) {
			s.ranges = append(s.ranges, [2]rune{r, r})
		}
	}
	for _, in := range slices.Clone(s.ranges) {
		for r := in[0]; r <= min(in[1], lastCased); r++ {
			for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
				add(other)
			}
			for _, alike := range alikeCases {
				if strings.ContainsRune(alike, r) {
					for _, other := range alike {
						add(other)
					}
				}
			}
		}
	}
}

// lastCased is behind all characters that have cases.
const lastCased = 0x1EFFF

// alikeCases are characters that Python takes for cases of one beside those that package unicode does.
var alikeCases = []string{"iI\u0130\u0131", "\u0390\u1fd3", "\u03b0\u1fe3", "\ufb05\ufb06"}

// addKinds adds \w, \d, \s or, in capitals, what they leave.
func (s *set) addKinds(class rune) {
	in := [kinds]bool{}
	switch class | 0x20 {
	case 'w':
		in[letter], in[digit] = true, true
	case 'd':
		in[digit] = true
	case 's':
		in[space] = true
	}
	capital := class&0x20 == 0
	for kind := range in {
		s.kinds[kind] = s.kinds[kind] || in[kind] != capital
	}
}

// brackets takes a set behind its opening bracket.
func (p *parser) brackets() error {
	s := &set{negated: strings.HasPrefix(p.rest, "^")}
	if s.negated {
		p.rest = p.rest[1:]
	}
	for first := true; ; first = false {
		switch {
		case p.rest == "":
			return p.fail("a [ is not closed")
		case p.rest[0] == ']' && !first:
			p.rest = p.rest[1:]
			return p.addSet(s)
		case p.rest[0] == '[', len(p.rest) > 1 && strings.Contains("-&|~", p.rest[:1]) && p.rest[0] == p.rest[1]:
			return p.fail(`[, --, &&, || and ~~ within brackets are written with \ here`)
		}
		if err := p.member(s); err != nil {
			return err
		}
	}
}

// member takes a character, a class or a range within brackets.
func (p *parser) member(s *set) error {
	before := len(s.ranges)
	if err := p.single(s); err != nil {
		return err
	}
	isClass := len(s.ranges) == before
	if len(p.rest) < 2 || p.rest[0] != '-' || p.rest[1] == ']' {
		return nil
	}
	p.rest = p.rest[1:]
	if p.rest[0] == '[' || p.rest[0] == '-' {
		return p.fail(`[ and - at the end of a range are written with \ here`)
	}
	if err := p.single(s); err != nil {
		return err
	}
	if isClass || len(s.ranges) != before+2 || s.ranges[before][0] > s.ranges[before+1][0] {
		return p.fail("a range within brackets is none")
	}
	s.ranges[before][1] = s.ranges[before+1][0]
	s.ranges = s.ranges[:before+1]
	return nil
}

// single takes a character or a class within brackets.
func (p *parser) single(s *set) error {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	if r != '\\' {
		s.ranges = append(s.ranges, [2]rune{r, r})
		return nil
	}
	if p.rest == "" {
		return p.fail("it ends with a backslash")
	}
	return p.escapedInto(s)
}

// compile makes Go's expression of the names of classes.
func (p *parser) compile(c *classes) (*regexp.Regexp, error) {
	var b strings.Builder
	for _, it := range p.items {
		if it.set < 0 {
			b.WriteString(it.text)
		} else {
			b.WriteString(c.expression(it.set))
		}
		if it.least == 1 && it.most == 1 {
			continue
		}
		b.WriteString("{" + strconv.Itoa(it.least) + ",")
		if it.most >= 0 {
			b.WriteString(strconv.Itoa(it.most))
		}
		b.WriteString("}")
		if it.lazy {
			b.WriteString("?")
		}
	}
	tree, err := syntax.Parse(b.String(), syntax.Perl)
	if err != nil {
		return nil, p.fail("it is no regular expression, or repeats more than 1000 times")
	}
	least, ok := shortest(tree)
	n := steps(tree)
	switch {
	case n > mostSteps:
		return nil, p.fail(fmt.Sprintf("its repeats written out it has %d pieces, each of which may be tried at every character, and %d is the most: repeat less often", n, mostSteps))
	case !ok:
		return nil, p.fail("something that may be empty is repeated")
	case least == 0:
		return nil, p.fail("it matches the empty text")
	}
	return regexp.MustCompile(b.String()), nil
}

// mostSteps bounds the time that an expression takes for a character. It may come from a file of anybody's.
const mostSteps = 1000

// steps returns the number of pieces of an expression whose repeats are written out.
func steps(tree *syntax.Regexp) (n int) {
	for _, sub := range tree.Sub {
		n += steps(sub)
	}
	switch tree.Op {
	case syntax.OpConcat, syntax.OpCapture:
		return n
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpRepeat:
		return n*max(tree.Min, tree.Max, 1) + max(tree.Max-tree.Min, 1) // one to leave out each that may be
	}
	return n + 1
}

// shortest returns the length of the shortest match. ok is false if something that may be empty is
// repeated: Python and Go differ there.
func shortest(tree *syntax.Regexp) (least int, ok bool) {
	lengths := make([]int, len(tree.Sub))
	for i, sub := range tree.Sub {
		if lengths[i], ok = shortest(sub); !ok {
			return 0, false
		}
	}
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune), true
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return 1, true
	case syntax.OpCapture:
		return lengths[0], true
	case syntax.OpQuest:
		return 0, true
	case syntax.OpStar:
		return 0, lengths[0] > 0
	case syntax.OpPlus:
		return lengths[0], lengths[0] > 0
	case syntax.OpRepeat:
		return lengths[0] * tree.Min, lengths[0] > 0 || tree.Max == 0 || tree.Max == 1
	case syntax.OpConcat:
		for _, n := range lengths {
			least += n
		}
		return least, true
	case syntax.OpAlternate:
		return slices.Min(lengths), true
	}
	return 0, true // a place
}
