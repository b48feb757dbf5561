package reader

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

// ErrOnce is returned for an input that must be read twice and cannot be.
var ErrOnce = errors.New("the input can be read only once")

// CommonClasses gives the labels that occur in the training part and in the test
// part, in the order of their bytes, after SingleLabel or FirstLabel; Classes and
// Labelled do not matter. It is never nil, so that Options.Classes keeps nothing
// where there are none. The inputs are read twice.
func CommonClasses(ctx context.Context, inputs []string, opt Options) ([]string, error) {
	for _, input := range inputs {
		if err := readableTwice(input); err != nil {
			return nil, err
		}
	}
	opt.Classes, opt.Labelled = nil, false
	opt.Split = "train"
	train, err := labelsOf(ctx, inputs, opt)
	if err != nil {
		return nil, err
	}
	opt.Split = "test"
	test, err := labelsOf(ctx, inputs, opt)
	if err != nil {
		return nil, err
	}
	common := []string{}
	for label := range train {
		if test[label] {
			common = append(common, label)
		}
	}
	slices.Sort(common)
	return common, nil
}

// ReadableTwice reports whether an input can be read again: a file or a directory can, a
// pipe or a terminal cannot. It reports true for an input that is missing, which Read
// finds.
func ReadableTwice(input string) bool {
	info, err := os.Stat(input)
	return input != "-" && (err != nil || info.IsDir() || info.Mode().IsRegular())
}

// readableTwice returns an error for an input that cannot be read again.
func readableTwice(input string) error {
	if !ReadableTwice(input) {
		return fmt.Errorf("%w: the classes of both parts are asked for, and %s is a pipe; name a file", ErrOnce, input)
	}
	return nil
}

// labelsOf reads the inputs and returns the labels that occur.
func labelsOf(ctx context.Context, inputs []string, opt Options) (map[string]bool, error) {
	s, err := Read(ctx, inputs, opt)
	if err != nil {
		return nil, err
	}
	labels := map[string]bool{}
	for d, err := range s.Documents() {
		if err != nil {
			return nil, err
		}
		for _, label := range d.Labels {
			labels[label] = true
		}
	}
	return labels, nil
}
