import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseAst } from 'vite';

/** Rooms whose words reach the screen, the terminal or the log. The practice market's own texts stand on the wire. */
const ROOMS = ['renderer', 'electron'];
const OUTSIDE = ['electron/practice/'];

/** Words that the glossary of CONTRIBUTING.md, or plain English, has another one for. */
const AVOIDED = [
  [/\bbar(s|red|ring)? (the user|users|them|whoever|here)\b|\bbarred\b/i, 'blacklist'],
  [/\bkeeps? away from\b/i, 'skip'],
  [/\bbegun anew|began anew\b/i, 'reset'],
  [/\bbegin anew\b/i, 'start again'],
  [/\bmend(s|ed)?\b/i, 'fix'],
  [/\beach ask\b|\btheir asks\b/i, 'request'],
  [/\basked was\b/i, 'not … as asked'],
  [/\bcut (down|up) to\b/i, 'round'],
  [/\bdeeds?\b/i, 'event'],
  [/\brestor(e|ed) a backup\b/i, 'put a backup back'],
  [/\bis not one of this desk\b/i, 'this desk has no'],
  [/\b(he|him|his)\b/i, 'they'],
  [/\bcame to with it\b/i, 'the net of it'],
  [/^of it \w+$/i, 'of that'],
];

/** Attributes that nobody reads. */
const UNREAD = new Set([
  'className',
  'key',
  'href',
  'type',
  'role',
  'd',
  'viewBox',
  'id',
  'name',
  'htmlFor',
  'data-testid',
]);

/**
 * Every text of the product that a person may read: of JSX, with `{…}` where a value stands, and each string and template
 * of two words or more. One row a text, in the order of the files: `{ file, line, text }`.
 */
export function textsOf(root) {
  return ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true })
      .map((path) => posix.join(room, path.replaceAll('\\', '/')))
      .filter((file) => /\.tsx?$/.test(file) && !OUTSIDE.some((outside) => file.startsWith(outside)))
      .sort()
      .flatMap((file) => textsIn(file, readFileSync(join(root, file), 'utf8'))),
  );
}

/** The texts of one file. */
function textsIn(file, source) {
  const found = [];
  const tell = (node, text) => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (/\p{L}/u.test(words)) found.push({ file, line: source.slice(0, node.start).split('\n').length, text: words });
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;

  function walk(node) {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
    if (/^(Import|ExportAll|TS(?!AsExpression|SatisfiesExpression|NonNullExpression))/.test(node.type ?? '')) return;
    if (node.type === 'JSXOpeningElement' && isComponent(node))
      for (const { name, value } of node.attributes) {
        if (name?.name === 'name' && typeof value?.value === 'string') tell(node, value.value);
      }
    if (node.type === 'JSXAttribute' && UNREAD.has(node.name.name)) return;
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') tell(node, jsxText(node.children));
    else if (node.type === 'JSXAttribute' && typeof node.value?.value === 'string') return tell(node, node.value.value);
    else if (node.type === 'Literal' && typeof node.value === 'string' && isProse(node.value)) tell(node, node.value);
    else if (node.type === 'TemplateLiteral') {
      const text = node.quasis.map(({ value }) => value.cooked).join('{…}');
      if (isProse(text)) tell(node, text);
    }
    for (const [name, value] of Object.entries(node)) if (name !== 'type') walk(value);
  }
}

/** A component shows its `name`, as a panel does in its head; an element of the browser does not. */
function isComponent({ name }) {
  return /^\p{Lu}/u.test(name.name ?? '');
}

/** What stands between an element's tags, without what its children say themselves. */
function jsxText(children) {
  return children
    .map((child) => (child.type === 'JSXText' ? child.value : child.type === 'JSXExpressionContainer' ? '{…}' : '‹›'))
    .join('')
    .replace(/^[\s{}…‹›]+$/, '');
}

/**
 * Whether a string is words for people: two of them at least, or one that begins as a sentence does, by itself or with a
 * value behind it.
 */
function isProse(text) {
  return /\p{L}{2,}[^\n]*\s[^\n]*\p{L}{2,}/u.test(text) || /^\p{Lu}\p{Ll}+( \{…\}.*|[.…]?)$/u.test(text);
}

/** Texts with a word that is avoided, one line each, with the word that stands for it. */
export function faultsOfWords(root) {
  return textsOf(root).flatMap(({ file, line, text }) =>
    AVOIDED.flatMap(([avoided, better]) => {
      const found = avoided.exec(text);
      return found === null ? [] : [`${file}:${line}: "${found[0]}" in "${text}": the word is "${better}"`];
    }),
  );
}

/** `node resources/setup/texts.mjs` prints them all, to be read as a whole. */
if (process.argv[1] === import.meta.filename) {
  let of = '';
  for (const { file, line, text } of textsOf(process.cwd())) {
    if (file !== of) console.log(`\n${file}`);
    of = file;
    console.log(`${line}\t${text}`);
  }
}
