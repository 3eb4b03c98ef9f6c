import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN } from '../book/fixture.ts';
import { answering, json } from '../service/http-answers.ts';
import { firm, openDesk, request } from './open-desk.ts';

const PAIR = 'WETH/USDC';

it('a reference that answers late and then at once refuses no side of a ladder that follows it: what the ladder has not followed yet is not heard', async () => {
  let answers = 0;
  const reference = await answering(async (asked, response) => {
    answers += 1;
    // Every second answer comes so late that the next one is there before the ladder may move again.
    if (answers % 2 === 1) await sleep(700);
    // Five basis points a second, further than the ladder's best prices stand from its middle.
    const mid = (3412.75 + 1.7 * answers).toFixed(2);
    json({ prices: { [PAIR]: { mid, time: Date.now() } } })(asked, response);
  });
  const desk = await openDesk({ chain: { referenceUrl: reference.url, follow: [PAIR] } });
  const log = { info() {}, warn() {}, error() {} } as never;
  const polls = new ReferencePolls({ book: desk.book, journal: desk.journal, now: Date.now, log });
  polls.start();
  onTestFinished(() => polls.stop());
  await expect.poll(() => desk.book.references.of(CHAIN, PAIR)).toBeDefined();
  const heard = new Set<string | undefined>();
  const codes = new Set<string | undefined>();
  const small = request({ makerAmount: '1000000000000' });
  while (answers < 6) {
    heard.add(desk.book.references.of(CHAIN, PAIR)?.mid);
    codes.add((await firm(desk, small)).code);
    await sleep(20);
  }
  expect([...codes]).toEqual([undefined]);
  expect(heard.size, 'the ladder went on following').toBeGreaterThan(2);
});
