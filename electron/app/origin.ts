/** Scheme and host of an address. `URL.origin` is "null" for a scheme of our own. */
export function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
