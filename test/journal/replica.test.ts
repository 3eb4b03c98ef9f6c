import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../electron/journal/journal.ts';
import type { OwnRows, Replica } from '../../electron/journal/replica.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { temporaryFolder } from '../desk/desk-process.ts';

const event = { time: 1, actor: 'test', kind: 'person_here', body: {} } as const;

/** A second place that answers when it is told to. */
async function heldJournal() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const taken: { resolve: () => void; reject: (error: DeskError) => void }[] = [];
  let own: OwnRows | null = null;
  const replica: Replica = {
    begin: async (rows) => {
      own = rows;
    },
    take: () => new Promise<void>((resolve, reject) => taken.push({ resolve, reject })),
  };
  const journal = await openJournal({ folder, now: Date.now, replica });
  onTestFinished(() => journal.close());
  const written = () => own?.head().seq ?? 0;
  return { journal, taken, written };
}

test('whoever waits for a row is answered once it is in the second place too, in the order of the rows', async () => {
  const { journal, taken, written } = await heldJournal();
  const told: number[] = [];
  journal.onAppended((events) => told.push(...events.map(({ seq }) => seq)));
  const first = journal.append(event);
  await expect.poll(() => taken.length).toBe(1);
  const second = journal.append(event);
  await expect.poll(() => taken.length).toBe(2);
  taken[1]?.resolve();
  await expect.poll(written).toBe(2);
  expect([told, journal.head().seq]).toEqual([[], 0]);
  taken[0]?.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(told).toEqual([1, 2]);
});

test('a later row that the second place refuses while an earlier one is on its way ends the journal, and nothing is left unheard', async () => {
  const { journal, taken } = await heldJournal();
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const failed: string[] = [];
  journal.onFailure(({ code }) => failed.push(code));
  const outcomes = [journal.append(event)];
  await expect.poll(() => taken.length).toBe(1);
  outcomes.push(journal.append(event));
  await expect.poll(() => taken.length).toBe(2);
  const over = new DeskError('fleet_taken_over', 'Another desk has taken over.');
  taken[1]?.reject(over);
  await new Promise((resolve) => setTimeout(resolve, 20)); // unheard rejections are told at the end of a turn
  taken[0]?.reject(over);
  expect((await Promise.allSettled(outcomes)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([failed, unheard]).toEqual([['fleet_taken_over'], []]);
});

test('a row in step is written once its second place could take it, and before that with one that does not wait', async () => {
  const { journal, taken, written } = await heldJournal();
  const told: number[][] = [];
  journal.onAppended((events) => told.push(events.map(({ seq }) => seq)));
  const seqs = [journal.append(event, 'in-step')];
  await expect.poll(() => taken.length).toBe(1);
  seqs.push(journal.append(event, 'in-step'));
  await expect.poll(() => taken.length).toBe(2);
  seqs.push(journal.append(event, 'in-step'), journal.append(event, 'in-step'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(written(), 'two are on their way').toBe(2);
  taken[0]?.resolve();
  await expect.poll(() => taken.length).toBe(3);
  expect(written()).toBe(4);
  seqs.push(journal.append(event, 'in-step'));
  seqs.push(journal.append(event));
  await expect.poll(() => taken.length).toBe(4);
  for (const { resolve } of taken) resolve();
  expect(await Promise.all(seqs)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(told, 'each of these is one commit').toEqual([[1], [2], [3, 4], [5, 6]]);
});
