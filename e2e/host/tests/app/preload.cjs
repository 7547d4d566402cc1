const { contextBridge, ipcRenderer } = require('electron');

class WithPrototype {
  own = 1;
  inherited() {
    return 2;
  }
}

const attempts = {};
for (const [name, use] of Object.entries({
  unknownModule: () => require('node:fs'),
  getPathForFile: () => require('electron').webUtils.getPathForFile,
  sendToHost: () => ipcRenderer.sendToHost('x'),
  executeInMainWorld: () => contextBridge.executeInMainWorld,
})) {
  try {
    use();
    attempts[name] = 'no error';
  } catch (error) {
    attempts[name] = error.message;
  }
}

contextBridge.exposeInMainWorld('sample', {
  version: 3,
  argv: process.argv,
  attempts,
  buffer: typeof Buffer,
  nested: { list: [1, { deep: true }] },
  instance: new WithPrototype(),
  add: (a, b) => a + b,
  echo: (value) => ipcRenderer.invoke('echo', value),
  sender: () => ipcRenderer.invoke('sender'),
  senderAfterNavigation: () => ipcRenderer.invoke('sender-after-navigation'),
  fail: (how) => ipcRenderer.invoke('fail', how),
  missing: () => ipcRenderer.invoke('no-such-channel'),
  sync: (value) => ipcRenderer.sendSync('sync', value),
  throws: () => {
    throw Object.assign(new TypeError('boom'), { secret: 'x' });
  },
  map: (call) => [1, 2, 3].map((item) => call(item)),
  kind: (value) => Object.prototype.toString.call(value),
  rejects: async () => {
    throw new Error('later');
  },
  onPush: (listener) => {
    const heard = (_event, value) => listener(value);
    ipcRenderer.on('push', heard);
    return () => ipcRenderer.off('push', heard);
  },
});
exports.loaded = true;
ipcRenderer.send('preloaded', location.href);
