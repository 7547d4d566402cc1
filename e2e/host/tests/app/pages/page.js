globalThis.early = {
  require: typeof globalThis.require,
  process: typeof globalThis.process,
  ipcRenderer: typeof globalThis.ipcRenderer,
  sample: typeof globalThis.sample,
};
globalThis.pushed = [];
globalThis.sample?.onPush((value) => globalThis.pushed.push(value));
