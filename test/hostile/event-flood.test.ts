import { expect, it, onTestFinished } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { openChainWatcher } from '../../electron/chain/chain-watcher.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { firm, openDesk, request, signer } from '../quoting/open-desk.ts';
import { dustLog } from './dust-logs.ts';
import { serveNode } from './scripted-node.ts';

const DUST = 3_000;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;

it('a client gets every quote in time while thousands of dust fills of one order are taken in, and each of them counts', async () => {
  const desk = await openDesk();
  const rfqContract = desk.book.chain(CHAIN)?.config.rfqContract;
  if (rfqContract === undefined) throw new Error('no chain');
  expect((await firm(desk)).order).toBeDefined();
  const orderHash = desk.guard.orders.liveHashes(CHAIN)[0] as Hex;

  let number = 100;
  let flood: object[] = [];
  const header = (of: number) => ({
    number: `0x${of.toString(16)}`,
    hash: word(of + 1),
    parentHash: word(of),
    timestamp: `0x${Math.floor(Date.now() / 1_000).toString(16)}`,
  });
  const node = await serveNode(({ method, params }) => {
    if (method === 'eth_chainId') return { result: `0x${CHAIN.toString(16)}` };
    if (method === 'eth_getLogs') {
      const { address, toBlock } = params[0] as { address: string; toBlock: string };
      return { result: address === rfqContract && Number(toBlock) >= 101 ? flood : [] };
    }
    if (method === 'eth_call') return { result: word(10n ** 24n) };
    return { result: header(params[0] === 'latest' ? number : Number(params[0])) };
  });
  const watcher = openChainWatcher({
    config: { chainId: CHAIN, rpcUrl: node.url, rfqContract, maker: signer.address },
    tokens: () => [WETH, USDC],
    journal: desk.journal,
    now: Date.now,
    isBegunAnew: () => false,
    onChainLost: () => {},
    onChainReset: () => {},
    log: { info: () => {}, warn: () => {}, error: () => {} },
    pollIntervalMs: 20,
    timeoutMs: 30_000,
  });
  onTestFinished(() => watcher.stop());
  watcher.onOrderEvent((event) => desk.guard.orders.orderEvent(event));
  const seen = (block: number) => (view: ChainView) => (view.block?.number ?? 0) >= block;
  watcher.start();
  await expect.poll(() => seen(100)(watcher.view())).toBe(true);

  flood = Array.from({ length: DUST }, (_, index) =>
    dustLog({ index, orderHash, contract: rfqContract, maker: signer.address, blockNumber: 101, blockHash: word(102) }),
  );
  number = 101;
  /** The most fills that came into the journal between two quotes: so many a client waits for. */
  let longest = 0;
  let between = 0;
  desk.journal.onAppended((events) => {
    for (const { kind } of events) {
      between = kind === 'fill' ? between + 1 : 0;
      longest = Math.max(longest, between);
    }
  });
  const answers: (string | undefined)[] = [];
  while (!seen(101)(watcher.view())) {
    const answer = await firm(desk, request({ makerAmount: '1000000000000000' }));
    answers.push(answer.order === undefined ? answer.code : 'order');
  }
  // None of them waited behind all of the flood, nor behind a good part of it.
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(DUST / 6);
  expect(new Set(answers)).toEqual(new Set(['order']));
  const row = await desk.journal.read.quoteByHash(CHAIN, orderHash);
  expect(row?.filledMakerAmount).toBe(`${DUST}`);
  expect(desk.guard.status().state).toBe('LIVE');
});
