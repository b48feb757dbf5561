package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// worktree stands for the files as they are, committed or not.
const worktree = "worktree"

// A side is one of the two revisions.
type side struct {
	label    string // base or head
	dir      string // where its go commands run
	binaries map[string]binary
}

// A session holds the temporary files of a comparison.
type session struct {
	top   string // of the repository
	temp  string
	added []string // worktrees
	sides [2]*side // base, head
}

// open checks both revisions out.
func (s *session) open(ctx context.Context, opt *options) error {
	top, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("this folder is not in a git repository: %w", err)
	}
	below, err := git(ctx, ".", "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	s.top = top
	if s.temp, err = os.MkdirTemp("", "gate-"); err != nil {
		return err
	}
	for i, rev := range []string{opt.base, opt.head} {
		label := [2]string{"base", "head"}[i]
		tree, err := s.tree(ctx, label, rev)
		if err != nil {
			return err
		}
		s.sides[i] = &side{label: label, dir: filepath.Join(tree, filepath.FromSlash(below)), binaries: map[string]binary{}}
	}
	return s.shareData()
}

// tree gives the folder of a revision, in a new worktree unless it is the
// present one.
func (s *session) tree(ctx context.Context, label, rev string) (string, error) {
	if rev == worktree && label == "head" {
		return s.top, nil
	}
	commit, err := git(ctx, s.top, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("-%s %s: there is no such revision; git log shows what there is, and a shallow clone needs git fetch first", label, rev)
	}
	dir := filepath.Join(s.temp, label)
	s.added = append(s.added, dir)
	if _, err := git(ctx, s.top, "worktree", "add", "--quiet", "--detach", dir, commit); err != nil {
		return "", fmt.Errorf("-%s %s cannot be checked out: %w", label, rev, err)
	}
	return dir, nil
}

// shareData lets a worktree elsewhere find the collections beside the project
// where they are, see package corpora.
func (s *session) shareData() error {
	data := filepath.Join(s.top, "..", "shared", "data")
	if _, err := os.Stat(data); err != nil || os.Getenv("TERMSIFT_DATA") != "" {
		return nil
	}
	return os.Setenv("TERMSIFT_DATA", data)
}

// close removes the worktrees and all other temporary files, also after an
// interrupt.
func (s *session) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var errs []error
	for _, dir := range s.added {
		if _, err := os.Stat(dir); err != nil {
			continue // git did not get that far
		}
		if _, err := git(ctx, s.top, "worktree", "remove", "--force", dir); err != nil {
			errs = append(errs, fmt.Errorf("run git worktree prune: %w", err))
		}
	}
	if s.temp != "" {
		errs = append(errs, os.RemoveAll(s.temp))
	}
	return errors.Join(errs...)
}

// git runs git and gives its output without the newline.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := execute(ctx, dir, "git", args...)
	return strings.TrimSpace(out), err
}
