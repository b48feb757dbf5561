package collocation

import (
	"fmt"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// checkRecord returns an error unless documents with this record have the n-grams of the options.
func checkRecord(p table.Provenance, o *Options) error {
	a := &p.Analysis
	if err := CheckWords(*a); err != nil {
		return err
	}
	least, most := a.Lengths()
	wanted := fmt.Sprint(o.Least)
	if o.Most > o.Least {
		wanted = fmt.Sprintf("%d-%d", o.Least, o.Most)
	}
	switch {
	case least <= o.Least && o.Most <= most && (o.Marginals != Words || least == 1):
		return nil
	case o.Marginals == Words:
		return fmt.Errorf("%w: the terms are %s, and marginals of words need words and pairs: count them with --ngrams 1-2", usage.ErrData, lengths(least, most))
	}
	return fmt.Errorf("%w: the terms are %s, and collocations of %s are asked for: count them with --ngrams %s", usage.ErrData, lengths(least, most), wanted+" words", wanted)
}

// CheckWords returns a [usage.ErrUsage] for an analysis without words in a row.
func CheckWords(a analysis.Options) error {
	switch a.Tokens {
	case "char", "char_wb", "zh-bigrams":
		return usage.Errorf("tokens %s are no words, and collocations are made of words in a row: take other tokens, as words or unicode", a.Tokens)
	}
	if a.HashBits > 0 {
		return usage.Errorf("the terms are columns of %d hash bits, and collocations are made of words in a row: count them without hash bits", a.HashBits)
	}
	return nil
}

// lengths describes terms of so many words.
func lengths(least, most int) string {
	switch {
	case most == 1:
		return "single words"
	case least == most:
		return fmt.Sprintf("n-grams of %d words", most)
	}
	return fmt.Sprintf("n-grams of %d to %d words", least, most)
}
