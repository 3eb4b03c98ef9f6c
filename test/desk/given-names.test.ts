import { expect, test } from 'vitest';
import { addNames } from '../../electron/commands/names.ts';
import { namesOf } from '../../electron/contract/given-names.ts';
import { csvText, jsonText } from '../../electron/contract/log-text.ts';
import { nameSchema } from '../../electron/contract/names.ts';
import { GivenNames } from '../../electron/desk/given-names.ts';
import { openCommandLog } from '../../electron/desk/log.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { openDirectly, openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { addressOf, quote, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { runCommand } from './desk-process.ts';

const ABEL = { of: 'user', id: addressOf('user 1') } as const;
const OTHER = { of: 'user', id: addressOf('user 2') } as const;

const openNames = (journal: Journal, folder: string) =>
  GivenNames.open({ journal, now: () => START, log: openCommandLog(folder, Date.now) });
const shown = (names: GivenNames) => names.list().map(({ id, name, actor }) => [id, name, actor]);

test('a name is journaled with what was before, and is there after a start', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const names = await openNames(journal, folder);
  expect(await names.set(ABEL, { name: 'Abel', seen: null, actor: 'mara' })).toEqual({ seq: 1 });
  expect(await names.set(ABEL, { name: 'Bela', seen: 'Abel', actor: 'theo' })).toEqual({ seq: 2 });
  expect(await names.set(ABEL, { name: 'Bela', actor: 'mara' }), 'the same is no event').toEqual({ seq: null });
  await names.set({ of: 'counterparty', id: 'practice' }, { name: 'Bela', actor: 'mara' });
  await names.set(OTHER, { name: 'Bela', actor: 'mara' });
  await names.set({ of: 'counterparty', id: 'practice' }, { name: null, seen: 'Bela', actor: 'mara' });
  const all = [
    [ABEL.id, 'Bela', 'theo'],
    [OTHER.id, 'Bela', 'mara'],
  ];
  expect(shown(names), 'two may have one name').toEqual(all);
  expect(shown(await openNames(journal, folder)).sort()).toEqual(all.sort());
  const [event] = (await journal.read.eventAt(2))?.fields.filter(({ path }) => path === 'before') ?? [];
  expect(event?.value).toBe('Abel');
});

test('who saw another name than there is now changes nothing, also where two do it at once', async () => {
  const folder = temporaryFolder();
  const names = await openNames(await openTestJournal(folder), folder);
  const outcomes = await Promise.allSettled(
    ['Abel', 'Bela'].map((name) => names.set(ABEL, { name, seen: null, actor: name })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(names.set(ABEL, { name: null, seen: 'Bela', actor: 'mara' })).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringContaining('“Abel” now, by Abel'),
  });
  expect(shown(names)).toEqual([[ABEL.id, 'Abel', 'Abel']]);
});

test('consoles are told all names at once, and again with each change', async () => {
  const folder = temporaryFolder();
  const names = await openNames(await openTestJournal(folder), folder);
  const stop = new AbortController();
  const told = names.watch(stop.signal);
  expect((await told.next()).value).toEqual([]);
  await names.set(ABEL, { name: 'Abel', actor: 'mara' });
  expect((await told.next()).value).toMatchObject([{ ...ABEL, name: 'Abel' }]);
  stop.abort();
  expect((await told.next()).done).toBe(true);
});

test('what cannot be seen, turns the text around it, looks like an address or is endless is no name', () => {
  const unfit = [
    '',
    '   ',
    'a\u202Eb',
    '\u200Fabc',
    'a\u0000',
    'a\nb',
    '\uD800',
    '\u200B\u2060',
    '\u3164',
    'x'.repeat(2 ** 20),
  ];
  const likeHex = [
    '0xa1f4',
    'is 0xA1F4…45d3',
    '０ｘa1f4',
    'a1f4…45d3',
    'a1f4...45d3',
    ABEL.id,
    ABEL.id.slice(2),
    '0\u200Bxa1f4',
  ];
  for (const name of [...unfit, ...likeHex]) expect(nameSchema.safeParse(name).success, name.slice(0, 50)).toBe(false);
  for (const name of ['Abel', '0x Labs', 'שלום', '株式会社', '=1+1', '<b>', '👩‍👩‍👧', "O'Hara & Söhne"]) {
    expect(nameSchema.safeParse(name).data, name).toBe(name);
  }
});

test('an export has the name in a column behind those it had, and no spreadsheet runs it', () => {
  const { write, queries } = openDirectly();
  const [seq] = write(quote(1));
  const row = queries.quote(Number(seq));
  if (row === null) throw new Error('no quote');
  const names = namesOf([{ of: 'user', id: row.userAddress, name: '=1+1' }]);
  const [csv, json] = [csvText(names), jsonText(names)];
  expect(csv.begin).toMatch(/^seq,time,chainId,pair,side,userAddress,.*,takerNft,userName\r\n$/);
  expect(csv.row(row)).toMatch(/,'=1\+1\r\n$/);
  expect(JSON.parse(json.begin + json.row(row) + json.end)).toMatchObject([
    { userAddress: row.userAddress, userName: '=1+1' },
  ]);
  expect(csvText(namesOf([])).row(row)).toMatch(/,\r\n$/);
});

test('the terminal names a user, lists names, and takes them away', async () => {
  const folder = temporaryFolder();
  await (await openTestJournal(folder)).close();
  const here = commandsHere(addNames);
  const run = async (...line: string[]) => {
    const { code, stdout, stderr } = await here(folder, ['names', ...line]);
    return { code, said: stdout + stderr };
  };
  const shipped = await runCommand(folder, ['names', 'user', ABEL.id.toUpperCase().replace('0X', '0x'), 'Abel']);
  expect(shipped).toMatchObject({ code: 0 });
  expect((await run()).said).toMatch(new RegExp(`Abel +user +${ABEL.id}`));
  expect(await run('user', ABEL.id, '')).toMatchObject({ code: 0, said: expect.stringContaining('"name":null') });
});
