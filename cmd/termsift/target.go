package main

import (
	"fmt"
	"maps"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/table"
)

// This file describes targets, the numbers that documents have in place of labels.

// mostNumbers is how many numbers of a target are listed with their documents.
const mostNumbers = 20

// targetText prints the numbers of the documents for people.
func (o *outputs) targetText(t *table.Target, documents map[string]int) {
	fmt.Fprintf(o.stdout, "%-14s %s\n", "target", o.visible(t.Field))
	for _, fact := range []tables.Fact{
		{Key: "distinct numbers", Value: t.Distinct}, {Key: "min", Value: t.Min}, {Key: "mean", Value: t.Mean}, {Key: "max", Value: t.Max},
	} {
		fmt.Fprintf(o.stdout, "  %-28s %v\n", fact.Key, fact.Value)
	}
	if t.Distinct > mostNumbers {
		return
	}
	fmt.Fprintln(o.stdout, "documents of")
	for _, number := range table.SortNumbers(maps.Keys(documents)) {
		fmt.Fprintf(o.stdout, "  %-28s %d\n", o.visible(number), documents[number])
	}
}
