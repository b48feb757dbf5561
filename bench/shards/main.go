// Command shards writes files of statistics as shards of a large collection would have them, to
// try what merging them costs without the text: go run ./bench/shards -files 100 -terms 5000000
// -o DIR. Begin reading at shape in shard.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	var p shape
	flag.Float64Var(&p.terms, "terms", 5e6, "terms of a file, in the mean")
	flag.IntVar(&p.classes, "classes", 20, "classes, up to 676")
	flag.IntVar(&p.docs, "documents", 1e6, "documents of a file")
	flag.Float64Var(&p.heaps, "heaps", .6, "n files together have n to this power times the terms of one")
	files := flag.Int("files", 100, "number of files")
	first := flag.Int("first", 1, "number of the first file, which its chances depend on")
	threads := flag.Int("threads", 1, "files that are made at a time; each takes 200 bytes a term")
	folder := flag.String("o", "", "folder to write to")
	flag.Parse()
	if *folder == "" || flag.NArg() > 0 || p.terms < 1 || p.classes < 1 || p.classes > 676 || p.docs < 1 || !(p.heaps > 0 && p.heaps < 1) || *files < 1 || *first < 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := p.write(ctx, *threads, *first, *files, func(number int) string {
		return filepath.Join(*folder, fmt.Sprintf("%06d.stats", number))
	}); err != nil {
		fmt.Fprintln(os.Stderr, "shards:", err)
		os.Exit(1)
	}
}
