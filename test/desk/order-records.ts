import { expect } from 'vitest';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { allowanceOf, balanceOf, readAmount } from '../../electron/practice/chain/read-amount.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import { type OrderRecord, orderRecordSchema } from '../../electron/protocol/order-record.ts';
import type { PracticeWorld } from './practice-world.ts';

/** A record of the service beside what the chain says: throws while they differ, and gives the record. */
export async function rightRecord(
  world: PracticeWorld,
  { chainId, orderHash }: Pick<QuoteRow, 'chainId' | 'orderHash'>,
): Promise<OrderRecord> {
  const answer = await fetch(`${world.desk.ready.service}/ft/order/${orderHash}`);
  expect(answer.status).toBe(200);
  const record = orderRecordSchema.parse(await answer.json());
  const { rpcUrl, rfqContract } = await world.chainOf(chainId);
  const client = openClient(rpcUrl);
  const { maker, makerAsset } = record;
  const left = await readAmount(client, SETTLEMENT, rfqContract, 'remaining', [maker, record.orderHash]);
  const cover = least(
    await balanceOf(client, makerAsset, maker),
    await allowanceOf(client, makerAsset, maker, rfqContract),
  );
  const fillable = left === 0n ? BigInt(record.makerAmount) : left - 1n;
  expect([record.chainId, record.fillableBalance]).toEqual([chainId, `${fillable}`]);
  expect(record.state).toBe(expectedState(record, fillable, cover));
  const [makerBalance, reserved, swappable] = [
    BigInt(record.makerBalance),
    BigInt(record.reservedBalance),
    BigInt(record.swappableBalance),
  ];
  expect(makerBalance).toBeLessThanOrEqual(cover);
  expect(reserved).toBe(record.state === 'PENDING' ? least(makerBalance, fillable) : 0n);
  expect(swappable).toBeLessThanOrEqual(reserved);
  expect(record.transactionHash === null).toBe(record.state !== 'FULFILLED' && left === 0n);
  return record;
}

/** Nobody cancels on the practice market. A rest that pays out less than one unit of the taker asset can never be filled. */
function expectedState({ makerAmount, takerAmount, expiry }: OrderRecord, fillable: bigint, cover: bigint): string {
  if (fillable === 0n || fillable < BigInt(makerAmount) / BigInt(takerAmount)) return 'FULFILLED';
  if (expiry < Math.floor(Date.now() / 1_000)) return 'EXPIRED';
  return cover < fillable ? 'SUSPENDED' : 'PENDING';
}

/** What the orders of each maker asset may take together, and that there is as much. */
export async function expectCovered(world: PracticeWorld, records: readonly OrderRecord[]): Promise<void> {
  for (const key of new Set(records.map(backingOf))) {
    const some = records.filter((record) => backingOf(record) === key);
    const [first] = some;
    if (first === undefined) continue;
    const { chainId, makerAsset, maker } = first;
    const { rpcUrl, rfqContract } = await world.chainOf(chainId);
    const client = openClient(rpcUrl);
    const balance = await balanceOf(client, makerAsset, maker);
    const allowance = await allowanceOf(client, makerAsset, maker, rfqContract);
    const together = some.reduce((sum, { swappableBalance }) => sum + BigInt(swappableBalance), 0n);
    expect(together, key).toBeLessThanOrEqual(least(balance, allowance));
  }
}

function backingOf({ chainId, maker, makerAsset }: OrderRecord): string {
  return `${chainId} ${maker} ${makerAsset}`;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
