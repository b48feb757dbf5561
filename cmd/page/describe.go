package main

import (
	"context"

	"github.com/termsift/termsift/engine/reader"
)

// This file says what is understood of files before they are counted.

// A description is what the page says of the files, and what it proposes.
type description struct {
	Documents int    `json:"documents"`
	Classes   string `json:"classes"`
}

// describe looks at the first documents of files.
func describe(ctx context.Context, paths []string) (*description, error) {
	source, err := reader.Read(ctx, paths, reader.Options{Unlabelled: true, SkipBad: true})
	if err != nil {
		return nil, err
	}
	d := &description{}
	for _, err := range source.Documents() {
		if err != nil {
			return nil, err
		}
		d.Documents++
	}
	return d, nil
}
