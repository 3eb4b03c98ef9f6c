import { expect, test } from 'vitest';
import { USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import { AlertBoard } from '../../electron/desk/alert-board.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';

test('alerts are told alike on every console: kept with who silenced them, over a restart, outside the chain', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const board = await AlertBoard.open(journal);
  expect(board.settings()).toEqual(USUAL_ALERTS);
  await board.set('look', { sound: true }, 'ops');
  await board.set('stop', { silentUntil: 7_000 }, 'mara');
  expect(journal.head().seq).toBe(0);
  await journal.close();

  const again = await AlertBoard.open(await openTestJournal(folder));
  expect(again.settings()).toMatchObject({
    look: { desktop: false, sound: true, silencedBy: null },
    stop: { sound: true, silentUntil: 7_000, silencedBy: 'mara' },
  });
  expect(await again.set('stop', { silentUntil: null }, 'ops')).toMatchObject({ stop: { silencedBy: null } });
});

test('two changes at once are both kept, over a restart too', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const board = await AlertBoard.open(journal);
  await Promise.all([board.set('halt', { sound: false }, 'a'), board.set('look', { desktop: true }, 'b')]);
  const both = { halt: { sound: false }, look: { desktop: true } };
  expect(board.settings()).toMatchObject(both);
  await journal.close();
  expect((await AlertBoard.open(await openTestJournal(folder))).settings()).toMatchObject(both);
});

test('settings that went bad on the disk are as usual', async () => {
  const journal = await openTestJournal();
  await journal.put({ table: 'settings', key: 'alerts', value: 'nonsense' });
  expect((await AlertBoard.open(journal)).settings()).toEqual(USUAL_ALERTS);
});
