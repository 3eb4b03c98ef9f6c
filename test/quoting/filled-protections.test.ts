import { describe, expect, it } from 'vitest';
import { sentenceText } from '../../electron/contract/journal.ts';
import { address, CHAIN } from '../book/fixture.ts';
import { filling } from './fills.ts';
import { DOLLAR, ETHER, firm, happens, type OpenDesk, openDesk, person, request, seen } from './open-desk.ts';

const OTHER = address('7');

/** One rule: a pair is frozen for five minutes once three fills of it were seen in a minute, unless said otherwise. */
function rule(changes: Record<string, unknown> = {}) {
  return {
    name: 'fills',
    counts: 'filled',
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

let places = 0;
/** Fills the n-th order of a desk, and waits until its rules know. Returns the row of the fill. */
async function fill(desk: OpenDesk, order: number, tenths = 10): Promise<number> {
  places += 1;
  const seq = await happens(desk, await filling(desk, order, { tenths, place: places }));
  await takenUp(desk);
  return seq;
}

async function takeBack(desk: OpenDesk, eventSeq: number): Promise<void> {
  const { orderHash = '' } = (await desk.journal.read.fill(eventSeq)) ?? {};
  const body = { chainId: CHAIN, eventSeq, orderHash };
  await happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body });
  await takenUp(desk);
}

/** The journal's reader answers one after the other: what was told before is taken up. */
async function takenUp(desk: OpenDesk): Promise<void> {
  for (let asked = 0; asked < 3; asked += 1) await desk.guard.protections.rows();
}

function passes(desk: OpenDesk, milliseconds: number): void {
  desk.clock.ahead += milliseconds;
  desk.chain.view = seen(desk.now());
}

const usedNow = async (desk: OpenDesk) => (await desk.guard.protections.rows())[0]?.now?.used ?? '0';

describe('a window on what is filled', () => {
  it('trips with the fill that reaches its limit and not one before, and freezes the pair until its time is over', async () => {
    const desk = await withRule();
    expect([await ask(desk), await ask(desk), await ask(desk)]).toEqual(['order', 'order', 'order']);
    await fill(desk, 0);
    await fill(desk, 1);
    expect(desk.guard.protections.standing()).toEqual([]);
    expect(await ask(desk)).toBe('order');
    await fill(desk, 2);
    expect(desk.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC', used: '3', asked: '0' }]);
    expect(await ask(desk)).toBe('protection_tripped');
    expect(desk.quoter.served(CHAIN).prices).toMatchObject({ 'WETH/USDC': {} });
    passes(desk, 299_999);
    expect(await ask(desk)).toBe('protection_tripped');
    passes(desk, 1);
    expect(await ask(desk)).toBe('order');
    const range = { from: 1, to: Number.MAX_SAFE_INTEGER, limit: 50 };
    const { rows } = await desk.journal.read.eventsPart({
      filter: { kinds: ['protection_tripped'] },
      order: 'newest',
      ...range,
    });
    expect(rows.map((row) => sentenceText(row))).toEqual([
      expect.stringContaining('3 fills were seen for WETH/USDC on chain 31337 in 1 min, and the limit is 3.'),
    ]);
  });

  it('counts the raw units that were filled, and trips at its limit and not one unit before', async () => {
    const desk = await withRule({ token: 'WETH', limit: '0.1' });
    await ask(desk);
    await ask(desk, { makerAmount: '1' });
    await fill(desk, 0, 9);
    expect(await usedNow(desk)).toBe(`${(ETHER * 9n) / 100n}`);
    const one = await withRule({ token: 'WETH', limit: '0.1' });
    await ask(one, { makerAmount: `${ETHER / 10n - 1n}` });
    await ask(one, { makerAmount: '1' });
    await fill(one, 0);
    expect(one.guard.protections.standing()).toEqual([]);
    await fill(one, 1);
    expect(one.guard.protections.standing()).toMatchObject([{ used: `${ETHER / 10n}`, decimals: 18 }]);
    const got = await withRule({ token: 'USDC', limit: '341.3' });
    await ask(got);
    await fill(got, 0);
    expect(got.guard.protections.standing(), 'what came in counts too').toMatchObject([
      { used: `${(3_413n * DOLLAR) / 10n}` },
    ]);
  });

  it('lets all of fifty requests through that come at once before its limit is reached, and none of fifty after', async () => {
    const desk = await withRule({ limit: '2' });
    const fifty = () => Promise.all(Array.from({ length: 50 }, () => ask(desk)));
    expect(new Set(await fifty())).toEqual(new Set(['order']));
    await fill(desk, 7);
    expect(new Set(await fifty())).toEqual(new Set(['order']));
    await fill(desk, 9);
    expect(new Set(await fifty())).toEqual(new Set(['protection_tripped']));
    await expect.poll(async () => (await desk.journal.read.trips(200)).length).toBe(1);
  });

  it('freezes one user and no other, one counterparty and no other, and halts the desk until a person resets it', async () => {
    const users = await withRule({ per: 'user', limit: '1' });
    await ask(users);
    await fill(users, 0);
    expect([await ask(users), await ask(users, { userAddress: OTHER })]).toEqual(['protection_tripped', 'order']);
    const parties = await withRule({ per: 'counterparty', limit: '1' });
    await ask(parties);
    await fill(parties, 0);
    expect([await ask(parties), await ask(parties, {}, 'another')]).toEqual(['protection_tripped', 'order']);
    const whole = await withRule({ per: 'desk', limit: '1', freezeSeconds: 0 });
    await ask(whole);
    await fill(whole, 0);
    expect(whole.guard.trading.states.desk()).toMatchObject({ state: 'HALTED', actor: 'desk' });
    expect(whole.guard.trading.states.desk().cause).toMatch(/^Protection fills: 1 fill was seen for the desk in 1 min/);
    await whole.guard.protections.reset({ rule: 'fills' }, person);
    await whole.guard.trading.resume({}, person);
    expect(await ask(whole)).toBe('order');
  });

  it('stays closed by itself while its window is at its limit, however short the freeze', async () => {
    const desk = await withRule({ limit: '1', freezeSeconds: 10 });
    await ask(desk);
    await fill(desk, 0);
    passes(desk, 10_000);
    desk.guard.tick();
    expect(desk.quoter.served(CHAIN).prices).toMatchObject({ 'WETH/USDC': {} });
    expect(await ask(desk)).toBe('protection_tripped');
    passes(desk, 50_000);
    desk.guard.tick();
    expect(await ask(desk)).toBe('order');
  });

  it('lets a fill go that was taken back once the journal says so, and holds what tripped by it', async () => {
    const desk = await withRule({ limit: '2' });
    await Promise.all([ask(desk), ask(desk), ask(desk)]);
    const first = await fill(desk, 0);
    await takeBack(desk, first);
    expect(await usedNow(desk)).toBe('0');
    await fill(desk, 0);
    expect(desk.guard.protections.standing(), 'what came again in another block counts once').toEqual([]);
    const last = await fill(desk, 1);
    await takeBack(desk, last);
    expect(desk.guard.protections.standing()).toHaveLength(1);
    expect(await ask(desk)).toBe('protection_tripped');
  });
});

describe('a window on the net of what is filled', () => {
  const sold = { makerAmount: `${ETHER / 10n}` };
  const bought = {
    makerAsset: request().takerAsset,
    takerAsset: request().makerAsset,
    makerAmount: undefined,
    takerAmount: `${ETHER / 10n}`,
  };

  it('holds what was bought against what was sold, also when one of them slides out or is taken back', async () => {
    const desk = await withRule({ token: 'WETH', net: true, limit: '0.2', freezeSeconds: 10 });
    for (const way of [sold, sold, bought, bought]) expect(await ask(desk, way)).toBe('order');
    await fill(desk, 0);
    expect(await usedNow(desk)).toBe(`${ETHER / 10n}`);
    passes(desk, 30_000);
    const back = await fill(desk, 2);
    expect(await usedNow(desk)).toBe('0');
    await fill(desk, 3);
    expect(await usedNow(desk)).toBe(`${ETHER / 10n}`);
    passes(desk, 30_000);
    desk.guard.tick();
    expect(desk.guard.protections.standing(), 'what was sold first is out of the window').toMatchObject([
      { used: `${ETHER / 5n}` },
    ]);
    await takeBack(desk, back);
    expect(await usedNow(desk)).toBe(`${ETHER / 10n}`);
    await fill(desk, 1);
    expect(await usedNow(desk)).toBe('0');
  });

  it('counts of what is signed the larger of the two ways, for one alone may be filled', async () => {
    const desk = await withRule({ counts: 'signed', token: 'WETH', net: true, limit: '0.2' });
    for (const way of [sold, bought, sold, bought]) expect(await ask(desk, way)).toBe('order');
    expect(await usedNow(desk)).toBe(`${ETHER / 5n}`);
    expect(await ask(desk, bought)).toBe('protection_tripped');
  });
});

describe('a desk that starts again', () => {
  it('has in its windows what was filled in them, by when it was seen, without what was taken back or reset', async () => {
    const before = await withRule({ limit: '3', windowSeconds: 3_600 });
    await Promise.all([ask(before), ask(before), ask(before), ask(before), ask(before)]);
    await fill(before, 0);
    passes(before, 3_000_000);
    await ask(before);
    await takeBack(before, await fill(before, 1));
    await fill(before, 2);
    expect(await usedNow(before)).toBe('2');
    await before.close();
    const later = await openDesk({ folder: before.folder, ahead: 3_300_000 });
    expect((await later.guard.protections.rows())[0]).toMatchObject({ now: { used: '2' }, filling: false });
    await fill(later, 3);
    expect(await ask(later)).toBe('protection_tripped');
    await later.guard.protections.reset({ rule: 'fills' }, person);
    await fill(later, 4);
    expect(await usedNow(later)).toBe('1');
    await later.close();
    const last = await openDesk({ folder: before.folder, ahead: 3_400_000 });
    expect(await usedNow(last)).toBe('1');
    expect(await ask(last)).toBe('order');
  });

  it('halts and says which fill it cannot read', async () => {
    const before = await withRule({ limit: '2' });
    await Promise.all([ask(before), ask(before)]);
    const seqs = [await fill(before, 0), await fill(before, 1)];
    await before.close();
    const after = await openDesk({
      folder: before.folder,
      journal: (journal) => {
        const read = new Proxy(journal.read, {
          get: (of, name) =>
            name === 'filledSince'
              ? async (...asked: Parameters<typeof of.filledSince>) => {
                  const page = await of.filledSince(...asked);
                  return { ...page, rows: page.rows.slice(1), unread: [seqs[0]] };
                }
              : Reflect.get(of, name),
        });
        return new Proxy(journal, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name)) });
      },
    });
    expect(after.guard.trading.states.desk().cause).toMatch(
      /What was filled in row [0-9]+ of the journal cannot be read/,
    );
    expect(await usedNow(after)).toBe('1');
  });
});

describe('rules that a person sets while the desk trades', () => {
  it('count from the start what was filled in their windows before', async () => {
    const desk = await openDesk();
    await Promise.all([ask(desk), ask(desk)]);
    await fill(desk, 0);
    await desk.book.setProtections({ protections: [rule({ limit: '2' }) as never], seen: [], actor: 'mara' });
    await expect.poll(async () => (await desk.guard.protections.rows())[0]?.filling).toBe(false);
    expect(await usedNow(desk)).toBe('1');
    await fill(desk, 1);
    expect(await ask(desk)).toBe('protection_tripped');
  });
});
