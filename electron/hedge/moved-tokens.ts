import { fillsAmong } from '../chain/order-logs.ts';
import type { Address, Hex } from '../protocol/address.ts';

export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface TransferLog {
  address: string;
  topics: readonly string[];
  data: string;
}

/** What the token's Transfer logs moved into (+) and out of (−) the account, raw units. */
export function movedTokens(logs: readonly TransferLog[], token: Address, account: Address): bigint {
  let moved = 0n;
  for (const { address, topics, data } of logs) {
    const [kind, from, to, ...others] = topics;
    if (kind !== TRANSFER || from === undefined || to === undefined || others.length > 0) continue;
    if (address.toLowerCase() !== token) continue;
    const amount = BigInt(data as Hex);
    if (accountIn(from) === account) moved -= amount;
    if (accountIn(to) === account) moved += amount;
  }
  return moved;
}

/**
 * The same without what fills of the account's own signed orders moved in that transaction: who carries out a hedge may fill
 * from the very desk it is of, and those fills count by themselves.
 */
export function movedBeside(
  rfqContract: Address,
  logs: readonly TransferLog[],
  token: Address,
  account: Address,
): bigint {
  let moved = movedTokens(logs, token, account);
  for (const fill of fillsAmong(logs, rfqContract, account)) {
    if (fill.makerAsset === token && fill.makerNft === undefined) moved += fill.makerAmount;
    if (fill.takerAsset === token && fill.takerNft === undefined) moved -= fill.takerAmount;
  }
  return moved;
}

function accountIn(topic: string): string {
  return `0x${topic.slice(26).toLowerCase()}`;
}
