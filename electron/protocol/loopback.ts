/** An IPv4 address of the machine itself. */
const LOOPBACK_V4 = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Whether a host to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || LOOPBACK_V4.test(host);
}

/** Whether what is said over this address stays between the two: https, or a machine that talks to itself. */
export function isSafeFromOthers(url: string): boolean {
  return new URL(url).protocol === 'https:' || isOnThisMachine(url);
}

/** Whether what answers at this address runs on this machine; nothing does at null. */
export function isOnThisMachine(url: string | null): boolean {
  return url !== null && URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}
