import { expect, test } from 'vitest';
import { type Block, blocksOf, type Words } from '../../renderer/pages/guide/guide-text.ts';
import { guidePages } from '../readme/guide-page.ts';

test('steps, lists, tables, pictures and commands are told apart, and the words in them', () => {
  const text = [
    '# A title',
    'Words of the screen are **Bold words**, typed `a b`,\nand *said*; see [the other](other.md#part).',
    '1. First **Go**\n   on.\n2. Second.',
    '- one\n- two',
    '| a | b |\n|---|---|\n| 1 | [x](y.md) |',
    '![What it shows](pictures/x.webp)',
    '## At the command line',
    '```sh\nmakerdesk status   # a\n\nmakerdesk halt\n```',
  ].join('\n\n');
  const plain = (words: string): Words => ({ kind: 'plain', text: words });
  expect(blocksOf(text)).toEqual([
    { kind: 'title', words: [plain('A title')] },
    {
      kind: 'text',
      words: [
        plain('Words of the screen are '),
        { kind: 'bold', text: 'Bold words' },
        plain(', typed '),
        { kind: 'typed', text: 'a b' },
        plain(', and '),
        { kind: 'said', text: 'said' },
        plain('; see '),
        { kind: 'link', text: 'the other', to: 'other.md#part' },
        plain('.'),
      ],
    },
    { kind: 'steps', items: [[plain('First '), { kind: 'bold', text: 'Go' }, plain(' on.')], [plain('Second.')]] },
    { kind: 'list', items: [[plain('one')], [plain('two')]] },
    {
      kind: 'table',
      head: [[plain('a')], [plain('b')]],
      rows: [[[plain('1')], [{ kind: 'link', text: 'x', to: 'y.md' }]]],
    },
    { kind: 'picture', text: 'What it shows', to: 'pictures/x.webp' },
    { kind: 'head', words: [plain('At the command line')] },
    { kind: 'typed', text: 'makerdesk status   # a\n\nmakerdesk halt' },
  ]);
});

test('of every page of the guide no mark-up is left over', () => {
  const wordsOf = (block: Block): Words[] => {
    if (block.kind === 'steps' || block.kind === 'list') return block.items.flat();
    if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flat();
    return 'words' in block ? block.words : [];
  };
  const left = guidePages().flatMap(({ file, text }) =>
    blocksOf(text)
      .flatMap(wordsOf)
      .filter(({ kind, text: words }) => kind !== 'typed' && /\*|`|\]\(|^\s*#/.test(words))
      .map(({ text: words }) => `${file}: ${words}`),
  );
  expect(left).toEqual([]);
});
