package analysis

// StopTerms are the terms that stop words become where no stop word is left out, each as its stem.
type StopTerms struct {
	a     *Analyzer
	stems map[string]bool // nil without a stemmer
}

// NewStopTerms returns the stop terms of texts that are analysed by the options: the words of one of
// [StopLists], "" for none, and further words. The stop words of the options play no part.
func NewStopTerms(o Options, list string, words []string) (*StopTerms, error) {
	o.Stop, o.StopWords, o.StopVerbatim = list, words, false
	a, err := New(o)
	if err != nil {
		return nil, err
	}
	s := &StopTerms{a: a}
	if a.stem != nil {
		s.stems = map[string]bool{}
		for word := range a.stop {
			s.stems[string(a.stem([]byte(word)))] = true
		}
	}
	return s, nil
}

// Has reports whether a term of one word is a stop term. No term is one of nil.
func (s *StopTerms) Has(term []byte) bool {
	switch {
	case s == nil:
		return false
	case s.stems != nil:
		return s.stems[string(term)]
	}
	return s.a.stops(term)
}
