import { z } from 'zod';
import { addressTopic, logSchema, toQuantity } from '../../../chain/node-answers.ts';
import { resultOf } from '../../../chain/node-client.ts';
import type { Address, Hex } from '../../../protocol/address.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { rangesOf } from '../../block-ranges.ts';
import { receiptOf } from '../../hedge-node.ts';
import { sentenceOf } from '../../hedge-parts.ts';
import { type HedgeRun, ofOtherHedges, record, rest } from '../../hedge-run.ts';
import { TRANSFER } from '../../moved-tokens.ts';
import type { VenueRun } from '../venue.ts';
import { swapAmounts } from './swap-amounts.ts';

/** Blocks that are looked at again: a reorganisation may bring another one. */
const LOOK_BACK = 64;

/**
 * Waits until the calldata that the owner of a contract maker was given has done its work on the chain: its transaction is known by
 * what it moved, within the terms that were built. A person may name it, or give the hedge up.
 */
export async function awaitWallet(run: HedgeRun): Promise<void> {
  const handed = await run.log.last(run.seq, 'handed_out');
  // What was handed out when that block was the newest lies behind it; an equal swap in the block itself is another one.
  const first = (handed?.block ?? -1) + 1;
  let from = first;
  while (record(run).state === 'handed_out') {
    const { deadline } = record(run).opened;
    const isLate = run.parts.now() / 1_000 > deadline;
    const late = isLate ? ' Its deadline is over: it should not be sent any more. Give it up if it was not.' : '';
    const waits = `The maker is a contract: its owner sends the calldata, and the chain is watched for it.${late}`;
    try {
      const { client } = run.node(record(run).opened.chainId);
      const newest = Number(await client.getBlockNumber({ cacheTime: 0 }));
      if (newest >= from && (await foundBetween(run, from, newest))) return;
      from = Math.max(first, newest - LOOK_BACK);
      await run.log.wait(run.seq, waits);
    } catch (error) {
      run.signal.throwIfAborted();
      if (record(run).state !== 'handed_out') return;
      await run.log.wait(run.seq, `${waits} It cannot be asked now: ${sentenceOf(error)}`);
    }
    await rest(run, run.pollMs);
  }
}

/** Books the first transaction of these blocks that did what the calldata does; false when there is none. */
async function foundBetween(run: HedgeRun, first: number, newest: number): Promise<boolean> {
  const { opened } = record(run);
  const { maker, src, dest, beneficiary, chainId, side, amount } = opened;
  const { node } = run.node(chainId);
  const built = await run.log.last(run.seq, 'swap_built');
  const [least, most] = [BigInt(built?.least ?? 0), BigInt(built?.most ?? 0)];
  const filter = isNative(src.address)
    ? { address: dest.address, topics: [TRANSFER, null, addressTopic((beneficiary ?? maker) as Address)] }
    : { address: src.address, topics: [TRANSFER, addressTopic(maker)] };
  const others = await ofOtherHedges(run);
  for (const { from, to } of rangesOf({ from: first, to: newest })) {
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const [answer] = await node.ask([{ method: 'eth_getLogs', params: [{ ...filter, ...range }] }]);
    const logs = resultOf(node, 'eth_getLogs', answer, z.array(logSchema));
    for (const hash of new Set(logs.map(({ transactionHash }) => transactionHash))) {
      if (others.has(hash)) continue;
      const moved = await movedBy(run, hash);
      if (moved === null) continue;
      const fixed = side === 'SELL' ? moved.spent === BigInt(amount) : moved.received >= BigInt(amount);
      if (!fixed || moved.spent > most || moved.spent <= 0n || moved.received < least) continue;
      await book(run, hash, moved, 'desk');
      return true;
    }
  }
  return false;
}

/** Books the transaction that a person names. Throws DeskError `not_mined`, `not_this_hedge`. */
export async function bookWallet(run: VenueRun, hash: Hex, actor: string): Promise<void> {
  if (run.log.running(run.seq).state !== 'handed_out') {
    throw new DeskError('not_this_hedge', 'This hedge waits for no transaction of a wallet.');
  }
  const moved = await movedBy(run, hash);
  if (moved === null) {
    throw new DeskError('not_mined', 'The chain has no such transaction that succeeded.', {
      remedy: 'Wait until it is in a block, and see whether it is of this chain.',
    });
  }
  const { src, dest } = run.log.running(run.seq).opened;
  if (moved.spent <= 0n || moved.received <= 0n) {
    const said = `It moved ${moved.spent} raw units of ${src.symbol} away and ${moved.received} of ${dest.symbol} in.`;
    throw new DeskError('not_this_hedge', `That transaction is not this hedge. ${said}`, {
      remedy: 'Name the transaction that sent the calldata.',
    });
  }
  if ((await ofOtherHedges(run)).has(hash)) {
    throw new DeskError('not_this_hedge', 'That transaction is of another hedge already.');
  }
  await book(run, hash, moved, actor);
}

type Moved = { spent: bigint; received: bigint; block: number; blockHash: Hex };

async function movedBy(run: VenueRun, hash: Hex): Promise<Moved | null> {
  const receipt = await receiptOf(run.node(run.log.running(run.seq).opened.chainId), hash);
  if (receipt === null || receipt.status !== 'success') return null;
  const { blockNumber, blockHash } = receipt;
  return { ...(await swapAmounts(run, receipt)), block: Number(blockNumber), blockHash };
}

async function book({ log, seq }: VenueRun, hash: Hex, moved: Moved, actor: string): Promise<void> {
  const { spent, received, block, blockHash } = moved;
  const amounts = { spent: `${spent}`, received: `${received}` };
  await log.step(seq, { step: 'wallet_mined', hash, block, blockHash, ...amounts }, actor);
}
