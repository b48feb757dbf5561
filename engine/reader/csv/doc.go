// Package csv splits CSV into rows and fields, with whatever is between them.
//
// It takes bytes and gives the places of fields, and finds by looking which [Syntax] an input
// has. Begin reading at rows.go, then dialect.go. Separators and quotes are ASCII below 0x30,
// and no byte of a character of UTF-8, GB18030 or Latin-1 is, other than a digit of GB18030's
// four bytes. The package never decodes a text, and never refuses one.
package csv
