// The door: it takes files, asks what is not plain, has the engine count, and shows the terms in the explorer.

// An Ended is told to those who wait for an engine that people have ended.
class Ended extends Error {}

const page = (() => {
  const root = document.documentElement, one = (selector, from = document) => from.querySelector(selector);
  const door = one("#door"), ask = one("#ask"), message = one("#message"), busy = one("[data-busy]");
  const template = one("template[data-explorer]");
  let module = null, workerURL = "", engine = null;
  let files = [], about = null, shown = null; // what is chosen, what the engine says of it, and of its terms

  // enter tells people, tests and styles what the page is doing.
  function enter(state, text = "") {
    root.dataset.state = state;
    busy.hidden = state !== "busy";
    ask.hidden = state !== "asking" && !(state === "error" && about);
    one("[data-open]").hidden = about === null || state === "busy";
    one("[data-choices]").hidden = state !== "shown" || about.inputs.length === 0;
    one("[data-about]").textContent = shown?.says ?? about?.says ?? "";
    message.hidden = text === "";
    message.textContent = text;
    if (state === "busy") one("[data-progress]").textContent = "Reading the files …";
  }

  // An Engine is a worker with the files that are open. It answers one request after the other.
  class Engine {
    constructor() {
      this.waiting = new Map();
      this.calls = 0;
      this.worker = new Worker(workerURL);
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = (e) => this.die(" (" + e.message + ")");
      this.ready = new Promise((resolve) => { this.awake = resolve; });
      this.worker.postMessage({ module, files });
    }

    hear(data) {
      if (data.ready) return this.awake();
      if (data.died) return this.die("");
      const call = this.waiting.get(data.id);
      if (data.documents !== undefined) return call.progress?.(data.documents, data.bytes);
      this.waiting.delete(data.id);
      if (data.error) call.reject(new Error(data.error));
      else call.resolve({ ...JSON.parse(data.text), parts: data.parts });
      return undefined;
    }

    // ask promises an answer. While texts are read progress is told how many there are, and their bytes.
    ask(request, progress) {
      const id = ++this.calls;
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, progress });
        this.ready.then(() => this.worker.postMessage({ id, request }));
      });
    }

    // end ends the worker with all that it is doing.
    end(why = new Ended("Cancelled.")) {
      this.worker.terminate();
      if (engine === this) engine = null;
      for (const call of this.waiting.values()) call.reject(why);
    }

    die(how) {
      this.end(new Error("The engine has ended" + how + ": the texts most likely need more memory than the browser gives a page. Take fewer of them, or the command, which has no such bound."));
    }
  }

  // answer promises what the engine says of the texts that are shown. One that has ended is started anew, and counts first.
  async function answer(request) {
    if (!engine) {
      engine = new Engine();
      for (const earlier of shown.requests) await engine.ask(earlier);
    }
    return engine.ask(request);
  }

  // packed promises what the page has of a name.
  const packed = (name) => unpack(bytesOf(one("script[data-part=" + name + "]").textContent));

  // start gets the engine ready.
  async function start() {
    try {
      if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") throw new Error("This browser is too old for the page: take one of 2023 or later.");
      workerURL = URL.createObjectURL(new Blob([await packed("worker")], { type: "text/javascript" }));
      module = await WebAssembly.compile(await packed("engine"));
      one("script[data-part=engine]").remove(); // its bytes are not needed twice
      engine = new Engine();
      await engine.ready;
      enter("ready", location.hash.length > 1 ? "A page keeps no texts: choose them again, and it shows what its link says." : "");
    } catch (e) {
      enter("error", e.message);
      throw e;
    }
  }

  // renew starts an engine that has the files.
  function renew() {
    engine?.end();
    engine = new Engine();
  }

  // tell shows what went wrong, unless people wanted it.
  function tell(e, state = "error") {
    const flags = / --\w/.test(e.message) ? " (What begins with -- is for the command.)" : "";
    if (!(e instanceof Ended)) enter(state, e.message + flags);
  }

  // take begins with files, as [{path, file}].
  async function take(chosen) {
    files = chosen.map(({ path, file }) => ({ path: path.replace(/^\//, ""), file }));
    if (shown) history.replaceState(null, "", "#"); // the link is of other texts
    leave();
    about = null;
    if (files.length === 0) return enter("error", "There is no file in what was chosen: choose texts, tables, an archive or a folder of them.");
    enter("busy");
    try {
      if (files.length === 1 && /\.html?$/i.test(files[0].path) && await openSaved(files[0].file)) return undefined;
      renew();
      about = await engine.ask({ op: "describe", paths: files.map((f) => f.path) });
      offer();
      enter("asking");
      one("#go").focus();
    } catch (e) {
      tell(e);
    }
    return undefined;
  }

  // offer puts what was understood into the form.
  function offer() {
    const options = (select, pairs) => select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
    const classes = { folder: "the folders", top: "the upper folders", file: about.fields.length > 0 ? "the files" : "the files, whose lines are texts", none: "nothing: no classes" };
    one("[data-field-of=text]").hidden = about.fields.length === 0;
    options(one("#text-from"), about.fields.map((f) => [f.name, visibleName(f.name) + " (" + f.looks + ")"]));
    one("#text-from").value = about.text;
    options(one("#classes-from"), [...about.classes, ...about.fields.map((f) => "column:" + f.name).filter((c) => !about.classes.includes(c))].map((c) => {
      const name = c.startsWith("column:") ? c.slice(7) : "";
      return [c, name ? visibleName(name) : classes[c]];
    }));
    one("#markup").checked = about.markup;
  }

  // count counts the files as the form says, and shows their terms.
  async function count() {
    leave();
    enter("busy");
    const began = performance.now(), least = one("#least").value;
    const request = {
      op: "count", paths: about.inputs, text: one("#text-from").value, classes: one("#classes-from").value, stop: one("#stop").value, tokens: one("#tokens").value,
      markup: one("#markup").checked ? "strip" : "",
    };
    try {
      engine ??= new Engine();
      const counted = await engine.ask(request, (documents, bytes) => {
        one("[data-progress]").textContent = formatPlural(documents, "text") + ", " + (bytes / 1e6).toFixed(1) + " MB …";
      });
      if (least > 1) history.replaceState(null, "", "#" + new URLSearchParams([...new URLSearchParams(location.hash.slice(1)), ["docs", least]]));
      show(counted, [request]);
      root.dataset.seconds = ((performance.now() - began) / 1000).toFixed(2);
    } catch (e) {
      tell(e);
    }
  }

  // again shows other terms of the same texts: those of two sets of them, or of all.
  async function again(counted, request) {
    enter("busy");
    try {
      show({ ...counted, ...await answer(request) }, [shown.requests[0], request]);
    } catch (e) {
      tell(e, "shown");
    }
  }

  // show shows the terms, and the panels of the texts behind them, which requests have counted: none for a page that was
  // saved.
  function show(counted, requests) {
    leave();
    door.after(template.content.cloneNode(true));
    const stop = new AbortController(), data = dataOf(counted.parts);
    shown = { stop, requests, says: requests && formatPlural(counted.documents, "text") + ", " + formatPlural(counted.terms, "different word") };
    const panels = requests && makePanels(counted, { answer, again, showText, cancel: () => engine?.end() });
    if (panels) data.evidence = panels.evidence(data);
    runPage(data, { signal: stop.signal, onOpen: (i) => panels && i >= 0 && panels.open(data.term(i)) });
    enter("shown");
    one("main").focus({ preventScroll: true });
  }

  // showText shows a text, as it is.
  const dialog = one("[data-text]");
  one("[data-close-text]").addEventListener("click", () => dialog.close());
  function showText(title, text) {
    one("#text-title").replaceChildren(named(title));
    one("pre", dialog).textContent = text;
    dialog.showModal();
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
    for (const [name, text] of Object.entries(parts)) parts[name] = await unpack(bytesOf(text));
    about = { says: "The page that was saved as " + file.name, inputs: [] };
    show({ parts });
    return true;
  }

  function cancel() {
    engine?.end();
    enter(shown ? "shown" : about ? "asking" : "ready");
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
    take([{ path: "messages.jsonl", file: new File([await packed("sample")], "messages.jsonl") }]);
  });
  ask.addEventListener("submit", (e) => {
    e.preventDefault();
    count();
  });
  one("[data-again]").addEventListener("click", () => {
    leave();
    [files, about] = [[], null];
    renew();
    enter("ready");
  });
  one("[data-choices]").addEventListener("click", () => {
    leave();
    enter("asking");
  });
  one("[data-cancel]").addEventListener("click", cancel);
  one("[data-licences]").addEventListener("click", async () => showText("Licences", new TextDecoder().decode(await packed("licences"))));
  return { start };
})();

page.start();
