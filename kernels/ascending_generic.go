package kernels

// ascendingGeneric is Ascending for a type.
func ascendingGeneric[T int32 | int64](values []T) bool {
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	return true
}
