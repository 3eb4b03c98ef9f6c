import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import type { FirmAnswer } from '../../electron/quoting/firm-input.ts';
import { CHAIN } from '../book/fixture.ts';
import { type OpenDesk, openDesk, request } from './open-desk.ts';

const PAIR = 'WETH/USDC';
const ORDERS = 30;
/** So long a signature can be used, milliseconds. */
const VALID_MS = 60_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function ask({ quoter, now, clock }: OpenDesk, signature: string): Promise<FirmAnswer> {
  const body = Buffer.from(JSON.stringify(request()));
  const asked = { chainId: CHAIN, body, counterparty: 'practice', signature };
  return new Promise((resolve) => {
    quoter.firm({ ...asked, receivedAt: now(), receivedMonotonic: clock.ahead }, resolve);
  });
}

async function moveLadder({ book }: OpenDesk, price: number): Promise<void> {
  const edit = { kind: 'set', side: 'asks', level: 0, field: 'price', value: String(price) } as const;
  const { version } = await book.edit(CHAIN, PAIR, [edit], 'mara');
  await book.publish(CHAIN, PAIR, version, 'mara');
}

it('an order that may be given again keeps nothing of the book that it was priced by', async () => {
  const desk = await openDesk();
  const books: WeakRef<object>[] = [];
  const given: FirmAnswer[] = [];
  const signatureOf = (order: number) => createHash('sha256').update(String(order)).digest('hex');
  const orders = async (upTo: number) => {
    while (given.length < upTo) {
      books.push(new WeakRef(desk.book.chain(CHAIN) ?? {}));
      given.push(await ask(desk, signatureOf(given.length)));
      await moveLadder(desk, 3_413 + given.length / 100);
    }
  };
  const kept = () => {
    collectGarbage();
    return books.filter((book) => book.deref() !== undefined).length;
  };
  await orders(ORDERS);
  expect(new Set(given.map(({ body }) => JSON.parse(body).order.nonceAndMeta)).size).toBe(ORDERS);
  await vi.waitFor(() => expect(kept()).toBeLessThan(ORDERS / 5)); // the newest are in use
  expect(await ask(desk, signatureOf(0))).toEqual(given[0]); // by the book of now

  desk.clock.ahead += VALID_MS / 2;
  await orders(2 * ORDERS);
  desk.clock.ahead += VALID_MS / 2; // the first are forgotten
  await orders(2 * ORDERS + 1);
  await vi.waitFor(() => expect(kept()).toBeLessThan(ORDERS / 5));
});
