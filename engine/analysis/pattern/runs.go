package pattern

import "unicode/utf8"

// This file finds the tokens of patterns that are one class repeated, such as \b\w\w+\b and [a-z]+:
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

// eachRun is Each for runs.
func (f *Finder) eachRun(text []byte, each func(from, to int)) {
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
func (f *Finder) nameAt(text []byte, at int) (name byte, size int) {
	if b := text[at]; b < utf8.RuneSelf {
		return f.p.classes.ascii[b], 1
	}
	r, size := utf8.DecodeRune(text[at:])
	return f.nameOf(r), size
}
