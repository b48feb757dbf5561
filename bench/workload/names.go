package workload

import "strconv"

// names numbers n things from 1, with so many leading zeros that their order by
// bytes is the order of the numbers. All share one piece of memory.
func names(prefix string, n, digits int) []string {
	digits = max(digits, len(strconv.Itoa(n)))
	width := len(prefix) + digits
	text := make([]byte, 0, n*width)
	for i := 1; i <= n; i++ {
		number := strconv.Itoa(i)
		text = append(text, prefix...)
		for range digits - len(number) {
			text = append(text, '0')
		}
		text = append(text, number...)
	}
	all, list := string(text), make([]string, n)
	for i := range list {
		list[i] = all[i*width : (i+1)*width]
	}
	return list
}
