/**
 * How the console's page gets its port in the desktop app: the preload posts `PORT_MESSAGE` with one MessagePort to the
 * page, once after it has loaded and again whenever the desk was started anew. A page that needs another port posts
 * `PORT_REQUEST` to itself.
 */
export const PORT_MESSAGE = 'makerdesk-port';
export const PORT_REQUEST = 'makerdesk-port-request';
