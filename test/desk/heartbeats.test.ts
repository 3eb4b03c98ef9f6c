import { expect, test } from 'vitest';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { signRequest } from '../../electron/protocol/hmac.ts';
import { folder, NOON } from '../book/fixture.ts';
import { call } from '../surface/http-client.ts';
import { ACCESS_KEY, COUNTERPARTIES, SECRET, surfaceOf } from '../surface/open-surface.ts';

const CHAIN = 31337;

/** A surface whose polls are recorded and whose clock stands still, and a client whose clock is `ahead` of it by some milliseconds. */
async function polled() {
  const heartbeats = new Heartbeats();
  const now = () => NOON;
  const { port } = await surfaceOf(undefined, {
    now,
    counterparties: () => COUNTERPARTIES,
    onHeartbeat: (beat) => heartbeats.record(beat),
  });
  const poll = (ahead: number, secret = SECRET) => {
    const path = '/31337/prices';
    const timestamp = String(now() + ahead);
    const headers = {
      'X-AUTH-DOMAIN': 'desk.example',
      'X-AUTH-ACCESS-KEY': ACCESS_KEY,
      'X-AUTH-TIMESTAMP': timestamp,
      'X-AUTH-SIGNATURE': signRequest({ secretKey: secret, timestamp, method: 'GET', path, body: '' }),
    };
    return call(port, 'GET', path, { headers });
  };
  return { heartbeats, poll };
}

test('a signed poll tells when, by whom, how it was answered, and how far their clock is off', async () => {
  const { heartbeats, poll } = await polled();
  await poll(2_000);
  expect(heartbeats.of(CHAIN)).toEqual([
    { endpoint: 'prices', at: NOON, by: 'desk.example', status: 200, since: NOON },
  ]);
  expect(heartbeats.skew(CHAIN)).toBe(2_000);
});

test('since when an endpoint is answered as it is stands with its last poll, so that who knows of a halt is known to the second', () => {
  const heartbeats = new Heartbeats();
  const poll = (at: number, status: number) =>
    heartbeats.record({ chainId: CHAIN, endpoint: 'prices', at, by: 'desk.example', status, skewMs: null });
  poll(1_000, 200);
  poll(2_000, 503);
  poll(3_000, 503);
  expect(heartbeats.of(CHAIN)).toMatchObject([{ at: 3_000, status: 503, since: 2_000 }]);
  poll(4_000, 200);
  expect(heartbeats.of(CHAIN)).toMatchObject([{ status: 200, since: 4_000 }]);
});

test('a clock that is 45 s ahead is seen although its requests are refused', async () => {
  const { heartbeats, poll } = await polled();
  expect((await poll(45_000)).status).toBe(401);
  expect(heartbeats.of(CHAIN)).toMatchObject([{ endpoint: 'prices', by: 'desk.example', status: 401 }]);
  expect(heartbeats.skew(CHAIN)).toBe(45_000);
});

test('a stranger with a wrong clock and no secret is no sign of the service', async () => {
  const { heartbeats, poll } = await polled();
  await poll(45_000, 'another secret altogether');
  await poll(0, 'another secret altogether');
  expect(heartbeats.of(CHAIN)).toEqual([]);
  expect(heartbeats.skew(CHAIN)).toBeNull();
});

test('heartbeats outlive a restart', async () => {
  const at = folder();
  const now = Date.now;
  const beat = { chainId: CHAIN, endpoint: 'firm' as const, at: 1_000, by: 'desk.example', status: 422, skewMs: 3 };
  const first = await openJournal({ folder: at, now });
  const heartbeats = new Heartbeats();
  await heartbeats.follow(first);
  heartbeats.record({ ...beat, at: 500 });
  heartbeats.record(beat);
  heartbeats.close(first);
  await first.close();
  const second = await openJournal({ folder: at, now });
  const again = new Heartbeats();
  await again.follow(second);
  again.close(second);
  await second.close();
  expect(again.of(CHAIN)).toEqual([{ endpoint: 'firm', at: 1_000, by: 'desk.example', status: 422 }]);
  expect(again.skew(CHAIN)).toBeNull();
  again.record({ ...beat, at: 2_000 });
  expect(again.of(CHAIN)).toMatchObject([{ at: 2_000, since: undefined }]);
});
