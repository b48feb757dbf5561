// Package store holds a counted corpus in columns: documents renumbered so
// that those of a class are neighbours, terms ordered by document frequency,
// posting lists, and a column of term frequencies beside them. From it come
// the [Statistics] of every term in every class, which is all that a measure
// looks at.
//
// Import package engine instead, unless you work on the store itself.
package store
