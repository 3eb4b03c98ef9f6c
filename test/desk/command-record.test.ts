import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { CommandRecord } from '../../electron/desk/command-record.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { howOften } from '../how-often.ts';
import { temporaryFolder } from '../journal/fixture.ts';

const HERE = { who: 'mara', path: ['trading', 'here'], input: undefined };

/** A desk that starts and ends on one folder, on a clock of its own. */
async function desk(folder = temporaryFolder()) {
  const clock = { now: 1_700_000_000_000 };
  let acts = 0;
  const open = async () => {
    const journal = await openJournal({ folder, now: () => clock.now });
    return { journal, record: await CommandRecord.open(journal, () => clock.now) };
  };
  let { journal, record } = await open();
  onTestFinished(() => journal.close());
  return {
    clock,
    acts: () => acts,
    record: () => record,
    act: async () => {
      acts += 1;
      return acts;
    },
    async startAgain() {
      await journal.close();
      ({ journal, record } = await open());
    },
  };
}

const codeOf = (error: unknown) => (error instanceof DeskError ? error.code : String(error));
const told = (answer: Promise<unknown>) => answer.catch(codeOf);

test('a command that is asked for again, also while it is under way, is carried out once and has one answer', async () => {
  const { record, act, acts } = await desk();
  const named = { record: record().id, id: randomUUID(), age: 0 };
  const [first, second] = await Promise.all([record().once(named, HERE, act), record().once(named, HERE, act)]);
  expect([first, second, await record().once({ ...named, age: 90_000 }, HERE, act)]).toEqual([1, 1, 1]);
  expect(acts()).toBe(1);
});

test('what it ended with is the answer for whoever asks again, an error too', async () => {
  const { record } = await desk();
  const named = { record: record().id, id: randomUUID(), age: 0 };
  const refuse = () => Promise.reject(new DeskError('no_reason', 'Resuming needs a reason.'));
  expect(await told(record().once(named, HERE, refuse))).toBe('no_reason');
  expect(await told(record().once(named, HERE, async () => 'done'))).toBe('no_reason');
});

test('over a start of the desk it is said whether a command was carried out, or that this is not known', async () => {
  const { record, act, acts, startAgain } = await desk();
  const named = () => ({ record: record().id, id: randomUUID(), age: 0 });
  const [done, refused, begun, never] = [named(), named(), named(), named()];
  await record().once(done, HERE, act);
  await told(record().once(refused, HERE, () => Promise.reject(new Error('no'))));
  void record().once(begun, HERE, () => new Promise(() => {}));
  await startAgain();
  const codes = [done, refused, begun].map((command) => told(record().once(command, HERE, act)));
  expect(await Promise.all(codes)).toEqual(['command_done', 'command_refused', 'command_lost']);
  expect(acts(), 'none of them a second time').toBe(1);
  expect(await record().once(never, HERE, act), 'one that never arrived').toBe(2);
});

test('a command that did not arrive in time is not carried out, and one that is given to another desk never is', async () => {
  const { record, act, acts } = await desk();
  const named = (age: number) => ({ record: record().id, id: randomUUID(), age });
  expect(await record().once(named(10_000), HERE, act)).toBe(1);
  expect(await told(record().once(named(10_001), HERE, act))).toBe('command_late');
  expect(await told(record().once({ ...named(0), record: randomUUID() }, HERE, act))).toBe('command_lost');
  expect(acts()).toBe(1);
});

test('an id stands for one command of one person', async () => {
  const { record, act, acts } = await desk();
  const named = { record: record().id, id: randomUUID(), age: 0 };
  await record().once(named, HERE, act);
  for (const other of [{ who: 'tom' }, { path: ['trading', 'resume'] }, { input: { amount: 1n } }]) {
    expect(await told(record().once(named, { ...HERE, ...other }, act))).toBe('command_reused');
  }
  expect(acts()).toBe(1);
});

test('where the record is full, nothing is carried out that might have been before', async () => {
  const { record, act, acts, clock, startAgain } = await desk();
  const named = (age = 0) => ({ record: record().id, id: randomUUID(), age });
  const first = named();
  await record().once(first, HERE, act);
  for (let i = 0; i < 2_048; i += 1) {
    clock.now += 1;
    await record().once(named(), HERE, act);
  }
  const before = acts();
  expect(await told(record().once({ ...first, age: 2_048 }, HERE, act))).toBe('command_lost');
  await startAgain();
  expect(await told(record().once({ ...first, age: 2_048 }, HERE, act))).toBe('command_lost');
  expect(acts()).toBe(before);
});

test('in whatever order commands are given, repeated and the desk started again, none is carried out twice', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ ask: fc.nat(5), fails: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant('start' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { record, startAgain } = await desk();
      const ids = Array.from({ length: 6 }, () => randomUUID());
      const acts = new Map<string, number>();
      for (const one of steps) {
        if (one === 'start') {
          await startAgain();
          continue;
        }
        const id = ids[one.ask] ?? '';
        const act = async () => {
          acts.set(id, (acts.get(id) ?? 0) + 1);
          if (one.fails) throw new Error('refused');
        };
        await told(record().once({ record: record().id, id, age: 0 }, HERE, act));
        expect(acts.get(id), id).toBe(1);
      }
    }),
    { numRuns: howOften(5, 40) },
  );
});

test('what was given with a command, and what was answered, is not written down', async () => {
  const folder = temporaryFolder();
  const { record, startAgain } = await desk(folder);
  const secret = 'a word that stands in this test only';
  const given = { ...HERE, input: { passphrase: secret } };
  await record().once({ record: record().id, id: randomUUID(), age: 0 }, given, async () => ({ token: secret }));
  await startAgain();
  const digest = createHash('sha256').update(JSON.stringify(given.input));
  const written = Buffer.concat(readdirSync(folder).flatMap((name) => readIfFile(join(folder, name))));
  expect(written.includes('trading.here')).toBe(true);
  for (const text of [secret, digest.copy().digest('hex'), digest.copy().digest('base64url')]) {
    expect(written.includes(text)).toBe(false);
  }
});

function readIfFile(path: string): Buffer[] {
  return statSync(path).isFile() ? [readFileSync(path)] : [];
}
