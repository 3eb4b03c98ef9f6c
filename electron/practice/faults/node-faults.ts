import type { MarketChain } from '../chain/market-chain.ts';
import { beginBlocks, DEEPEST_REORG, openControl } from '../chain/preparation.ts';
import type { Fault } from './fault-board.ts';

const USUAL_DEPTH = 8;

/** Five times what any transaction of the market pays at most. */
const HIGH_BASE_FEE = 500_000_000_000n;
const USUAL_BASE_FEE = 1_000_000_000n;
/** More often than there are blocks. */
const RAISE_EVERY_MS = 250;

/** What can go wrong with the node of a chain. */
export function nodeFaults({ node, rpcUrl, plan: { name }, seen: { client } }: MarketChain): Fault[] {
  const control = openControl(rpcUrl);
  const raise = () => control.setNextBlockBaseFeePerGas({ baseFeePerGas: HIGH_BASE_FEE });
  let raising: NodeJS.Timeout | undefined;
  return [
    {
      name: 'node-down',
      says: `The node of ${name} is gone; the other chain goes on.`,
      once: false,
      async on() {
        await node.takeAway();
        return `the node of ${name} is gone`;
      },
      async off() {
        await node.bringBack();
        await beginBlocks(rpcUrl);
        return `the node of ${name} is back with its state`;
      },
    },
    {
      name: 'reorg',
      says: `${name} takes back its newest blocks and whatever was in them, up to ${DEEPEST_REORG}.`,
      once: true,
      async on({ depth = USUAL_DEPTH }) {
        const height = Number(await client.getBlockNumber());
        const blocks = Math.min(depth, DEEPEST_REORG);
        await control.request({ method: 'anvil_reorg', params: [blocks, []] } as never);
        return `${name} took back ${blocks} blocks, down to ${height - blocks}`;
      },
      async off() {
        return '';
      },
    },
    {
      name: 'base-fee',
      says: `The base fee of ${name} is ${HIGH_BASE_FEE / 10n ** 9n} gwei, more than any taker pays.`,
      once: false,
      async on() {
        await raise();
        raising = setInterval(() => void raise().catch(() => {}), RAISE_EVERY_MS); // a node that is away has no fee
        return `the base fee of ${name} is ${HIGH_BASE_FEE / 10n ** 9n} gwei`;
      },
      async off() {
        clearInterval(raising);
        if (node.isUp()) await control.setNextBlockBaseFeePerGas({ baseFeePerGas: USUAL_BASE_FEE });
        return `the base fee of ${name} is ${USUAL_BASE_FEE / 10n ** 9n} gwei again`;
      },
    },
  ];
}
