package main

func code(s string) string { return "`" + s + "`" }

func mapped[A, B any](list []A, f func(A) B) []B {
	result := make([]B, len(list))
	for i, v := range list {
		result[i] = f(v)
	}
	return result
}
