import { describe, expect, it } from 'vitest';
import { CHAIN, chain } from '../book/fixture.ts';
import { filling } from './fills.ts';
import { firm, happens, type OpenDesk, openDesk, person, request, seen } from './open-desk.ts';

/** One rule: a pair is frozen for five minutes once its fills of ten minutes lost ten dollars, unless said otherwise. */
function rule(changes: Record<string, unknown> = {}) {
  return {
    name: 'stop-loss',
    counts: 'lost',
    per: 'pair',
    usd: true,
    windowSeconds: 600,
    limit: '10',
    freezeSeconds: 300,
    ...changes,
  };
}

const withRule = (changes: Record<string, unknown> = {}) => openDesk({ desk: { protections: [rule(changes)] } });

const ask = async (desk: OpenDesk, changes: Record<string, unknown> = {}, counterparty?: string) =>
  (await firm(desk, request(changes), counterparty)).code ?? 'order';

/** The reference as it is kept for the marks of fills; it may be as old as that, milliseconds. */
const said = ({ journal, now }: OpenDesk, mid: string, mostAge = 5_000) =>
  journal.put({
    table: 'reference_samples',
    chainId: CHAIN,
    pair: 'WETH/USDC',
    time: now(),
    heard: now(),
    mid,
    believedUntil: now() + mostAge,
  });

function passes(desk: OpenDesk, milliseconds: number): void {
  desk.clock.ahead += milliseconds;
  desk.chain.view = seen(desk.now());
}

/** A quote that sells 0.1 WETH for 341.3 USDC, filled at once, while the reference says 3412.75: an edge of 2.5 cents. */
async function sold(desk: OpenDesk, order: number, place: number, changes: Record<string, unknown> = {}) {
  await said(desk, '3412.75');
  expect(await ask(desk, changes)).toBe('order');
  const seq = await happens(desk, await filling(desk, order, { place }));
  await takenUp(desk);
  return seq;
}

/** A quote that buys 0.1 WETH, filled at once, while the reference is above what it costs. */
async function bought(desk: OpenDesk): Promise<void> {
  await said(desk, '3412.75');
  const { makerAsset, takerAsset, makerAmount } = request();
  const buys = { makerAsset: takerAsset, takerAsset: makerAsset, makerAmount: undefined, takerAmount: makerAmount };
  expect(await ask(desk, buys)).toBe('order');
  await happens(desk, await filling(desk, 0, { place: 1 }));
  await takenUp(desk);
  expect(await usedNow(desk)).toBe('0');
}

/** The reference says this until the next mark, which is then read. */
async function marked(desk: OpenDesk, after: number, mid: string): Promise<void> {
  passes(desk, after);
  await said(desk, mid);
  passes(desk, 2_000);
  desk.guard.tick();
  await takenUp(desk);
}

/** A quote that is filled at once, while no reference says anything. */
async function worthless(desk: OpenDesk): Promise<void> {
  expect(await ask(desk)).toBe('order');
  await happens(desk, await filling(desk, 0, { place: 1 }));
  await takenUp(desk);
  expect(await ask(desk)).toBe('protection_unpriced');
}

/** A quote that sells 0.1 WETH for 341.3 USDC, filled at once, with what its quote came to read. */
async function filled(desk: OpenDesk): Promise<void> {
  expect(await ask(desk)).toBe('order');
  await happens(desk, await filling(desk, 0, { place: 1 }));
  await takenUp(desk);
}

/** So much later, with the marks that came since read. */
async function later(desk: OpenDesk, milliseconds: number): Promise<void> {
  passes(desk, milliseconds);
  desk.guard.tick();
  await takenUp(desk);
}

/** The journal's reader answers one after the other: what was told before is taken up. */
async function takenUp(desk: OpenDesk): Promise<void> {
  for (let asked = 0; asked < 4; asked += 1) await desk.guard.protections.rows();
}

const usedNow = async (desk: OpenDesk) => (await desk.guard.protections.rows())[0]?.now?.used ?? '0';

describe('a stop on what fills lost', () => {
  it('trips when the loss reaches its limit and not a millionth before', async () => {
    const desk = await withRule();
    await sold(desk, 0, 1);
    await marked(desk, 10_000, '3512.99999');
    expect(await usedNow(desk), '351.299999 for 341.3').toBe('9999999');
    expect(await ask(desk)).toBe('order');
    await marked(desk, 48_000, '3513');
    expect(desk.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC', used: '10000000', decimals: 6 }]);
    expect(await ask(desk)).toBe('protection_tripped');
    expect(desk.quoter.served(CHAIN).prices).toMatchObject({ 'WETH/USDC': {} });
  });

  it('counts the edge until the first markout, and from each mark on that one alone', async () => {
    const desk = await withRule({ limit: '100' });
    await said(desk, '3433');
    expect(await ask(desk)).toBe('order');
    await happens(desk, await filling(desk, 0, { place: 1 }));
    await takenUp(desk);
    expect(await usedNow(desk), 'sold 2 dollars under the reference').toBe('2000000');
    await marked(desk, 10_000, '3453');
    expect(await usedNow(desk)).toBe('4000000');
    await marked(desk, 48_000, '3423');
    expect(await usedNow(desk)).toBe('1000000');
    await marked(desk, 238_000, '3400');
    expect(await usedNow(desk), 'in the end it gained').toBe('0');
  });

  it('takes all marks of one moment together, however many they are: a gain among them holds against the losses before it', async () => {
    const desk = await withRule({ limit: '4' });
    await said(desk, '3412.75');
    expect(await ask(desk)).toBe('order');
    const { makerAsset, takerAsset, makerAmount } = request();
    const buys = { makerAsset: takerAsset, takerAsset: makerAsset, makerAmount: undefined, takerAmount: makerAmount };
    expect(await ask(desk, buys)).toBe('order');
    const [sale, purchase] = [
      await filling(desk, 0, { place: 0 }),
      await filling(desk, 1, { tenths: 3, place: 1_000 }),
    ];
    const thousandth = (amount: string) => `${BigInt(amount) / 1_000n}`;
    const parts = Array.from({ length: 600 }, (_, logIndex): typeof sale => {
      const { makerAmount: gave, takerAmount: took, ...body } = sale.body;
      return { ...sale, body: { ...body, logIndex, makerAmount: thousandth(gave), takerAmount: thousandth(took) } };
    });
    await Promise.all([...parts, purchase].map((event) => happens(desk, event)));
    await takenUp(desk);
    await marked(desk, 10_000, '3513');
    await expect.poll(() => usedNow(desk), { message: 'six dollars less three' }).toBe('2985000');
    expect(await desk.journal.read.trips(1)).toEqual([]);
  });

  it('holds gains against losses, for as long as they are in its window', async () => {
    const desk = await withRule({ limit: '10' });
    await sold(desk, 0, 1);
    await marked(desk, 10_000, '3362.75');
    await marked(desk, 48_000, '3362.75');
    await marked(desk, 238_000, '3362.75');
    await sold(desk, 1, 2);
    await marked(desk, 10_000, '3553');
    expect(await usedNow(desk), 'fourteen dollars less five').toBe('8975000');
    await marked(desk, 48_000, '3553');
    passes(desk, 237_000);
    desk.guard.tick();
    expect(desk.guard.protections.standing(), 'the gain is out of the window').toMatchObject([{ used: '14000000' }]);
  });

  it('lets all of fifty requests through that come at once before its limit is reached, and none of fifty after', async () => {
    const desk = await withRule({ per: 'user' });
    const fifty = () => Promise.all(Array.from({ length: 50 }, () => ask(desk)));
    await sold(desk, 0, 1);
    await marked(desk, 10_000, '3512.99999');
    expect(new Set(await fifty())).toEqual(new Set(['order']));
    await marked(desk, 48_000, '3513');
    expect(new Set(await fifty())).toEqual(new Set(['protection_tripped']));
    expect(await ask(desk, { userAddress: `0x${'7'.repeat(40)}` }), 'of another user').toBe('order');
  });

  it('lets a fill go that was taken back, with what it lost', async () => {
    const desk = await withRule({ limit: '100' });
    const eventSeq = await sold(desk, 0, 1);
    await marked(desk, 10_000, '3513');
    expect(await usedNow(desk)).toBe('10000000');
    const body = { chainId: CHAIN, eventSeq, orderHash: '' };
    await happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body });
    await takenUp(desk);
    expect(await usedNow(desk)).toBe('0');
  });

  it('closes what a fill is of whose worth no reference says, until one does or its time is over', async () => {
    const desk = await withRule({ limit: '100' });
    expect(await ask(desk)).toBe('order');
    await happens(desk, await filling(desk, 0, { place: 1 }));
    await takenUp(desk);
    expect(await ask(desk)).toBe('protection_unpriced');
    expect(desk.quoter.served(CHAIN).prices).toMatchObject({ 'WETH/USDC': {} });
    await marked(desk, 10_000, '3412.75');
    expect(await ask(desk)).toBe('order');
  });

  it('counts no gain of a fill whose next mark nobody knows, and is closed until the first that is believed after says it', async () => {
    const desk = await withRule({ freezeSeconds: 0 });
    await bought(desk);
    expect(await ask(desk), 'at a gain').toBe('order');
    passes(desk, 360_000);
    desk.guard.tick();
    await takenUp(desk);
    expect(await ask(desk)).toBe('protection_unpriced');
    expect(desk.quoter.served(CHAIN).prices).toMatchObject({ 'WETH/USDC': {} });
    await marked(desk, 0, '3000');
    expect(desk.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC', used: '41250000' }]);
    expect(await ask(desk)).toBe('protection_tripped');
  });

  it('is closed by such a fill for as long as that is in its window, and open after it', async () => {
    const desk = await withRule();
    await bought(desk);
    for (const [after, code] of [
      [599_999, 'protection_unpriced'],
      [1, 'order'],
      [2_000, 'order'],
    ] as const) {
      passes(desk, after);
      desk.guard.tick();
      await takenUp(desk);
      expect(await ask(desk), `${after} ms later`).toBe(code);
    }
  });

  it('goes on by a reference that speaks every half minute and may be a minute old, by the word that was believed at each mark', async () => {
    const desk = await withRule({ limit: '100' });
    const isOpen = async () => expect(await ask(desk), `${desk.clock.ahead / 1_000} s`).toBe('order');
    await said(desk, '3433', 60_000);
    await later(desk, 20_000);
    await filled(desk);
    await isOpen();
    expect(await usedNow(desk), 'its edge').toBe('2000000');
    await later(desk, 12_000);
    await isOpen();
    expect(await usedNow(desk), 'at 10 s by the same word').toBe('2000000');
    await said(desk, '3453', 60_000);
    await later(desk, 10_000);
    await isOpen();
    expect(await usedNow(desk), 'a later word is held against a later mark').toBe('2000000');
    await later(desk, 40_000);
    await isOpen();
    expect(await usedNow(desk), 'at 1 min by the later word').toBe('4000000');
  });

  it('is closed where the reference stopped: a mark after its word grew too old is told by what it says when it speaks again', async () => {
    const desk = await withRule({ freezeSeconds: 0 });
    await said(desk, '3412.75', 20_000);
    await filled(desk);
    await later(desk, 12_000);
    expect(await ask(desk), 'its word is not too old at 10 s').toBe('order');
    await later(desk, 50_000);
    expect(await ask(desk), 'but at 1 min').toBe('protection_unpriced');
    await marked(desk, 0, '3513');
    expect(desk.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC', used: '10000000' }]);
  });

  it('is closed by a mark at which the reference was not believed any more, although its word was not too old', async () => {
    const desk = await withRule({ freezeSeconds: 0 });
    await said(desk, '3412.75', 600_000);
    await filled(desk);
    passes(desk, 9_000);
    await desk.journal.put({ table: 'reference_ends', chainId: CHAIN, pair: 'WETH/USDC', at: desk.now() });
    await later(desk, 3_000);
    expect(await ask(desk)).toBe('protection_unpriced');
    await marked(desk, 0, '3513');
    expect(desk.guard.protections.standing()).toMatchObject([{ who: 'WETH/USDC', used: '10000000' }]);
  });

  it('is told by no word that was too old when it was heard', async () => {
    const desk = await withRule({ freezeSeconds: 0 });
    await filled(desk);
    await later(desk, 12_000);
    const stale = { chainId: CHAIN, pair: 'WETH/USDC', time: desk.now() - 1_000, heard: desk.now(), mid: '3413' };
    await desk.journal.put({ table: 'reference_samples', ...stale, believedUntil: desk.now() - 1 });
    await later(desk, 5_000);
    expect(await ask(desk)).toBe('protection_unpriced');
    await marked(desk, 0, '3412.75');
    expect(await ask(desk)).toBe('order');
  });

  it('holds no gain against losses that is not known any more', async () => {
    const desk = await withRule({ limit: '12' });
    await sold(desk, 0, 1);
    await marked(desk, 10_000, '3362.75');
    await marked(desk, 48_000, '3362.75');
    passes(desk, 222_000);
    await sold(desk, 1, 2);
    await marked(desk, 10_000, '3553');
    expect(await usedNow(desk), 'fourteen dollars less five').toBe('8975000');
    passes(desk, 6_000);
    desk.guard.tick();
    await takenUp(desk);
    expect(desk.guard.protections.standing(), 'five minutes after the first').toMatchObject([{ used: '14000000' }]);
  });

  it('waits for no mark of a fill that was reset', async () => {
    const desk = await withRule({ freezeSeconds: 0 });
    await sold(desk, 0, 1);
    await marked(desk, 10_000, '3553');
    expect(await ask(desk)).toBe('protection_tripped');
    await desk.guard.protections.reset({ rule: 'stop-loss' }, person);
    passes(desk, 60_000);
    desk.guard.tick();
    await takenUp(desk);
    expect(await ask(desk)).toBe('order');
  });

  it('is closed by a fill of which no mark is ever known for as long as that is in its window, and open after it', async () => {
    const desk = await withRule({ limit: '100' });
    await worthless(desk);
    passes(desk, 599_999);
    desk.guard.tick();
    await takenUp(desk);
    expect(await ask(desk)).toBe('protection_unpriced');
    passes(desk, 1);
    desk.guard.tick();
    expect(await ask(desk)).toBe('order');
    expect((await desk.guard.protections.rows())[0]).toMatchObject({ unpriced: false });
    expect(desk.quoter.served(CHAIN).prices['WETH/USDC']).toHaveProperty('asks');
  });

  it('is open after the time of such a fill also where the desk was started anew, before it or after it', async () => {
    for (const [startedAfter, isClosed] of [
      [400_000, true],
      [700_000, false],
    ] as const) {
      const before = await withRule({ limit: '100' });
      await worthless(before);
      await before.close();
      const after = await openDesk({ folder: before.folder, ahead: before.now() - Date.now() + startedAfter });
      after.guard.tick();
      await takenUp(after);
      expect(await ask(after), `${startedAfter} ms after it`).toBe(isClosed ? 'protection_unpriced' : 'order');
      passes(after, 200_000);
      after.guard.tick();
      expect(await ask(after)).toBe('order');
    }
  });

  it('counts no mark of a fill that comes when its time in the window is over', async () => {
    const desk = await withRule({ limit: '100', windowSeconds: 30 });
    await worthless(desk);
    passes(desk, 30_000);
    desk.guard.tick();
    await marked(desk, 30_000, '4000');
    expect(await usedNow(desk)).toBe('0');
    expect(await ask(desk)).toBe('order');
  });

  it('has after a restart what it had before, and goes on with the marks that come', async () => {
    const before = await withRule({ freezeSeconds: 0 });
    await sold(before, 0, 1);
    await marked(before, 10_000, '3500');
    expect(await usedNow(before)).toBe('8700000');
    await before.close();
    const after = await openDesk({ folder: before.folder, ahead: before.now() - Date.now() + 1_000 });
    expect(await ask(after), 'its marks are not read').toBe('starting');
    after.guard.tick();
    await takenUp(after);
    expect(await usedNow(after)).toBe('8700000');
    expect(await ask(after)).toBe('order');
    await said(after, '3513');
    passes(after, 47_000 - 3_000);
    await said(after, '3513');
    passes(after, 5_000);
    after.guard.tick();
    await takenUp(after);
    expect(await ask(after)).toBe('protection_tripped');
    await after.guard.protections.reset({ rule: 'stop-loss' }, person);
    expect(await ask(after)).toBe('order');
    expect(await usedNow(after)).toBe('0');
  });

  it('restates and gives back a fill that came while a person set it', async () => {
    let comes: (() => Promise<unknown>) | undefined;
    const desk = await openDesk({
      journal: (journal) => {
        const read = new Proxy(journal.read, {
          get: (of, name) =>
            name === 'resetsSince'
              ? async (since: number) => {
                  await comes?.();
                  return of.resetsSince(since);
                }
              : Reflect.get(of, name),
        });
        return new Proxy(journal, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name)) });
      },
    });
    await said(desk, '3412.75');
    expect(await ask(desk)).toBe('order');
    const fill = await filling(desk, 0, { place: 1 });
    let eventSeq = 0;
    comes = async () => {
      eventSeq = await happens(desk, fill);
    };
    await desk.book.setProtections({ protections: [rule({ limit: '100' }) as never], seen: [], actor: 'mara' });
    await expect.poll(async () => (await desk.guard.protections.rows())[0]?.filling).toBe(false);
    await takenUp(desk);
    await marked(desk, 10_000, '3513');
    expect(await usedNow(desk), 'by its markout').toBe('10000000');
    const body = { chainId: CHAIN, eventSeq, orderHash: fill.body.orderHash };
    await happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body });
    await takenUp(desk);
    expect(await usedNow(desk)).toBe('0');
  });

  it('is refused in a desk file where it is not in dollars', async () => {
    const desk = await openDesk();
    const { usd: _, ...inQuotes } = rule();
    const refused = await desk.book
      .importDesk(
        { version: 1, chains: [chain()], protections: [inQuotes] },
        { actor: 'mara', keepSecrets: () => ({}) },
      )
      .catch((error) => error);
    expect(refused.faults).toEqual([
      { path: 'protections[0].usd', message: 'must be true: what is lost is counted in dollars' },
    ]);
  });
});
