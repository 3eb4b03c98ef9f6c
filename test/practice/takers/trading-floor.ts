import { randomBytes } from 'node:crypto';
import { encodeFunctionData, maxUint256, parseEventLogs } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { type DeskFile, deskFileSchema } from '../../../electron/contract/desk-file.ts';
import { SETTLEMENT, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { openSender } from '../../../electron/practice/chain/sender.ts';
import type { PracticeChain } from '../../../electron/practice/practice-chain.ts';
import { HABITS, type Habit } from '../../../electron/practice/takers/habits.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { deskFileFor } from '../../desk/desk-on-chain.ts';
import { CACHED } from './practice-view.ts';

/** A chain with the five tokens of the practice market, and a funded account for every habit. */
export interface TradingFloor {
  chain: TestChain;
  /** As service and takers see it. */
  seen: PracticeChain;
  tokens: Record<string, Address>;
  accounts: Record<Habit, Hex>;
  /** For a desk that quotes the five pairs of the practice market there. */
  deskFile: DeskFile;
  /** All there were from a block on, in the order of the chain. */
  fills(fromBlock: bigint): Promise<ChainFill[]>;
}

export interface ChainFill {
  orderHash: Hex;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: bigint;
  takerAmount: bigint;
  /** Who received. */
  taker: Address;
  blockNumber: bigint;
  transactionHash: Hex;
}

/** Blocks come once a second as soon as all is there. */
export async function openTradingFloor(): Promise<TradingFloor> {
  const chain = await startTestChain();
  const { maker } = chain.accounts;
  const tokens: Record<string, Address> = { WETH: chain.weth, USDC: chain.usdc };
  for (const [id, { name, symbol, decimals }] of Object.entries(CACHED.tokens)) {
    tokens[id] ??= await maker.deploy(TEST_TOKEN, [name, symbol, decimals]);
  }
  const accounts = Object.fromEntries(HABITS.map((habit) => [habit, `0x${randomBytes(32).toString('hex')}`])) as Record<
    Habit,
    Hex
  >;
  const equip = async (key: Hex, spender: Address) => {
    const sender = openSender(chain.rpcUrl, key);
    await chain.control.setBalance({ address: sender.address, value: 10n ** 22n });
    const { abi } = TEST_TOKEN;
    const calls = Object.entries(tokens).flatMap(([id, to]) => {
      const amount = 10n ** BigInt(8 + (CACHED.tokens[id]?.decimals ?? 18));
      // Anybody may mint: everybody does it for himself.
      const minted = encodeFunctionData({ abi, functionName: 'mint', args: [sender.address, amount] });
      const approved = encodeFunctionData({ abi, functionName: 'approve', args: [spender, maxUint256] });
      return [minted, approved].map((data) => ({ to, data }));
    });
    for (const call of calls) await sender.mined(await sender.send(call));
  };
  await Promise.all([
    equip(maker.privateKey, chain.rfqContract),
    ...Object.values(accounts).map((key) => equip(key, chain.executor)),
  ]);
  await chain.control.setIntervalMining({ interval: 1 });
  const { chainId, domainName, rfqContract, executor, client } = chain;
  return {
    chain,
    seen: { chainId, name: 'Test', basePath: `/${chainId}`, domainName, rfqContract, takers: [executor], client },
    tokens,
    accounts,
    deskFile: fileFor(chain, tokens),
    async fills(fromBlock) {
      const logs = await client.getLogs({ address: rfqContract, fromBlock });
      return parseEventLogs({ abi: SETTLEMENT.abi, logs, eventName: 'OrderFilled' }).map((log) => {
        const { blockNumber, transactionHash, args } = log as unknown as { args: ChainFill } & ChainFill;
        return { ...args, blockNumber, transactionHash };
      });
    },
  };
}

export function addressOf(key: Hex): Address {
  return privateKeyToAddress(key).toLowerCase() as Address;
}

function fileFor(chain: TestChain, tokens: Record<string, Address>): DeskFile {
  const { pairs, prices } = CACHED;
  const listed = Object.entries(CACHED.tokens).map(([id, token]) => [id, { ...token, address: tokens[id] }]);
  return deskFileSchema.parse(
    deskFileFor(chain, { tokens: Object.fromEntries(listed), pairs, prices } as Partial<DeskFile['chains'][number]>),
  );
}
