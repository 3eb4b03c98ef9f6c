import { expect, test } from 'vitest';
import { shareOfBrought } from '../../electron/hedge/venues/intents/verified-amounts.ts';
import type { HedgeRecord } from '../../electron/journal/hedges/fold.ts';
import type { Address } from '../../electron/protocol/address.ts';

const address = (byte: string) => `0x${byte.repeat(20)}` as Address;
const [MAKER, SOURCE, ONE, OTHER] = ['11', '22', '33', '44'].map(address) as [Address, Address, Address, Address];
const HASH = `0x${'aa'.repeat(32)}` as const;

const openedFor = (dest: Address) =>
  ({
    chainId: 1,
    maker: MAKER,
    beneficiary: null,
    src: { chainId: 1, address: SOURCE },
    dest: { chainId: 1, address: dest },
  }) as HedgeRecord['opened'];

/** The share of an order that took half of a source of 100 and brings `ONE`, of 9 of that; another hedge counts the other half. */
async function shareBeside(dest: Address): Promise<bigint> {
  const other = { seq: 2, opened: openedFor(dest), transactions: [{ hash: HASH }] } as unknown as HedgeRecord;
  const transactions = [{ chainId: 1, hash: HASH, kind: 'fill', amount: '50' }];
  const steps = [{ step: { step: 'order_status', status: 'COMPLETED', spent: '50', received: '0', transactions } }];
  const parts = { journal: { read: { hedgeSteps: async () => steps } } } as never;
  const source = { chainId: 1, hash: HASH, token: SOURCE, account: MAKER };
  return shareOfBrought({ parts }, [other], { opened: openedFor(ONE), source, got: 9n, part: 50n, moved: 100n });
}

test('of what a settlement of two orders brought each has its share where both bring the same, and all of its own where they do not', async () => {
  expect(await shareBeside(ONE)).toBe(4n);
  expect(await shareBeside(OTHER)).toBe(9n);
});
