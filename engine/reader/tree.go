package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads directories, tar.go archives, by the same rules. The class of a
// file is the folder directly above it, at any depth. A folder that holds folders
// is no class; plain files in it are skipped. Files of a known layout by name and
// content (reut2-000.sgm, part-1.jsonl.gz) hold documents of their own; plain
// files beside them are skipped.

const (
	// filesBytes and mostFiles bound what a worker opens at a time.
	filesBytes = frameBytes
	mostFiles  = 64
	// wholeFile is the size up to which a file of many documents is left to one
	// worker, so that many of them are read in parallel.
	wholeFile = 16 << 20
)

// folders is what is known of the tree or archive at hand.
type folders struct {
	outer map[string]bool // folders that hold folders or files of many documents
	read  map[string]int  // documents handed out from each folder
}

func newFolders() *folders {
	return &folders{outer: map[string]bool{}, read: map[string]int{}}
}

// A walk is the way through a directory.
type walk struct {
	*folders
	s     *Source
	root  string
	out   func(frame) error
	opens frame // files to be opened
	size  int64 // of them
	inner int   // folders and files of many documents met
}

// tree walks a directory in the order of the names' bytes, folder by folder.
// Links, devices and names that begin with a dot are skipped; the root itself
// may be a link.
func (s *Source) tree(root string, out func(frame) error) error {
	w := walk{folders: newFolders(), s: s, root: root, out: out}
	if err := filepath.WalkDir(root+string(filepath.Separator), w.visit); err != nil {
		return err
	}
	if w.inner == 0 {
		return &Error{
			Pos: document.Position{File: root}, Problem: "the directory has no folders, and a folder is what names a class",
			Remedy: "put the files of each class into a folder of its name",
		}
	}
	return w.flush()
}

func (w *walk) visit(file string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if w.s.ctx.Err() != nil {
		return context.Cause(w.s.ctx)
	}
	name, err := filepath.Rel(w.root, file)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	switch {
	case name == ".":
		return w.lookAhead(file, name)
	case entry.IsDir() && hidden(name):
		w.s.skip("hidden folder")
		return fs.SkipDir
	case entry.IsDir():
		w.inner++
		return w.lookAhead(file, name)
	}
	if entry.Type().IsRegular() && !hidden(name) {
		if l, err := w.s.layoutOfFile(file); l != nil || err != nil {
			return w.dataFile(file, err)
		}
	}
	if !w.s.wanted(w.folders, name, entry.Type().IsRegular()) {
		return nil
	}
	return w.add(file, name, entry)
}

// add keeps a file of one document for the next frame.
func (w *walk) add(file, name string, entry fs.DirEntry) error {
	w.read[path.Dir(name)]++
	w.opens.items = append(w.opens.items, item{name: name, pos: document.Position{File: file}})
	if info, err := entry.Info(); err == nil {
		w.size += info.Size()
	}
	if w.size < filesBytes && len(w.opens.items) < mostFiles {
		return nil
	}
	return w.flush()
}

// flush hands out the files kept.
func (w *walk) flush() error {
	if len(w.opens.items) == 0 {
		return nil
	}
	f := w.opens
	f.parse = parseFiles
	w.opens, w.size = frame{}, 0
	return w.out(f)
}

// dataFile hands out a file of many documents: itself, if it is small.
func (w *walk) dataFile(file string, err error) error {
	if err != nil {
		return err
	}
	w.inner++
	if err := w.flush(); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > wholeFile {
		return w.s.open(file, w.out)
	}
	return w.out(frame{pos: document.Position{File: file}, parse: parseWhole})
}

// parseWhole reads a file of many documents from its beginning to its end.
func parseWhole(p *parser, f *frame) error {
	return p.s.open(f.pos.File, func(f frame) error {
		err := f.parse(p, &f)
		p.s.release(f.data)
		return err
	})
}

// layoutOfFile tells the layout of a file in a directory; nil for a document.
func (s *Source) layoutOfFile(file string) (*layout, error) {
	byName := layoutByName(file)
	if s.opt.Format == Tree || byName == nil && (s.opt.Format == Auto || s.opt.Format == Tar) {
		return nil, nil
	}
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	packed := s.buffered(inputReader{s.ctx, file, r})
	defer s.recycle(packed)
	in, closing, err := s.decompressed(document.Position{File: file}, packed)
	if err != nil {
		return nil, err
	}
	defer closing()
	return s.layoutOfMember(file, in), nil
}

// layoutOfMember tells the layout of a file in a directory or archive by its name
// and first bytes; nil for a document.
func (s *Source) layoutOfMember(name string, in *bufio.Reader) *layout {
	byName := layoutByName(name)
	prefix, _ := peek(in, prefixBytes) // an error comes again
	switch s.opt.Format {
	case Tree:
		return nil
	case Auto, Tar:
		if byName == nil || byName != detect(name, prefix, len(prefix) < prefixBytes) {
			return nil
		}
		return byName
	}
	asked := layoutOf(s.opt.Format)
	if byName == asked || asked == detect(name, prefix, len(prefix) < prefixBytes) {
		return asked
	}
	return nil
}

// hidden says whether a file or a folder above it has a name that begins with
// a dot.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// lookAhead learns whether a directory holds folders or files of many documents.
func (w *walk) lookAhead(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case hidden(e.Name()):
		case e.IsDir():
			w.outer[name] = true
		case e.Type().IsRegular() && !w.outer[name]:
			l, err := w.s.layoutOfFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			w.outer[name] = l != nil
		}
	}
	return nil
}

// wanted says whether a file is a document, and counts why not.
func (s *Source) wanted(known *folders, name string, regular bool) bool {
	dir, _ := path.Split(name)
	if dir != "" && s.opt.Split != "" {
		top, _, _ := strings.Cut(dir, "/")
		s.seeFolder(top)
	}
	switch {
	case !regular:
		s.skip("not a regular file")
	case hidden(name):
		s.skip("hidden file")
	case s.opt.Format != Auto && s.opt.Format != Tree && s.opt.Format != Tar:
		s.skip(fmt.Sprintf("not a file of format %v", s.opt.Format))
	case dir == "" || known.outer[path.Clean(dir)]:
		s.skip("file outside a class folder")
	case s.opt.Split != "" && s.opt.Split != splitOf(name):
		// another split is no problem to report
	default:
		return true
	}
	return false
}

// seeFolder remembers a folder for the case that no split is found.
func (s *Source) seeFolder(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[name] = true
}

// splitOf gives the split that the folders of a file name: the one nearest above
// the class, or else the class itself, so that neither news/train/protest nor
// latest/train/news is in the test part.
func splitOf(name string) string {
	class := path.Dir(name)
	for f := path.Dir(class); f != "." && f != "/"; f = path.Dir(f) {
		if split := splitNamed(f); split != "" {
			return split
		}
	}
	return splitNamed(class)
}

// splitNamed gives the split that a folder's name ends in.
func splitNamed(folder string) string {
	for _, split := range []string{"train", "test", "unused"} {
		if strings.HasSuffix(folder, split) {
			return split
		}
	}
	return ""
}

// parseFiles opens the files of a frame, one document each.
func parseFiles(p *parser, f *frame) error {
	for _, m := range f.items {
		text, err := p.readFile(m.pos)
		if err == nil {
			err = p.emitFile(m, text)
		}
		if err := p.bad(err); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a document, decompressed, into the parser's buffer.
func (p *parser) readFile(pos document.Position) (text []byte, err error) {
	r, err := os.Open(pos.File)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if p.buffer, err = p.s.readAll(pos, r, p.buffer[:0]); err != nil {
		return nil, err
	}
	p.buffer, err = p.s.expanded(pos, p.buffer)
	return p.buffer, err
}

// expanded gives a document that was compressed.
func (s *Source) expanded(pos document.Position, data []byte) ([]byte, error) {
	if compressionOf(data) == nil {
		return data, nil
	}
	packed := s.buffered(bytes.NewReader(data))
	defer s.recycle(packed)
	in, closing, err := s.decompressed(pos, packed)
	if err != nil {
		return nil, err
	}
	defer closing()
	text, err := s.readAll(pos, in, nil)
	if err != nil {
		return nil, s.failure(pos, "the file breaks off", err)
	}
	return text, nil
}

// readAll reads a document into buffer, up to the limit.
func (s *Source) readAll(pos document.Position, r io.Reader, buffer []byte) ([]byte, error) {
	limit := int64(len(buffer)) + s.opt.MaxDocument
	limited := io.LimitReader(r, s.opt.MaxDocument+1)
	for {
		if len(buffer) == cap(buffer) {
			buffer = append(buffer, make([]byte, max(len(buffer), 1<<14))...)[:len(buffer)]
		}
		n, err := limited.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if int64(len(buffer)) > limit {
			return buffer, &Error{
				Pos: pos, Kind: "document too large", Problem: fmt.Sprintf("the document has more than %d bytes", s.opt.MaxDocument),
				Remedy: "raise the limit with --max-document",
			}
		}
		if errors.Is(err, io.EOF) {
			return buffer, nil
		}
		if err != nil {
			return buffer, err
		}
	}
}

// emitFile hands on the document of a file. An archive is none, and what is in it
// stays there.
func (p *parser) emitFile(m item, text []byte) error {
	if isTar(text) {
		p.tally.skipped["archive inside a tree or an archive"]++
		return nil
	}
	p.tally.bytes += int64(len(text))
	utf, err := p.decode(text, m.pos)
	if err != nil {
		return err
	}
	class, err := p.label([]byte(path.Base(path.Dir(m.name))))
	if err != nil {
		return err
	}
	p.labels = append(p.labels[:0], class)
	return p.emit(document.Document{
		ID: m.name, Labels: p.labels, Split: splitOf(m.name), Text: p.withoutMetadata(utf), Source: m.pos,
	})
}
