import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { type Answerer, answering, saying } from '../../service/http-answers.ts';
import { LIVE, stopped, WELL, watched, webhook } from './alerting.ts';

const BY = { actor: 'mara' };
const HALTED = { ...WELL, status: { ...LIVE, state: 'HALTED' as const, reason: 'A wrong price.' } };

/** A desk whose chat takes nothing, another chat that takes everything, and what that was told. */
async function withBroken(times: { restMs?: number } = {}) {
  const heard: string[] = [];
  const takes: Answerer = (request, response) => {
    void text(request).then((body) => {
      heard.push((JSON.parse(body) as { text: string }).text);
      response.end('ok');
    });
  };
  const broken = await answering(saying('away', 503));
  const well = await answering(takes);
  const parts = await watched(times);
  const save = (url: string, change?: Parameters<typeof webhook>[2]) =>
    parts.ways.save(webhook('chat', url, change), null, BY);
  await save(broken.url);
  const isFaulty = () => vi.waitFor(() => expect(parts.ways.state('chat').fault).toMatch(/503/));
  const keptAsTold = () =>
    vi.waitFor(async () =>
      expect(await parts.journal.read.setting('alert-calls')).toMatchObject([{ code: 'halted', told: ['chat'] }]),
    );
  return { ...parts, broken, takes, well, heard, save, isFaulty, keptAsTold };
}

test('a halt that waits on a broken way is told there once somebody corrects it, once, and its end after it', async () => {
  const { desk, well, heard, save, isFaulty, keptAsTold, look } = await withBroken();
  desk.view = HALTED;
  await isFaulty();
  await save(well.url);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  await look(20);
  expect(heard).toEqual([expect.stringContaining('A wrong price.')]);
  await keptAsTold();
  desk.view = WELL;
  await vi.waitFor(() => expect(heard).toEqual([expect.anything(), expect.stringMatching(/^\*Over: /)]));
});

test('so it is where a desk file corrects it, and what began and ended meanwhile is told in that order', async () => {
  const { desk, ways, credentials, well, heard, isFaulty, look } = await withBroken();
  desk.view = { ...HALTED, attention: [stopped('node 1')] };
  await isFaulty();
  desk.view = HALTED;
  await vi.waitFor(() => expect(ways.state('chat').waiting).toBe(3));
  const file = { ways: [webhook('chat', well.url)] };
  const takeBack = await credentials.keepWaySecrets(await ways.secretsOf(file));
  await ways.replace(file, 'mara', takeBack);
  await vi.waitFor(() => expect(heard).toHaveLength(3));
  await look(20);
  const ofNode = heard.filter((said) => said.includes('node 1'));
  expect([heard.length, ...ofNode]).toEqual([3, expect.stringMatching(/^\*STOPPED/), expect.stringMatching(/^\*Over/)]);
});

test('a halt that waits on a way that is removed is told on the next one of its name', async () => {
  const { desk, ways, well, heard, save, isFaulty, keptAsTold } = await withBroken();
  desk.view = HALTED;
  await isFaulty();
  await ways.remove('chat', 'mara');
  await save(well.url);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  await keptAsTold();
});

test('what a way is not to be told any more is not told there, until it is wanted again', async () => {
  const { desk, well, heard, save, isFaulty, look, caller } = await withBroken();
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await isFaulty();
  await save(well.url, { kinds: ['halt'] });
  await look(20);
  expect(heard).toEqual([]);
  expect(caller.open()).toMatchObject([{ code: 'node 1', told: [] }]);
  await save(well.url);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
});

test('a change of a way that cannot be kept leaves it as it was, with what is secret of it', async () => {
  const { ways, broken, well, save, journal } = await withBroken();
  broken.answer = saying('ok');
  await journal.close();
  await expect(save(well.url)).rejects.toThrow();
  expect(await ways.test('chat', 'mara')).toMatchObject({ ok: true });
  expect([broken.asked.length, well.asked.length]).toEqual([1, 0]);
});

/** Resolves once a call was tried for as long as any is. */
async function givenUp(said: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(said.some((line) => line.startsWith('an alert is not told'))).toBe(true));
}

test('what was given up after a day of tries is told once the way works, while it still stands', async () => {
  const { desk, broken, takes, heard, look } = await withBroken({ restMs: 0 });
  desk.view = HALTED;
  await givenUp(desk.said);
  broken.answer = takes;
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  await look(20);
  expect(heard).toHaveLength(1);
});

test('where it became more meanwhile, it is told as it is by then, and once', async () => {
  const { desk, ways, broken, takes, heard, look } = await withBroken({ restMs: 0 });
  const dark = (...covers: string[]) => ({
    ...WELL,
    attention: [{ ...stopped('reference 1'), covers, detail: covers.join(' ') }],
  });
  desk.view = dark('A');
  await vi.waitFor(() => expect(ways.state('chat').waiting).toBe(1));
  desk.view = dark('A', 'B');
  await vi.waitFor(() => expect(ways.state('chat').waiting).toBe(2));
  await givenUp(desk.said);
  broken.answer = takes;
  await vi.waitFor(() => expect(ways.state('chat')).toMatchObject({ waiting: 0, fault: null }));
  await look(20);
  expect(heard).toEqual([expect.stringContaining('A B')]);
});
