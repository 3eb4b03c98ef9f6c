import { expect, it, onTestFinished } from 'vitest';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN } from '../book/fixture.ts';
import { answering, json } from '../service/http-answers.ts';
import { firm, noService, openDesk, request } from './open-desk.ts';

const PAIR = 'WETH/USDC';

it('a reference that answers late and then at once refuses no side of a ladder that follows it: what the ladder has not followed yet is not heard', async () => {
  let answers = 0;
  const reference = await answering((asked, response) => {
    answers += 1;
    // Every second answer comes so late that the next one is there before the ladder may move again.
    desk.clock.ahead += answers % 2 === 1 ? 1_700 : 300;
    // Five basis points a second, further than the ladder's best prices stand from its middle.
    const mid = (3412.75 + 1.7 * answers).toFixed(2);
    json({ prices: { [PAIR]: { mid, time: desk.now() } } })(asked, response);
  });
  const desk = await openDesk({ chain: { referenceUrl: reference.url, follow: [PAIR] } });
  const log = { info() {}, warn() {}, error() {} } as never;
  const polls = new ReferencePolls({ ...desk, log, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const small = request({ makerAmount: '1000000000000' });
  const heard = new Set<string>();
  for (let taken = 0; heard.size < 3; ) {
    await expect.poll(() => polls.of(CHAIN).answeredAt ?? 0).toBeGreaterThan(taken);
    taken = polls.of(CHAIN).answeredAt ?? 0;
    heard.add(desk.book.references.of(CHAIN, PAIR)?.mid ?? '');
    expect((await firm(desk, small)).code, `after ${answers} answers`).toBeUndefined();
  }
  // Not each of them was: every second one came too soon.
  expect(answers).toBeGreaterThan(heard.size);
});
