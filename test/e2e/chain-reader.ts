import { createPublicClient, erc20Abi, http, parseAbiItem } from 'viem';
import { type DeskFile, deskFileSchema } from '../../electron/contract/desk-file.ts';
import { makerdesk } from './makerdesk.ts';
import type { PracticeDesk } from './practice-desk.ts';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** A chain of a practice desk as its node tells it, without the desk. */
export interface ChainReader {
  maker: string;
  rfqContract: string;
  /** What the maker holds of these tokens, raw units. */
  holdings<T extends string>(...symbols: T[]): Promise<Record<T, bigint>>;
  /** What somebody else holds of a token, raw units. */
  heldBy(address: string, symbol: string): Promise<bigint>;
  /** What the maker ever got of a token from an address, raw units. */
  gotFrom(from: string, symbol: string): Promise<bigint>;
  /** Another token with the code of this one, and nothing in it. */
  copyOf(symbol: string): Promise<string>;
  /** Puts code at an address; `0x` leaves none there. */
  setCode(address: string, code: string): Promise<void>;
  /** Lets the maker have this much of a token, raw units, by no transaction. */
  setHeld(symbol: string, raw: bigint): Promise<void>;
  /** The next block comes so many seconds later than this one. */
  leap(seconds: number): Promise<void>;
}

/** The chains of a desk, which stay as they are: a command is not run for them in every test. */
const known = new WeakMap<PracticeDesk, Promise<DeskFile['chains']>>();

function chainsOf(desk: PracticeDesk): Promise<DeskFile['chains']> {
  const chains =
    known.get(desk) ?? makerdesk(desk.folder, 'export').then((file) => deskFileSchema.parse(JSON.parse(file)).chains);
  known.set(desk, chains);
  return chains;
}

export async function chainReader(desk: PracticeDesk, chainId: number): Promise<ChainReader> {
  const chains = await chainsOf(desk);
  const chain = chains.find((candidate) => candidate.chainId === chainId);
  if (chain === undefined) throw new Error(`This desk has no chain ${chainId}.`);
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const addressOf = (symbol: string) => {
    const address = chain.tokens[symbol]?.address;
    if (address === undefined) throw new Error(`${symbol} is not listed.`);
    return address;
  };
  const heldBy = (address: string, symbol: string) => {
    const args = [address as `0x${string}`] as const;
    return client.readContract({ address: addressOf(symbol), abi: erc20Abi, functionName: 'balanceOf', args });
  };
  return {
    maker: chain.maker,
    rfqContract: chain.rfqContract,
    heldBy,
    async gotFrom(from, symbol) {
      const logs = await client.getLogs({
        address: addressOf(symbol),
        event: TRANSFER,
        fromBlock: 0n,
        args: { from: from as `0x${string}`, to: chain.maker },
      });
      return logs.reduce((sum, { args }) => sum + (args.value ?? 0n), 0n);
    },
    async holdings<T extends string>(...symbols: T[]) {
      const held = symbols.map(async (symbol) => [symbol, await heldBy(chain.maker, symbol)] as const);
      return Object.fromEntries(await Promise.all(held)) as Record<T, bigint>;
    },
    async copyOf(symbol) {
      const copy = `0x${'da'.repeat(20)}` as const;
      const code = await client.getCode({ address: addressOf(symbol) });
      // @ts-expect-error: of the practice node alone
      await client.request({ method: 'anvil_setCode', params: [copy, code] });
      return copy;
    },
    async setCode(address, code) {
      // @ts-expect-error: of the practice node alone
      await client.request({ method: 'anvil_setCode', params: [address, code] });
    },
    async setHeld(symbol, raw) {
      const params = [chain.maker, addressOf(symbol), `0x${raw.toString(16)}`];
      // @ts-expect-error: of the practice node alone
      await client.request({ method: 'anvil_dealERC20', params });
    },
    async leap(seconds) {
      // @ts-expect-error: of the practice node alone
      await client.request({ method: 'evm_increaseTime', params: [seconds] });
    },
  };
}
