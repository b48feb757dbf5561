// Package postings holds a counted corpus in columns: documents numbered so that those of
// a class are neighbours, terms ordered by document frequency, posting lists, and a
// column of term frequencies. It computes the [table.Table] of every term in every
// class, which are all that a measure depends on.
//
// Import package engine instead, unless you work on the lists themselves.
package postings
