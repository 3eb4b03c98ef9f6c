import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sentenceText } from '../../electron/contract/journal.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import type { SignedPage } from '../../electron/journal/protections/slice.ts';
import { address, CHAIN, chain, deskFile, USER } from '../book/fixture.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, person, request, seen, signer } from './open-desk.ts';

const OTHER = address('7');
const spare = { symbol: 'SPARE', name: 'Spare', address: address('f'), decimals: 18, type: 'ERC20' };

/** One rule: at most three quotes of a pair in a minute, frozen for five minutes, unless said otherwise. */
function rule(changes: Record<string, unknown> = {}) {
  return {
    name: 'flow',
    counts: 'signed',
    per: 'pair',
    windowSeconds: 60,
    limit: '3',
    freezeSeconds: 300,
    ...changes,
  };
}

const withRule = (changes: Record<string, unknown> = {}) => openDesk({ desk: { protections: [rule(changes)] } });

const ask = async (desk: OpenDesk, changes: Record<string, unknown> = {}, counterparty?: string) =>
  (await firm(desk, request(changes), counterparty)).code ?? 'order';

function passes(desk: OpenDesk, milliseconds: number): void {
  desk.clock.ahead += milliseconds;
  desk.chain.view = seen(desk.now());
}

/** The journal with another answer about what was signed. */
function readingSigned(journal: Journal, signedSince: Journal['read']['signedSince']): Journal {
  const read = new Proxy(journal.read, {
    get: (of, name) => (name === 'signedSince' ? signedSince : Reflect.get(of, name)),
  });
  return new Proxy(journal, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name)) });
}

/** The page as it is where the first of its rows cannot be read. */
function oneUnread({ rows: [first, ...rows], ...page }: SignedPage): SignedPage {
  return { ...page, rows, unread: first === undefined ? [] : [first.seq] };
}

/** All that ever tripped, newest first, once it is so many. */
async function trips(desk: OpenDesk, count: number) {
  await expect.poll(async () => (await desk.journal.read.trips(200)).length).toBe(count);
  return desk.journal.read.trips(200);
}
async function told({ journal }: OpenDesk, kind: string): Promise<string[]> {
  const range = { from: 1, to: Number.MAX_SAFE_INTEGER, limit: 50 };
  const { rows } = await journal.read.eventsPart({ filter: { kinds: [kind] }, order: 'newest', ...range });
  return rows.map((row) => sentenceText(row));
}

describe('a window on what is signed', () => {
  it('signs up to its limit, refuses what would pass it, and then freezes the pair until its time is over', async () => {
    const desk = await withRule();
    expect([await ask(desk), await ask(desk), await ask(desk)]).toEqual(['order', 'order', 'order']);
    expect(await firm(desk)).toMatchObject({ status: 409, code: 'protection_tripped', order: undefined });
    expect(desk.quoter.served(CHAIN).prices, 'at once, not with the next tick').toMatchObject({ 'WETH/USDC': {} });
    expect(desk.quoter.served(CHAIN).prices['DAI/USDC']).toHaveProperty('bids');
    passes(desk, 299_999);
    expect(await ask(desk), 'its window is empty by then').toBe('protection_tripped');
    passes(desk, 1);
    expect(await ask(desk)).toBe('order');
    expect(await trips(desk, 1)).toMatchObject([
      { rule: { name: 'flow' }, chainId: CHAIN, who: 'WETH/USDC', used: '3', asked: '1', decimals: 0, reset: null },
    ]);
    const [sentence] = await told(desk, 'protection_tripped');
    expect(sentence).toMatch(
      /tripped the protection flow: 3 quotes were signed for WETH\/USDC on chain 31337 in 1 min; 1 quote more would have passed the limit of 3/,
    );
  });

  it('lets each quote slide out of it to the millisecond', async () => {
    const desk = await withRule({ limit: '2' });
    expect(await ask(desk)).toBe('order');
    passes(desk, 10_000);
    expect(await ask(desk)).toBe('order');
    passes(desk, 49_999);
    expect(desk.guard.protections.standing()).toEqual([]);
    expect((await desk.guard.protections.rows())[0]).toMatchObject({ now: { used: '2', who: 'WETH/USDC' } });
    passes(desk, 1);
    expect(await ask(desk)).toBe('order');
    expect(await ask(desk)).toBe('protection_tripped');
  });

  it('counts the raw units of its token that orders give and get, and trips not one unit before its limit', async () => {
    const desk = await withRule({ token: 'WETH', limit: '0.3' });
    expect(await ask(desk, { makerAmount: `${ETHER / 5n}` })).toBe('order');
    expect(await ask(desk, { makerAmount: `${ETHER / 10n}` })).toBe('order');
    const one = await withRule({ token: 'WETH', limit: '0.3' });
    expect(await ask(one, { makerAmount: `${ETHER / 5n}` })).toBe('order');
    expect(await ask(one, { makerAmount: `${ETHER / 10n + 1n}` })).toBe('protection_tripped');
    expect(await trips(one, 1)).toMatchObject([{ used: `${ETHER / 5n}`, asked: `${ETHER / 10n + 1n}`, decimals: 18 }]);
    const got = await withRule({ token: 'USDC', limit: '400' });
    expect(await ask(got), 'a tenth of a WETH brings 341.3 USDC in').toBe('order');
    const sold = { makerAsset: request().takerAsset, takerAsset: request().makerAsset };
    expect(await ask(got, { ...sold, makerAmount: `${59n * DOLLAR}` }), 'and a bid pays some out').toBe(
      'protection_tripped',
    );
  });

  it('takes fifty requests that come at once one after the other: exactly as many orders leave as it allows', async () => {
    const desk = await withRule({ limit: '17', per: 'user' });
    const codes = await Promise.all(Array.from({ length: 50 }, () => ask(desk)));
    expect(codes.filter((code) => code === 'order')).toHaveLength(17);
    expect(codes.filter((code) => code === 'protection_tripped')).toHaveLength(33);
    expect(await trips(desk, 1)).toHaveLength(1);
  });

  it('freezes one user and no other, and one counterparty and no other', async () => {
    const users = await withRule({ per: 'user', limit: '1' });
    expect([await ask(users), await ask(users)]).toEqual(['order', 'protection_tripped']);
    expect(await ask(users, { userAddress: OTHER })).toBe('order');
    expect(users.quoter.served(CHAIN).prices['WETH/USDC'], 'others are quoted').toHaveProperty('asks');
    const parties = await withRule({ per: 'counterparty', limit: '1' });
    expect([await ask(parties), await ask(parties)]).toEqual(['order', 'protection_tripped']);
    expect(await ask(parties, {}, 'another')).toBe('order');
  });

  it('halts the desk where its rule is for the desk, until a person has reset it and resumed', async () => {
    const desk = await withRule({ per: 'desk', limit: '1', freezeSeconds: 0 });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
    const { states } = desk.guard.trading;
    expect(states.desk()).toMatchObject({ state: 'HALTED', actor: 'desk' });
    expect(states.desk().cause).toMatch(
      /^Protection flow: 1 quote was signed for the desk in 1 min; 1 quote more would/,
    );
    await desk.guard.trading.resume({}, person);
    expect(await ask(desk), 'a resume alone opens nothing').toBe('protection_tripped');
    expect(desk.guard.status().chains[0]).toMatchObject({ closed: 'protection_tripped' });
    await desk.guard.protections.reset({ rule: 'flow' }, person);
    expect(await ask(desk)).toBe('order');
  });

  it('freezes the desk for a time and opens by itself where its rule says so', async () => {
    const desk = await withRule({ per: 'desk', limit: '1', freezeSeconds: 30, windowSeconds: 10 });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
    expect(desk.guard.trading.stateOf({})).toBe('LIVE');
    expect(desk.quoter.served(CHAIN)).toMatchObject({ prices: {}, closed: 'protection_tripped' });
    passes(desk, 30_000);
    expect(await ask(desk)).toBe('order');
  });

  it('gives the room back of a quote that was never signed', async () => {
    let broken = true;
    const hand = {
      ...signer,
      sign: (hash: Parameters<typeof signer.sign>[0]) => {
        if (broken) throw new Error('no key');
        return signer.sign(hash);
      },
    };
    const desk = await openDesk({
      desk: { protections: [rule({ limit: '1' })] },
      quoter: { signerFor: () => hand },
    });
    expect(await ask(desk)).toBe('internal');
    broken = false;
    await desk.guard.trading.resume({ chainId: CHAIN }, person);
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
  });

  it('refuses a request that alone is over its limit, and freezes nobody for it', async () => {
    const desk = await withRule({ per: 'desk', token: 'WETH', limit: '0.3', freezeSeconds: 0 });
    expect(await ask(desk, { makerAmount: `${(ETHER * 3n) / 10n + 1n}` })).toBe('protection_limit');
    expect(await ask(desk)).toBe('order');
    expect(await ask(desk, { makerAmount: `${(ETHER * 3n) / 10n + 1n}` }), 'nor where something is signed').toBe(
      'protection_limit',
    );
    expect(await ask(desk)).toBe('order');
    expect(desk.guard.trading.stateOf({})).toBe('LIVE');
    expect(await trips(desk, 0)).toEqual([]);
  });

  it('does not trip over a request that is refused for something else', async () => {
    const desk = await openDesk({
      chain: { limits: { maxQuote: { WETH: '0.05' } } },
      desk: { protections: [rule({ token: 'WETH', limit: '0.06' })] },
    });
    expect(await ask(desk)).toBe('quote_limit');
    expect(await ask(desk, { makerAmount: `${ETHER / 20n}` })).toBe('order');
    expect(await trips(desk, 0)).toEqual([]);
  });

  it('holds on through a clock that goes back', async () => {
    const desk = await withRule({ limit: '1' });
    expect(await ask(desk)).toBe('order');
    desk.clock.ahead -= 10_000;
    expect(await ask(desk), 'nothing slides out of it').toBe('protection_tripped');
    passes(desk, 10_000 + 299_999);
    expect(await ask(desk)).toBe('protection_tripped');
    passes(desk, 1);
    expect(await ask(desk)).toBe('order');
  });
});

describe('a desk that starts again', () => {
  it('remakes its windows from what the journal says was signed in them', async () => {
    const before = await withRule({ limit: '2', windowSeconds: 3_600, freezeSeconds: 3_600 });
    // Each desk counts `ahead` from when it was opened: minutes lie between, so that what opening takes does not matter.
    expect([await ask(before)]).toEqual(['order']);
    passes(before, 3_000_000);
    expect([await ask(before)]).toEqual(['order']);
    await before.close();
    const full = await openDesk({ folder: before.folder, ahead: 3_300_000 });
    expect((await full.guard.protections.rows())[0]).toMatchObject({ now: { used: '2' }, peak: { used: '2' } });
    expect(await ask(full)).toBe('protection_tripped');
    await full.close();
    const frozen = await openDesk({ folder: before.folder, ahead: 5_000_000 });
    expect(await ask(frozen), 'the trip has not ended').toBe('protection_tripped');
    await frozen.close();
    const after = await openDesk({ folder: before.folder, ahead: 10_500_000 });
    expect(await ask(after)).toBe('order');
  });

  it('counts nothing that a person has reset', async () => {
    const before = await withRule({ limit: '1', freezeSeconds: 0 });
    expect([await ask(before), await ask(before)]).toEqual(['order', 'protection_tripped']);
    const { protections } = before.guard;
    await protections.reset({ rule: 'flow', subject: { chainId: CHAIN, who: 'WETH/USDC' } }, person);
    await before.close();
    const after = await openDesk({ folder: before.folder });
    expect(after.guard.protections.standing()).toEqual([]);
    expect([await ask(after), await ask(after)]).toEqual(['order', 'protection_tripped']);
  });

  it('remakes them also where its clock was days ahead while it started, and has the trips that stand', async () => {
    const before = await withRule({ limit: '2', windowSeconds: 600, freezeSeconds: 10 });
    expect([await ask(before), await ask(before)]).toEqual(['order', 'order']);
    await before.close();
    const full = await openDesk({ folder: before.folder, ahead: 3 * 86_400_000 });
    passes(full, 1_000 - 3 * 86_400_000);
    expect(await ask(full)).toBe('protection_tripped');
    await full.close();
    const frozen = await openDesk({ folder: before.folder, ahead: 3 * 86_400_000 });
    passes(frozen, 2_000 - 3 * 86_400_000);
    expect(frozen.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC' }]);
  });

  it('has the trips that can be read where one cannot, and halts to say so', async () => {
    const before = await withRule({ per: 'user', limit: '1', freezeSeconds: 0 });
    for (const userAddress of [USER, OTHER]) {
      expect([await ask(before, { userAddress }), await ask(before, { userAddress })]).toContain('protection_tripped');
    }
    await trips(before, 2);
    await before.close();
    const db = new Sqlite(journalFile(before.folder));
    db.exec("UPDATE protection_trips SET trip = '{' WHERE seq = (SELECT min(seq) FROM protection_trips)");
    db.close();
    const after = await openDesk({ folder: before.folder });
    expect(after.guard.trading.states.desk()).toMatchObject({
      state: 'HALTED',
      cause: expect.stringMatching(
        /What protections froze in row [0-9]+ of the journal cannot be read .* "makerdesk rebuild" before/,
      ),
    });
    await after.guard.trading.resume({}, person);
    expect(after.guard.protections.standing()).toMatchObject([{ who: OTHER }]);
  });

  it('says where a quote of its windows cannot be read, also if it was halted, and goes on without it once resumed', async () => {
    const before = await withRule({ limit: '2' });
    expect([await ask(before), await ask(before)]).toEqual(['order', 'order']);
    await before.guard.trading.halt({}, person);
    await before.close();
    const after = await openDesk({
      folder: before.folder,
      journal: (journal) =>
        readingSigned(journal, async (...asked) => oneUnread(await journal.read.signedSince(...asked))),
    });
    expect(after.guard.trading.states.desk().cause).toMatch(
      /What was signed in row [0-9]+ .* no protection counts it once the desk is resumed/,
    );
    await after.guard.trading.resume({}, person);
    expect([await ask(after), await ask(after)]).toEqual(['order', 'protection_tripped']);
  });

  it('tries again, once a person has resumed it, where its windows could not be read at all', async () => {
    const before = await withRule({ limit: '2' });
    expect([await ask(before), await ask(before)]).toEqual(['order', 'order']);
    await before.close();
    let fails = true;
    const after = await openDesk({
      folder: before.folder,
      journal: (journal) =>
        readingSigned(journal, async (...asked) => {
          if (fails) throw new Error('the disk does not answer');
          return journal.read.signedSince(...asked);
        }),
    });
    expect(after.guard.trading.states.desk()).toMatchObject({ state: 'HALTED' });
    after.guard.tick();
    fails = false;
    await after.guard.trading.resume({}, person);
    expect(await ask(after)).toBe('starting');
    after.guard.tick();
    await expect.poll(async () => (await after.guard.protections.rows())[0]?.filling).toBe(false);
    expect(await ask(after)).toBe('protection_tripped');
  });

  it('gives its rules back in its desk file', async () => {
    const desk = await withRule({ chains: [CHAIN], token: 'USDC', limit: '250000' });
    await desk.close();
    const again = await openDesk({ folder: desk.folder });
    expect((await again.book.deskFile()).protections).toEqual([
      rule({ chains: [CHAIN], token: 'USDC', limit: '250000' }),
    ]);
  });
});

describe('a person', () => {
  it('resets the trip that they saw, and not one that came after it', async () => {
    const desk = await withRule({ per: 'user', limit: '1', freezeSeconds: 60 });
    const { protections } = desk.guard;
    const subject = { chainId: null, who: USER };
    await ask(desk);
    await ask(desk);
    const [first] = protections.standing();
    passes(desk, 61_000);
    expect(protections.standing()).toEqual([]);
    await ask(desk);
    expect(await ask(desk)).toBe('protection_tripped');
    await expect(protections.reset({ rule: 'flow', subject, seen: first?.at }, person)).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
    expect(await ask(desk)).toBe('protection_tripped');
    const [second] = protections.standing();
    await protections.reset({ rule: 'flow', subject, seen: second?.at }, person);
    expect(await ask(desk)).toBe('order');
  });

  it('resets what is frozen, with a reason, and the journal has it; what is not frozen cannot be reset', async () => {
    const desk = await withRule({ per: 'user', limit: '1', freezeSeconds: 0 });
    const { protections } = desk.guard;
    await expect(protections.reset({ rule: 'flow' }, person)).rejects.toMatchObject({ code: 'not_tripped' });
    await expect(protections.reset({ rule: 'folw' }, person)).rejects.toMatchObject({ code: 'unknown_protection' });
    await ask(desk);
    await ask(desk);
    await ask(desk, { userAddress: OTHER });
    await ask(desk, { userAddress: OTHER });
    await protections.reset({ rule: 'flow', subject: { chainId: null, who: USER } }, person);
    expect([await ask(desk), await ask(desk, { userAddress: OTHER })]).toEqual(['order', 'protection_tripped']);
    expect(await trips(desk, 2)).toMatchObject([
      { who: OTHER, reset: null },
      { who: USER, reset: { actor: 'mara', reason: person.reason } },
    ]);
    expect(await told(desk, 'protection_reset')).toEqual([expect.stringContaining('because the test says so')]);
  });
});

describe('rules of a desk file', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a limit of zero', { limit: '0.0' }, 'protections[0].limit: must be above zero'],
    ['half a quote', { limit: '1.5' }, 'protections[0].limit: must be a whole number of quotes, or say of which token'],
    ['a token nobody lists', { token: 'WBTC' }, 'protections[0].token: is listed on no chain that the rule holds for'],
    ['a chain that is not there', { chains: [5] }, 'protections[0].chains[0]: is no chain of this desk'],
    ['a window of nine seconds', { windowSeconds: 9 }, 'protections[0].windowSeconds: must be at least 10'],
    ['a word nobody knows', { soft: 5 }, 'protections[0].soft: is not a known field'],
  ])('are refused with %s', async (_, changes, fault) => {
    const desk = await openDesk();
    const file = { ...deskFile(), chains: [chain()], protections: [rule(changes)] };
    const refused = await desk.book
      .importDesk(file, { actor: 'mara', keepSecrets: () => ({}) })
      .catch((error) => error);
    expect(refused.faults.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`)).toEqual(
      [fault],
    );
  });
});

/** A desk whose journal, from when it is held, gives what was signed only once it is let go. */
async function heldWhileRead(changes: Parameters<typeof openDesk>[0] = {}) {
  let reads: Promise<void> = Promise.resolve();
  const desk = await openDesk({
    ...changes,
    journal: (journal) =>
      readingSigned(journal, async (...asked) => {
        await reads;
        return journal.read.signedSince(...asked);
      }),
  });
  const hold = () => {
    let letGo = () => {};
    reads = new Promise((go) => {
      letGo = go;
    });
    return letGo;
  };
  return { desk, hold };
}

describe('rules that a person sets while the desk trades', () => {
  const set = ({ book }: OpenDesk, protections: ReturnType<typeof rule>[], seen: ReturnType<typeof rule>[]) =>
    book.setProtections({ protections: protections as never, seen: seen as never, actor: 'mara' });

  it('count from the start what was signed in their windows before, and are told in the journal', async () => {
    const desk = await openDesk();
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    await set(desk, [rule({ limit: '2' })], []);
    await expect.poll(async () => (await desk.guard.protections.rows())[0]?.filling).toBe(false);
    expect((await desk.guard.protections.rows())[0]).toMatchObject({ now: { used: '2' } });
    expect(await ask(desk)).toBe('protection_tripped');
    expect((await told(desk, 'protections_set'))[0]).toContain('signed per pair in any 1 min: at most 2 quotes');
  });

  it('keep what they counted while another is added, and freeze nothing once they are taken away', async () => {
    const desk = await withRule({ limit: '1' });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
    const flow = rule({ limit: '1' });
    await set(desk, [flow, rule({ name: 'volume', token: 'WETH', limit: '5' })], [flow]);
    await expect.poll(async () => (await desk.guard.protections.rows())[1]?.filling).toBe(false);
    expect(await ask(desk)).toBe('protection_tripped');
    await expect(set(desk, [], [flow])).rejects.toMatchObject({ code: 'changed_meanwhile' });
    await set(desk, [], [flow, rule({ name: 'volume', token: 'WETH', limit: '5' })]);
    expect(await ask(desk)).toBe('order');
    expect((await desk.book.deskFile()).protections).toBeUndefined();
  });

  it('close the chain, and its grid with it, until what they count is read', async () => {
    const { desk, hold } = await heldWhileRead();
    const letGo = hold();
    await set(desk, [rule({ limit: '5' })], []);
    expect(desk.quoter.served(CHAIN).closed).toBe('starting');
    expect(await ask(desk)).toBe('starting');
    letGo();
    await expect.poll(() => desk.quoter.served(CHAIN).closed).toBeNull();
    expect(await ask(desk)).toBe('order');
  });

  it('keep what they counted, and close nothing, where only limit, warning or freeze are others', async () => {
    const { desk, hold } = await heldWhileRead({ desk: { protections: [rule({ limit: '3' })] } });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    hold();
    await set(desk, [rule({ limit: '2', warnPercent: 80, freezeSeconds: 5 })], [rule({ limit: '3' })]);
    expect(desk.quoter.served(CHAIN).closed).toBeNull();
    expect(desk.guard.protections.near()).toMatchObject([{ used: '2', percent: 100 }]);
    expect(await ask(desk)).toBe('protection_tripped');
    const [trip] = desk.guard.protections.standing();
    expect(trip?.until).toBe(desk.now() + 5_000);
  });

  it('keep the token that they count on the list', async () => {
    const desk = await openDesk({ chain: { tokens: { ...chain().tokens, SPARE: spare } } });
    const flow = rule({ token: 'SPARE', limit: '5' });
    await set(desk, [flow], []);
    await expect(desk.book.removeToken(CHAIN, 'SPARE', 'mara')).rejects.toMatchObject({
      code: 'token_in_use',
      message: 'SPARE is in use by the protection flow.',
    });
    await set(desk, [], [flow]);
    await desk.book.removeToken(CHAIN, 'SPARE', 'mara');
  });

  it('show no trip of before that freezes nothing, where they are kept for something else from now on', async () => {
    const desk = await withRule({ per: 'user', limit: '1' });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
    await set(desk, [rule({ limit: '5' })], [rule({ per: 'user', limit: '1' })]);
    await expect.poll(async () => (await desk.guard.protections.rows())[0]?.filling).toBe(false);
    expect(desk.guard.protections.standing()).toEqual([]);
    expect(await ask(desk)).toBe('order');
  });

  it('freeze nobody by a trip of before, where they are kept for another whole', async () => {
    const desk = await withRule({ per: 'desk', limit: '1', freezeSeconds: 600 });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'protection_tripped']);
    await set(
      desk,
      [rule({ per: 'counterparty', limit: '5' })],
      [rule({ per: 'desk', limit: '1', freezeSeconds: 600 })],
    );
    await expect.poll(async () => (await desk.guard.protections.rows())[0]?.filling).toBe(false);
    expect(desk.guard.protections.standing()).toEqual([]);
    expect(await ask(desk), 'of nobody by name').toBe('order');
  });

  it('are refused with each fault they have', async () => {
    const desk = await openDesk();
    await expect(set(desk, [rule({ token: 'WBTC' })], [])).rejects.toMatchObject({
      code: 'protections_refused',
      faults: [{ path: '[0].token', message: 'is listed on no chain that the rule holds for' }],
    });
  });
});
