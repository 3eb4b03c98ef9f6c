/**
 * How the console's page gets its ports in the desktop app: the preload posts `PORT_MESSAGE` with three MessagePorts to the
 * page, one to the desk, one to the app itself and one to the entrance of the desk, once after it has loaded and again whenever the desk was started anew.
 * A page that needs others posts `PORT_REQUEST` to itself. The console of a desk elsewhere gets two, without an entrance, and the list
 * of these desks one, to the app.
 */
export const PORT_MESSAGE = 'makerdesk-port';
export const PORT_REQUEST = 'makerdesk-port-request';

/**
 * Lets the desk know how much of what it says on a port is read: how many messages so far, after each. Until then the
 * desk keeps to one message of each stream, so that a reader that hangs costs it no memory.
 */
export function tellWhatIsRead(
  onMessage: (heard: () => void) => void,
  port: { postMessage(message: unknown): void },
): void {
  let read = 0;
  onMessage(() => {
    read += 1;
    port.postMessage(read);
  });
}

/** What a page tells the app on the second port, beside questions for a file: HALT was pressed (`press`) and the desk has not acknowledged it. */
export const APP_HALT = 'halt';

/** The same: somebody wants to see the desks elsewhere. */
export const APP_DESKS = 'desks';

/** What stands behind `?` in the address of a console of a desk elsewhere, before the desk's name. */
export const ELSEWHERE = 'elsewhere';
