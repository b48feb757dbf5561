package workload

import (
	"fmt"
	"strconv"
)

// Digits that the names of documents and classes have at least.
const (
	documentDigits = 6
	classDigits    = 3
)

// names numbers n things from 1, with so many leading zeros that their order by
// bytes is the order of the numbers.
func names(prefix string, n, digits int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = name(prefix, i+1, n, digits)
	}
	return list
}

// name writes number i of n with leading zeros.
func name(prefix string, i, n, digits int) string {
	return fmt.Sprintf("%s%0*d", prefix, max(digits, len(strconv.Itoa(n))), i)
}

// The syllables of words: each of these consonants with each of the vowels.
const (
	consonants = "bcdfghjklmnprstvwxyz"
	vowels     = "aeiou"
	syllables  = len(consonants) * len(vowels)
)

// appendWord writes the word of a rank, a numeral whose digits are syllables, the
// last first: frequent words are short, and no two are the same. A hundred have
// two letters, 10,000 four, a million six.
func appendWord(to []byte, rank uint32) []byte {
	for n := uint64(rank) + 1; n > 0; n /= uint64(syllables) {
		n--
		s := n % uint64(syllables)
		to = append(to, consonants[s/uint64(len(vowels))], vowels[s%uint64(len(vowels))])
	}
	return to
}
