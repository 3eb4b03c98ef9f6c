import { expect, test } from 'vitest';
import { openCommandLog } from '../../electron/desk/log.ts';
import { SavedFilters } from '../../electron/desk/saved-filters.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';

const MARA = { actor: 'mara', page: 'firm-log' } as const;
const [OPEN, REFUSED] = [
  { name: 'Open', query: 'outcome=open' },
  { name: 'Refused', query: 'outcome=refused' },
] as const;

async function openFilters(folder = temporaryFolder()) {
  const journal = await openTestJournal(folder);
  return { journal, filters: new SavedFilters({ journal, log: openCommandLog(folder, Date.now) }) };
}

test('a filter is kept by the desk for whoever saved it, for one page, and is there after a start', async () => {
  const { journal, filters } = await openFilters();
  await filters.save(MARA, OPEN);
  await filters.save({ ...MARA, actor: 'theo' }, REFUSED);
  await filters.save({ ...MARA, page: 'journal' }, { name: 'People', query: 'who=people' });
  const again = new SavedFilters({ journal, log: openCommandLog(temporaryFolder(), Date.now) });
  expect(await again.list(MARA)).toEqual([OPEN]);
  expect(await again.list({ ...MARA, actor: 'theo' })).toEqual([REFUSED]);
  expect(await again.list({ ...MARA, page: 'fills' })).toEqual([]);
  await again.remove(MARA, 'Open');
  expect(await again.list(MARA)).toEqual([]);
});

test('two windows that save at the same moment take nothing away from each other', async () => {
  const { filters } = await openFilters();
  await Promise.all([filters.save(MARA, OPEN), filters.save(MARA, REFUSED)]);
  expect(await filters.list(MARA)).toEqual([OPEN, REFUSED]);
  await expect(filters.rename(MARA, 'Open', 'Refused')).rejects.toMatchObject({ code: 'filter_not_saved' });
  await filters.rename(MARA, 'Open', 'Still open');
  expect(await filters.list(MARA)).toEqual([{ ...OPEN, name: 'Still open' }, REFUSED]);
});

test('every window of a person is told at once and with each change, and nobody else is', async () => {
  const { filters } = await openFilters();
  const stop = new AbortController();
  const told = filters.watch(MARA, stop.signal);
  expect((await told.next()).value).toEqual([]);
  const other = filters.watch({ ...MARA, actor: 'theo' }, stop.signal);
  expect((await other.next()).value).toEqual([]);
  await filters.save(MARA, OPEN);
  expect((await told.next()).value).toEqual([OPEN]);
  await filters.save({ ...MARA, actor: 'theo' }, REFUSED);
  expect((await other.next()).value).toEqual([REFUSED]);
  stop.abort();
});

test('what was kept is read whatever it is', async () => {
  const { journal, filters } = await openFilters();
  await journal.put({ table: 'settings', key: 'filters firm-log mara', value: [OPEN, 7, { name: '' }] });
  expect(await filters.list(MARA)).toEqual([OPEN]);
});
