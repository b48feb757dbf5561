package workload

import "strconv"

// Digits that the names of documents and classes have at least.
const (
	documentDigits = 6
	classDigits    = 3
)

// names numbers n things from 1, with so many leading zeros that their order by
// bytes is the order of the numbers. All share one piece of memory.
func names(prefix string, n, digits int) []string {
	digits = width(n, digits)
	size := len(prefix) + digits
	text := make([]byte, 0, n*size)
	for i := 1; i <= n; i++ {
		text = appendName(text, prefix, i, digits)
	}
	all, list := string(text), make([]string, n)
	for i := range list {
		list[i] = all[i*size : (i+1)*size]
	}
	return list
}

// width is the number of digits that n names have in common.
func width(n, least int) int { return max(least, len(strconv.Itoa(n))) }

// appendName writes number i with leading zeros.
func appendName(to []byte, prefix string, i, digits int) []byte {
	to = append(to, prefix...)
	number := strconv.Itoa(i)
	for range digits - len(number) {
		to = append(to, '0')
	}
	return append(to, number...)
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
