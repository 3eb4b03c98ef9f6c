import { describe, expect, test } from 'vitest';
import type { ChainRow, ExposureRow } from '../../electron/contract/desk-view.ts';
import type { ChainStillLive } from '../../electron/contract/still-live.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { chainsInStrip, hiddenText } from '../../renderer/components/frame/chains-in-strip.ts';
import { keyHalts, movedTo, pressAt, releaseHalts } from '../../renderer/components/frame/halt-press.ts';
import { boundText, liveTokens, quotesOf, stillLive } from '../../renderer/components/still-live.ts';
import { consoleAt, readTokenHash, socketUrl, takeConsoleAddress } from '../../renderer/state/console-address.ts';
import {
  ariaKeys,
  createKeyReader,
  type KeyPress,
  keysText,
  pressedAt,
  SHORTCUTS,
} from '../../renderer/state/shortcuts.ts';

const BUTTON = { left: 1144, top: 0, right: 1280, bottom: 60 };
const plain = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  repeat: false,
  writing: false,
  ...held,
});

describe('HALT', () => {
  test('acts when it is let go inside, near where it was pressed', () => {
    expect(releaseHalts(pressAt(1200, 30), 1203, 30, BUTTON)).toBe(true);
  });

  test('does not act when the pointer travelled, even if it came back, or was let go outside', () => {
    expect(releaseHalts(pressAt(1200, 30), 1204, 30, BUTTON)).toBe(false);
    expect(releaseHalts(movedTo(pressAt(1200, 30), 1230, 30), 1200, 30, BUTTON)).toBe(false);
    expect(releaseHalts(pressAt(1145, 30), 1143, 30, BUTTON)).toBe(false);
  });

  test('ignores Enter and Space for half a second after the focus arrived, and a key that is held down', () => {
    expect(keyHalts(1_000, 1_499, false)).toBe(false);
    expect(keyHalts(1_000, 1_500, false)).toBe(true);
    expect(keyHalts(1_000, 9_000, true)).toBe(false);
  });
});

describe('keys', () => {
  test('halt and drain count everywhere, also while somebody writes; letters never do', () => {
    const read = createKeyReader();
    expect(pressedAt('halt', plain('H', { ctrlKey: true, shiftKey: true, writing: true }))).toBe(0);
    expect(pressedAt('halt', plain('h', { metaKey: true, shiftKey: true }))).toBe(0);
    expect(pressedAt('halt', plain('H', { ctrlKey: true, shiftKey: true, altKey: true }))).toBe(-1);
    expect(pressedAt('halt', plain('H', { shiftKey: true, writing: true }))).toBe(-1);
    expect(read(plain('D', { ctrlKey: true, shiftKey: true, writing: true }), 0)).toEqual({ kind: 'drain' });
    expect(read(plain('?', { writing: true }), 0)).toBeNull();
    expect(read(plain('/', { writing: true }), 0)).toBeNull();
  });

  test('what buttons show and assistive technology is told are the keys that are heard', () => {
    expect(keysText('halt')).toBe('Ctrl Shift H');
    expect(ariaKeys('halt')).toBe('Control+Shift+H');
    expect([keysText('logRow'), ariaKeys('logRow')]).toEqual(['J  K', 'J K']);
    expect(pressedAt('logRow', plain('k'))).toBe(1);
    expect(pressedAt('way', plain('3', { code: 'Digit3', altKey: true }))).toBe(2);
    expect(pressedAt('undo', plain('Z', { ctrlKey: true, shiftKey: true }))).toBe(-1);
    expect(pressedAt('redo', plain('Z', { ctrlKey: true, shiftKey: true }))).toBe(1);
  });

  test('no key means two things in one place', () => {
    for (const place of new Set(Object.values(SHORTCUTS).map(({ where }) => where))) {
      const heard = Object.values(SHORTCUTS).filter(({ where }) => where === place || where === 'Everywhere');
      const keys = heard.flatMap((shortcut) => [...shortcut.keys]);
      expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    }
  });

  test('G and a letter go to a page, if the letter comes soon', () => {
    const read = createKeyReader();
    expect(read(plain('g'), 0)).toBeNull();
    expect(read(plain('p'), 1_000)).toEqual({ kind: 'go', path: '/prices' });
    read(plain('g'), 2_000);
    expect(read(plain('p'), 4_000)).toBeNull();
    read(plain('g'), 5_000);
    read(plain('x'), 5_100);
    expect(read(plain('p'), 5_200)).toBeNull();
  });
});

describe('the address', () => {
  const page = (hash: string, kept: Record<string, string> = {}) => {
    const replaced: string[] = [];
    const storage = new Map(Object.entries(kept));
    const fake = {
      location: { hash, host: '127.0.0.1:8788', protocol: 'http:', pathname: '/', search: '' },
      sessionStorage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => void storage.set(key, value),
      },
      history: { replaceState: (_: unknown, __: string, url: string) => void replaced.push(url) },
    };
    return { fake: fake as unknown as Window, replaced, kept: () => Object.fromEntries(storage) };
  };

  test('gives the token once, and loses it at once', () => {
    const { fake, replaced, kept } = page('#s3cret');
    expect(takeConsoleAddress(fake)).toEqual({ kind: 'websocket', url: 'ws://127.0.0.1:8788/rpc', token: 's3cret' });
    expect(replaced).toEqual(['/#/']);
    expect(takeConsoleAddress(page('#/prices', kept()).fake)).toMatchObject({ kind: 'websocket' });
  });

  test('waits for the desktop app’s port where there never was a token', () => {
    expect(takeConsoleAddress(page('#/prices').fake)).toEqual({ kind: 'port' });
    expect(takeConsoleAddress(page('', { 'makerdesk.token': '{broken' }).fake)).toEqual({ kind: 'port' });
  });

  test('carries the name of who sits at the console, escaped', () => {
    expect(readTokenHash('#abc?actor=Night%20desk')).toEqual({ token: 'abc', actor: 'Night desk', page: null });
    const begun = consoleAt('http://127.0.0.1:8788/#abc', '/service');
    expect(readTokenHash(new URL(begun).hash)).toEqual({ token: 'abc', actor: null, page: '/service' });
    expect(readTokenHash('#abc?page=javascript:alert(1)')?.page).toBeNull();
    expect(socketUrl('desk:1', true, 'Night & day')).toBe('wss://desk:1/rpc?actor=Night+%26+day');
  });
});

describe('the strip', () => {
  const chain = (chainId: number, closed: ChainRow['closed'] = null): ChainRow => ({
    chainId,
    name: `chain ${chainId}`,
    basePath: '',
    block: 1,
    blockSeenAt: 1,
    closed,
    fault: null,
    heartbeats: [],
    webSockets: 0,
    skewMs: null,
  });
  const status = (states: Record<number, Status['state']>): Status => ({
    state: 'LIVE',
    reason: null,
    actor: null,
    since: 0,
    drainUntil: null,
    chains: Object.entries(states).map(([id, state]) => ({ chainId: Number(id), state, closed: null, pairs: {} })),
  });

  test('shows the worst two of many chains and counts the rest', () => {
    const chains = [chain(1), chain(2, 'chain_unseen'), chain(3), chain(4)];
    const { shown, hidden } = chainsInStrip(chains, status({ 1: 'LIVE', 2: 'LIVE', 3: 'LIVE', 4: 'HALTED' }));
    expect(shown.map(({ chainId }) => chainId)).toEqual([4, 2]);
    expect(hidden.map(({ chainId }) => chainId)).toEqual([1, 3]);
  });

  test('names the chains behind the count that do not trade, before it counts those that do', () => {
    const chains = [chain(1), chain(2), chain(3, 'chain_unseen'), chain(4), chain(5), chain(6)];
    const now = status({ 1: 'LIVE', 2: 'HALTED', 3: 'LIVE', 4: 'HALTED', 5: 'DRAIN', 6: 'LIVE' });
    const { shown, hidden } = chainsInStrip(chains, now);
    expect(shown.map(({ chainId }) => chainId)).toEqual([2, 4]);
    expect(hiddenText(hidden, now)).toBe('chain 3 closed, chain 5 DRAIN, 2 more LIVE');
    expect(hiddenText([chain(1), chain(6)], now)).toBe('2 more LIVE');
    expect(chainsInStrip(chains.slice(0, 2), now).hidden).toEqual([]);
  });

  test('adds up what is live per token over all chains, in an order that stays', () => {
    const row = (chainId: number, tokenId: string, live: string, zeroAt: number | null): ExposureRow => ({
      chainId,
      tokenId,
      address: `0x${'0'.repeat(40)}`,
      decimals: 6,
      live,
      quotes: live === '0' ? 0 : 1,
      zeroAt,
      balance: null,
      allowance: null,
    });
    const exposure = [row(1, 'USDC', '5', 100), row(1, 'DAI', '0', null), row(2, 'USDC', '7', 300)];
    expect(liveTokens(exposure).map(({ symbol, live }) => [symbol, live])).toEqual([
      ['USDC', 12n],
      ['DAI', 0n],
    ]);
    expect(stillLive(exposure)).toMatchObject({ orders: 2, zeroAt: 300 });
    expect(stillLive([]).zeroAt).toBeNull();
  });
});

describe('what can still be taken', () => {
  const chain: ChainStillLive = {
    chainId: 1,
    name: 'chain 1',
    block: null,
    unknown: [],
    quotes: { count: 2, until: 300 },
    nftOrders: [],
    orders: [],
    permits: [],
    transactions: [],
    approvals: [],
    allowances: [],
    unread: [],
  };
  const having = (part: Partial<ChainStillLive>) => Object.assign({}, chain, part);
  const order = (givesNft: boolean): ChainStillLive['nftOrders'][number] => ({
    seq: 1,
    orderHash: '0x1',
    gives: '1 WETH',
    givesNft,
    gets: '1 of an NFT',
    taker: `0x${'0'.repeat(40)}`,
    until: 90_000,
  });
  const token = { chainId: 1, address: `0x${'1'.repeat(40)}`, symbol: 'WETH', decimals: 18 } as const;
  const approval = { token, spender: token.address, amount: '1', hash: '0x1' };
  const permit = { seq: 1, kind: 'permit2', token, spender: token.address, amount: '1', until: 5, call: '' } as const;
  const swap = { seq: 1, purpose: 'swap', hash: '0x1', src: token, until: null } as const;

  test('is “at most” a sum only where nothing is signed that the sum does not hold, and “at least” where not all is known', () => {
    expect(boundText([chain, having({ nftOrders: [order(false)] })], [])).toBe('at most');
    const beside = [
      { nftOrders: [order(true)] },
      { permits: [permit] },
      { transactions: [swap] },
      { approvals: [approval] },
    ];
    for (const part of beside) expect(boundText([chain, having(part)], [])).toBe('in quotes and intent orders');
    expect(boundText(undefined, [])).toBe('at least');
    expect(boundText([chain], ['ODD'])).toBe('at least');
    expect(boundText([having({ unknown: ['No node answers.'], permits: [permit] })], [])).toBe('at least');
  });

  test('an order signed by hand is no quote, and the quotes do not last as long', () => {
    const counted = { orders: 3, zeroAt: 90_000 };
    const chains = [having({ nftOrders: [order(false), order(true)] }), having({ quotes: { count: 0, until: null } })];
    expect(quotesOf(counted, chains)).toEqual({ quotes: 2, quotesEnd: 300 });
    expect(quotesOf(counted, [])).toEqual({ quotes: 3, quotesEnd: 90_000 });
    expect(quotesOf({ orders: 1, zeroAt: 90_000 }, chains)).toEqual({ quotes: 0, quotesEnd: null });
  });
});
