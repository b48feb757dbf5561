package main

import (
	"context"
	"path/filepath"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/reader"
)

// The names of the collections.
const (
	reuters    = "Reuters-21578"
	newsgroups = "20 Newsgroups"
)

// bestTermsCorpus reads the training part of a collection as the paper on Best Terms
// prepares it: runs of letters in lower case, a stop list, no stemming, words in five
// training documents or more. Of Reuters it is ModApte, all documents, the 90 topics
// that both parts have; of 20 Newsgroups the version bydate, of the headers Subject.
func bestTermsCorpus(ctx context.Context, data, name string) (*corpus.Corpus, error) {
	read := reader.Options{Split: "train"}
	opt := corpus.Options{Analysis: analysis.Options{Tokens: "letters", Stop: "glasgow"}, MinDF: 5}
	file := "reuters21578.tar.gz"
	if name == newsgroups {
		file, read.Charset, opt.Analysis.Headers = "20news-bydate.tar.gz", "latin-1", "subject"
	}
	inputs := []string{filepath.Join(data, file)}
	if name == reuters {
		var err error
		if read.Classes, err = reader.CommonClasses(ctx, inputs, read); err != nil {
			return nil, err
		}
	}
	source, err := reader.Read(ctx, inputs, read)
	if err != nil {
		return nil, err
	}
	return corpus.Build(ctx, source.Documents(), opt)
}
