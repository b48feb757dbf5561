package words_test

import (
	"context"
	"fmt"
	"log"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/words"
)

func ExampleKeyness() {
	ctx := context.Background()
	build := func(texts ...string) *corpus.Corpus {
		var docs []document.Document
		for i, text := range texts {
			docs = append(docs, document.Document{ID: fmt.Sprint(i), Text: []byte(text)})
		}
		c, err := corpus.Build(ctx, document.Of(docs...), corpus.Options{Unlabelled: true})
		if err != nil {
			log.Fatal(err)
		}
		return c
	}
	speeches := build("the nation and the people", "the people of the nation", "people")
	weather := build("the rain and the wind", "the sun after the rain")
	c, err := words.Keyness(ctx, speeches, weather, words.KeynessOptions{Top: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range append(c.Lists[0].Keys, c.Lists[1].Keys...) {
		fmt.Printf("%s: %d and %d times, LL %.2f, log ratio %.2f\n", k.Term, k.Target.TF, k.Reference.TF, k.Of(words.LL), k.Of(words.LogRatio))
	}
	// Output:
	// people: 3 and 0 times, LL 3.88, log ratio 2.45
	// rain: 0 and 2 times, LL -2.97, log ratio -2.14
}
