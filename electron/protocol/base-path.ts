/**
 * What is left of a request path (with its query) below a chain's base path, beginning with `/` (PROTOCOL 4.3, 5.2.6).
 * A path that does not lie below it comes back as it is.
 */
export function pathUnder(basePath: string, path: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return path;
}
