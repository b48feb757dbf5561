package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify INDEX...",
		Short: "look at every byte of index files",
		Long: "verify prints one line for each file and succeeds only if every byte of all of them is covered by a\n" +
			"checksum and right, and what the bytes say fits together. Exit code 5 says that one is broken.",
		Example: "  termsift verify train.idx",
		Args:    inputs(1, "an INDEX"),
		RunE: func(c *cobra.Command, args []string) error {
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
	corpus, err := engine.Open(path, engine.OpenOptions{Verify: true})
	if err != nil {
		return err
	}
	p := printer{terminal: a.toTerminal}
	_, err = fmt.Fprintf(a.out, "%s: sound, %d documents, %d terms, %d classes\n",
		p.visible(path), corpus.Documents(), corpus.Terms(), len(corpus.Classes()))
	if err != nil {
		return err
	}
	return corpus.Close()
}
