import { expect, onTestFinished, test } from 'vitest';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN } from '../book/fixture.ts';
import { noService, openDesk } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';

const PAIR = 'WETH/USDC';
const silent = { info() {}, warn() {}, error() {} };

/** A desk whose reference may be a minute old, and says anew only what a test has it say. */
async function opened() {
  const word = { mid: '3412.75', time: Date.now() };
  const said: Record<string, typeof word> = { [PAIR]: word };
  const reference = await answering((request, response) => json({ prices: said })(request, response));
  const desk = await openDesk({
    chain: {
      referenceUrl: reference.url,
      referenceMaxAgeSeconds: 60,
      referenceCoolDownSeconds: 0,
      headMaxAgeSeconds: 3_600,
    },
  });
  const polls = new ReferencePolls({ ...desk, log: silent as never, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const begun = desk.now();
  const heard = () => desk.book.references.of(CHAIN, PAIR);
  /** So many seconds after the start the reference has something new. */
  const says = async (mid: string, seconds: number) => {
    desk.clock.ahead = seconds * 1_000;
    said[PAIR] = { mid, time: desk.now() };
    await expect.poll(() => heard()?.mid).toBe(mid);
  };
  /** What the journal says was believed so many seconds after the start. */
  const believedAt = async (seconds: number) =>
    (await desk.journal.read.referenceAt(CHAIN, PAIR, begun + seconds * 1_000))?.mid ?? null;
  const set = async (changes: Record<string, unknown>) => {
    const { chains, ...file } = await desk.book.deskFile();
    const changed = chains.map((chain) => ({ ...chain, ...changes }));
    await desk.book.importDesk({ ...file, chains: changed }, { actor: 'mara', keepSecrets: () => ({}) });
  };
  await says('3413', 1);
  return { desk, reference, said, heard, says, believedAt, set };
}

test('what a reference said was believed until it said something new, or was older than it may be', async () => {
  const { says, believedAt } = await opened();
  await says('3414', 31);
  const moments = [1, 6, 30, 31, 60, 91, 92];
  const believed = async () => Promise.all(moments.map(believedAt));
  await expect.poll(believed).toEqual(['3413', '3413', '3413', '3414', '3414', '3414', null]);
});

test('what it said before a jump that is not believed was believed until then, and is not after it', async () => {
  const { says, believedAt, heard } = await opened();
  await says('9999', 20);
  expect(heard()?.fenced).toBe(true);
  await expect.poll(() => believedAt(21)).toBeNull();
  expect(await believedAt(20)).toBe('3413');
  await says('3413.5', 30);
  await expect.poll(() => believedAt(30)).toBe('3413.5');
  expect(await believedAt(29), 'what is said later is about later').toBeNull();
});

test('where a reference may be less old than before, what it said is believed no longer than that', async () => {
  const { desk, believedAt, set } = await opened();
  desk.clock.ahead = 10_000;
  await set({ referenceMaxAgeSeconds: 20 });
  await expect.poll(() => believedAt(22)).toBeNull();
  expect(await believedAt(21)).toBe('3413');
  desk.clock.ahead = 15_000;
  await set({ referenceMaxAgeSeconds: 5 });
  await expect.poll(() => believedAt(16)).toBeNull();
  expect(await believedAt(15)).toBe('3413');
});

test('what a reference said is not believed any more once another one is asked', async () => {
  const { desk, reference, believedAt, set } = await opened();
  desk.clock.ahead = 10_000;
  reference.answer = json({}, 500);
  await set({ referenceUrl: `${reference.url}/another` });
  await expect.poll(() => believedAt(11)).toBeNull();
  expect(await believedAt(10)).toBe('3413');
});

test('a word that is heard again after a start is the one that was first heard', async () => {
  const { desk, believedAt } = await opened();
  await expect.poll(() => believedAt(2)).toBe('3413');
  const again = { chainId: CHAIN, pair: PAIR, time: desk.now(), mid: '3413', heard: desk.now() + 30_000 };
  await desk.journal.put({ table: 'reference_samples', ...again, believedUntil: desk.now() + 60_000 });
  expect(await believedAt(2)).toBe('3413');
});
