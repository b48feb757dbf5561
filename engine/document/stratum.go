package document

import "strings"

// This file names the classes of documents whose class is looked at within the strata of a
// control. A document in such a corpus has a label for each pair of a class and its stratum, so
// that the documents of pairs are counted, added up and stored as those of any class.

// mark stands between the name of a class and that of a stratum. It is ASCII's unit separator,
// which is in no name.
const mark = "\x1f"

// WithoutClass is the label of a document without a class, in whatever stratum it is.
const WithoutClass = mark

// Mark returns the character that no name of a class or a stratum may have.
func Mark() string { return mark }

// InStratum returns the label of the documents of a class in a stratum, and that of all documents
// of the stratum if the class is "".
func InStratum(class, stratum string) string { return class + mark + stratum }

// CutStratum returns the class and the stratum of a label, and whether it has them: see
// [InStratum]. Of [WithoutClass] both are "".
func CutStratum(label string) (class, stratum string, ok bool) {
	return strings.Cut(label, mark)
}

// InStrata yields the labels of a document in a stratum: that of the stratum, and of each class
// in it, or [WithoutClass].
func InStrata(classes []string, stratum string) func(yield func(class, stratum string) bool) {
	return func(yield func(class, stratum string) bool) {
		if !yield("", stratum) {
			return
		}
		for _, class := range classes {
			if !yield(class, stratum) {
				return
			}
		}
		if len(classes) == 0 {
			yield("", "")
		}
	}
}
