import { encodeFunctionData, maxUint256 } from 'viem';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';

/** A token that the desk of the bench makes a market in, with 18 decimals. */
export interface BenchToken {
  id: string;
  address: Address;
}

export interface BenchChain extends TestChain {
  bases: BenchToken[];
}

const PAIRS = 20;
/** Enough for any load: what runs out must be the machine. */
const FUNDS = 10n ** 15n * 10n ** 18n;

/** A real chain, one block a second, with a maker who holds plenty of USDC and of 20 tokens more. */
export async function startBenchChain(): Promise<BenchChain> {
  const chain = await startTestChain();
  const { maker } = chain.accounts;
  const call = async (token: Address, functionName: string, args: readonly unknown[]) =>
    maker.mined(await maker.send({ to: token, data: encodeFunctionData({ abi: TEST_TOKEN.abi, functionName, args }) }));
  const bases: BenchToken[] = [];
  for (let number = 1; number <= PAIRS; number += 1) {
    const id = `T${String(number).padStart(2, '0')}`;
    bases.push({ id, address: await maker.deploy(TEST_TOKEN, [`Token ${number}`, id, 18]) });
  }
  await Promise.all(
    [...bases.map(({ address }) => address), chain.usdc].map((token) => call(token, 'mint', [maker.address, FUNDS])),
  );
  await Promise.all(bases.map(({ address }) => call(address, 'approve', [chain.rfqContract, maxUint256])));
  await chain.control.setIntervalMining({ interval: 1 });
  return { ...chain, bases };
}
