package main

import (
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// checkUTF8 returns an error that names the first text that is no UTF-8.
func checkUTF8(ctx context.Context, t [][]byte) {
	size := 0
	for i := range len(t) {
		text := t[i]
		if size += len(text); size >= batchBytes {
			size = 0
			check(ctx.Err())
		}
		if utf8.Valid(text) {
			continue
		}
		at := 0
		for r, n := utf8.DecodeRune(text); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(text[at:]) {
			at += n
		}
		panic(refusal{dataError("text %d is no UTF-8: its byte %d is %#x", i, at, text[at])})
	}
}

// checkOffsets returns an error unless the offsets ascend from 0 or above.
func checkOffsets[I int32 | int64](name string, offsets []I) {
	before := I(0)
	for i, o := range offsets {
		if o < before {
			panic(refusal{dataError("%s[%d] is %d, below %d: offsets must ascend from 0 or above", name, i, o, before)})
		}
		before = o
	}
}

// labels are the classes of documents by number. The numbers were checked.
type labels struct {
	classes int
	names   func(class int32) string
	of      []int32
	start   []int64 // nil if each document has one number
	// numbered says that the classes are numbers of a target: documents without one are left out.
	numbered bool
	ids      []string // of the documents; nil names them by their numbers from 0
}

// named sets the names of the classes: those given, or the numbers if there are none.
func (l *labels) named(names []string) {
	if names == nil {
		l.names = func(class int32) string { return strconv.Itoa(int(class)) }
		return
	}
	if len(names) != l.classes {
		panic(refused("there are %d names in the option \"classes\", and labels.classes is %d", len(names), l.classes))
	}
	place := make(map[string]int, len(names))
	for i, name := range names {
		if before, ok := place[name]; ok {
			panic(refused("classes %d and %d have the same name %q", before, i, usage.Cut(name)))
		}
		place[name] = i
		if name == "" {
			panic(refused("class %d in the option \"classes\" has an empty name, which files do not tell from no class: documents without a class have the number -1", i))
		}
	}
	l.names = func(class int32) string { return names[class] }
}

// check returns an error unless the labels are those of documents, with numbers of
// classes or -1.
func (l *labels) check(documents int) {
	if l.start == nil && len(l.of) != documents {
		panic(refused("labels.start is NULL, so each document has one label: labels.stored is %d, labels.documents %d", len(l.of), documents))
	}
	if l.start != nil {
		checkOffsets("labels.start", l.start)
		if last := l.start[len(l.start)-1]; last > int64(len(l.of)) {
			panic(refusal{dataError("labels.start ends with %d, and labels.stored is %d", last, len(l.of))})
		}
	}
	for i, class := range l.of {
		if class < -1 || int(class) >= l.classes {
			panic(refusal{dataError("labels.of[%d] is %d: a class must be in [0, %d), or -1 for none", i, class, l.classes)})
		}
	}
}

// document returns the numbers of a document's classes.
func (l *labels) document(i int) []int32 {
	if l.start == nil {
		return l.of[i : i+1]
	}
	return l.of[l.start[i]:l.start[i+1]]
}

// appendNames appends the names of a document's classes.
func (l *labels) appendNames(names []string, i int) []string {
	for _, class := range l.document(i) {
		if class >= 0 {
			names = append(names, l.names(class))
		}
	}
	return names
}

// A textRange is the documents [from, to).
type textRange struct{ from, to int }

// batchBytes is the number of bytes of text that make a batch, as in package document.
const batchBytes = 256 << 10

// batches yields the documents in batches. It copies no text.
func batches(t [][]byte, l *labels) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for _, r := range rangesOf(t, batchBytes) {
			if !yield(stream(t, l, r), nil) {
				return
			}
		}
	}
}

// rangesOf cuts texts into ranges of so many bytes, and a text more.
func rangesOf(t [][]byte, bytes int) (ranges []textRange) {
	from, size := 0, 0
	for i := range t {
		if size += len(t[i]) + 1; size >= bytes || i == len(t)-1 {
			ranges = append(ranges, textRange{from, i + 1})
			from, size = i+1, 0
		}
	}
	return ranges
}

// stream yields the documents of a range; l may be nil.
func stream(t [][]byte, l *labels, r textRange) document.Stream {
	return func(yield func(document.Document, error) bool) {
		var d document.Document
		for i := r.from; i < r.to; i++ {
			if d.Text = t[i]; d.Text == nil {
				d.Text = []byte{}
			}
			if l != nil && l.ids != nil {
				d.ID = l.ids[i]
			} else {
				d.ID = strconv.Itoa(i)
			}
			if l != nil {
				if d.Labels = l.appendNames(d.Labels[:0], i); l.numbered && len(d.Labels) == 0 {
					continue
				}
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// present returns the numbers of the classes that have a document, ascending.
func (l *labels) present() (numbers []int32) {
	of := l.of
	if l.start != nil {
		of = of[l.start[0]:l.start[len(l.start)-1]]
	}
	found := make([]bool, l.classes)
	for _, class := range of {
		if class >= 0 {
			found[class] = true
		}
	}
	for class, is := range found {
		if is {
			numbers = append(numbers, int32(class))
		}
	}
	return numbers
}

// numbers gives the classes the one form of their numbers, in which several may become one: those of
// documents are renumbered. It returns how many documents have none. It is an error if a class of a document
// is no number, or if a document has several.
func (l *labels) numbers(documents int) (without int) {
	forms, place := []string{}, map[string]int32{}
	becomes := map[int32]int32{} // the place of the form of a class
	of := make([]int32, documents)
	for i := range of {
		of[i] = -1
		for _, class := range l.document(i) {
			if class < 0 {
				continue
			}
			number, known := becomes[class]
			if !known {
				label := l.names(class)
				bytes, err := document.AppendNumber(nil, []byte(label))
				if err != nil {
					panic(refusal{dataError("the target of document %d is %q: %v", i, usage.Cut(label), err)})
				}
				form := string(bytes)
				if number, known = place[form]; !known {
					number = int32(len(forms))
					place[form], forms = number, append(forms, form)
				}
				becomes[class] = number
			}
			if of[i] >= 0 && of[i] != number {
				panic(refusal{dataError("document %d has the numbers %s and %s: a target is one number a document", i, forms[of[i]], forms[number])})
			}
			of[i] = number
		}
		if of[i] < 0 {
			without++
		}
	}
	l.classes, l.of, l.start, l.numbered = len(forms), of, nil, true
	l.names = func(class int32) string { return forms[class] }
	return without
}

// target makes the labels of so many documents a target, if one is asked for. It returns warnings, too.
func (l *labels) target(name string, documents int) []string {
	if name == "" {
		return nil
	}
	without := l.numbers(documents)
	switch {
	case without == documents:
		panic(refusal{dataError("none of the %d documents has a number for the target %q", documents, usage.Cut(name))})
	case without > 0:
		return []string{fmt.Sprintf("%d documents without a number for the target %q were left out", without, usage.Cut(name))}
	}
	return nil
}

// targetOfRows makes the labels of the rows of a matrix a target, and returns the numbers. Every row
// must have one.
func (l *labels) targetOfRows(name string, documents int) []string {
	without := l.numbers(documents)
	if without > 0 {
		panic(refusal{dataError("%d of %d documents have no number for the target %q: leave their rows out", without, documents, usage.Cut(name))})
	}
	numbers := make([]string, l.classes)
	for i := range numbers {
		numbers[i] = l.names(int32(i))
	}
	return numbers
}
