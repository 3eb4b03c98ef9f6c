import type { Level } from '../../electron/protocol/wire.ts';
import type { FirmRequestInput, Respond } from '../../electron/quoting/firm-input.ts';
import type { ServedGrid } from '../../electron/quoting/served-grid.ts';
import type { SurfaceChain } from '../../electron/surface/surface-chain.ts';

export const WETH = `0x${'aa'.repeat(20)}` as const;
export const USDC = `0x${'bb'.repeat(20)}` as const;
export const BAD_USER = `0x${'cc'.repeat(20)}` as const;

const token = (symbol: string, address: `0x${string}`, decimals: number) => ({
  symbol,
  name: `${symbol} of the tests`,
  address,
  decimals,
  type: 'ERC20' as const,
});

/** A grid of one pair. */
export function aGrid(change: Partial<ServedGrid> = {}): ServedGrid {
  const bids: Level[] = [['3412.5', '2']];
  const asks: Level[] = [['3413.5', '1.5']];
  return {
    tokens: { WETH: token('WETH', WETH, 18), USDC: token('USDC', USDC, 6) },
    pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 100_000 } },
    prices: { 'WETH/USDC': { bids, asks } },
    blacklist: [BAD_USER],
    closed: null,
    ...change,
  };
}

/** A chain whose grid and firm answers a test sets: quoting is not what is tested here. */
export class FakeChain implements SurfaceChain {
  readonly chainId: number;
  readonly basePath: string;
  feedMaxAgeSeconds = 0;
  grid: ServedGrid = aGrid();
  readonly firmRequests: FirmRequestInput[] = [];
  answerFirm: (input: FirmRequestInput, respond: Respond) => void = (_input, respond) =>
    respond({ status: 200, body: '{"order":{}}' });

  constructor(chainId: number, basePath: string) {
    this.chainId = chainId;
    this.basePath = basePath;
  }

  served(): ServedGrid {
    return this.grid;
  }

  firm(input: FirmRequestInput, respond: Respond): void {
    this.firmRequests.push(input);
    this.answerFirm(input, respond);
  }
}
