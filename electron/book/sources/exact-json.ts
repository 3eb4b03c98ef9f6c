/** A text in quotes, whole, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g;

/** What JSON says, with each number as the text that it was written as: a price never passes through a float. Throws SyntaxError. */
export function exactJson(text: string): unknown {
  JSON.parse(text); // what follows takes it to be sound
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
