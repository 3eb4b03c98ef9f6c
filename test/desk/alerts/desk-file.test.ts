import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AlertsFile } from '../../../electron/contract/alert-ways.ts';
import { compareConfiguration, replaceConfiguration } from '../../../electron/desk/replace-configuration.ts';
import { openRooms } from '../../../electron/desk/rooms.ts';
import { DeskError } from '../../../electron/protocol/desk-error.ts';
import { CHAIN, deskFile } from '../../book/fixture.ts';
import { temporaryFolder } from '../../journal/fixture.ts';
import { answering, saying } from '../../service/http-answers.ts';
import { mail, mailServer, webhook } from './alerting.ts';

const [KEY, PASSWORD] = ['T0KEN-canary-4711', 'mailbox-canary-4711'];
const BEFORE = { ...deskFile(), counterparties: [] };

/** The rooms of a folder on which no desk runs, and what a desk file does there. */
async function deskAt(folder = temporaryFolder(), passphrase = async () => 'a passphrase of a test') {
  const rooms = await openRooms({
    folder,
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    passphrase,
  });
  onTestFinished(rooms.close);
  rooms.guard.trading.checksPassed();
  const input = (alerts?: unknown) => ({ ...BEFORE, ...(alerts !== undefined && { alerts }) });
  return {
    ...rooms,
    folder,
    import: (alerts?: unknown) => replaceConfiguration(rooms, { input: input(alerts), actor: 'mara', running: false }),
    compare: async (alerts: unknown) => (await compareConfiguration(rooms, input(alerts))).changes,
  };
}

async function asked() {
  const chat = await answering(saying('ok', 200, 'text/plain'));
  const server = await mailServer();
  const alerts: AlertsFile = {
    ways: [webhook('chat', `${chat.url}/services/${KEY}`), mail(server.port, { user: 'ops', afterMinutes: 10 })],
    quietHours: { from: '22:00', until: '07:00', zone: 'Europe/Zurich' },
    passwords: { mail: PASSWORD },
  };
  return { chat, server, alerts };
}

test('a desk file sets up ways that work, and gives them to another desk: whole with secrets, else behind a mark', async () => {
  const { chat, server, alerts } = await asked();
  const first = await deskAt();
  await first.import(alerts);
  expect(await first.ways.test('chat', 'mara')).toMatchObject({ ok: true });
  expect(chat.asked).toHaveLength(1);
  expect(await first.ways.fileForm({ withSecrets: true })).toEqual(alerts);
  const open = await first.ways.fileForm({ withSecrets: false });
  expect(JSON.stringify(open)).not.toMatch(/canary/);
  expect(open?.ways).toHaveLength(2);

  const second = await deskAt();
  // Another desk has nothing behind the marks.
  await expect(second.import(open)).rejects.toMatchObject({
    code: 'desk_file_faulty',
    faults: [
      { path: 'alerts.ways[0]', message: expect.stringContaining('no address kept') },
      { path: 'alerts.ways[1]', message: expect.stringContaining('no password kept') },
    ],
  });
  expect(second.book.chains()).toEqual([]);
  await second.import(alerts);
  expect(await second.ways.test('mail', 'mara')).toMatchObject({ ok: true });
  expect(server.heard).toContain(`AUTH PLAIN ${Buffer.from(`\0ops\0${PASSWORD}`).toString('base64')}`);
  await second.close();
  for (const file of readdirSync(second.folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toMatch(/canary/);
  }
});

test('a desk file that says nothing of alerts leaves them, one that does replaces them, each change a row, and forgets what is gone', async () => {
  const { alerts } = await asked();
  const desk = await deskAt();
  await desk.import(alerts);
  const open = await desk.ways.fileForm({ withSecrets: false });
  await desk.import();
  expect(await desk.ways.fileForm({ withSecrets: true })).toEqual(alerts);
  const { seq } = desk.journal.head();
  await desk.import(open); // the marks stand for what is kept
  expect(await desk.ways.fileForm({ withSecrets: true })).toEqual(alerts);
  expect(desk.journal.head().seq).toBe(seq + 1); // the desk file itself
  await desk.import({ ways: [open?.ways[0]] });
  expect(desk.journal.head().seq).toBe(seq + 4); // the file, the mailbox, the quiet hours
  expect(desk.ways.list().map(({ name }) => name)).toEqual(['chat']);
  expect(desk.ways.quiet()).toBeNull();
  expect(desk.credentials.secrets()).not.toContain(PASSWORD);
  await expect(desk.import(open)).rejects.toMatchObject({ code: 'desk_file_faulty' });
});

test('a desk file with an address to seal changes nothing where nobody gives the passphrase', async () => {
  const desk = await deskAt(temporaryFolder(), async () => {
    throw new DeskError('no_passphrase', 'There is no passphrase of the keystore.', { remedy: 'Give it.' });
  });
  const alerts = { ways: [webhook('chat', `https://chat.example/services/${KEY}`)] };
  await expect(desk.import(alerts)).rejects.toMatchObject({ code: 'no_passphrase' });
  expect([desk.book.chains(), desk.ways.list(), desk.journal.head().seq]).toEqual([[], [], 0]);
  await desk.import({ ways: [] });
  await expect(desk.import(alerts)).rejects.toMatchObject({ code: 'no_passphrase' });
  expect([desk.ways.list(), desk.journal.head().seq]).toEqual([[], 1]);
});

test('where a desk file is refused at last because somebody changed something, what is secret of the ways is that of before', async () => {
  const { alerts } = await asked();
  const desk = await deskAt();
  await desk.import(alerts);
  const side = { chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' } as const;
  const keep = desk.credentials.keepUnless.bind(desk.credentials);
  vi.spyOn(desk.credentials, 'keepUnless').mockImplementationOnce(async (...given) => {
    const kept = await keep(...given);
    expect(desk.credentials.secrets()).not.toContain(PASSWORD);
    await desk.guard.trading.halt(side, { actor: 'ops' });
    return kept;
  });
  const others = { ways: [webhook('chat', 'https://chat.example/another'), webhook('new', 'https://new.example/x')] };
  await expect(desk.import(others)).rejects.toMatchObject({ code: 'desk_changed' });
  expect(await desk.ways.fileForm({ withSecrets: true })).toEqual(alerts);
  expect(desk.credentials.secrets()).not.toContain('https://new.example/x');
});

test('where the ways of a desk file cannot be kept, those of before go on telling, with what is secret of them', async () => {
  const { chat, alerts } = await asked();
  const desk = await deskAt();
  await desk.import(alerts);
  const put = desk.journal.put.bind(desk.journal);
  vi.spyOn(desk.journal, 'put').mockImplementation((write) =>
    JSON.stringify(write).includes('new.example')
      ? Promise.reject(new DeskError('journal_failed', 'The disk is full.'))
      : put(write),
  );
  await expect(desk.import({ ways: [webhook('chat', 'https://new.example/x')] })).rejects.toThrow(/The disk is full/);
  expect(await desk.ways.fileForm({ withSecrets: true })).toEqual(alerts);
  expect(await desk.ways.test('chat', 'mara')).toMatchObject({ ok: true });
  expect(chat.asked).toHaveLength(1);
});

test('what a desk file would change of alerts is shown before, without a secret', async () => {
  const { chat, alerts } = await asked();
  const desk = await deskAt();
  await desk.import({ ways: [webhook('chat', `${chat.url}/services/${KEY}`)] });
  expect(await desk.compare(undefined)).toEqual([]);
  const changes = await desk.compare(alerts);
  expect(JSON.stringify(changes)).not.toMatch(/canary/);
  expect(changes).toEqual([
    {
      about: 'Desk',
      what: 'Alerts on mail',
      before: null,
      after: expect.stringMatching(/^halt, stop to .* after 10 min$/),
    },
    { about: 'Desk', what: 'Quiet hours of alerts', before: null, after: '22:00 to 07:00, Europe/Zurich' },
  ]);
});

test.for<[string, unknown, string]>([
  [
    'two ways of one name',
    { ways: [webhook('a', 'https://a.example/x'), webhook('a', 'https://b.example/x')] },
    'alerts.ways',
  ],
  ['an address others can read', { ways: [webhook('a', 'http://a.example/x')] }, 'alerts.ways[0].url'],
  [
    'a field nobody knows',
    { ways: [{ ...webhook('a', 'https://a.example/x'), channel: 'x' }] },
    'alerts.ways[0].channel',
  ],
  ['a password of no mailbox', { ways: [], passwords: { a: 'x' } }, 'alerts.passwords.a'],
  ['no time zone', { quietHours: { from: '22:00', until: '07:00', zone: 'Nowhere' } }, 'alerts.quietHours.zone'],
])('%s is a fault of the desk file, with its path, and nothing is changed', async ([, alerts, path]) => {
  const desk = await deskAt();
  await expect(desk.import(alerts)).rejects.toMatchObject({
    code: 'desk_file_faulty',
    faults: [expect.objectContaining({ path })],
  });
  expect(desk.journal.head().seq).toBe(0);
});
