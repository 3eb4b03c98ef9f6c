/** A run of words in a line of the guide. */
export type Words =
  | { kind: 'plain' | 'bold' | 'said' | 'typed'; text: string }
  | { kind: 'link'; text: string; to: string };

/** What stands under each other on a page of the guide. */
export type Block =
  | { kind: 'title' | 'head' | 'text'; words: Words[] }
  | { kind: 'steps' | 'list'; items: Words[][] }
  | { kind: 'table'; head: Words[][]; rows: Words[][][] }
  | { kind: 'typed'; text: string }
  | { kind: 'picture'; text: string; to: string };

const WORDS = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]*)\]\(([^)]+)\)/g;

/** Returns the blocks of a page that is written as the guide's are: the small part of Markdown that they need. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n{2,}(?=(?:[^`]|`(?!``)|```[\s\S]*?```)*$)/)
    .filter((part) => part.trim() !== '')
    .map((part) => blockOf(part.trim()));
}

function blockOf(part: string): Block {
  const [, typed] = /^```\w*\n([\s\S]*?)\n?```$/.exec(part) ?? [];
  if (typed !== undefined) return { kind: 'typed', text: typed };
  const [, alt, to] = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(part) ?? [];
  if (alt !== undefined && to !== undefined) return { kind: 'picture', text: alt, to };
  if (part.startsWith('# ')) return { kind: 'title', words: wordsOf(part.slice(2)) };
  if (part.startsWith('## ')) return { kind: 'head', words: wordsOf(part.slice(3)) };
  if (/^\d+\. /.test(part)) return { kind: 'steps', items: itemsOf(part, /^\d+\. /m) };
  if (part.startsWith('- ')) return { kind: 'list', items: itemsOf(part, /^- /m) };
  if (part.startsWith('|')) return tableOf(part);
  return { kind: 'text', words: wordsOf(part) };
}

function itemsOf(part: string, mark: RegExp): Words[][] {
  return part
    .split(mark)
    .filter((item) => item !== '')
    .map((item) => wordsOf(item));
}

function tableOf(part: string): Block {
  const [head = [], , ...rows] = part.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => wordsOf(cell)),
  );
  return { kind: 'table', head, rows };
}

function wordsOf(lines: string): Words[] {
  const text = lines.replace(/\s+/g, ' ').trim();
  const found: Words[] = [];
  let at = 0;
  const plain = (until: number) => {
    if (until > at) found.push({ kind: 'plain', text: text.slice(at, until) });
  };
  for (const match of text.matchAll(WORDS)) {
    const [whole, bold, said, typed, link, to = ''] = match;
    plain(match.index);
    at = match.index + whole.length;
    if (bold !== undefined) found.push({ kind: 'bold', text: bold });
    else if (said !== undefined) found.push({ kind: 'said', text: said });
    else if (typed !== undefined) found.push({ kind: 'typed', text: typed });
    else if (link !== undefined) found.push({ kind: 'link', text: link, to });
  }
  plain(text.length);
  return found;
}
