// Package docquery decides which documents an expression such as
//
//	class=sci.* and not file=held-out.txt
//
// is true of. [Parse] takes the expression and gives a [Query]; a [Matcher] of it takes the
// name and labels of one document at a time. Begin reading with the grammar in parse.go.
//
// The package never reads documents, nor the files that an expression names: Parse calls
// its caller for these.
package docquery
