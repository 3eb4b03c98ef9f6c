import type { HedgeStep } from '../../electron/contract/hedge-steps.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import type { HedgeOpened } from '../../electron/journal/hedges/events.ts';
import { addressOf, CHAIN, hashOf, START } from './sample-events.ts';

const WETH = { chainId: CHAIN, address: addressOf('WETH'), symbol: 'WETH', decimals: 18 };
const USDC = { chainId: CHAIN, address: addressOf('USDC'), symbol: 'USDC', decimals: 6 };

/** A hedge that buys the WETH back that fills sold. */
export function opened(fillSeqs: number[], changes: Partial<HedgeOpened> = {}): NewEvent {
  const body: HedgeOpened = {
    chainId: CHAIN,
    maker: addressOf('maker'),
    src: USDC,
    dest: WETH,
    side: 'BUY',
    amount: '4000',
    slippageBps: 50,
    way: { mode: 'market' },
    beneficiary: null,
    deadline: 2_000_000_000,
    approval: 'permit',
    pair: 'WETH/USDC',
    fillSeqs,
    automatic: false,
    confirmed: false,
    shown: null,
    ...changes,
  };
  return { time: START, actor: 'trader', kind: 'hedge_opened', body };
}
export const step = (hedgeSeq: number, what: HedgeStep): NewEvent => {
  return { time: START, actor: 'desk', kind: 'hedge_step', body: { chainId: CHAIN, hedgeSeq, step: what } };
};
export const built: HedgeStep = {
  step: 'swap_built',
  to: addressOf('router'),
  value: '0',
  data: '0x12',
  least: '4000',
  most: '14000000',
  nativeUsd: '3000',
};
export const simulated: HedgeStep = { step: 'swap_simulated', gas: '100000', received: '4000' };
export const signed = (name: string, purpose: 'swap' | 'approval' = 'swap'): HedgeStep => ({
  step: 'transaction_signed',
  purpose,
  nonce: 7,
  hash: hashOf(name),
  raw: '0x01',
  to: addressOf('router'),
  value: '0',
  data: '0x12',
  gas: '100000',
  perGas: '1000',
});
export const mined = (name: string, spent: string, received: string): HedgeStep => ({
  step: 'transaction_mined',
  purpose: 'swap',
  hash: hashOf(name),
  block: 9,
  blockHash: hashOf('block'),
  succeeded: true,
  feeWei: '1000000000000000',
  spent,
  received,
});
export const ended = (outcome: 'done' | 'failed' = 'done'): HedgeStep => ({ step: 'ended', outcome, sentence: null });
export const orderBuilt: Extract<HedgeStep, { step: 'order_built' }> = {
  step: 'order_built',
  orderHash: hashOf('order of a hedge'),
  orderType: 'Order',
  spender: addressOf('intents'),
  least: '4000',
  most: '14000000',
  nativeUsd: null,
};
export const orderSigned: HedgeStep = {
  step: 'order_signed',
  orderHash: hashOf('order of a hedge'),
  order: {},
  signature: '0x01',
  type: 'MARKET',
};
