package kernels

func within64Generic(values []int64, most int64) bool { return withinGeneric(values, most) }

func within32Generic(values []int32, most int32) bool { return withinGeneric(values, most) }

// withinGeneric sets the sign of beyond for a value below 1 or above the most.
func withinGeneric[T int32 | int64](values []T, most T) bool {
	beyond := T(0)
	for _, v := range values {
		beyond |= (v - 1) | (most - v)
	}
	return beyond >= 0
}
