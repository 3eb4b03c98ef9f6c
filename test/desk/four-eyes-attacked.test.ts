import { expect, test } from 'vitest';
import type { FourEyesKind } from '../../electron/contract/approvals.ts';
import { limitsSchema } from '../../electron/contract/limits.ts';
import type { Protection } from '../../electron/contract/protections.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { address, CHAIN, chain, deskFile, folder } from '../book/fixture.ts';
import { type Asking, openForTwo, type TwoPeople } from './two-people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const limits = (weth: string) => limitsSchema.parse({ maxQuote: { WETH: weth } });
const raise = (asking: Asking, weth: string) => codeOf(asking.limits.set({ chainId: CHAIN, limits: limits(weth) }));
const maxQuote = ({ rooms }: TwoPeople) => rooms.book.chain(CHAIN)?.config.limits.maxQuote.WETH;
const waiting = async (asking: Asking) => (await asking.approvals.list({})).waiting;
const ended = async (asking: Asking, request: number) =>
  (await asking.approvals.list({})).past.find(({ seq }) => seq === request)?.ended?.how;

/** What an operation is refused with; null where it is done. */
function codeOf(asked: Promise<unknown>): Promise<string | null> {
  return asked.then(
    () => null,
    (error: unknown) => refusalOf(error).code,
  );
}

/** A halted desk whose limit is 5 WETH, for the user who runs it, and ada and bob, who may do everything too. */
async function desk(kinds: readonly FourEyesKind[], at = folder(), clock = { now: Date.now() }): Promise<TwoPeople> {
  const opened = await openForTwo(at, clock);
  const owner = opened.owner();
  await owner.desk.import({ desk: deskFile() });
  await owner.limits.set({ chainId: CHAIN, limits: limits('5') });
  for (const name of ['ada', 'bob']) await owner.tokens.create({ name, rights: 'admin' });
  await owner.approvals.set({ kinds: [...kinds], seen: [] });
  return opened;
}

test('two who approve at once, and one who approves again: it is carried out once', async () => {
  const opened = await desk(['limits']);
  const [owner, ada, bob] = [opened.owner(), opened.holder('ada'), opened.holder('bob')];
  await raise(owner, '8');
  const [{ seq: request = 0 } = {}] = await waiting(ada);
  const approve = (one: Asking) => codeOf(one.approvals.approve({ request }));
  const both = await Promise.all([approve(ada), approve(bob), approve(ada)]);
  expect(both.toSorted()).toEqual(['approval_over', 'approval_over', null]);
  await owner.limits.set({ chainId: CHAIN, limits: limits('3') });
  expect(await approve(bob), 'an approval of before raises nothing again').toBe('approval_over');
  expect(maxQuote(opened)).toBe('3');
});

test('one person with two tokens of the same name, one after the other: what was asked for with the first is over', async () => {
  const opened = await desk(['limits']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  await raise(ada, '8');
  const [{ seq: request = 0 } = {}] = await waiting(ada);
  expect(await codeOf(owner.tokens.create({ name: 'ada', rights: 'halt' })), 'a second one of that name').not.toBe(
    null,
  );
  await owner.tokens.revoke({ name: 'ada' });
  await owner.tokens.create({ name: 'ada', rights: 'halt' });
  expect(await codeOf(opened.holder('ada').tokens.setRights({ name: 'ada', rights: 'admin' }))).toBe('not_allowed');
  expect(await codeOf(opened.holder('bob').approvals.approve({ request }))).toBe('approval_over');
  expect(maxQuote(opened)).toBe('5');
});

test('who asks for forty things has twenty of them wait, and keeps nobody else from asking and answering', async () => {
  const opened = await desk(['limits']);
  const [owner, ada, bob] = [opened.owner(), opened.holder('ada'), opened.holder('bob')];
  const codes = new Map<string | null, number>();
  for (let nth = 1; nth <= 40; nth++) {
    const code = await raise(ada, `${5 + nth}`);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect(codes).toEqual(
    new Map([
      ['second_person_asked', 20],
      ['too_many_approvals', 20],
    ]),
  );
  expect(await raise(owner, '6')).toBe('second_person_asked');
  const own = (await waiting(bob)).find(({ token }) => token === null);
  await bob.approvals.approve({ request: own?.seq ?? 0 });
  expect(maxQuote(opened)).toBe('6');
});

test('a clock that is put back keeps nothing waiting for longer, and one that is put forward ends it', async () => {
  const clock = { now: Date.now() };
  const opened = await desk(['limits'], folder(), clock);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const askAt = async (weth: string, moved: number) => {
    await raise(owner, weth);
    const request = (await waiting(ada)).at(-1)?.seq ?? 0;
    clock.now += moved;
    const code = await codeOf(ada.approvals.approve({ request }));
    return [code, await ended(ada, request)];
  };
  expect(await askAt('8', -10 * HOUR)).toEqual(['approval_over', 'expired']);
  expect(await askAt('8', HOUR)).toEqual(['approval_over', 'expired']);
  // A clock that is set right by a little says enough.
  expect(await askAt('8', -MINUTE)).toEqual([null, 'done']);
  expect(maxQuote(opened)).toBe('8');
});

test('HALT pressed again while a resume waits: the resume is about a halt that nobody looked at, and is not done', async () => {
  const opened = await desk(['resume']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  expect(await codeOf(owner.trading.resume({ scope: {}, reason: 'quiet' }))).toBe('second_person_asked');
  const [{ seq: request = 0 } = {}] = await waiting(ada);
  await opened.holder('bob').trading.halt({ scope: {}, reason: 'I see something' });
  expect(await codeOf(ada.approvals.approve({ request }))).toBe('changed_meanwhile');
  expect(opened.rooms.guard.trading.stateOf({})).toBe('HALTED');
  await owner.trading.drain({ scope: {}, seconds: 600 });
  expect(opened.rooms.guard.trading.stateOf({}), 'a drain is no way out of a halt').toBe('HALTED');
});

const RULE: Protection = {
  name: 'flow',
  counts: 'signed',
  per: 'desk',
  windowSeconds: 60,
  limit: '5',
  freezeSeconds: 0,
};

test.each([
  ['taken away', []],
  ['called otherwise', [{ ...RULE, name: 'flow-2' }]],
  ['made to count for each pair', [{ ...RULE, per: 'pair' as const }]],
])('a rule that has tripped is %s: that signs again, as a reset does, and waits as one', async (_how, after) => {
  const opened = await desk(['resume']);
  const owner = opened.owner();
  await owner.protections.set({ protections: [RULE], seen: [] });
  const set = (protections: Protection[], seen: Protection[]) => codeOf(owner.protections.set({ protections, seen }));
  expect(await set([], [RULE]), 'as long as it has not tripped it is only a limit').toBe(null);
  expect(await set([RULE], [])).toBe(null);
  await trip(opened);
  expect(await set([{ ...RULE, limit: '4' }], [RULE]), 'a stricter limit waits for nobody').toBe(null);
  expect(await set(after, [{ ...RULE, limit: '4' }])).toBe('second_person_asked');
  const file = { ...(await opened.rooms.book.deskFile()), protections: after };
  expect(await codeOf(owner.desk.import({ desk: file }))).toBe('second_person_asked');
});

test('a stop is taken off by no desk file without what it is of, and by no chain that leaves: both wait as a resume, and name it', async () => {
  const opened = await desk(['resume']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const scope = { chainId: CHAIN, pair: 'WETH/USDC' };
  await owner.trading.halt({ scope, reason: 'bad feed' });
  await owner.trading.halt({ scope: { chainId: CHAIN, pair: 'DAI/USDC', side: 'asks' }, reason: 'no DAI' });
  expect(await codeOf(owner.desk.import({ desk: await opened.rooms.book.deskFile() })), 'each stays').toBe(null);
  const whole = { off: { 'WETH/USDC': ['bids', 'asks'], 'DAI/USDC': ['bids', 'asks'] } };
  expect(await codeOf(owner.desk.import({ desk: { ...deskFile(), chains: [chain(whole)] } })), 'more').toBe(null);
  await owner.trading.halt({ scope, reason: 'bad feed' });
  const { pairs, prices } = chain();
  const { 'WETH/USDC': _pair, ...fewer } = pairs;
  const { 'WETH/USDC': _ladder, ...priced } = prices;
  const without = chain({ pairs: fewer, prices: priced, off: { 'DAI/USDC': ['bids', 'asks'] } });
  expect(await codeOf(owner.desk.import({ desk: { ...deskFile(), chains: [without] } }))).toBe('second_person_asked');
  const [asked] = await waiting(ada);
  const before = expect.stringMatching(/^HALTED since \d{4}-\d\d-\d\d\s[\d:]{8}\sUTC by mara: “bad feed”$/);
  expect(asked).toMatchObject({ kinds: ['resume'] });
  expect(asked?.changes[0]).toEqual({
    about: 'Practice (31337)',
    what: 'Stop of WETH/USDC on Practice',
    before,
    after: null,
  });
  await owner.approvals.withdraw({ request: asked?.seq ?? 0 });

  await owner.trading.halt({ scope: { chainId: CHAIN }, reason: 'its node lies' });
  expect(await codeOf(owner.settings.removeChain({ chainId: CHAIN }))).toBe('second_person_asked');
  const [leaves] = await waiting(ada);
  expect(leaves?.changes.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['Stop of Practice', 'Stop of WETH/USDC on Practice', 'Chain']),
  );
  await ada.approvals.approve({ request: leaves?.seq ?? 0 });
  expect(opened.rooms.book.chain(CHAIN)).toBe(undefined);
});

/** Five quotes are counted, and a sixth is asked for. */
async function trip({ rooms }: TwoPeople): Promise<void> {
  const { protections } = rooms.guard;
  const [makerAsset, takerAsset] = [address('1'), address('2')];
  const amounts = { side: null, makerAmount: 1n, takerAmount: 1n, dollars: null, gain: null };
  const quote = { chainId: CHAIN, pair: 'WETH/USDC', user: address('7'), counterparty: null, makerAsset, takerAsset };
  await expect.poll(() => protections.refusal({ ...quote, ...amounts })).toBe(null);
  for (const nth of '12345') protections.count(`0x${nth.repeat(64)}`, { ...quote, ...amounts });
  expect(protections.refusal({ ...quote, ...amounts })).toBe('protection_tripped');
}

test('a limit that is hidden among many changes is among those that are shown, and what is more than anybody reads is not asked for', async () => {
  const opened = await desk(['limits']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const withBlacklist = (length: number) => ({
    ...deskFile(),
    chains: [
      chain({
        blacklist: Array.from({ length }, (_, nth) => `0x${(nth + 1).toString(16).padStart(40, '0')}`),
        limits: limits('50'),
      }),
    ],
  });
  expect(await codeOf(owner.desk.import({ desk: withBlacklist(900) }))).toBe('second_person_asked');
  const [asked] = await waiting(ada);
  expect(asked?.changes).toContainEqual(expect.objectContaining({ what: 'WETH: at most in one quote', after: '50' }));
  expect(asked?.more).toBe(0);
  // What every console has all the time is short.
  expect(opened.rooms.approvals.view().waiting[0]).toMatchObject({ more: (asked?.changes.length ?? 0) - 20 });
  expect(await codeOf(owner.desk.import({ desk: withBlacklist(2_000) }))).toBe('too_many_changes');
});

test('words that steer a screen, or are as long as may be, stand on one line, whole', async () => {
  const opened = await desk(['resume', 'takers']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const reasons = [
    '\u202Eevil',
    'a\r\nada approved this',
    '<b>&"\'',
    '__proto__',
    '=1+1',
    '💥'.repeat(250),
    'b'.repeat(500),
  ];
  for (const [nth, reason] of reasons.entries()) {
    const taken = { chainId: CHAIN, address: address(`${nth + 1}`), taken: true, reason };
    expect([reason.slice(0, 9), await codeOf(owner.service.setTaker(taken))]).toEqual([
      reason.slice(0, 9),
      'second_person_asked',
    ]);
  }
  const asked = await waiting(ada);
  expect(asked).toHaveLength(reasons.length);
  for (const { says, reason, changes } of asked) {
    for (const text of [says, reason]) expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(changes).toEqual([expect.objectContaining({ what: 'Taker', before: null })]);
  }
  expect(asked.at(-1)?.reason).toBe('b'.repeat(500));
  for (const { seq } of asked) await ada.approvals.refuse({ request: seq, reason: '\u202Eno\n' });
  expect((await ada.approvals.list({})).past).toHaveLength(reasons.length);
});

test('nothing that is asked for is cut: each node is told whole, and what is too long to be read is not asked for', async () => {
  const opened = await desk(['networks']);
  const [owner, ada] = [opened.owner(), opened.holder('ada')];
  const save = (change: object) => codeOf(owner.settings.saveChain({ chain: { chainId: CHAIN, ...change } }));
  const long = Array.from({ length: 3 }, () => 'n'.repeat(60)).join('.');
  const node = (name: string) => `http://${name}.${long}.example/`;
  const spares = ['one', 'two', 'three', 'four'].map(node);
  expect(await save({ spareRpcUrls: spares })).toBe('second_person_asked');
  const [asked] = await waiting(ada);
  expect(asked?.changes.map(({ after }) => after)).toEqual(spares);
  await owner.approvals.withdraw({ request: asked?.seq ?? 0 });
  expect(await save({ serviceUrl: `https://service.example/${'s'.repeat(1_000)}` })).toBe('change_too_long');
  expect(await waiting(ada)).toEqual([]);
});
