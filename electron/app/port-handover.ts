import { ipcMain, MessageChannelMain, type MessagePortMain, type WebContents, type WebFrameMain } from 'electron';
import { PORT_MESSAGE, PORT_REQUEST } from '../contract/console-port.ts';
import { originOf } from './origin.ts';

/**
 * Gives a window a port to the desk when its page asks for one. Only the top frame of a window that shows the console is
 * heard.
 */
export function handOverPorts(options: {
  pageOrigin: string;
  isWindow: (contents: WebContents) => boolean;
  connect: (port: MessagePortMain) => void;
}): void {
  ipcMain.on(PORT_REQUEST, (event) => {
    if (!options.isWindow(event.sender) || !isConsole(event.senderFrame, event.sender, options.pageOrigin)) return;
    handOverPort(event.sender, options.connect);
  });
}

export function handOverPort(contents: WebContents, connect: (port: MessagePortMain) => void): void {
  const { port1, port2 } = new MessageChannelMain();
  connect(port1);
  contents.postMessage(PORT_MESSAGE, null, [port2]);
}

function isConsole(frame: WebFrameMain | null, contents: WebContents, pageOrigin: string): boolean {
  return frame !== null && frame === contents.mainFrame && originOf(frame.url) === pageOrigin;
}
