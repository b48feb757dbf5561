package pool

import "context"

// InTurn runs the steps in order and returns the first error.
func InTurn(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
