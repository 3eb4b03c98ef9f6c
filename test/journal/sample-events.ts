import { createHash } from 'node:crypto';
import { type DeskFile, deskFileSchema } from '../../electron/contract/desk-file.ts';
import type { EventBody, NewEvent } from '../../electron/journal/events.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';

export const CHAIN = 31337;
export const START = Date.UTC(2026, 10, 1);

export const hashOf = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;
export const addressOf = (text: string): Address => `0x${hashOf(text).slice(2, 42)}`;

/** A signed quote of ten thousand raw units, its members in the order of the firm path; the same number gives the same order hash. */
export function quoteBody(number: number, changes: Partial<QuoteBody> = {}): QuoteBody {
  return {
    chainId: CHAIN,
    pair: 'WETH/USDC',
    side: 'asks',
    given: 'makerAmount',
    userAddress: addressOf(`user ${number % 7}`),
    takerAddress: addressOf('taker'),
    maker: addressOf('maker'),
    makerAsset: addressOf('WETH'),
    takerAsset: addressOf('USDC'),
    makerAmount: '10000',
    takerAmount: '34120000',
    ladderRevision: 3,
    balance: '5000000',
    allowance: '6000000',
    exposure: '10000',
    counterparty: 'practice',
    receivedAt: START,
    latencyMs: 1.25,
    requestBody: '{"makerAmount":"10000"}',
    orderHash: hashOf(`order ${number}`),
    nonceAndMeta: `${number}`,
    expiry: Math.floor(START / 1000) + 150,
    signature: `0x${'5a'.repeat(65)}`,
    code: null,
    ...changes,
  };
}

export const REFUSED: Partial<QuoteBody> = {
  orderHash: null,
  nonceAndMeta: null,
  expiry: null,
  signature: null,
  code: 'insufficient_depth',
};

export function quote(number: number, changes: Partial<QuoteBody> = {}, time = START + number): NewEvent {
  return { time, actor: 'desk', kind: 'quote', body: quoteBody(number, changes) };
}

function place(number: number, log: number) {
  const block = 100 + log;
  return {
    chainId: CHAIN,
    orderHash: hashOf(`order ${number}`),
    block,
    blockHash: hashOf(`block ${block}`),
    blockTime: START + log * 1_000,
    transactionHash: hashOf(`transaction ${log}`),
    logIndex: log,
  };
}

/** A fill of quote `number`; each `log` is another place on the chain. */
export function fill(number: number, log: number, changes: Partial<EventBody<'fill'>> = {}): NewEvent {
  const assets = { taker: addressOf('receiver'), makerAsset: addressOf('WETH'), takerAsset: addressOf('USDC') };
  const amounts = { makerAmount: '4000', takerAmount: '13648000' };
  return {
    time: START,
    actor: 'chain',
    kind: 'fill',
    body: { ...place(number, log), ...assets, ...amounts, ...changes },
  };
}

export function cancel(number: number, log: number): NewEvent {
  return { time: START, actor: 'chain', kind: 'cancel', body: place(number, log) };
}

export function reverted(eventSeq: number, number: number): NewEvent {
  const body = { chainId: CHAIN, eventSeq, orderHash: hashOf(`order ${number}`) };
  return { time: START, actor: 'chain', kind: 'reverted', body };
}

/** A desk file with one chain, without keys; `changes` replace parts of the chain. */
export function deskFile(changes: Record<string, unknown> = {}): DeskFile {
  const token = (symbol: string, decimals: number) => {
    return { symbol, name: symbol, address: addressOf(symbol), decimals, type: 'ERC20' };
  };
  return deskFileSchema.parse({
    version: 1,
    chains: [
      {
        chainId: CHAIN,
        name: 'Practice',
        basePath: '/31337',
        rpcUrl: 'http://127.0.0.1:8545',
        rfqContract: addressOf('contract'),
        domainName: 'PRACTICE RFQ',
        maker: addressOf('maker'),
        signer: addressOf('maker'),
        tokens: { WETH: token('WETH', 18), USDC: token('USDC', 6), DAI: token('DAI', 18) },
        pairs: {
          'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1000 },
          'DAI/USDC': { base: 'DAI', quote: 'USDC', liquidityUSD: 500 },
        },
        prices: { 'WETH/USDC': { bids: [['3400', '1']], asks: [['3412.5', '2']] } },
        ...changes,
      },
    ],
    counterparties: [{ domain: 'practice' }],
  });
}

export function configured(changes: Record<string, unknown> = {}, time = START): NewEvent {
  const body = { desk: deskFile(changes), fingerprints: { practice: 'abcd' } };
  return { time, actor: 'ops', kind: 'desk_configured', body };
}
