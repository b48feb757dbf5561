// The door: it takes files, asks what is not plain, has the engine count, and shows the terms in the explorer.

const page = (() => {
  const root = document.documentElement, one = (selector, from = document) => from.querySelector(selector);
  const door = one("#door"), ask = one("#ask"), message = one("#message"), busy = one("[data-busy]");
  let files = [], engine = null, about = null, shown = null, module = null, template = one("template[data-explorer]");

  // enter tells people, tests and styles what the page is doing.
  function enter(state, text = "") {
    root.dataset.state = state;
    busy.hidden = state !== "busy";
    ask.hidden = state !== "asking" && !(state === "error" && about);
    one("[data-open]").hidden = about === null || state === "busy";
    one("[data-choices]").hidden = state !== "shown" || about.inputs.length === 0;
    message.hidden = text === "";
    message.textContent = text;
    if (state === "busy") one("[data-progress]").textContent = "Reading the files …";
  }

  // An Engine is a worker with the files that are open. It is ended with what it is doing.
  class Engine {
    constructor() {
      this.waiting = new Map();
      this.calls = 0;
      this.worker = new Worker(workerURL);
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = (e) => this.die(e.message);
      this.ready = new Promise((resolve) => { this.awake = resolve; });
      this.worker.postMessage({ module, files });
    }

    hear(data) {
      if (data.ready) return this.awake();
      if (data.died) return this.die("");
      const call = this.waiting.get(data.id);
      if (!call) return undefined;
      if (data.documents !== undefined) return call.progress?.(data.documents, data.bytes);
      this.waiting.delete(data.id);
      if (data.error) call.reject(new Error(data.error));
      else call.resolve({ ...JSON.parse(data.text), parts: data.parts });
      return undefined;
    }

    // die rejects all that is waited for.
    die(why) {
      this.worker.terminate();
      const remedy = "The engine has ended" + (why ? " (" + why + ")" : "") + ": the texts most likely need more memory than the browser gives a page. Take fewer of them, or the command, which has no such bound.";
      for (const call of this.waiting.values()) call.reject(new Error(remedy));
      this.waiting.clear();
      if (engine === this) engine = null;
    }

    async ask(request, progress) {
      await this.ready;
      const id = ++this.calls;
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, progress });
        this.worker.postMessage({ id, request });
      });
    }
  }

  // start gets the engine ready.
  let workerURL = "";
  async function start() {
    const take = async (name) => {
      const e = one("script[data-part=" + name + "]"), bytes = await unpack(bytesOf(e.textContent));
      e.remove();
      return bytes;
    };
    try {
      if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") throw new Error("This browser is too old for the page: take one of 2023 or later.");
      workerURL = URL.createObjectURL(new Blob([await take("worker")], { type: "text/javascript" }));
      module = await WebAssembly.compile(await take("engine"));
      engine = new Engine();
      await engine.ready;
      enter("ready");
    } catch (e) {
      enter("error", e.message);
      throw e;
    }
  }

  // take begins with files, as [{path, file}].
  async function take(chosen) {
    files = chosen.map(({ path, file }) => ({ path: path.replace(/^\//, ""), file }));
    if (files.length === 0) return enter("error", "There is no file in what was dropped: choose texts, tables, an archive or a folder of them.");
    leave();
    about = null;
    history.replaceState(null, "", "#"); // of what was shown before
    enter("busy");
    if (files.length === 1 && /\.html?$/i.test(files[0].path) && await openSaved(files[0].file)) return undefined;
    engine?.worker.terminate();
    engine = new Engine();
    const mine = engine;
    try {
      about = await mine.ask({ op: "describe", paths: files.map((f) => f.path) });
      if (mine !== engine) return undefined;
      offer();
      enter("asking");
      one("#go").focus();
    } catch (e) {
      if (mine === engine || engine === null) enter("error", e.message);
    }
    return undefined;
  }

  // offer puts what was understood into the form.
  function offer() {
    const options = (select, pairs) => select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
    const classes = { folder: "the folders", file: "the names of the files", none: "nothing: no classes" };
    one("[data-field-of=text]").hidden = about.fields.length === 0;
    options(one("#text-from"), about.fields.map((f) => [f.name, visibleName(f.name) + " (" + f.looks + ")"]));
    one("#text-from").value = about.text;
    options(one("#classes-from"), [...about.classes, ...about.fields.map((f) => "column:" + f.name).filter((c) => !about.classes.includes(c))].map((c) => {
      const name = c.startsWith("column:") ? c.slice(7) : "";
      return [c, name ? visibleName(name) : classes[c]];
    }));
    one("#markup").checked = about.markup;
    one("[data-about]").textContent = about.says;
  }

  // count counts the files as the form says, and shows their terms.
  async function count() {
    leave();
    enter("busy");
    if (!engine) engine = new Engine();
    const mine = engine, began = performance.now();
    const request = {
      op: "count", paths: about.inputs, text: one("#text-from").value, classes: one("#classes-from").value, stop: one("#stop").value, tokens: one("#tokens").value,
      min_df: Number(one("#least").value) > 1 ? Number(one("#least").value) : 0, markup: one("#markup").checked ? "strip" : "",
    };
    try {
      const counted = await mine.ask(request, (documents, bytes) => {
        one("[data-progress]").textContent = formatPlural(documents, "text") + ", " + (bytes / 1e6).toFixed(1) + " MB …";
      });
      if (mine !== engine) return;
      show(counted, mine);
      root.dataset.seconds = ((performance.now() - began) / 1000).toFixed(2);
    } catch (e) {
      if (mine !== engine && engine !== null) return;
      enter("error", e.message);
    }
  }

  // show shows the terms, and the panels of the texts behind them. of is null for a page that was saved.
  function show(counted, of) {
    leave();
    const stop = new AbortController(), explorer = template.content.cloneNode(true);
    door.after(explorer);
    const data = dataOf(counted.parts), panels = of && makePanels(counted, of, { reopen: show });
    if (panels) data.evidence = panels.evidence(data);
    shown = { stop };
    runPage(data, { signal: stop.signal, onOpen: (i) => panels && i >= 0 && panels.open(data.term(i)) });
    enter("shown");
  }

  // leave takes away what is shown.
  function leave() {
    shown?.stop.abort();
    shown = null;
    one("main")?.remove();
  }

  // openSaved shows a page that was saved, and promises whether the file is one.
  async function openSaved(file) {
    const text = await file.text(), parts = {};
    for (const [, name, packed] of text.matchAll(/<script type="application\/octet-stream" data-part="(\w+)">([\w-]*)<\/script>/g)) parts[name] = packed;
    if (!parts.head || !parts.counts) return false;
    for (const name of Object.keys(parts)) parts[name] = await unpack(bytesOf(parts[name]));
    about = { says: "The page that was saved as " + file.name, inputs: [] };
    one("[data-about]").textContent = about.says;
    show({ parts }, null);
    return true;
  }

  function cancel() {
    engine?.worker.terminate();
    engine = null;
    enter(about ? "asking" : "ready");
  }

  // filesOf promises the files of what was dropped, folders and all. Chromium reads no entry on a page of the disk, and
  // other browsers have no handles.
  async function filesOf(items) {
    const dropped = [...items].filter((item) => item.kind === "file").map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile(), handle: item.getAsFileSystemHandle?.() }));
    const all = [];
    const walk = async (folder, path) => {
      for await (const inside of folder.values()) {
        if (inside.kind === "directory") await walk(inside, path + inside.name + "/");
        else all.push({ path: path + inside.name, file: await inside.getFile() });
      }
    };
    const walkEntry = async (entry) => {
      if (entry.isFile) return all.push({ path: entry.fullPath, file: await new Promise((resolve, reject) => { entry.file(resolve, reject); }) });
      for (const reader = entry.createReader(); ;) {
        const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (some.length === 0) return undefined;
        for (const inside of some) await walkEntry(inside);
      }
    };
    for (const { entry, file, handle } of dropped) {
      if (!entry?.isDirectory) all.push({ path: file.name, file });
      else if (handle) await walk(await handle, entry.name + "/");
      else await walkEntry(entry);
    }
    return all;
  }

  const drop = one("[data-drop]");
  for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(type, (e) => {
      e.preventDefault();
      drop.classList.toggle("over", type === "dragenter" || type === "dragover");
    });
  }
  addEventListener("drop", (e) => {
    filesOf(e.dataTransfer.items).then(take, (wrong) => enter("error", "The folder cannot be read here (" + wrong.message + "): choose it by the button, or pack it as a .zip."));
  });
  for (const input of [one("#files"), one("#folder")]) {
    input.addEventListener("change", () => {
      const chosen = [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
      input.value = "";
      take(chosen);
    });
  }
  one("[data-sample]").addEventListener("click", async () => {
    const bytes = await unpack(bytesOf(one("script[data-part=sample]").textContent));
    take([{ path: "messages.jsonl", file: new File([bytes], "messages.jsonl") }]);
  });
  ask.addEventListener("submit", (e) => {
    e.preventDefault();
    count();
  });
  one("[data-again]").addEventListener("click", () => {
    leave();
    about = null;
    engine?.worker.terminate();
    engine = new Engine();
    enter("ready");
  });
  one("[data-choices]").addEventListener("click", () => {
    leave();
    enter("asking");
  });
  one("[data-cancel]").addEventListener("click", cancel);
  return { start };
})();

page.start();
