package naive

import (
	"math"
	"strings"
)

// A PhraseModel learns phrases as gensim's Phrases does, without pruning.
type PhraseModel struct {
	Scorer     string // default or npmi
	Threshold  float64
	MinCount   float64
	Connectors map[string]bool

	vocabulary map[string]float64
	tokens     float64
}

// Learn counts the words and pairs of documents.
func (m *PhraseModel) Learn(docs [][]string) {
	m.vocabulary, m.tokens = map[string]float64{}, 0
	for _, doc := range docs {
		start, between := "", []string{}
		for _, word := range doc {
			m.tokens++
			if m.Connectors[word] {
				between = append(between, word)
				continue
			}
			m.vocabulary[word]++
			if start != "" {
				m.vocabulary[pairOf(start, between, word)]++
			}
			start, between = word, nil
		}
	}
}

func pairOf(start string, between []string, end string) string {
	return start + " " + strings.Join(append(between[:len(between):len(between)], end), " ")
}

// Len is the number of words and pairs.
func (m *PhraseModel) Len() int { return len(m.vocabulary) }

// Score is the score of a pair of words with what stands between.
func (m *PhraseModel) Score(start string, between []string, end string) float64 {
	xy, x, y := m.vocabulary[pairOf(start, between, end)], m.vocabulary[start], m.vocabulary[end]
	if xy == 0 {
		return math.Inf(-1)
	}
	if m.Scorer == "default" {
		return (xy - m.MinCount) / (x * y) * float64(len(m.vocabulary))
	}
	if xy < m.MinCount {
		return math.Inf(-1)
	}
	if xy == m.tokens {
		return 1
	}
	return math.Log(xy/m.tokens/(x/m.tokens*(y/m.tokens))) / -math.Log(xy/m.tokens)
}

// Phrases are the pairs above the threshold, with their scores.
func (m *PhraseModel) Phrases() map[string]float64 {
	found := map[string]float64{}
	for pair := range m.vocabulary {
		words := strings.Split(pair, " ")
		if n := len(words); n > 1 {
			if score := m.Score(words[0], words[1:n-1], words[n-1]); score > m.Threshold {
				found[pair] = score
			}
		}
	}
	return found
}

// Apply joins the phrases of a document by underscores, from the left.
func (m *PhraseModel) Apply(doc []string) (joined []string) {
	start, between := "", []string{}
	dissolve := func() {
		if start != "" {
			joined = append(joined, start)
		}
		joined = append(joined, between...)
		start, between = "", nil
	}
	for _, word := range doc {
		switch {
		case m.Connectors[word] && start != "":
			between = append(between, word)
		case m.Connectors[word]:
			joined = append(joined, word)
		case start != "" && m.Score(start, between, word) > m.Threshold:
			joined = append(joined, strings.ReplaceAll(pairOf(start, between, word), " ", "_"))
			start, between = "", nil
		default:
			dissolve()
			start = word
		}
	}
	dissolve()
	return joined
}
