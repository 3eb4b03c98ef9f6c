import { ipcRenderer } from 'electron';
import { PORT_MESSAGE, PORT_REQUEST } from './contract/console-port.ts';

// Hands the page its ports to the desk, to its entrance and to the app, and nothing else: no function of this file can be called from the page.
let asked = false;

function ask(): void {
  asked = true;
  ipcRenderer.send(PORT_REQUEST);
}

window.addEventListener('message', (event) => {
  if (event.source === window && event.data?.kind === PORT_REQUEST) ask();
});
window.addEventListener('load', () => {
  if (!asked) ask();
});
ipcRenderer.on(PORT_MESSAGE, (event) => {
  window.postMessage({ kind: PORT_MESSAGE }, window.location.origin, event.ports);
});
