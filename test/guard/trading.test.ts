import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { disarm } from '../../electron/guard/armed-file.ts';
import { type After, afterTimeout } from '../../electron/time/after.ts';
import { CHAIN, deskFile } from '../book/fixture.ts';
import { HeldJournal } from '../quoting/held-journal.ts';
import { firm, newFolder, type OpenDesk, openDesk, person, signer } from '../quoting/open-desk.ts';

const armed = ({ folder }: Pick<OpenDesk, 'folder'>) => existsSync(join(folder, 'armed'));
const state = ({ guard }: OpenDesk) => guard.status().state;
const rows = async ({ journal }: OpenDesk) =>
  (await journal.read.tradingStates()).map(({ state, cause }) => [state, cause]);
const reopen = async (desk: OpenDesk, changes = {}) => {
  await desk.close();
  return openDesk({ folder: desk.folder, ...changes });
};

describe('a desk', () => {
  it('is HALTED until its first resume, which arms it', async () => {
    const desk = await openDesk({ live: false });
    const never = { state: 'HALTED', reason: 'It has not gone live yet.', isNew: true };
    expect(desk.guard.status()).toMatchObject(never);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
    expect(armed(desk)).toBe(false);
    await desk.guard.trading.resume({}, person);
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', actor: 'mara', reason: person.reason });
    expect(desk.guard.status().isNew).toBe(undefined);
    expect(statSync(join(desk.folder, 'armed')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(desk.folder, 'armed'), 'utf8'))).toMatchObject({
      actor: 'mara',
      reason: person.reason,
    });
    expect((await firm(desk)).status).toBe(200);
  });

  it('that was LIVE answers 503 until its checks passed, and then is LIVE again', async () => {
    const desk = await reopen(await openDesk(), { checked: false });
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', chains: [{ closed: 'starting' }] });
    expect(desk.quoter.served(CHAIN).closed).toBe('starting');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'starting' });
    desk.guard.trading.checksPassed();
    expect(desk.quoter.served(CHAIN).closed).toBe(null);
    expect((await firm(desk)).status).toBe(200);
  });

  it('whose checks fail is HALTED, and cannot be resumed until they pass', async () => {
    const desk = await reopen(await openDesk(), { checked: false });
    desk.guard.trading.checksFailed('The node is of another chain.');
    expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: 'The node is of another chain.' });
    await expect(desk.guard.trading.resume({}, person)).rejects.toMatchObject({ code: 'checks_failed' });
    desk.guard.trading.checksPassed();
    expect(state(desk)).toBe('HALTED');
    await desk.guard.trading.resume({}, person);
    expect(state(desk)).toBe('LIVE');
  });

  it('is not resumed before its checks are through', async () => {
    const desk = await openDesk({ checked: false });
    await expect(desk.guard.trading.resume({}, person)).rejects.toMatchObject({ code: 'checks_pending' });
    await expect(desk.guard.trading.resume({ chainId: CHAIN }, person)).rejects.toMatchObject({
      code: 'checks_pending',
    });
  });

  it('whose checks fail while a resume is on its way is not resumed', async () => {
    const desk = await openDesk({ live: false });
    const resumed = desk.guard.trading.resume({}, person).catch(({ code }) => code);
    desk.guard.trading.checksFailed('The signer is gone.');
    expect(await resumed).toBe('overtaken_by_stop');
    expect(state(desk)).toBe('HALTED');
    expect(armed(desk)).toBe(false);
  });

  it('has a side off after a restart that a stop of the desk kept from being resumed', async () => {
    const before = await openDesk();
    const side = { chainId: CHAIN, pair: 'WETH/USDC', side: 'asks' } as const;
    await before.guard.trading.halt(side, person);
    const resumed = before.guard.trading.resume(side, person).catch(({ code }) => code);
    const halted = before.guard.trading.halt({}, person);
    expect(await resumed).toBe('overtaken_by_stop');
    await halted;
    expect(before.guard.trading.said(side)?.state).toBe('HALTED');
    const after = await reopen(before);
    expect(after.guard.trading.said(side)?.state).toBe('HALTED');
  });

  it('comes back LIVE when it was, and HALTED when it was halted', async () => {
    const before = await openDesk();
    const live = await reopen(before);
    expect(state(live)).toBe('LIVE');
    const { durable } = await live.guard.trading.halt({}, person);
    expect(durable).toBe(true);
    expect(armed(live)).toBe(false);
    const halted = await reopen(live);
    expect(halted.guard.status()).toMatchObject({ state: 'HALTED', actor: 'mara', reason: person.reason });
  });

  it('halts when somebody takes its armed file away while it trades', async () => {
    const desk = await openDesk();
    desk.guard.trading.tick();
    expect(state(desk)).toBe('LIVE');
    rmSync(join(desk.folder, 'armed'));
    desk.clock.ahead += 50;
    desk.guard.trading.tick();
    expect(desk.guard.status()).toMatchObject({
      state: 'HALTED',
      reason: 'The file that arms the desk was taken away.',
    });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
  });

  it('comes back HALTED without its armed file, whatever the journal says', async () => {
    const desk = await openDesk();
    await desk.close();
    rmSync(join(desk.folder, 'armed'));
    const again = await openDesk({ folder: desk.folder });
    expect(again.guard.status()).toMatchObject({
      state: 'HALTED',
      reason: 'The file that arms the desk is not there.',
    });
    await expect.poll(() => rows(again)).toEqual([['HALTED', 'The file that arms the desk is not there.']]);
  });

  it('comes back HALTED with an armed file, when the journal says it was halted', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({}, person);
    await desk.close();
    writeFileSync(join(desk.folder, 'armed'), '');
    const again = await openDesk({ folder: desk.folder });
    expect(state(again)).toBe('HALTED');
    await expect.poll(() => armed(again)).toBe(false);
  });

  it('halted by one key takes its words afterwards: written, in the status, and still there after a restart', async () => {
    const desk = await openDesk();
    const { at } = await desk.guard.trading.halt({}, { actor: 'mara' });
    expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: null });
    await desk.guard.trading.explain({}, { actor: 'mara', reason: 'the feed froze' });
    expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: 'the feed froze', actor: 'mara', since: at });
    expect(armed(desk)).toBe(false);
    // Another person's words carry the name of whoever said them.
    await desk.guard.trading.explain({}, { actor: 'ops', reason: 'node 2 was behind' });
    const again = await reopen(desk);
    expect(again.guard.status()).toMatchObject({ state: 'HALTED', reason: 'node 2 was behind (ops)', since: at });
  });

  it('that is halted once more keeps the words it has, also those that are on their way', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ journal: held.around });
    await desk.guard.trading.halt({}, { actor: 'mara' });
    held.hold('stop_explained');
    const explained = desk.guard.trading.explain({}, { actor: 'mara', reason: 'the feed froze' });
    desk.clock.ahead += 50;
    const { at } = await desk.guard.trading.halt({}, { actor: 'mara' });
    held.letGo();
    await explained;
    expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: 'the feed froze', since: at });
    desk.clock.ahead += 50;
    await desk.guard.trading.halt({}, { actor: 'ben' });
    expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: 'the feed froze', actor: 'ben' });
    desk.clock.ahead += 50;
    await desk.guard.trading.halt({}, { actor: 'ben', reason: 'to be sure' });
    expect(desk.guard.status().reason).toBe('to be sure');
    expect((await reopen(desk)).guard.status().reason).toBe('to be sure');
  });

  it('keeps the rule that tripped in front of the words a person adds to it', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({}, { actor: 'desk', cause: 'Limit 5, was 7.' });
    await desk.guard.trading.explain({}, { actor: 'mara', reason: 'a fat finger' });
    expect(desk.guard.status().reason).toBe('Limit 5, was 7. a fat finger (mara)');
  });

  it('that trades has no stop to explain, and words that come after a resume change nothing', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ journal: held.around });
    const why = { actor: 'mara', reason: 'too late' };
    await expect(desk.guard.trading.explain({}, why)).rejects.toMatchObject({ code: 'not_stopped' });
    await desk.guard.trading.halt({}, { actor: 'mara' });
    const explained = desk.guard.trading.explain({}, why);
    await desk.guard.trading.resume({}, person);
    await explained;
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', reason: person.reason });
    expect((await reopen(desk)).guard.status()).toMatchObject({ state: 'LIVE', reason: person.reason });
  });

  it('halted with a disk that takes no row says so, and still comes back HALTED', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ journal: held.around });
    held.breakDown();
    const { durable } = await desk.guard.trading.halt({}, person);
    expect(durable).toBe(false);
    expect(armed(desk)).toBe(false);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
    const again = await reopen(desk);
    expect(await rows(again)).not.toEqual([]);
    expect(state(again)).toBe('HALTED');
  });

  it('halted with a disk that does not answer says after a while that it is not durable', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ journal: held.around, guard: { after: afterTimeout } });
    held.hold('trading_state');
    const asked = desk.guard.trading.halt({}, person);
    expect(state(desk)).toBe('HALTED');
    expect((await asked).durable).toBe(false);
    held.letGo();
  });

  it('halts by itself when its journal fails, and disarms', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ journal: held.around });
    held.breakDown();
    expect(state(desk)).toBe('HALTED');
    await expect.poll(() => armed(desk)).toBe(false);
  });

  it('that cannot be armed is not resumed', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'armed'));
    const desk = await openDesk({ folder, live: false });
    await expect(desk.guard.trading.resume({}, person)).rejects.toMatchObject({ code: 'not_armed' });
    expect(state(desk)).toBe('HALTED');
    rmSync(join(folder, 'armed'), { recursive: true });
    expect(state(await reopen(desk))).toBe('HALTED');
  });
});

describe('a drain', () => {
  it('quotes until its time is over, then halts by itself and says so', async () => {
    let end = () => {};
    const after: After = (milliseconds, run) => {
      if (milliseconds !== 60_000) return milliseconds < 1_000 ? afterTimeout(milliseconds, run) : () => {};
      end = run;
      return () => {};
    };
    const desk = await openDesk({ guard: { after } });
    const { durable } = await desk.guard.trading.drain({}, 60, person);
    expect(durable).toBe(true);
    expect(desk.guard.status()).toMatchObject({ state: 'DRAIN', drainUntil: expect.any(Number) });
    expect((await firm(desk)).status).toBe(200);
    end();
    expect(state(desk)).toBe('HALTED');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
    await expect.poll(() => rows(desk)).toEqual([['HALTED', 'The drain came to its end.']]);
    await expect.poll(() => armed(desk)).toBe(false);
  });

  it('ends by the clock too, where the machine slept through it', async () => {
    const desk = await openDesk();
    await desk.guard.trading.drain({}, 60, person);
    desk.clock.ahead += 60_000;
    expect(await firm(desk)).toMatchObject({ code: 'halted' });
    expect(state(desk)).toBe('HALTED');
  });

  it('ends at once where a halt that got no answer took its file away', async () => {
    const desk = await openDesk();
    await desk.guard.trading.drain({}, 60, person);
    expect(armed(desk), 'a start knows nothing of it').toBe(false);
    desk.guard.trading.tick();
    expect(state(desk)).toBe('DRAIN');
    await disarm(desk.folder); // whatever it says of a slow disk
    await expect.poll(() => existsSync(join(desk.folder, 'draining'))).toBe(false);
    desk.clock.ahead += 50;
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
    expect(state(desk)).toBe('HALTED');
    await expect.poll(() => rows(desk)).toEqual([['HALTED', 'The file that arms the desk was taken away.']]);
  });

  it('from which the desk is restarted ends HALTED', async () => {
    const desk = await openDesk();
    await desk.guard.trading.drain({}, 600, person);
    await desk.guard.trading.drain({ chainId: CHAIN, pair: 'WETH/USDC' }, 600, person);
    const again = await reopen(desk);
    expect(again.guard.status()).toMatchObject({ state: 'HALTED', chains: [{ pairs: { 'WETH/USDC': 'HALTED' } }] });
    const why = 'The desk was restarted inside this drain.';
    await expect
      .poll(() => rows(again))
      .toEqual([
        ['HALTED', why],
        ['HALTED', why],
      ]);
  });

  it('is never longer than one that is on its way, and of a halted scope is one more halt', async () => {
    const desk = await openDesk();
    await desk.guard.trading.drain({}, 20, person);
    const { drainUntil } = desk.guard.status();
    await desk.guard.trading.drain({}, 500, person);
    expect(desk.guard.status().drainUntil).toBe(drainUntil);
    await desk.guard.trading.halt({}, person);
    await desk.guard.trading.drain({}, 20, person);
    expect(state(desk)).toBe('HALTED');
  });

  it('can be called off by a resume, and then does not halt', async () => {
    const desk = await openDesk();
    await desk.guard.trading.drain({}, 1, person);
    await desk.guard.trading.resume({}, person);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(state(desk)).toBe('LIVE');
    expect(armed(desk)).toBe(true);
  });
});

describe('narrower scopes', () => {
  it('are all judged, and the strictest wins', async () => {
    const { guard } = await openDesk();
    const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
    const at = (side: 'bids' | 'asks') => guard.trading.stateOf({ ...pair, side });
    await guard.trading.halt({ ...pair, side: 'bids' }, person);
    expect([at('bids'), at('asks'), guard.trading.stateOf(pair)]).toEqual(['HALTED', 'LIVE', 'LIVE']);
    await guard.trading.drain({ chainId: CHAIN }, 60, person);
    expect([at('bids'), at('asks')]).toEqual(['HALTED', 'DRAIN']);
    await guard.trading.halt({}, person);
    expect(at('asks')).toBe('HALTED');
    await guard.trading.resume({}, person);
    expect([at('bids'), at('asks')]).toEqual(['HALTED', 'DRAIN']);
  });

  it('survive a restart', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'asks' }, person);
    const again = await reopen(desk);
    expect(await firm(again)).toMatchObject({ code: 'side_disabled' });
    expect(again.guard.trading.said({ chainId: CHAIN, pair: 'WETH/USDC', side: 'asks' })?.reason).toBe(person.reason);
  });

  it('are set by an import, at once and after a restart', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, person);
    await desk.guard.trading.halt({}, person);
    const chains = deskFile().chains.map((chain) => ({
      ...chain,
      maker: signer.address,
      signer: signer.address,
      off: { 'WETH/USDC': ['bids', 'asks'] },
    }));
    await desk.book.importDesk({ ...deskFile(), chains }, { actor: 'mara', keepSecrets: () => ({}) });
    const pairs = { 'WETH/USDC': 'HALTED', 'DAI/USDC': 'LIVE' };
    await desk.guard.trading.resume({}, person);
    expect(desk.guard.status().chains[0]?.pairs).toEqual(pairs);
    expect((await reopen(desk)).guard.status().chains[0]?.pairs).toEqual(pairs);
  });
});

describe('a dependency that another room reports', () => {
  it('closes its chain while that lasts, and nothing is halted by it', async () => {
    const desk = await openDesk();
    desk.guard.report(CHAIN, 'reference_stale', true);
    desk.quoter.tick();
    expect(desk.quoter.served(CHAIN).closed).toBe('reference_stale');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    expect(state(desk)).toBe('LIVE');
    desk.guard.report(CHAIN, 'reference_stale', false);
    desk.quoter.tick();
    expect(desk.quoter.served(CHAIN).closed).toBe(null);
    expect((await firm(desk)).status).toBe(200);
  });
});

describe('an error of the desk itself', () => {
  it('in a guard halts the chain, and that stays', async () => {
    const desk = await openDesk();
    desk.guard.orders.of(CHAIN).exposure.live = () => {
      throw new Error('a bit fell over');
    };
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal' });
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', chains: [{ state: 'HALTED' }] });
    const again = await reopen(desk);
    expect(await firm(again)).toMatchObject({ code: 'halted' });
    expect(again.guard.trading.said({ chainId: CHAIN })?.cause).toContain('a bit fell over');
  });
});
