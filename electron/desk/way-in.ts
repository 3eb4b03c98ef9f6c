import type { IncomingMessage } from 'node:http';

/**
 * Where a request comes from by what it names: this machine, or one of the addresses in `outside`; null where by neither. What
 * a proxy has passed on was never asked here, whatever it made of the name.
 */
export function wayIn(request: IncomingMessage, outside: readonly URL[]): 'here' | 'outside' | null {
  const { host = '', origin } = request.headers;
  if (!PASSED_ON.some((name) => name in request.headers) && namesThisMachine(request)) return 'here';
  const named = URL.parse(`https://${host}`)?.host;
  const at = outside.find((url) => url.host === named);
  return at !== undefined && (origin === undefined || origin === at.origin) ? 'outside' : null;
}

/** What reverse proxies add. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether host (and origin, if sent) name this machine. */
export function namesThisMachine(request: IncomingMessage): boolean {
  const origin = request.headers.origin;
  return isLoopbackHost(`http://${request.headers.host ?? ''}`) && (origin === undefined || isLoopbackHost(origin));
}

function isLoopbackHost(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(address)?.hostname ?? '');
}
