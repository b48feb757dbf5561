package naive

// WindowCounts are the counts of a word near a node.
type WindowCounts struct {
	O, R1, C1, N float64 // of spans: positions outside the node
	Pairs        float64 // occurrences of the word near an occurrence of the node, each such pair once
	All          float64 // occurrences of the word
	Documents    float64 // with the word near the node
	F, T         float64 // frequency of the node, all tokens
}

// Window counts the words within so many words before and behind a node of one or more words, in
// documents of tokens. Occurrences of the node are taken from the left and do not overlap.
func Window(docs [][]string, node []string, left, right int) map[string]WindowCounts {
	counts := map[string]WindowCounts{}
	var f, spans, tokens float64
	for _, doc := range docs {
		tokens += float64(len(doc))
		inNode := make([]bool, len(doc))
		var starts []int
		for at := 0; at+len(node) <= len(doc); at++ {
			same := true
			for i := range node {
				same = same && doc[at+i] == node[i] && !inNode[at+i]
			}
			if !same {
				continue
			}
			f++
			starts = append(starts, at)
			for i := range node {
				inNode[at+i] = true
			}
		}
		seen := map[string]bool{}
		for p, word := range doc {
			times := 0.
			for _, s := range starts {
				before, behind := s-p, p-(s+len(node)-1)
				if before > 0 && before <= left || behind > 0 && behind <= right {
					times++
				}
			}
			c := counts[word]
			c.All++
			if !inNode[p] {
				c.C1++
			}
			c.Pairs += times
			if times > 0 && !inNode[p] {
				c.O++
				spans++
				if !seen[word] {
					seen[word] = true
					c.Documents++
				}
			}
			counts[word] = c
		}
	}
	for word, c := range counts {
		c.R1, c.N, c.F, c.T = spans, tokens-f*float64(len(node)), f, tokens
		counts[word] = c
	}
	return counts
}
