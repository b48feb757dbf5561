package kernels

// ascendingGeneric is a loop that ends at the first value which is not, as few others do.
func ascendingGeneric[T int32 | int64](values []T) bool {
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	return true
}
