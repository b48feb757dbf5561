package main

import (
	"fmt"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads classes whose names are numbers as a target: a number of each document.

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
				form := numberOf(l.names(class), i)
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

// numberOf returns the one form of the number that is the label of a document.
func numberOf(label string, i int) string {
	form, err := document.AppendNumber(nil, []byte(label))
	if err != nil {
		panic(refusal{dataError("the target of document %d is %q: %v", i, usage.Cut(label), err)})
	}
	return string(form)
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
