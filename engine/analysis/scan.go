package analysis

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/kernels"
)

// This file finds the tokens of words and letters. A kernel marks the token bytes, 64 to a
// mask, and runs of them are looked up as a whole. Bytes from 0x80 on count as token bytes,
// so that a run has whole characters only; a run with such bytes is decoded when it is first
// met and divided at characters that are not of the class.

// pieceBytes is the length of text handled at once: with its lower-case copy it
// stays in the caches, and a counter's buffers stay small.
const pieceBytes = 32 << 10

// scan sets c.ids to the terms of a text in order.
func (c *Counter) scan(text []byte) {
	c.ids = c.ids[:0]
	c.eachRun(text, c.addRun)
}

// eachRun calls f with the parts of a text that are analysed or, if the options ask for them, with the sentences of
// these. No n-gram crosses the end of a run.
func (c *Counter) eachRun(text []byte, f func(run []byte)) {
	if c.columns != nil {
		c.forgetWords()
	}
	c.parts = c.prepare.parts(text, c.parts[:0])
	for _, part := range c.parts {
		if c.a.opt.Sentences {
			c.sentences = eachSentence(c.sentences, part, f)
		} else {
			f(part)
		}
	}
	clear(c.parts) // the caller's text must not be kept alive
}

// addRun appends the terms of a run of text to c.ids.
func (c *Counter) addRun(part []byte) {
	from := len(c.ids)
	c.scanPart(part)
	if c.phrases != nil {
		c.ids = c.phrases.replace(c.ids, from, c)
	}
	if c.grams != nil {
		c.ids = c.grams.replace(c.ids, from)
	}
}

// scanPart appends the words of a part of a text to c.ids.
func (c *Counter) scanPart(text []byte) {
	switch c.a.tokens {
	case words, letters: // are put into lower case by their scanner, which is fast, where it means the same
		o := &c.a.opt
		c.final = o.KeepCase
		if o.StripAccents != "" && !isASCII(text) || o.FullCase && !o.KeepCase && bytes.Contains(text, dottedI) || !c.a.version.hasAll(text) {
			text, c.final = c.folder.text(text), true
		}
		c.part = text
		for c.at = 0; c.at < len(text); {
			c.at += c.piece(text[c.at:])
		}
		c.part = nil // the caller's text must not be kept alive
	case chars:
		c.squeezed = squeeze(c.squeezed[:0], c.folder.text(text))
		c.found(c.squeezed)
	case wordChars:
		c.char.wordChars(c.folder.text(text))
	default:
		c.found(c.folder.text(text))
	}
}

// piece scans the front of a text and tells how long it was. Unless it is all of
// the text it ends behind a byte that is in no token.
func (c *Counter) piece(text []byte) int {
	for size := pieceBytes; ; size *= 2 {
		n := min(len(text), size)
		c.classify(text[:n])
		if n == len(text) {
			c.tokens()
			return n
		}
		if last := lastSeparator(c.masks); last >= 0 {
			b := last / kernels.BlockBytes // of the bits from there on none stays
			c.masks[b] &= 1<<(last%kernels.BlockBytes) - 1
			clear(c.masks[b+1:])
			c.tokens()
			return last + 1
		}
	}
}

// classify fills c.lower and c.masks, behind which one empty mask closes a run
// that goes up to the end.
func (c *Counter) classify(text []byte) {
	if need := len(text) + inlineBytes; cap(c.lower) < need {
		c.lower = make([]byte, max(need, min(2*need, pieceBytes+inlineBytes)))
	}
	blocks := (len(text) + kernels.BlockBytes - 1) / kernels.BlockBytes
	if cap(c.masks) < blocks+1 {
		c.masks = make([]uint64, cap(c.lower)/kernels.BlockBytes+2)
	}
	c.lower, c.masks = c.lower[:len(text)+inlineBytes], c.masks[:blocks+1]
	class := kernels.Letters
	if c.a.tokens == words {
		class = kernels.WordBytes
	}
	kernels.Classify(text, c.lower[:len(text)], c.masks[:blocks], class)
	c.masks[blocks] = 0
	if c.final {
		copy(c.lower, text)
	}
}

// lastSeparator gives the place of the last clear bit of full masks, before the
// closing one, or -1.
func lastSeparator(masks []uint64) int {
	for b := len(masks) - 2; b >= 0; b-- {
		if masks[b] != ^uint64(0) {
			return b*kernels.BlockBytes + 63 - bits.LeadingZeros64(^masks[b])
		}
	}
	return -1
}

// batchRuns is how many runs are looked up together.
const batchRuns = 128

// A runBatch is runs of token bytes that are looked up together: where in c.lower each begins and ends,
// its key, as the table has it, and its value.
type runBatch struct {
	edges  [2 * batchRuns]int
	keys   [batchRuns]key
	values [batchRuns]uint32 // of those that the first slots decide
	open   [batchRuns]int    // the others
}

// run returns where run i begins and ends.
func (r *runBatch) run(i int) (start, end int) { return r.edges[2*i], r.edges[2*i+1] }

// add puts a run in place i.
func (r *runBatch) add(i int, k key, start, end int) {
	r.keys[i], r.edges[2*i], r.edges[2*i+1] = k, start, end
}

// tokens appends the terms of the runs in c.lower to c.ids.
//
// Runs begin and end where neighbouring bits differ: in mask ^ mask<<1 the set
// bits are starts and ends in turn. Runs of one byte are no words, and clearing
// them in the mask is cheaper than a branch that is hard to predict.
func (c *Counter) tokens() {
	var singles uint64
	if c.a.tokens == words {
		singles = ^uint64(0)
	}
	masks, edges, n := c.masks, &c.runs.edges, 0
	var before, above uint64 // the top bit of the mask below, as marked and without single bytes
	for b, mask := range masks {
		if n > len(edges)-kernels.BlockBytes {
			n = c.endRuns(n)
		}
		var next uint64
		if b+1 < len(masks) {
			next = masks[b+1] << 63
		}
		marked := mask
		mask &^= singles &^ (marked<<1 | before) &^ (marked>>1 | next)
		change := mask ^ (mask<<1 | above)
		before, above = marked>>63, mask>>63
		for ; change != 0; change &= change - 1 {
			edges[n&(len(edges)-1)] = b*kernels.BlockBytes + bits.TrailingZeros64(change)
			n++
		}
	}
	c.endRuns(n)
}

// endRuns looks up the runs between the first n edges. It returns how many edges are left: 1 if a run has no end.
func (c *Counter) endRuns(n int) (left int) {
	r := &c.runs
	for i := range n / 2 {
		start, end := r.edges[2*i&(len(r.edges)-1)], r.edges[(2*i+1)&(len(r.edges)-1)]
		k := leadingKey(c.lower[start:], end-start)
		if end-start > inlineBytes {
			k = mapped
		}
		r.keys[i&(batchRuns-1)] = k
	}
	c.lookUp(n / 2)
	if n%2 > 0 {
		r.edges[0] = r.edges[n-1]
	}
	return n % 2
}

// lookUp appends the terms of the first n runs of c.runs to c.ids.
//
// The first slots of all runs are read before any run is decided. A branch on what a slot has
// waits for it, and what is behind the branch with it: counting 20 Newsgroups one run after the
// other takes 1.13 to 1.27 times as long (medians in turn, AVX2).
func (c *Counter) lookUp(n int) {
	r := &c.runs
	done := 0 // runs whose terms are in ids
	for _, i := range r.open[:c.seen.first(r.keys[:n], r.values[:n], &r.open)] {
		value := c.valueOf(i)
		if value > nothing {
			c.ids = appendTerms(c.ids, r.values[done:i])
			start, end := r.run(i)
			if value == compound {
				c.eachWord(c.lower[start:end], func(word []byte) { c.ids = c.appendTerm(c.ids, c.word(word)) })
			} else {
				c.ids = c.appendTerm(c.ids, value)
			}
			done = i + 1
			continue
		}
		r.values[i] = value
	}
	c.ids = appendTerms(c.ids, r.values[done:n])
}

// appendTerms appends values that are terms to ids. A stop word is taken back without a branch: nobody can
// predict them, and they are every second token.
func appendTerms(ids, values []uint32) []uint32 {
	found := len(ids)
	ids = room(ids, len(values))
	for _, value := range values {
		ids[found] = value
		found += int((uint64(value) - nothing) >> 63)
	}
	return ids[:found]
}

// room returns ids up to their capacity, with n places behind them: 7 % faster than to append
// each.
func room(ids []uint32, n int) []uint32 {
	ids = slices.Grow(ids, n)
	return ids[:cap(ids)]
}

// valueOf returns the value of a run of c.runs that its first slot does not decide.
func (c *Counter) valueOf(i int) uint32 {
	start, end := c.runs.run(i)
	c.runAt = c.at + start
	k, run := c.runs.keys[i], c.lower[start:end]
	if k == mapped {
		k = c.seen.keyOf(run) // where there is a NUL byte, runs without one come as mapped, too
	}
	if k == mapped && len(run) > c.a.longest && isASCII(run) {
		return tooLong
	}
	if value, ok := c.seen.get(k, run); ok {
		return value
	}
	return c.newRun(k, run)
}

func (c *Counter) appendTerm(ids []uint32, value uint32) []uint32 {
	switch value {
	case nothing:
	case tooLong:
		c.dropped++
	default:
		ids = append(ids, value)
	}
	return ids
}

// newRun decides what a run is, and remembers it. A capital sigma makes it compound, since
// its lower case depends on what stands around the run. It does not remember long runs
// of several words: whole sentences in a script without spaces would fill the
// memory for nothing.
func (c *Counter) newRun(k key, run []byte) uint32 {
	if k.isASCII() || k == mapped && isASCII(run) || c.a.tokens > letters {
		return c.keep(k, run)
	}
	words, value := 0, uint32(nothing)
	c.eachWord(run, func(word []byte) {
		words++
		value = c.word(word)
	})
	remember := len(run) <= inlineBytes || words == 1 && value != tooLong
	if words > 1 || bytes.Contains(run, sigma) {
		value = compound
	}
	if _, ok := c.seen.get(k, run); !ok && remember {
		c.seen.put(k, run, value)
	}
	return value
}

// word gives the value of a lower-cased word.
func (c *Counter) word(word []byte) uint32 {
	k := c.seen.keyOf(word)
	if value, ok := c.seen.get(k, word); ok {
		return value
	}
	return c.keep(k, word)
}

// keep gives the value of a lower-cased word that is new, and remembers it.
func (c *Counter) keep(k key, word []byte) uint32 {
	value := c.newWord(word)
	if value != tooLong || len(word) <= inlineBytes {
		c.seen.put(k, word, value)
	}
	return value
}

// eachWord calls f with every word of a run of token bytes at c.runAt, lower-cased. The
// word is valid until f returns.
func (c *Counter) eachWord(run []byte, f func(word []byte)) {
	least := c.a.leastCharacters()
	c.folded = c.folded[:0]
	characters, end := 0, c.runAt+len(run)
	for len(run) > 0 {
		r, size := utf8.DecodeRune(run)
		at := end - len(run)
		switch {
		case c.final:
		case r == 'Σ':
			r = smallSigma(c.part, at)
		default:
			r = unicode.ToLower(r)
		}
		run = run[size:]
		if c.a.belongs(r) {
			c.folded = utf8.AppendRune(c.folded, r)
			characters++
			if len(run) > 0 {
				continue
			}
		}
		if characters >= least {
			f(c.folded)
		}
		c.folded, characters = c.folded[:0], 0
	}
}

// belongs reports whether a character is in the words of these tokens, Han apart.
func (a *Analyzer) belongs(r rune) bool {
	return unicode.IsLetter(r) || a.tokens != letters && (unicode.IsNumber(r) || r == '_')
}

// leastCharacters is how many characters the words of these tokens have at least.
func (a *Analyzer) leastCharacters() int {
	if a.tokens == letters {
		return 1
	}
	return 2
}
