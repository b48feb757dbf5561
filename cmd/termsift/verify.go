package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/exit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/usage"
)

func verifyCommand(a *app) *command {
	return &command{
		use:   "verify FILE...",
		short: "look at every byte of indexes, models, features and statistics",
		long: "verify prints one line for each file and succeeds only if every byte of all of them is covered by a\n" +
			"checksum and right, and what the bytes say fits together. FILE is an index, a model of train, a\n" +
			"features file of select or statistics of index --stats-only. Exit code 5 says that one is broken.",
		example: "  termsift verify train.idx\n" +
			"  termsift verify features.tsv model",
		args: atLeast(1, "a FILE"),
		run: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				if err := a.verify(path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) verify(path string) error {
	if err := regular(path); err != nil {
		return err
	}
	f, err := a.readSaved(path)
	switch {
	case err != nil && exit.Code(err) == exitData:
		return brokenFile{err}
	case err != nil:
		return err
	case f == nil:
		return a.verifyIndex(path)
	case f.features != nil && len(f.features.Warnings) > 0:
		return usage.NewError(usage.ErrCorrupt, f.features.Warnings[0]) // its bytes have no sum
	}
	_, err = fmt.Fprintf(a.stdout, "%s: sound, %s\n", a.visible(path), f.summary())
	return err
}

func (a *app) verifyIndex(path string) error {
	c, err := a.openCorpus(path, corpus.OpenOptions{Verify: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: sound, %d documents, %d terms, %d classes\n",
		a.visible(path), c.Documents(), c.Terms(), len(c.Classes()))
	return errors.Join(err, c.Close())
}

// A brokenFile is the error for a file that other commands refuse as bad input, and verify as
// broken.
type brokenFile struct{ error }

// Unwrap makes the error one of a broken file as well.
func (e brokenFile) Unwrap() []error { return []error{e.error, usage.ErrCorrupt} }
