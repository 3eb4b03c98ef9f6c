import { expect, test } from 'vitest';
import type { PairRow } from '../../electron/contract/book.ts';
import { namesOf } from '../../electron/contract/given-names.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { type DeskView, UNHEARD } from '../../renderer/state/live-desk.ts';
import { markedParts, paletteCommands, searchCommands } from '../../renderer/state/palette-commands.ts';
import { typedCommands } from '../../renderer/state/typed-commands.ts';

const pair = (name: string, switches = { pair: true, bids: true, asks: true }): PairRow => ({
  chainId: 1,
  pair: name,
  base: name.split('/')[0] ?? '',
  quote: name.split('/')[1] ?? '',
  switches,
  bestBid: '1',
  bestBidAmount: '1',
  bestAsk: '2',
  bestAskAmount: '1',
  spreadTenthBps: 1,
  revision: 1,
  publishedAt: 1,
  publishedBy: 'a',
  retiredUntil: null,
  fault: null,
  today: { signed: 0, refused: 0, filled: 0 },
});
const chain = { chainId: 1, name: 'Ethereum', basePath: '/1', block: 1, blockSeenAt: 1, closed: null, fault: null };
const deskView = (state: Status['state'], pairs: PairRow[]): DeskView => ({
  ...UNHEARD,
  status: {
    state,
    reason: null,
    actor: null,
    since: 1,
    drainUntil: null,
    chains: [{ chainId: 1, state, closed: null, pairs: {} }],
  },
  chains: [{ ...chain, heartbeats: [], webSockets: 0, skewMs: null }],
  pairs,
});
const texts = (view: DeskView, search: string) =>
  searchCommands(paletteCommands(view), search).flatMap(({ commands }) => commands.map(({ text }) => text));

const view = deskView('LIVE', [pair('WETH/USDC'), pair('WBTC/USDC'), pair('LINK/WETH')]);

test('every pair is reached by a few letters of it, and so is each of its switches', () => {
  expect(texts(view, 'link')[0]).toBe('LINK/WETH ladder');
  expect(texts(view, 'wbtc asks')[0]).toBe('Switch WBTC/USDC asks off');
  expect(texts(view, 'wethusdc')).toContain('WETH/USDC ladder');
});

test('a stop acts at once, a start only asks, and what is on cannot be switched on', () => {
  const off = deskView('LIVE', [pair('WETH/USDC', { pair: true, bids: false, asks: true })]);
  const commands = paletteCommands(off);
  const bids = commands.filter(({ text }) => text.includes('bids'));
  expect(bids.map(({ text, deed }) => [text, deed.kind])).toEqual([['Switch WETH/USDC bids on…', 'resume']]);
  expect(commands.find(({ text }) => text === 'Switch WETH/USDC asks off')?.deed.kind).toBe('halt');
});

test('a halted desk offers no halt, and a desk that trades no resume', () => {
  expect(texts(deskView('HALTED', []), 'halt everything')).not.toContain('Halt everything');
  expect(texts(deskView('HALTED', []), 'resume')).toContain('Resume the desk…');
  expect(texts(view, 'resume')).not.toContain('Resume the desk…');
});

test('a search over 500 pairs finds its pair', () => {
  const many = paletteCommands(
    deskView(
      'LIVE',
      Array.from({ length: 500 }, (_, index) => pair(`T${index}/USDC`)),
    ),
  );
  expect(searchCommands(many, 't499 asks')[0]?.commands[0]?.text).toBe('Switch T499/USDC asks off');
});

test('the letters that were typed are marked, whatever they mean to a pattern', () => {
  expect(markedParts('WETH/USDC (x)', 'weth (').filter(({ marked }) => marked)).toHaveLength(2);
  expect(markedParts('WETH', '')).toEqual([{ part: 'WETH', marked: false, at: 0 }]);
});

const ABEL = `0xa1f4${'0'.repeat(32)}45d3`;
const given = [
  { of: 'user' as const, id: ABEL, name: 'Abel', since: 1, actor: 'mara' },
  { of: 'counterparty' as const, id: 'abel.example', name: 'Abel', since: 1, actor: 'mara' },
];
const names = { given, ...namesOf(given) };

test('a user is found by their name, and what stands shortened on the screen as it stands there', () => {
  const typed = (search: string) =>
    typedCommands(view, search, names).map(({ text, deed }) => [text.replace(/[\u2068\u2069]/g, ''), deed]);
  const log = (search: string) => ({ kind: 'go', path: `/firm-log?${new URLSearchParams({ search })}` });
  const ofAbel = [
    ['Quotes of Abel 0xa1f4…45d3', log(ABEL)],
    ['Fills of Abel 0xa1f4…45d3', { kind: 'go', path: `/fills?since=0&user=${ABEL}` }],
  ];
  expect(typed('abe')).toEqual(ofAbel);
  expect(typed(ABEL)).toEqual(ofAbel);
  expect(typed('0xA1F4…45d3')).toEqual([['Quotes of 0xA1F4…45d3', log('0xa1f4…45d3')], ...ofAbel]);
  expect(typed('0xbbbb')).toEqual([['Quotes of 0xbbbb', log('0xbbbb')]]);
});

test('a change of prices, a user, a hash and a limit are understood as they are typed', () => {
  const typed = (search: string) =>
    typedCommands(
      { ...view, listed: view.pairs.map(({ chainId, pair: id, base, quote }) => ({ chainId, pair: id, base, quote })) },
      search,
      names,
    );
  expect(typed('WETH +5bp').map(({ text, deed }) => [text, deed])).toEqual([
    ['WETH 5 bps up…', { kind: 'reprice', text: 'WETH +5bp' }],
  ]);
  expect(typed('weth/usdc sizes x0.5')[0]?.text).toBe('Sizes of WETH/USDC ×0.5…');
  for (const search of ['', 'WETH', 'FOO +5bp', '0x12', 'resume']) expect(typed(search)).toEqual([]);
  const user = `0x${'Ab'.repeat(20)}`;
  expect(typed(user).map(({ deed }) => deed)).toEqual([
    { kind: 'go', path: `/firm-log?search=${user.toLowerCase()}` },
    { kind: 'go', path: `/fills?since=0&user=${user.toLowerCase()}` },
  ]);
  const hash = `0x${'12'.repeat(32)}`;
  expect(typed(hash).map(({ deed }) => deed)).toEqual([{ kind: 'go', path: `/firm-log?search=${hash}` }]);
  expect(texts(view, 'limit one quote')[0]).toBe('Limit: At most in one quote');
});
