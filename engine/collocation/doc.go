// Package collocation tells which words stand beside each other more often than their frequencies
// let expect.
//
// It takes the counts of n-grams, in a table or in a file of statistics, and gives for each n-gram its
// frequency, the marginals and the values of all measures ([Find]). From the same counts come C-values
// ([CValues]). What stands near a word needs the texts ([Around]).
//
// Begin reading with Find in find.go. measures.go has the measures as functions of the counts of one
// n-gram, counts.go what they have in common, source.go reads tables and files, patterns.go counts the
// cells of longer n-grams; cvalue.go and window.go stand for themselves.
//
// All counts are whole numbers, so that neither the order of the
// terms nor the number of goroutines that counted them reaches a value.
package collocation
