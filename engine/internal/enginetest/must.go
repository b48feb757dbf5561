package enginetest

// Must returns the value of a call that cannot fail here, and panics if it does.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func second[T any](_ T, err error) error { return err }

// gave says whether a call had a result.
func gave[T any](v *T, err error) (bool, error) { return v != nil, err }
