package enginetest

// Must returns the value of a call that cannot fail here, and panics if it does.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
