// Package gather counts documents into cells without posting lists: class by class, or term by
// term.
//
// The counts of a place, which is a term while a class is counted and a class while a term is,
// are one number in an array ([Counter]). What a class has becomes a [List], and an [Assembly] puts the
// cells of all lists into their places in the columns of package cells.
//
// Begin reading at [Counter]. The package knows neither names nor where documents come from.
package gather
