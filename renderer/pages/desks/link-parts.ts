/** The address and the token of a link as a desk prints it, `https://desk.example.com/#TOKEN`; `token` is null where none is in it. */
export function linkParts(text: string): { url: string; token: string | null } {
  const at = text.indexOf('#');
  if (at < 0) return { url: text, token: null };
  const token = text.slice(at + 1).split('?')[0] ?? '';
  return { url: text.slice(0, at), token: token === '' ? null : token };
}
