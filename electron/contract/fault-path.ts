const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The path of a fault one step further down: `.key`, `["odd key"]` or `[index]`. */
export function below(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const text = String(key);
  if (!PLAIN_KEY.test(text)) return `${path}[${JSON.stringify(text)}]`;
  return path === '' ? text : `${path}.${text}`;
}
