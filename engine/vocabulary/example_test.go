package vocabulary_test

import (
	"context"
	"fmt"
	"log"

	"github.com/termsift/termsift/engine/vocabulary"
)

// Texts become rows of counts. "moon" comes first in the texts, and third by name.
func ExampleFit() {
	texts := [][]byte{[]byte("moon orbit moon"), []byte("goal"), []byte("a goal in orbit")}
	v, rows, err := vocabulary.Fit(context.Background(), texts, vocabulary.Options{MaxDF: 2, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	for term := range v.Terms {
		fmt.Printf("%s: column %d, in %d texts\n", term.Name, term.Column, term.Documents)
	}
	start, columns, counts := make([]int32, rows.Len()+1), make([]int32, rows.Stored()), make([]int32, rows.Stored())
	vocabulary.CopyStart(rows, start)
	vocabulary.CopyColumns(rows, columns)
	vocabulary.CopyValues(rows, counts)
	fmt.Println(start, columns, counts)
	// Output:
	// moon: column 2, in 1 texts
	// orbit: column 3, in 2 texts
	// goal: column 0, in 2 texts
	// in: column 1, in 1 texts
	// [0 2 3 6] [2 3 0 3 0 1] [2 1 1 1 1 1]
}
