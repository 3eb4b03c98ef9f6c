import { expect, test } from 'vitest';
import type { Reference } from '../../electron/book/references.ts';
import type { ChainCheck } from '../../electron/chain/chain-check.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import { checkBeforeResume, resumeOutlook } from '../../electron/desk/resume-check.ts';
import { newlyDiscarded, strictBodiesOf } from '../../electron/desk/strict-bodies.ts';
import { CHAIN } from '../book/fixture.ts';
import { firm, openDesk, request } from '../quoting/open-desk.ts';

const PAIR = 'WETH/USDC';
const by = { actor: 'mara', reason: 'looks at it' };

/** A halted desk whose self-check says what it is told to. */
async function halted(found: ChainCheck[] = [], holdings: ChainCheck[] = [], chain: Record<string, unknown> = {}) {
  const desk = await openDesk({ chain });
  const { book, guard } = desk;
  await guard.trading.halt({}, by);
  const checks = { again: async () => new Map([[CHAIN, found]]), holdings: async () => holdings };
  const parts = { book, guard, checks, now: () => desk.now() };
  return { ...desk, parts, outlook: (scope = {}) => resumeOutlook(parts, scope) };
}

const ofToken = (outcome: ChainCheck['outcome'], tokenId = 'WETH'): ChainCheck => ({
  name: `token ${tokenId}`,
  scope: { kind: 'token', tokenId },
  outcome,
  sentence: `${tokenId} is ${outcome}.`,
});

test('a resume is told as it will be: pairs that start, and those that a failed token keeps closed, with what mends it', async () => {
  const desk = await halted();
  const all = (await desk.outlook()).starts.map(({ pair }) => pair);
  expect(all).toContain(PAIR);
  const failing = await halted([ofToken('failed')]);
  const outlook = await failing.outlook();
  expect(outlook.starts.map(({ pair }) => pair)).not.toContain(PAIR);
  expect(outlook.staysClosed).toContainEqual({
    chainId: CHAIN,
    pair: PAIR,
    sentence: 'WETH is failed.',
    because: 'failed',
  });
  expect(outlook.checks).toMatchObject([
    { name: 'token WETH', outcome: 'failed', mend: { kind: 'token', chainId: CHAIN, tokenId: 'WETH' } },
  ]);
});

test('a refusal is told before it happens, and is the one of the resume', async () => {
  const chainFault: ChainCheck = { name: 'maker', scope: { kind: 'chain' }, outcome: 'failed', sentence: 'No.' };
  const desk = await halted([chainFault]);
  const { refused, starts } = await desk.outlook();
  expect([refused, starts]).toEqual(['No.', []]);
  await expect(checkBeforeResume(desk.parts, {})).rejects.toMatchObject({
    code: 'checks_failed',
    message: `Nothing here may go LIVE: ${refused}`,
  });
});

test('nothing is to be approved while it is not proven for whom: neither a contract that is no RFQ contract, nor of a foreign maker, nor where none of that could be asked', async () => {
  const name = 'allowance WETH';
  const missing: ChainCheck = { ...ofToken('failed'), name };
  const chain = (what: string): ChainCheck => ({ ...missing, name: what, scope: { kind: 'chain' } });
  const approvals = async (found: ChainCheck[]) => {
    const { checks } = await (await halted(found, [missing])).outlook();
    return checks.filter((check) => check.name === name).length;
  };
  for (const what of ['chain_id', 'rfq_contract', 'rfq_signature', 'maker', 'signer', 'self_check']) {
    expect([what, await approvals([chain(what)])]).toEqual([what, 0]);
  }
  expect(await approvals([chain('takers')])).toBe(1);
});

test('what somebody else switched off stays so and is named with who and why; its own switch is what is resumed', async () => {
  const desk = await halted();
  const { trading } = desk.guard;
  await trading.halt({ chainId: CHAIN, pair: PAIR }, { actor: 'jo', reason: 'a bad feed' });
  const said = { pair: PAIR, because: 'switched_off', sentence: expect.stringMatching(/by jo: “a bad feed”/) };
  const outlook = await desk.outlook();
  expect(outlook.staysClosed).toMatchObject([said]);
  expect(outlook.starts).not.toContainEqual({ chainId: CHAIN, pair: PAIR });
  const ofPair = await desk.outlook({ chainId: CHAIN, pair: PAIR });
  expect(ofPair.staysClosed).toMatchObject([{ pair: null, because: 'switched_off' }]);
  expect(ofPair.staysClosed[0]?.sentence).toMatch(/^The whole desk is halted by mara/);
});

test.each([
  { per: 'pair', closed: PAIR },
  { per: 'desk', closed: null },
])(
  'what a protection of a $per has tripped does not start: it is told which, and until when',
  async ({ per, closed }) => {
    const rule = { name: 'flow', counts: 'signed', per, windowSeconds: 60, limit: '1', freezeSeconds: 0 };
    const desk = await openDesk({ desk: { protections: [rule] } });
    const checks = { again: async () => new Map([[CHAIN, []]]), holdings: async () => [] };
    const parts = { book: desk.book, guard: desk.guard, checks, now: () => desk.now() };
    for (const code of [undefined, 'protection_tripped']) expect((await firm(desk, request())).code).toBe(code);
    await desk.guard.trading.resume({}, by);
    const { starts, staysClosed } = await resumeOutlook(parts, {});
    expect(starts.some(({ pair }) => pair === PAIR)).toBe(false);
    expect(starts.length > 0).toBe(per === 'pair');
    expect(staysClosed).toContainEqual({
      chainId: CHAIN,
      pair: closed,
      because: 'waits',
      sentence: expect.stringMatching(/^Protection flow: .* Frozen until a person resets it\.$/),
    });
  },
);

const FORMULA = {
  spreadBps: '4',
  tick: '0.01',
  bids: { size: '1', levels: 1, stepBps: '1' },
  asks: { size: '1', levels: 1, stepBps: '1' },
};
const FENCED = 'the reference says 4500, more than 100 bps from 3412 within a minute';
const MOVED = 'in the last 60 s the mid moved 80.0 bps, limit 50 bps';
const LATER = 'it was too old; the pair is quoted again at 14:00:00 UTC if it stays fresh';

test.each([
  {
    what: 'a reference that is not believed',
    held: { heldBack: FENCED, fenced: true },
    says: new RegExp(
      `^Its reference is not believed: ${FENCED}\\. .*accept-reference --chain ${CHAIN} --pair ${PAIR} --mid PRICE, with what you see elsewhere\\.$`,
    ),
  },
  {
    what: 'its formula',
    chain: { formulas: { [PAIR]: FORMULA } },
    held: { heldBack: MOVED, isBelieved: true },
    says: new RegExp(`^It is held by its formula, .*: ${MOVED}\\. It opens by itself`),
  },
  {
    what: 'a ladder that cannot follow',
    chain: { follow: [PAIR] },
    held: { heldBack: 'the reference says 4500, more than 10 % from the middle of the ladder', isBelieved: true },
    says: /^It is held because its ladder does not follow .* from the middle of the ladder\. It opens once a person publishes/,
  },
  {
    what: 'sources apart',
    held: { heldBack: 'web says 1', unsure: 'apart' },
    says: /held: web says 1\. It opens by itself/,
  },
  {
    what: 'its cool-down',
    held: { heldBack: LATER, waitsFor: 'old', waitsUntil: 1 },
    says: new RegExp(`^Its reference is fresh again, .*: ${LATER}\\.$`),
  },
  {
    what: 'its age',
    held: { heldBack: null },
    age: 3_600_000,
    says: /^The reference price is stale\. It opens by itself/,
  },
] satisfies { what: string; held: Partial<Reference>; says: RegExp; chain?: object; age?: number }[])(
  'of a pair that is held by $what it is told what holds it and until when',
  async ({ held, says, chain = {}, age = 0 }) => {
    const desk = await halted([], [], { referenceUrl: 'http://127.0.0.1:1/reference', ...chain });
    const time = desk.now() - age;
    const said = { mid: '4500', time, ...held } as Reference;
    const fresh = { mid: '1', time: desk.now(), heldBack: null };
    desk.book.references.record(
      CHAIN,
      new Map([
        [PAIR, said],
        ['DAI/USDC', fresh],
      ]),
    );
    const { starts, staysClosed } = await desk.outlook();
    expect(starts.map(({ pair }) => pair)).not.toContain(PAIR);
    const { sentence, because } = staysClosed.find(({ pair }) => pair === PAIR) ?? {};
    expect([sentence, because]).toEqual([expect.stringMatching(says), 'waits']);
  },
);

test('a pair whose engine has not said its prices again is none that starts: it is told who is waited for, also once a person took it over', async () => {
  const desk = await halted();
  const ladder = { bids: [['3412', '1']], asks: [['3413', '1']] } satisfies Ladder;
  await desk.book.pushed.push('mm-1', CHAIN, { sequence: 1, prices: { [PAIR]: ladder } });
  expect((await desk.outlook()).starts).toContainEqual({ chainId: CHAIN, pair: PAIR });
  desk.clock.ahead += 6_000;
  desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
  const told = async () => (await desk.outlook()).staysClosed.find(({ pair }) => pair === PAIR)?.sentence;
  expect(await told()).toMatch(
    /^The engine with the token mm-1 has not said its prices again in time\. It opens by itself/,
  );
  await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
  expect(await told()).toMatch(/^It was taken over from its engine, .* Publish its ladder, or give it back\.$/);
});

test('a check that waits for the node is told, and is no refusal', async () => {
  const desk = await halted([ofToken('unanswered')]);
  const { checks, refused } = await desk.outlook();
  expect(checks).toMatchObject([{ outcome: 'waiting' }]);
  expect(refused).toBeNull();
});

test('before a token or pair is saved it is known which lists strict counterparties would discard, and why; what was so before is not asked again', async () => {
  const { book } = await openDesk();
  const chain = book.chain(CHAIN);
  const usdc = chain?.tokens.get('USDC');
  const definition = chain?.pairs.get(PAIR)?.definition;
  if (chain === undefined || usdc === undefined || definition === undefined) throw new Error('no chain');
  const zero = { ...usdc, symbol: 'ZERO', address: `0x${'0d'.repeat(20)}` as const, decimals: 0 };
  const judge = (change: Parameters<typeof book.trialListing>[1]) => {
    const after = book.trialListing(CHAIN, change);
    if (after === undefined) throw new Error('no chain');
    return newlyDiscarded(strictBodiesOf(book.chain(CHAIN) ?? chain, 0), strictBodiesOf(after, 0));
  };
  expect(judge({ kind: 'token', tokenId: 'ZERO', token: { ...zero, decimals: 2 } })).toEqual([]);
  expect(judge({ kind: 'token', tokenId: 'ZERO', token: zero })).toEqual([
    { body: 'tokens', blame: ['ZERO.decimals is 0'] },
  ]);
  expect(judge({ kind: 'pair', pair: PAIR, definition: { ...definition, liquidityUSD: 1e16 } })).toMatchObject([
    { body: 'pairs' },
  ]);
  expect(book.chain(CHAIN)?.tokens.has('ZERO'), 'nothing was saved').toBe(false);
  await book.saveToken(CHAIN, 'ZERO', zero, 'mara');
  expect(judge({ kind: 'token', tokenId: 'ZERO', token: { ...zero, name: 'Another name' } })).toEqual([]);
});
