import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DeskConnection } from '../../electron/commands/client.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { connectionTo } from '../desk/connection.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { type RunningDesk, startDesk } from '../desk/desk-process.ts';
import { signedFirmRequest, takerClient } from '../desk/taker-client.ts';
import { howOften } from '../how-often.ts';
import { clock, openVolleys, type VolleyAnswer } from './race-load.ts';

const RACES = howOften(3, 20, 'MAKERDESK_RACES');
const CONCURRENT = 500;
/** Far more than the races take on a busy machine. */
const RACES_MS = 300_000 + RACES * 4_000;

let chain: TestChain;
let file: DeskFile;
let folder: { folder: string; remove(): void };
let running: RunningDesk;
let connection: DeskConnection;
let volleys: Awaited<ReturnType<typeof openVolleys>>;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
  folder = await armedFolder(chain, file);
  running = await startDesk(folder.folder, 'serve');
  const client = takerClient(running.ready.surface, file);
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  connection = await connectionTo(folder.folder, 'racer');
  volleys = await openVolleys(Number(new URL(running.ready.surface).port), requests());
});
afterAll(async () => {
  await volleys?.close();
  await connection?.close();
  await running?.stop();
  folder?.remove();
  await chain?.close();
});

const halt = async () => {
  await connection.desk.trading.halt({ scope: {} });
  return clock();
};
/** The last one of a volley. */
const haltForGood = async () => {
  const haltedAt = await halt();
  volleys.halted();
  return haltedAt;
};
const resume = () => connection.desk.trading.resume({ scope: {}, reason: 'the next race' });

/** Orders that came although they must not: to a request after the acknowledgement, or long after it. */
function tooLate(answers: VolleyAnswer[], haltedAt: number): VolleyAnswer[] {
  return answers.filter(({ hasOrder, sentAt, isLate }) => hasOrder && (sentAt > haltedAt || isLate));
}

/** Each of another amount: what is signed twice gives one order. */
const requests = () =>
  Array.from({ length: CONCURRENT }, (_, index) =>
    signedFirmRequest(file, 'asks', { makerAmount: String(10n ** 12n + BigInt(index)) }),
  );

test(
  `${CONCURRENT} requests against a halt, ${RACES} times: no order to a request sent after it, none long after it`,
  async () => {
    let orders = 0;
    // A machine that is busy signs its first order later: then the halts come later too, until one was raced.
    for (let race = 0; race < RACES || (orders === 0 && race < 10 * RACES); race += 1) {
      const raced = volleys.volley(requests());
      await sleep(Math.random() * 60 * (orders === 0 ? race + 1 : 1));
      const haltedAt = await haltForGood();
      const answers = await raced;
      expect(tooLate(answers, haltedAt)).toEqual([]);
      orders += answers.filter(({ hasOrder }) => hasOrder).length;
      if (race % 4 === 0) expect((await volleys.volley(requests())).filter(({ status }) => status !== 503)).toEqual([]);
      await resume();
    }
    expect(orders, 'orders that were signed before their halt').toBeGreaterThan(0);
  },
  RACES_MS,
);

test(
  `${CONCURRENT} requests against halt, resume, halt, ${RACES} times: what the first halt withheld never comes`,
  async () => {
    for (let race = 0; race < RACES; race += 1) {
      const raced = volleys.volley(requests());
      await sleep(Math.random() * 40);
      const firstHalt = await halt();
      const resumeAsked = clock();
      await resume();
      const secondHalt = await haltForGood();
      const answers = await raced;
      const beforeResume = answers.filter(({ receivedAt }) => receivedAt < resumeAsked);
      expect(tooLate(beforeResume, firstHalt)).toEqual([]);
      expect(tooLate(answers, secondHalt)).toEqual([]);
      await resume();
    }
  },
  RACES_MS,
);
