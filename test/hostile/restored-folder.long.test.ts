import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { attentionOf } from '../../electron/desk/attention.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { RepeatedRefusals } from '../../electron/desk/repeated-refusals.ts';
import { readStillLive } from '../../electron/hedge/still-live.ts';
import { WITNESSED_SINCE } from '../../electron/journal/migrations.ts';
import { CHAIN, chain, deskFile, USDC, WETH } from '../book/fixture.ts';
import { QUIET_OUTSIDE } from '../desk/alerts-of.ts';
import { runCommand, startDesk } from '../desk/desk-process.ts';
import { bringBack } from '../journal/earlier-schema.ts';
import {
  type DeskChanges,
  ETHER,
  firm,
  happens,
  newFolder,
  type OpenDesk,
  openDesk,
  person,
  seen,
  signer,
  TAKER,
} from '../quoting/open-desk.ts';

/** How long an order can be filled that was signed with a clock that was ahead by as much as is believed. */
const LONGEST_MS = 150_000 + 120_000;

/** A desk that was LIVE and signed two orders; `between` sees its folder, closed, after the first. */
async function tradedDesk(
  between: (folder: string) => void = () => {},
): Promise<Required<Pick<DeskChanges, 'folder' | 'witness'>>> {
  const [folder, witness] = [join(newFolder(), 'desk'), join(newFolder(), 'state')];
  const desk = await openDesk({ folder, witness });
  expect((await firm(desk)).status).toBe(200);
  await desk.close();
  between(folder);
  const again = await openDesk({ folder, witness });
  expect((await firm(again)).status).toBe(200);
  await again.close();
  return { folder, witness };
}

const stateOf = ({ guard }: OpenDesk) => guard.status();
const live = ({ guard }: OpenDesk) => guard.orders.of(CHAIN).exposure.live(WETH);

async function expectUnproven(desk: OpenDesk, why: RegExp): Promise<void> {
  expect(stateOf(desk)).toMatchObject({ state: 'HALTED', actor: 'desk', reason: expect.stringMatching(why) });
  expect(existsSync(join(desk.folder, 'armed'))).toBe(false);
  await desk.guard.trading.resume({}, person);
  const closed = { closed: 'past_unproven', why: expect.stringContaining('may be filled until') };
  expect(stateOf(desk).chains[0]).toMatchObject(closed);
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'past_unproven' });
  expect(await toldOf(desk)).toEqual({ attention: true, nothingSigned: false, unknown: true });
}

/** What a person reads: beside the desk's own list of what is wrong, whether "nothing is live" is said. */
async function toldOf({ book, guard, journal, clock }: OpenDesk) {
  const now = () => Date.now() + clock.ahead;
  const rooms = { book, guard, now, journal, accounts: new AccountTurns() };
  const refusals = new RepeatedRefusals({ journal, now });
  const attention = attentionOf({
    rooms,
    outside: { ...QUIET_OUTSIDE, refusals, restrictions: { list: () => [] } },
    watched: { view: () => undefined, otherGenesis: () => null },
    heartbeats: new Heartbeats(),
    checks: null,
    hedging: null,
    quoter: null,
    practice: null,
  });
  const { nothingSigned, chains } = await readStillLive({ book, guard, journal, now });
  return {
    attention: attention.some(({ code, detail }) => code === `unproven ${CHAIN}` && detail.includes('may be filled')),
    nothingSigned,
    unknown: chains[0]?.unknown.some((sentence) => sentence.includes('not proven complete')),
  };
}

async function expectProven(desk: OpenDesk): Promise<void> {
  expect(stateOf(desk).state).toBe('LIVE');
  expect((await firm(desk)).status).toBe(200);
}

/** Both clocks go on by so much. */
function later(desk: OpenDesk, ms: number, block: number): void {
  desk.clock.ahead += ms;
  desk.chain.view = seen(desk.now(), {}, block);
  desk.guard.tick();
}

describe('a desk whose past is not proven complete', () => {
  it('comes up HALTED with the reason after its journal was put back from before, with or without journal.head', async () => {
    for (const head of ['kept', 'removed', 'junk']) {
      let older: Buffer = Buffer.alloc(0);
      const { folder } = await tradedDesk((from) => {
        older = readFileSync(join(from, 'journal.db'));
      });
      writeFileSync(join(folder, 'journal.db'), older);
      if (head === 'removed') rmSync(join(folder, 'journal.head'));
      if (head === 'junk') writeFileSync(join(folder, 'journal.head'), 'junk\n'.repeat(60));
      await expectUnproven(
        await openDesk({ folder }),
        head === 'kept' ? /its end is missing/ : /journal\.head is missing/,
      );
    }
  });

  it('signs nothing until what it may have signed is over by both clocks, and then opens by itself', async () => {
    const { folder } = await tradedDesk();
    rmSync(join(folder, 'journal.head'));
    const desk = await openDesk({ folder });
    await expectUnproven(desk, /journal\.head/);
    later(desk, LONGEST_MS - 2_000, 2);
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    desk.clock.ahead += 10_000; // our clock alone
    desk.guard.tick();
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    later(desk, 1_000, 3);
    expect(stateOf(desk).chains[0]?.closed).toBeNull();
    expect((await firm(desk)).status).toBe(200);
  });

  it('holds off longer where the chain shows a fill of an order that it does not know', async () => {
    const { folder } = await tradedDesk();
    rmSync(join(folder, 'journal.head'));
    const desk = await openDesk({ folder, chain: { unknownFillHalts: false } });
    later(desk, 100_000, 2);
    desk.guard.orders.of(CHAIN).strangerFilled(desk.now());
    later(desk, LONGEST_MS - 50_000, 3);
    expect(desk.guard.orders.of(CHAIN).holdsOffUntil()).not.toBeNull();
    later(desk, 100_000, 4);
    expect(desk.guard.orders.of(CHAIN).holdsOffUntil()).toBeNull();
  });

  it('starts and says so each time the same rows are cut off its journal again, although the tables still have them', async () => {
    const { folder } = await tradedDesk();
    let last: unknown = null;
    for (let cut = 0; cut < 2; cut += 1) {
      const db = new Database(join(folder, 'journal.db'));
      last ??= db.prepare('SELECT max(seq) - 1 FROM journal').pluck().get();
      db.prepare('DELETE FROM journal WHERE seq > ?').run(last);
      db.close();
      const desk = await openDesk({ folder });
      await expectUnproven(desk, /its end is missing/);
      await desk.close();
    }
  });

  it('holds off for as long as quotes lived before, also where the settings put back say less', async () => {
    const { folder } = await tradedDesk();
    const before = await openDesk({ folder });
    const chains = [chain({ maker: signer.address, signer: signer.address, quoteLifetimeSeconds: 125 })];
    await before.book.importDesk({ ...deskFile(), chains }, { actor: 'mara', keepSecrets: () => ({}) });
    await before.close();
    rmSync(join(folder, 'journal.head'));
    const desk = await openDesk({ folder });
    desk.guard.tick();
    later(desk, LONGEST_MS - 2_000, 2);
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    later(desk, 4_000, 3);
    expect(stateOf(desk).chains[0]?.closed).toBeNull();
  });

  it('holds off for as long as quotes lived here, also where its journal was put back from before that was set', async () => {
    const [folder, witness, older] = [join(newFolder(), 'desk'), join(newFolder(), 'state'), newFolder()];
    const first = await openDesk({ folder, witness });
    await first.close();
    cpSync(folder, older, { recursive: true });
    const longer = await openDesk({ folder, witness });
    const chains = [chain({ maker: signer.address, signer: signer.address, quoteLifetimeSeconds: 1_800 })];
    await longer.book.importDesk({ ...deskFile(), chains }, { actor: 'mara', keepSecrets: () => ({}) });
    await longer.close();
    rmSync(folder, { recursive: true });
    cpSync(older, folder, { recursive: true });
    for (const start of ['first', 'second']) {
      const desk = await openDesk({ folder, witness });
      const until = desk.guard.orders.of(CHAIN).holdsOffUntil() ?? 0;
      expect([start, until]).toEqual([start, expect.any(Number)]);
      expect(until).toBeGreaterThan(Date.now() / 1_000 + 1_700);
      await desk.close();
    }
  });

  it('holds off for a whole lifetime from when the clocks agree, where its clock was an hour behind at the start', async () => {
    const { folder } = await tradedDesk();
    rmSync(join(folder, 'journal.head'));
    const desk = await openDesk({ folder, ahead: -3_600_000 });
    later(desk, 3_600_000, 2); // corrected
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    later(desk, LONGEST_MS - 2_000, 3);
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    later(desk, 4_000, 4);
    expect(stateOf(desk).chains[0]?.closed).toBeNull();
  });

  it('goes on holding off after a kill, and the reason stands until a row says it', async () => {
    const { folder } = await tradedDesk();
    rmSync(join(folder, 'journal.head'));
    const saved = newFolder();
    cpSync(folder, saved, { recursive: true });
    const before = await openDesk({ folder: saved });
    cpSync(saved, join(folder, 'killed'), { recursive: true }); // as a kill -9 leaves it
    await before.close();
    const killed = await openDesk({ folder: join(folder, 'killed') });
    expect(stateOf(killed).state).toBe('HALTED');
    await killed.guard.trading.resume({}, person);
    expect(await firm(killed)).toMatchObject({ status: 503, code: 'past_unproven' });
  });

  it('is one that started with a clock an hour ahead: no live order ends by that, and the set-back clock is the reason', async () => {
    const { folder } = await tradedDesk();
    const ahead = await openDesk({ folder, ahead: 3_600_000 });
    ahead.chain.view = { ...seen(Date.now()), seenAt: Date.now() + 3_600_000 };
    ahead.guard.tick();
    expect(live(ahead)).toBe(ETHER / 5n);
    expect(await firm(ahead)).toMatchObject({ status: 503, code: 'chain_clock' });
    await ahead.journal.append({ time: Date.now() + 3_600_000, actor: 'desk', kind: 'desk_stopped', body: {} });
    await ahead.close();
    const corrected = await openDesk({ folder });
    expect(live(corrected)).toBe(ETHER / 5n);
    await expectUnproven(corrected, /clock was set back/);
    await corrected.close();
    const again = await openDesk({ folder });
    expect(stateOf(again).state).toBe('LIVE'); // it was told once, and a person resumed
  });
});

describe('an ordinary kill -9', () => {
  it('leaves a head and a witness behind the journal, and the desk is LIVE again', async () => {
    let before = '';
    const older = newFolder();
    const { folder, witness } = await tradedDesk((from) => {
      cpSync(join(from, 'journal.head'), join(older, 'journal.head'));
      before = from;
    });
    expect(before).toBe(folder);
    cpSync(join(older, 'journal.head'), join(folder, 'journal.head'));
    await expectProven(await openDesk({ folder, witness }));
  });

  it('is told from a folder put back whole by the witness outside', async () => {
    const [older, oldWitness] = [newFolder(), newFolder()];
    const { folder, witness } = await tradedDesk((from) => cpSync(from, older, { recursive: true }));
    cpSync(witness, oldWitness, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(older, folder, { recursive: true });
    await expectUnproven(await openDesk({ folder, witness }), /put back from before/);
  });

  it('leaves an older witness, whose row the journal still has', async () => {
    const older = newFolder();
    const [folder, witness] = [join(newFolder(), 'desk'), join(newFolder(), 'state')];
    const desk = await openDesk({ folder, witness });
    cpSync(witness, older, { recursive: true });
    await firm(desk);
    await desk.close();
    rmSync(witness, { recursive: true });
    cpSync(older, witness, { recursive: true });
    await expectProven(await openDesk({ folder, witness }));
  });
});

describe('the witness outside the folder', () => {
  it('tells a folder that was moved, and knows it there after a person resumed', async () => {
    const { folder, witness } = await tradedDesk();
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    const desk = await openDesk({ folder: moved, witness });
    await expectUnproven(desk, /moved or copied here from .*desk\. /);
    expect(readdirSync(witness)).toHaveLength(1);
    await desk.close();
    expect(stateOf(await openDesk({ folder: moved, witness })).state).toBe('LIVE');
  });

  it('tells a copy beside the desk it was taken from, and a copy that the desk has gone on without', async () => {
    const { folder, witness } = await tradedDesk();
    cpSync(folder, `${folder}-copy`, { recursive: true });
    await expectUnproven(await openDesk({ folder: `${folder}-copy`, witness }), /never let both run/);
    cpSync(folder, `${folder}-older`, { recursive: true });
    const on = await openDesk({ folder, witness });
    await expectProven(on);
    await on.close();
    await expectUnproven(await openDesk({ folder: `${folder}-older`, witness }), /went on to row/);
  });

  it('speaks against the desk when it is gone, cannot be read, or is of another machine or another desk', async () => {
    const changes: [RegExp, (file: string) => void][] = [
      [/never seen the desk/, (file) => rmSync(file)],
      [/cannot be read/, (file) => writeFileSync(file, 'junk')],
      [/another machine/, (file) => edit(file, /"machine":"[^"]+"/, '"machine":"other"')],
    ];
    for (const [why, change] of changes) {
      const { folder, witness } = await tradedDesk();
      for (const name of readdirSync(witness)) change(join(witness, name));
      await expectUnproven(await openDesk({ folder, witness }), why);
    }
    const [one, other] = [await tradedDesk(), await tradedDesk()];
    rmSync(one.folder, { recursive: true });
    renameSync(other.folder, one.folder);
    await expectUnproven(await openDesk(one), /another past|put back from before/);
  });

  it('speaks against a new journal in a folder whose journal is gone', async () => {
    const { folder, witness } = await tradedDesk();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    await expectUnproven(await openDesk({ folder, witness, live: false }), /put back from before/);
  });

  it('need not be there for a desk that never signed, and is there from its first row on', async () => {
    const [folder, witness] = [newFolder(), join(newFolder(), 'state')];
    await (await openDesk({ folder })).close();
    const desk = await openDesk({ folder, witness });
    await expectProven(desk);
    await desk.close();
    expect(readdirSync(witness)).toHaveLength(1);
    await expectProven(await openDesk({ folder, witness }));
  });
});

describe('orders signed by hand, which live for days', () => {
  const DAY_MS = 86_400_000;
  const ORDER: `0x${string}` = `0x${'e7'.repeat(32)}`;

  /** A folder put back from before an order that was signed by hand in it, for ten days; `again` runs in between. */
  async function putBack(again: (desk: OpenDesk) => Promise<unknown> = async () => {}) {
    const [folder, witness, older] = [join(newFolder(), 'desk'), join(newFolder(), 'state'), newFolder()];
    const first = await openDesk({ folder, witness });
    expect((await firm(first)).status).toBe(200);
    await first.close();
    cpSync(folder, older, { recursive: true });
    const desk = await openDesk({ folder, witness });
    await desk.journal.append({ time: Date.now(), actor: 'mara', kind: 'nft_order', body: byHand() });
    await again(desk);
    await desk.close();
    const restored = await openDesk({ folder, witness });
    expect(stateOf(restored).state).toBe('LIVE'); // nothing is missing there
    await restored.close();
    rmSync(folder, { recursive: true });
    cpSync(older, folder, { recursive: true });
    return { folder, witness };
  }

  function byHand() {
    const expiry = Math.floor((Date.now() + 10 * DAY_MS) / 1_000);
    return {
      chainId: CHAIN,
      pair: null,
      side: null,
      given: 'makerAmount' as const,
      maker: signer.address,
      makerAsset: USDC,
      takerAsset: TAKER,
      makerAmount: '8000000000',
      takerAmount: '1',
      orderHash: ORDER,
      takerNft: { kind: 'erc721' as const, id: '7' },
      userAddress: TAKER,
      takerAddress: TAKER,
      expiry,
      nonceAndMeta: '1',
      signature: '0x00' as const,
      code: null,
      ladderRevision: null,
      requestBody: '{}',
      counterparty: null,
      receivedAt: 0,
      balance: null,
      allowance: null,
      exposure: null,
      latencyMs: 1,
    };
  }

  it('are known to the witness: a folder without one holds off until it is over, after restarts too', async () => {
    const parts = await putBack();
    const desk = await openDesk(parts);
    await expectUnproven(desk, new RegExp(`${ORDER} of chain .* not in the journal.* cancel what was signed by hand`));
    later(desk, 9 * DAY_MS, 2);
    expect(stateOf(desk).chains[0]?.closed).toBe('past_unproven');
    await desk.close();
    const again = await openDesk({ ...parts, ahead: 9 * DAY_MS });
    expect(again.guard.orders.of(CHAIN).holdsOffUntil()).toBeGreaterThan((Date.now() + 9 * DAY_MS) / 1_000);
    later(again, DAY_MS + 2_000, 3);
    expect(stateOf(again).chains[0]?.closed).toBeNull();
  });

  it('hold nothing off any more once the chain cancelled them and the desk was started again', async () => {
    const parts = await putBack();
    const desk = await openDesk(parts);
    await happens(desk, {
      time: Date.now(),
      actor: 'chain',
      kind: 'cancel',
      body: {
        chainId: CHAIN,
        orderHash: ORDER,
        transactionHash: `0x${'01'.repeat(32)}`,
        logIndex: 0,
        block: 1,
        blockHash: `0x${'02'.repeat(32)}`,
        blockTime: Date.now(),
      },
    });
    await desk.close();
    const again = await openDesk({ ...parts, ahead: LONGEST_MS + 2_000 });
    expect(again.guard.orders.of(CHAIN).holdsOffUntil()).toBeLessThan((Date.now() + LONGEST_MS) / 1_000 + 2);
  });

  it('may be missing without a word where the witness is gone, and the desk says so', async () => {
    const { folder, witness } = await putBack();
    rmSync(witness, { recursive: true });
    await expectUnproven(await openDesk({ folder, witness }), /signed by hand are missing is not known.* 30 days/);
  });
});

describe('a desk of a program that kept no witness yet', () => {
  it('is LIVE at its first start with one', async () => {
    const { folder, witness } = await tradedDesk();
    rmSync(witness, { recursive: true });
    const db = new Database(join(folder, 'journal.db'));
    expect(bringBack(db, WITNESSED_SINCE - 1)).toContain('archives');
    db.close();
    const desk = await openDesk({ folder, witness });
    await expectProven(desk);
    await desk.close();
    rmSync(witness, { recursive: true });
    await expectUnproven(await openDesk({ folder, witness }), /never seen the desk/);
  });
});

describe('makerdesk serve', () => {
  it('keeps the witness of its folder in $MAKERDESK_STATE, and says when that folder was put back', async () => {
    const [folder, saved] = [newFolder(), newFolder()];
    const served = async () => {
      const desk = await startDesk(folder, 'serve');
      const { state, reason } = JSON.parse((await runCommand(folder, ['status', '--json'])).stdout);
      await desk.stop();
      return `${state}: ${reason}`;
    };
    expect(await served()).toBe('HALTED: It has not gone live yet.');
    cpSync(folder, saved, { recursive: true });
    expect(await served()).toBe('HALTED: It has not gone live yet.');
    rmSync(folder, { recursive: true });
    cpSync(saved, folder, { recursive: true });
    expect(await served()).toMatch(/put back from before/);
  });
});

function edit(file: string, what: RegExp, by: string): void {
  const text = readFileSync(file, 'latin1');
  expect(text).toMatch(what);
  writeFileSync(file, text.replace(what, by), 'latin1');
}
