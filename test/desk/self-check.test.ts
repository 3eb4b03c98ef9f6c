import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Outside } from '../../electron/desk/outside.ts';
import { replaceConfiguration } from '../../electron/desk/replace-configuration.ts';
import { openRooms } from '../../electron/desk/rooms.ts';
import { selfCheck } from '../../electron/desk/self-check.ts';
import { CHAIN, chain, deskFile, folder, USER } from '../book/fixture.ts';

const SETTINGS = { kind: 'page', page: 'settings' };
const NOTHING = { again: async () => new Map(), holdings: async () => [] };

/** The self-check of a desk with a service that answers until it is ended, and a reference that says nothing. */
async function checked() {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify([USER]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(end);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rooms = await openRooms({
    folder: folder(),
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    passphrase: async () => 'a passphrase for tests only',
  });
  onTestFinished(rooms.close);
  const input = {
    ...deskFile(),
    chains: [chain({ takers: [USER], serviceUrl: url, referenceUrl: `${url}/r` })],
    counterparties: [],
  };
  await replaceConfiguration(rooms, { input, actor: 'setup', running: false });
  const outside = await Outside.open(rooms, { practice: false });
  onTestFinished(() => outside.stop());
  const look = async () => {
    const one = rooms.book.chain(CHAIN);
    if (one === undefined) throw new Error('no chain');
    return selfCheck({ rooms, outside, checks: NOTHING }, one);
  };
  return { outside, look, end };
}

test('a service that answers has a tick, and one that has gone since has none but the way to where it is set', async () => {
  const { look, end } = await checked();
  const service = async () => (await look()).find(({ name }) => name === 'list of takers');
  await expect.poll(service).toMatchObject({ outcome: 'passed' });
  end();
  await expect.poll(service).toMatchObject({ outcome: 'waiting', mend: SETTINGS });
});

test('whatever failed in a self-check has the button that mends it', async () => {
  const { look, outside } = await checked();
  const said = { ...outside.references.of(CHAIN), fault: 'It does not answer.' };
  vi.spyOn(outside.references, 'of').mockReturnValue(said);
  const failed = (await look()).filter(({ outcome }) => outcome === 'failed');
  expect(failed).toMatchObject([{ name: 'reference', mend: SETTINGS }]);
});
