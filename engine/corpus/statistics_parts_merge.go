package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
	"github.com/termsift/termsift/engine/usage"
)

// This file merges files of parts as streams.

// A partGroup has the files of the same part, one for each shard, and what they are together.
type partGroup struct {
	paths   []string
	records []table.Provenance
	sum     table.Provenance
}

// MergeParts writes the file of what files of parts, which [table.Table.Split] has made, are
// together: those of the same part are added up in their order, and the parts are joined. It
// gives the bytes of [JoinParts], with a block of each file in memory, of 256 at most; sums of
// several shards, and joins of more parts, go to temporary files. It returns which part of the
// terms the result has, nil for all. Parts that do not fit together are a [table.ErrParts], the same
// part of the same documents is a [usage.ErrData].
func MergeParts(ctx context.Context, w io.Writer, paths []string, o StatisticsMergeOptions) (*table.Part, error) {
	switch {
	case w == nil:
		return nil, usage.Errorf("a nil writer was given")
	case len(paths) == 0:
		return nil, usage.Errorf("no files of parts were given")
	}
	groups, err := groupParts(paths)
	if err != nil {
		return nil, err
	}
	if err := sameTotals(groups); err != nil {
		return nil, err
	}
	sums := make([]table.Provenance, len(groups))
	for i, g := range groups {
		sums[i] = g.sum
	}
	joined := sums[0]
	if len(sums) > 1 {
		if joined, err = table.JoinPartRecords(sums); err != nil {
			return nil, err
		}
	}
	meta, err := json.Marshal(joined)
	if err != nil {
		return nil, err
	}
	open := func(i int) (*tablefile.File, error) { return groups[i].open(ctx, o.Dir) }
	err = tablefile.Join(ctx, w, len(groups), open, tablefile.MergeOptions{Meta: meta, Dir: o.Dir})
	if errors.Is(err, tablefile.ErrNotParts) {
		err = fmt.Errorf("%w: %w", table.ErrParts, err)
	}
	return joined.Part, err
}

// groupParts reads the heads of files of parts and groups them by their parts.
func groupParts(paths []string) (groups []*partGroup, err error) {
	for _, path := range paths {
		p, pruned, err := statisticsHead(path)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(groups, func(g *partGroup) bool { return g.records[0].Part.Is(p.Part) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &partGroup{})
		}
		g := groups[i]
		if slices.ContainsFunc(g.records, func(r table.Provenance) bool { return r.InputHash == p.InputHash }) {
			return nil, fmt.Errorf("%s: %w: %s of the same documents is given twice", path, usage.ErrData, p.Part)
		}
		if len(g.paths) > 0 && pruned {
			return nil, fmt.Errorf("%s: %w; count it without bounds", path, table.ErrPruned)
		}
		g.paths, g.records = append(g.paths, path), append(g.records, p)
	}
	for _, g := range groups {
		if err := g.join(); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// join sets what the files of the group are together.
func (g *partGroup) join() (err error) {
	g.sum = g.records[0]
	if len(g.records) == 1 {
		return nil
	}
	if g.sum, err = table.JoinProvenances(g.records, func(i int) string { return g.paths[i] }); err != nil {
		return err
	}
	for _, r := range g.records {
		g.sum.Documents += r.Documents
	}
	return nil
}

// sameTotals compares the totals of the groups of one file with those of the first of them,
// before anything is added up: parts of different statistics are told by the names of files.
func sameTotals(groups []*partGroup) (err error) {
	var first *tablefile.File
	defer func() {
		if first != nil {
			err = errors.Join(err, first.Close())
		}
	}()
	for _, g := range groups {
		if len(g.paths) > 1 {
			continue
		}
		f, err := tablefile.Open(g.paths[0])
		if err != nil {
			return fmt.Errorf("%s: %w", g.paths[0], err)
		}
		if first == nil {
			first = f
			continue
		}
		same := first.SameTotals(f)
		if err := f.Close(); err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("%w: %s and %s have other totals: they are not of the same statistics", table.ErrParts, first.Name, g.paths[0])
		}
	}
	return nil
}

// open opens the file of the group, or the temporary file of the sum of its files.
func (g *partGroup) open(ctx context.Context, dir string) (*tablefile.File, error) {
	open := func(i int) (*tablefile.File, error) {
		f, err := tablefile.Open(g.paths[i])
		if err == nil && int(f.Documents) != g.records[i].Documents {
			err = errors.Join(errors.New("the file has changed"), f.Close())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.paths[i], err)
		}
		return f, nil
	}
	if len(g.paths) == 1 {
		return open(0)
	}
	return tablefile.MergeTemporary(ctx, len(g.paths), open, tablefile.MergeOptions{Dir: dir})
}
