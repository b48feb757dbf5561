package main

import (
	"encoding/json"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
)

// This file tells how texts were analysed, and what texts decided that had to.

// tokensNote returns the warning for texts that did not decide for words, none if they did, or if they
// had nothing to decide.
func tokensNote(asked corpus.Options, made analysis.Options) []string {
	if asked.Analysis.Tokens != analysis.Auto || made.Tokens == analysis.Tokenizers()[0] {
		return nil
	}
	return []string{"most letters at the beginning are Han: tokens are " + made.Tokens + "; tokens \"words\" takes whole runs of them"}
}

// analysisOf returns the options of the analysis behind a handle, as JSON that makes the same one.
func analysisOf(handle uint64) []byte {
	var o analysis.Options
	switch of := handles.get(handle).(type) {
	case *model:
		o = of.selection.Provenance.Analysis
	case *counted:
		o = of.provenance().Analysis
	default:
		check(handleError("handle %d is %s, and a corpus, statistics or a model is needed", handle, kindOf(of)))
	}
	var stop any = o.Stop
	if len(o.StopWords) > 0 {
		stop = o.StopWords
	}
	options := map[string]any{"tokens": o.Tokens, "max-token": o.MaxToken, "keep-case": o.KeepCase, "stop": stop}
	if o.HashBits > 0 {
		options["hash-bits"] = o.HashBits
	}
	for name, value := range map[string]string{
		"stem": o.Stem, "headers": o.Headers, "ngrams": o.NGrams, "normalize": o.Normalize, "markup": o.Markup, "strip-accents": o.StripAccents,
	} {
		if value != "" {
			options[name] = value
		}
	}
	return need(json.Marshal(options))
}
