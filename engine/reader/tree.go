package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads directories, archive.go reads archives, by the same rules. The class of a file is the folder directly
// above it, at any depth. Where no label is needed, the files of a directory without folders are documents. Files whose
// name and content are those of a known layout (reut2-000.sgm, part-1.jsonl.gz) are files of many documents. Where they
// are in the folder of all or of a split, plain files beside them are about them and skipped; elsewhere these are of
// the class of their folder.

const (
	// filesBytes and mostFiles bound what a worker opens at a time.
	filesBytes = frameBytes
	mostFiles  = 64
	// wholeFile is the size up to which a file of many documents is left to one
	// worker, so that many of them are read in parallel.
	wholeFile = 16 << 20
)

// A walk is the state of reading a directory.
type walk struct {
	*folders
	inner int // folders and files of many documents met
}

// tree walks a directory in the order of the names' bytes, folder by folder.
// Links, devices and names that begin with a dot are skipped; the root itself
// may be a link.
func (in *input) tree() error {
	w := walk{folders: newFolders(in)}
	w.unlabelled = w.unlabelled || in.s.opt.Unlabelled || in.s.opt.OptionalLabels
	if err := filepath.WalkDir(in.name+string(filepath.Separator), w.visit); err != nil {
		return err
	}
	if w.inner == 0 && !w.unlabelled {
		return wrong(in.pos(), "the directory has no folders, and a folder is what names a class", "",
			"name the folder that holds the folders of classes, of which --docs 'class=A or class=B' takes some, or put the files of each class into a folder of its name").forClasses()
	}
	w.noteMixed()
	return w.flush()
}

func (w *walk) visit(file string, entry fs.DirEntry, err error) error {
	if w.s.ctx.Err() != nil {
		return usage.Cause(w.s.ctx)
	}
	name, relErr := filepath.Rel(w.name, file)
	if relErr != nil {
		return relErr
	}
	name = filepath.ToSlash(name)
	pos := document.Position{File: file}
	switch {
	case err != nil && name != ".":
		return w.s.badIfVanished(pos, err)
	case err != nil:
		return err
	case name == ".":
		return w.lookAhead(file, name)
	case w.s.opt.badName(pos, name) != nil:
		if err := w.s.bad(w.meter.frame, w.s.opt.badName(pos, name)); err != nil || !entry.IsDir() {
			return err
		}
		return fs.SkipDir
	case entry.IsDir() && hidden(name):
		w.s.skip("hidden folder")
		return fs.SkipDir
	case entry.IsDir():
		w.inner++
		return w.lookAhead(file, name)
	}
	if entry.Type().IsRegular() && stray(name) == "" {
		if l, err := w.s.layoutOfFile(file, name); l != nil || err != nil {
			return w.s.badIfVanished(pos, w.dataFile(file, err))
		}
	}
	if !w.wanted(name, entry.Type().IsRegular()) {
		return nil
	}
	return w.add(file, name, entry)
}

// add adds a file of one document to the next frame.
func (w *walk) add(file, name string, entry fs.DirEntry) error {
	w.read[path.Dir(name)]++
	info, err := entry.Info()
	if err == nil {
		w.size += int(info.Size())
		w.meter.take(int(info.Size()))
	}
	w.ready.items = append(w.ready.items, item{name: name, pos: document.Position{File: file}, was: info})
	if w.size < filesBytes && len(w.ready.items) < mostFiles {
		return nil
	}
	return w.flush()
}

// dataFile passes the frames of a file with many documents to out. A file of up to wholeFile
// bytes is one frame, which a worker opens.
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
		return w.s.textless(w.meter.frame, w.s.open(file, w.meter, firstTextless(w.out)))
	}
	w.meter.packed += info.Size()
	return w.out(frame{pos: document.Position{File: file}, parse: orTextless(parseWhole)})
}

// parseWhole cuts and parses a file of many documents.
func parseWhole(p *parser, f *frame) error {
	err := p.s.open(f.pos.File, &p.meter, func(f frame) error {
		p.s.mu.Lock()
		earlier := p.s.broken < p.frame
		p.s.mu.Unlock()
		if earlier {
			return errEarlier
		}
		err := f.parse(p, &f)
		p.s.memory.put(f.data)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return p.bad(vanished(f.pos, err))
	}
	return err
}

// layoutOfFile returns the layout of a file in a directory, where it has a name; nil for a file of one document.
func (s *Source) layoutOfFile(file, name string) (*layout, error) {
	byName := layoutByName(file)
	if s.opt.LabelFrom != fromFile && (s.opt.Format == Tree || byName == nil && (s.opt.Format == Auto || s.opt.Format == Tar)) {
		return nil, nil
	}
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	packed := buffered(inputReader{s.ctx, file, r, nil})
	defer recycle(packed)
	in, closing, err := s.decompressed(document.Position{File: file}, nil, packed)
	if err != nil {
		return nil, err
	}
	defer closing()
	return s.opt.layoutOfMember(name, in), nil
}

// layoutOfMember returns the layout of a file in a directory or archive by its name and
// first bytes; nil for a file of one document.
func (o *Options) layoutOfMember(name string, in *bufio.Reader) *layout {
	byName := layoutByName(name)
	prefix, _ := peek(in, prefixBytes) // an error comes again
	switch {
	case o.LabelFrom == fromFile && byName == nil && o.Format == Auto && notText(prefix, false) == "":
		return &linesLayout
	case o.Format == Tree || ownKind(prefix) != "":
		return nil
	case o.Format == Auto || o.Format == Tar:
		if byName != nil && byName.format == JSON && looksLikeJSON(bytes.TrimPrefix(prefix, charset.Mark), false) {
			if all, _ := peek(in, bufferBytes); parentOf(name) != "." && len(all) < bufferBytes && isOneObject(all) {
				return nil // one document, of the folder's class
			}
			return byName
		}
		if byName == nil || byName != detect(name, prefix, len(prefix) < prefixBytes) {
			return nil
		}
		return byName
	}
	asked := layoutOf(o.Format)
	if byName == asked || asked == detect(name, prefix, len(prefix) < prefixBytes) {
		return asked
	}
	return nil
}

// hidden reports whether the name of a file or of a folder above it begins with a dot.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// stray returns why a file is no document by its name alone, or "": it is hidden, or what Windows, macOS, an office
// program or an editor leaves in a folder, as desktop.ini, notes.txt~ or #notes.txt#.
func stray(name string) string {
	if hidden(name) {
		return "hidden file"
	}
	base := strings.ToLower(path.Base(name))
	if slices.Contains([]string{"desktop.ini", "thumbs.db", "ehthumbs.db", "icon\r"}, base) || path.Ext(base) == ".swp" ||
		strings.HasSuffix(base, "~") || strings.HasPrefix(base, "~$") || len(base) > 2 && base[0] == '#' && base[len(base)-1] == '#' {
		return "file that a system or an editor left"
	}
	return ""
}

// lookAhead records whether a directory has folders or files of many documents.
func (w *walk) lookAhead(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return w.s.badIfVanished(document.Position{File: dir}, err)
	}
	inside, only := 0, "" // folders, and the last on the trunk
	for _, e := range entries {
		switch {
		case hidden(e.Name()):
		case e.IsDir():
			w.above[name] = true
			if inside++; name == w.trunk {
				only = path.Join(name, e.Name())
			}
		case e.Type().IsRegular() && !w.outer[name] && stray(e.Name()) == "":
			l, err := w.s.layoutOfFile(filepath.Join(dir, e.Name()), path.Join(name, e.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // what vanished is met again
				return err
			}
			w.outer[name] = l != nil
		}
	}
	if inside == 1 && only != "" {
		w.trunk = only
	}
	return nil
}

// parseItems emits the files or members of a frame, one document each.
func parseItems(p *parser, f *frame) error {
	for _, m := range f.items {
		var text []byte
		var err error
		if f.data == nil {
			text, err = p.readFile(m)
		} else {
			text, err = p.expanded(m.pos, f.data[m.from:m.to])
		}
		if err := p.file(m, text, err); err != nil {
			return err
		}
	}
	return nil
}

// file emits the document of a file with this text. A file that err says is no text, such
// as an archive, is skipped; other errors go through bad.
func (p *parser) file(m item, text []byte, err error) error {
	var reason errNotText
	if errors.As(err, &reason) {
		p.tally.skipped[string(reason)]++
		return nil
	}
	if err == nil {
		err = p.emitFile(m, text)
	}
	return p.bad(err)
}

// readFile reads a document, decompressed, into the parser's buffer.
func (p *parser) readFile(m item) (text []byte, err error) {
	pos := m.pos
	r, err := os.Open(pos.File)
	if err != nil {
		return nil, vanished(pos, err)
	}
	defer r.Close()
	if p.buffer, err = p.s.readAll(pos, r, p.buffer[:0], true); err != nil {
		return nil, err
	}
	if err := p.sameFile(m); err != nil {
		return nil, err
	}
	p.buffer, err = p.expanded(pos, p.buffer)
	return p.buffer, err
}

// sameFile returns an error that SkipBad skips for a file of which fewer bytes were read than it had when it was met,
// or that was written to meanwhile. One read takes all of a small file.
func (p *parser) sameFile(m item) error {
	if m.was == nil {
		return nil
	}
	had, has, written := m.was.Size(), int64(len(p.buffer)), false
	if had == has && has > filesBytes {
		now, err := os.Stat(m.pos.File)
		written = err == nil && !now.ModTime().Equal(m.was.ModTime())
	}
	switch {
	case has < had || written:
		changed := changedFile(m.pos, had, has, nil)
		changed.fatal = false
		return changed
	case had > 0 && has > had:
		noteGrown(p.s, m.pos.File, m.was)
	}
	return nil
}

// vanished returns an [Error] for a file that no longer exists, so that SkipBad can skip it,
// and any other error as it is.
func vanished(pos document.Position, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &Error{
		Pos: pos, Kind: "file that vanished", Problem: "the file was there and is no longer", Err: err,
		Remedy: "read a copy that nobody changes, or --skip-bad",
	}
}

// badIfVanished returns nil for a file or folder that no longer exists if SkipBad is set,
// and any other error as it is.
func (s *Source) badIfVanished(pos document.Position, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.bad(s.meter.frame, vanished(pos, err))
}

// expanded returns the content of a document, decompressed, or the text of one of a word processor.
func (p *parser) expanded(pos document.Position, data []byte) ([]byte, error) {
	if o := officeOf(pos.File); o != nil && isZip(data) {
		return p.officeText(pos, o, data)
	}
	if compression.Of(data) == nil {
		return data, nil
	}
	s := p.s
	packed := buffered(bytes.NewReader(data))
	defer recycle(packed)
	in, closing, err := s.decompressed(pos, &p.meter, packed)
	if err != nil {
		return nil, err
	}
	defer closing()
	text, err := s.readAll(pos, in, nil, false)
	if err != nil {
		return nil, s.failure(pos, "the file breaks off", err)
	}
	return text, nil
}

// readAll appends a document of up to MaxDocument bytes to buffer. The error is an
// errNotText as soon as the document is known to be no text; packed allows it to be
// compressed.
func (s *Source) readAll(pos document.Position, r io.Reader, buffer []byte, packed bool) ([]byte, error) {
	from, all := len(buffer), bytes.NewBuffer(buffer)
	n, err := all.ReadFrom(io.LimitReader(r, sniffBytes))
	if reason := notText(all.Bytes()[from:], packed); reason != "" && (reason != archiveReason || officeOf(pos.File) == nil) {
		return all.Bytes(), errNotText(reason)
	}
	if err == nil && n == sniffBytes {
		_, err = all.ReadFrom(io.LimitReader(r, s.opt.MaxDocument+1-n))
	}
	if int64(all.Len()-from) > s.opt.MaxDocument {
		err = s.opt.tooLarge(pos, "document has")
	}
	return all.Bytes(), err
}

// emitFile emits the document of a file.
func (p *parser) emitFile(m item, text []byte) error {
	if err := p.s.opt.checkTargetOf(m.pos, "a file that is a document has"); err != nil {
		return err
	}
	p.tally.bytes += int64(len(text))
	if officeOf(m.pos.File) != nil {
		p.decoder.Decided = charset.UTF8
	}
	utf := p.message(text, m.pos)
	p.decoder.Decided, p.labels = "", p.labels[:0]
	folder := p.s.opt.classFolder(m.name)
	if l := layoutByName(m.name); folder != "." && l != nil && l.format == JSON && isOneObject(utf) {
		return p.emitObject(l, m, utf, folder)
	}
	if folder != "." {
		p.tally.inFolders++
		if class := path.Base(folder); p.decoder.Charset == charset.Auto && !utf8.ValidString(class) {
			p.tally.remark(p.frame, wrong(m.pos, "the folder's name is not UTF-8, and is read as this", p.decoder.Name([]byte(class)),
				"--charset reads names, and texts, in another"+charset.OthersOf(charset.Guess([]byte(class)), []byte(class))).of("folder that is not UTF-8"))
		}
		if err := p.addLabel([]byte(path.Base(folder)), m.pos); err != nil {
			return err
		}
	}
	return p.emit(document.Document{
		ID: m.name, Labels: p.labels, Split: splitOf(folder), Text: p.withoutMetadata(utf), Source: m.pos,
	})
}

// emitObject emits the document of a JSON object that is a file of a class folder, whose class it has if it names none.
func (p *parser) emitObject(l *layout, m item, object []byte, folder string) error {
	p.folder = folder
	defer func() { p.folder = "" }()
	had := p.tally.documents
	m.pos.Line = 1
	err := p.decided(l, nil, &frame{pos: m.pos, data: object, encoding: charset.UTF8})
	if p.tally.documents > had {
		p.tally.inFolders++
	}
	return p.s.textless(p.frame, err)
}

// withoutMetadata returns the text without the metadata lines of the Fudan corpus, and counts
// documents that lose any.
func (p *parser) withoutMetadata(text []byte) []byte {
	if p.s.opt.StripMetadata == "off" {
		return text
	}
	proper, found := withoutMetadata(text, p.s.opt.StripMetadata == "on")
	if found {
		p.tally.stripped++
	}
	return proper
}

// What follows says which files of a directory or archive are documents, and of which class.

// folders records what is known of the folders of a tree or archive.
type folders struct {
	*input
	outer map[string]bool // folders that hold files of many documents
	above map[string]bool // folders that hold folders
	read  map[string]int  // documents handed out from each folder
	// trunk is the folder that all others are in or above, as that of an archive of one
	// folder. What stands there beside the classes is about them.
	trunk string
	ready frame // documents that are not yet handed out
	size  int   // of them, in memory or to be read
	// unlabelled says that files outside all folders are documents, if there is no folder.
	unlabelled bool
}

func newFolders(in *input) *folders {
	return &folders{input: in, unlabelled: in.s.opt.LabelFrom == fromNothing, outer: map[string]bool{}, above: map[string]bool{}, read: map[string]int{}, trunk: "."}
}

// flush passes the documents so far to out as a frame.
func (k *folders) flush() error {
	f := k.ready
	k.ready, k.size = frame{}, 0
	if len(f.items) == 0 {
		return nil
	}
	f.pos, f.parse = f.items[0].pos, parseItems
	return k.out(f)
}

// outside reports whether the plain files of a folder are no documents: it is the trunk or a split, and has files of
// many documents or the folders of the classes. The files of any other folder are of its class, whatever else is there.
func (k *folders) outside(folder string) bool {
	return k.s.opt.beside() && (k.outer[folder] || k.above[folder]) && (k.onTrunk(folder) || splitNamed(folder) != "")
}

// beside reports whether files can be beside the folders that are classes.
func (o *Options) beside() bool { return o.FolderLevel == 0 && o.LabelFrom != fromNothing }

// noteMixed says which class folders have files of many documents beside their texts.
func (k *folders) noteMixed() {
	for folder, n := range k.read {
		if k.outer[folder] && !k.outside(folder) {
			k.s.note("%s: the texts in folder %s (%d) are of its class, although files of many documents are beside them", k.name, folder, n)
		}
	}
}

// onTrunk reports whether a folder is the trunk or above it.
func (k *folders) onTrunk(folder string) bool {
	return folder == "." || k.trunk == folder || strings.HasPrefix(k.trunk, folder) && k.trunk[len(folder)] == '/'
}

// textless returns nil for the error of a table without a text, of which nobody named the column, and counts it: beside
// class folders it is about them. Check returns the error where there are none.
func (s *Source) textless(frame int, err error) error {
	var e *Error
	if !errors.As(err, &e) || !e.textless {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.skipped[outsideReason]++
	if e.frame = frame; s.total.textless == nil || frame < s.total.textless.frame {
		s.total.textless = e
	}
	return nil
}

// orTextless returns parse with the same said of a frame that gives no document.
func orTextless(parse frameParse) frameParse {
	return func(p *parser, f *frame) error {
		had := p.tally.documents
		err := parse(p, f)
		if p.tally.documents > had {
			return err
		}
		return p.s.textless(p.frame, err)
	}
}

// firstTextless returns out with the same said of the first frame of a file.
func firstTextless(out func(frame) error) func(frame) error {
	return func(f frame) error {
		if f.pos.Line == 1 {
			f.parse = orTextless(f.parse)
		}
		return out(f)
	}
}

// outsideReason is why a file beside class folders is skipped.
const outsideReason = "file outside a class folder"

// wanted reports whether a file is a document of the split asked for, and counts the reason
// if it is none.
func (k *folders) wanted(name string, regular bool) bool {
	s := k.s
	dir, _ := path.Split(name)
	if dir != "" && s.opt.Split != "" {
		top, _, _ := strings.Cut(dir, "/")
		s.mu.Lock()
		s.folders[top] = true // for the error that says that a split has no documents
		s.mu.Unlock()
	}
	switch {
	case !regular:
		s.skip("not a regular file")
	case stray(name) != "":
		s.skip(stray(name))
	case s.opt.Format != Auto && s.opt.Format != Tree && s.opt.Format != Tar:
		s.skip(fmt.Sprintf("not a file of format %v", s.opt.Format))
	case dir == "" && !k.unlabelled || k.outside(path.Clean(dir)):
		reason := outsideReason
		if _, archive := NamesData(name); archive {
			reason = archiveReason
		}
		s.skip(reason)
	case strings.Count(name, "/") < s.opt.FolderLevel:
		s.skip("file above the folders of --folder-level")
	case s.opt.Split != "" && s.opt.Split != splitOf(s.opt.classFolder(name)):
		// another split is no problem to report
	default:
		return true
	}
	return false
}

// classFolder returns the folder whose name is the class of a file: the one directly above it,
// or the one that --folder-level says.
func (o *Options) classFolder(name string) string {
	if o.FolderLevel == 0 {
		return parentOf(name)
	}
	folders := strings.Split(name, "/")
	if len(folders) <= o.FolderLevel {
		return "." // of --label-from, or of no document
	}
	return strings.Join(folders[:o.FolderLevel], "/")
}

// splitOf returns the split that the folders of a class name: the nearest above it, or else
// the class itself. So neither news/train/protest nor latest/train/news is in the test split.
func splitOf(class string) string {
	for f := parentOf(class); f != "."; f = parentOf(f) {
		if split := splitNamed(f); split != "" {
			return split
		}
	}
	return splitNamed(class)
}

// parentOf is path.Dir for names that are clean and relative, which it does not check again.
func parentOf(name string) string {
	if at := strings.LastIndexByte(name, '/'); at > 0 {
		return name[:at]
	}
	return "."
}

// splitNamed returns the split that a folder's name ends in, or "".
func splitNamed(folder string) string {
	for _, split := range []string{"train", "test", "unused"} {
		if strings.HasSuffix(folder, split) {
			return split
		}
	}
	return ""
}
