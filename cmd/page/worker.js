"use strict";
// The worker: Go's loader stands before this, and the engine behind it. It shows the files that were chosen to package
// os as files of a disk, and passes requests and answers.

// mount makes the tree of files.
function mount(files) {
  const root = { entries: new Map() };
  for (const { path, file } of files) {
    let folder = root;
    const names = path.split("/").filter(Boolean);
    for (const name of names.slice(0, -1)) {
      if (!folder.entries.has(name)) folder.entries.set(name, { entries: new Map() });
      folder = folder.entries.get(name);
    }
    folder.entries.set(names.at(-1), { file });
  }
  const byName = ([a], [b]) => (a < b ? -1 : 1);
  const thread = (folder) => { // each file to the next, in the order in which they are read
    for (const [, node] of [...folder.entries].sort(byName)) {
      if (node.entries) thread(node);
      else [last.next, last] = [node, node];
    }
  };
  let last = {};
  thread(root);
  return root;
}

// A disk answers what package os asks of file systems, as that of Node does.
function disk(root) {
  const open = new Map(), window = 1 << 20;
  let next = 100;
  const failed = (code) => Object.assign(new Error(code), { code });
  const find = (path) => {
    let at = root;
    for (const name of path.split("/")) if (name && name !== ".") at = at?.entries?.get(name);
    return at;
  };
  const stat = (node) => {
    const isFolder = Boolean(node.entries), size = isFolder ? 0 : node.file.size, time = isFolder ? 0 : node.file.lastModified;
    return {
      dev: 1, ino: node.number ??= next++, mode: isFolder ? 0o40555 : 0o100444, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096, blocks: Math.ceil(size / 512),
      atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => isFolder,
    };
  };
  const bytesOf = (blob) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
  // ahead reads a small file, and those behind it that are small, too: each reading takes its time.
  const ahead = (node) => {
    const few = [];
    for (let size = 0; node && few.length < 500; node = node.next) {
      size += node.file.size;
      if (size > window) break;
      few.push(node);
    }
    let bytes, from = 0;
    try {
      bytes = bytesOf(new Blob(few.map((n) => n.file)));
    } catch { // one of them has gone: each is told of in its turn
      few.length = 1;
      bytes = bytesOf(few[0].file);
    }
    for (const n of few) {
      n.bytes = bytes.subarray(from, from + n.file.size);
      from += n.file.size;
    }
  };
  // read copies bytes of a file from a place on; it takes a window of them from the file at a time.
  const read = (of, to, place) => {
    const { node } = of;
    if (place >= node.file.size) return 0;
    if (!of.bytes && node.file.size <= window) {
      if (!node.bytes) ahead(node);
      [of.from, of.bytes, node.bytes] = [0, node.bytes, null];
    } else if (!of.bytes || place < of.from || place >= of.from + of.bytes.length) {
      of.from = place;
      of.bytes = bytesOf(node.file.slice(place, place + Math.max(window, to.length)));
    }
    const bytes = of.bytes.subarray(place - of.from, place - of.from + to.length);
    to.set(bytes);
    return bytes.length;
  };
  const answer = (callback, f) => {
    let value;
    try {
      value = f();
    } catch (e) {
      return callback(e.code ? e : failed("EIO"));
    }
    callback(null, value);
  };
  const there = (path) => find(path) ?? (() => { throw failed("ENOENT"); })();
  const opened = (number) => open.get(number) ?? (() => { throw failed("EBADF"); })();
  return {
    constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
    open: (path, flags, mode, callback) => answer(callback, () => {
      if (flags & 3) throw failed("EROFS");
      open.set(++next, { node: there(path), at: 0 });
      return next;
    }),
    close: (number, callback) => answer(callback, () => { open.delete(number); }),
    stat: (path, callback) => answer(callback, () => stat(there(path))),
    lstat: (path, callback) => answer(callback, () => stat(there(path))),
    fstat: (number, callback) => answer(callback, () => stat(opened(number).node)),
    readdir: (path, callback) => answer(callback, () => [...(there(path).entries ?? (() => { throw failed("ENOTDIR"); })()).keys()]),
    read: (number, buffer, offset, length, position, callback) => answer(callback, () => {
      const of = opened(number), n = read(of, buffer.subarray(offset, offset + length), position ?? of.at);
      if (position === null) of.at += n;
      return n;
    }),
    write: (number, buffer, offset, length, position, callback) => { // of panics
      console.error(new TextDecoder().decode(buffer.subarray(offset, offset + length)));
      callback(null, length);
    },
    writeSync: (number, buffer) => {
      console.error(new TextDecoder().decode(buffer));
      return buffer.length;
    },
    fsync: (number, callback) => callback(null),
  };
}

// ready, told and replied are called by the engine, with the number of the request.
globalThis.ready = () => postMessage({ ready: true });
globalThis.told = (id, documents, bytes) => postMessage({ id, documents, bytes });
globalThis.replied = (id, text, parts, error) => postMessage({ id, text, parts, error }, parts ? Object.values(parts).map((p) => p.buffer) : []);

onmessage = ({ data }) => {
  if (!data.module) return globalThis.termsift(data.id, JSON.stringify(data.request));
  const go = new Go();
  globalThis.fs = disk(mount(data.files));
  globalThis.process.cwd = () => "/";
  WebAssembly.instantiate(data.module, go.importObject).then((instance) => go.run(instance)).then(() => postMessage({ died: true }));
};
