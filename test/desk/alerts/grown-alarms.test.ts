import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { AccountTurns } from '../../../electron/chain/account-turns.ts';
import { attentionOf } from '../../../electron/desk/attention.ts';
import { Heartbeats } from '../../../electron/desk/heartbeats.ts';
import { CHAIN, WETH } from '../../book/fixture.ts';
import { ETHER, type OpenDesk, openDesk } from '../../quoting/open-desk.ts';
import { answering } from '../../service/http-answers.ts';
import { alertsOf, QUIET_OUTSIDE } from '../alerts-of.ts';
import { stopped, WELL, watched, webhook } from './alerting.ts';

const MINUTE_MS = 60_000;
const BY = { actor: 'mara' };

/** A chat that keeps what was raised there; what is over is told beside it. */
async function chatRoom() {
  const raised: string[] = [];
  const { url } = await answering((request, response) => {
    void text(request).then((body) => {
      const said = (JSON.parse(body) as { text: string }).text;
      if (!said.startsWith('*Over')) raised.push(said);
      response.end('ok');
    });
  });
  return { url, raised };
}

/** The alarms of a desk that trades, with their titles, as the people of that desk are told of them on each way. */
async function withDesk() {
  const quoting = await openDesk();
  const called = await watched();
  const read = () => ({ ...WELL, attention: alarmsOf(quoting) });
  Object.defineProperty(called.desk, 'view', { get: read });
  let block = 0;
  const drift = async (amount: bigint) => {
    block += 1;
    const body = { chainId: CHAIN, token: WETH, amount: `${amount}`, fromBlock: block, block: block + 1 };
    const what = { ...body, blockHash: `0x${'5'.repeat(64)}` } as const;
    await quoting.journal.append({ time: Date.now(), actor: 'chain', kind: 'drift', body: what });
    await vi.waitFor(() => expect(alarmsOf(quoting)[0]?.covers).toHaveLength(block));
  };
  return { ...called, drift };
}

function alarmsOf({ book, guard, journal, now }: OpenDesk) {
  return attentionOf({
    rooms: { book, guard, now, journal, accounts: new AccountTurns() },
    outside: { ...QUIET_OUTSIDE, restrictions: { list: () => [] } },
    watched: { view: () => undefined, otherGenesis: () => null },
    heartbeats: new Heartbeats(),
    checks: null,
    hedging: null,
    quoter: null,
    practice: null,
  }).filter(({ code }) => code.startsWith('alarm'));
}

test('a drift that comes while a smaller one of its token stands is told as well', async () => {
  const chat = await chatRoom();
  const { ways, drift, look } = await withDesk();
  await ways.save(webhook('chat', chat.url), null, BY);
  await drift(-1n);
  await vi.waitFor(() => expect(chat.raised).toHaveLength(1));
  await drift(-5n * ETHER);
  await vi.waitFor(() => expect(chat.raised).toHaveLength(2));
  expect(chat.raised[1]).toContain('5.000000000000000001 WETH less');
  await look(10);
  expect(chat.raised).toHaveLength(2);
});

test('it is told also where somebody looks after the smaller one, who does not look after it', async () => {
  const chat = await chatRoom();
  const { ways, drift, caller } = await withDesk();
  await ways.save(webhook('chat', chat.url), null, BY);
  await drift(-1n);
  await vi.waitFor(() => expect(chat.raised).toHaveLength(1));
  await caller.take(caller.open()[0]?.code ?? '', 'ops');
  await drift(-5n * ETHER);
  await vi.waitFor(() => expect(chat.raised).toHaveLength(2));
  await vi.waitFor(() => expect(caller.open()).toMatchObject([{ told: ['chat'], takenBy: null }]));
});

test('a drift that comes again and again is told after some minutes where that is set, as one that came once', async () => {
  const chat = await chatRoom();
  const { ways, drift, caller, desk, look } = await withDesk();
  let minutes = 0;
  desk.now = () => minutes * MINUTE_MS;
  await ways.save(webhook('chat', chat.url, { afterMinutes: 10 }), null, BY);
  for (minutes = 0; minutes < 10; minutes += 4) {
    await drift(-1n);
    await vi.waitFor(() => expect(caller.open()).toHaveLength(1));
    await look(10);
  }
  expect([minutes, chat.raised.length]).toEqual([12, 0]);
  await vi.waitFor(() => expect(chat.raised).toHaveLength(1));
});

test('a second pair without a reference price is told under the code of the first, once, and its end once', async () => {
  const chat = await chatRoom();
  const { ways, desk, caller, look } = await watched();
  await ways.save(webhook('chat', chat.url), null, BY);
  const dark = (...covers: string[]) => ({ ...WELL, attention: [{ ...stopped('reference 1'), covers }] });
  desk.view = dark('A');
  await vi.waitFor(() => expect(chat.raised).toHaveLength(1));
  await caller.take('reference 1', 'ops');
  desk.view = dark('A', 'B');
  await vi.waitFor(() => expect(chat.raised).toHaveLength(2));
  expect(caller.open()).toMatchObject([{ takenBy: null }]);
  for (const view of [dark('B'), dark('A', 'B'), dark('A')]) {
    desk.view = view;
    await look(10);
  }
  expect(chat.raised).toHaveLength(2);
});

test('what it covered when it was told is known over a restart, and what comes to it is told after one', async () => {
  const chat = await chatRoom();
  const first = await watched();
  await first.ways.save(webhook('chat', chat.url), null, BY);
  const dark = (...covers: string[]) => ({ ...WELL, attention: [{ ...stopped('reference 1'), covers }] });
  first.desk.view = dark('A');
  await vi.waitFor(() => expect(chat.raised).toHaveLength(1));
  await vi.waitFor(async () =>
    expect(await first.journal.read.setting('alert-calls')).toMatchObject([{ told: ['chat'], covers: ['A'] }]),
  );
  await first.close();
  await first.journal.close();
  const again = await watched({ folder: first.folder });
  again.desk.view = dark('A');
  await again.look(10);
  expect(chat.raised).toHaveLength(1);
  again.desk.view = dark('A', 'B');
  await vi.waitFor(() => expect(chat.raised).toHaveLength(2));
});

test('a reference that is stale as a whole is more than one pair without a price, and that is less than it', async () => {
  const desk = await openDesk({ chain: { referenceUrl: 'http://127.0.0.1:1/reference' } });
  const coversOf = (from: OpenDesk) => alertsOf(from).find(({ code }) => code === `reference ${CHAIN}`)?.covers ?? [];
  const whole = coversOf(desk);
  const prices = new Map([['WETH/USDC', { mid: '3412.75', time: desk.now(), heldBack: null }]]);
  desk.book.references.record(CHAIN, prices);
  const part = coversOf(desk);
  expect(part).toEqual(['DAI/USDC']);
  expect(whole).toEqual(expect.arrayContaining(part));
  expect(part).not.toEqual(expect.arrayContaining(whole));
});
