import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { EXECUTOR } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { type ChainOrder, startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';
import { deploySafeMaker } from '../safe-maker.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from './desk-process.ts';
import { type TakerClient, takerClient } from './taker-client.ts';

/** 0.25 WETH, what the taker asks to buy. */
const QUARTER = String(25n * 10n ** 16n);

describe.each(['its own key', 'a contract', 'a wallet of the Safe kind'])('a desk whose maker is %s', (maker) => {
  let chain: TestChain;
  let folder: { folder: string; remove(): void };
  let desk: RunningDesk;
  let taker: TakerClient;
  let file: DeskFile;

  beforeEach(async () => {
    chain = await startTestChain({ blockTimeSeconds: 1 });
    if (maker === 'its own key') file = deskFileFor(chain);
    else if (maker === 'a contract') file = deskFileFor(chain, { maker: chain.contractMaker });
    else file = deskFileFor(chain, { maker: await deploySafeMaker(chain) });
    folder = await armedFolder(chain, file);
    desk = await startDesk(folder.folder, 'serve');
    taker = takerClient(desk.ready.surface, file, chain.accounts.user.address);
    await expect.poll(async () => (await taker.get('/prices')).status).toBe(200);
  });
  afterEach(async () => {
    await desk?.stop();
    folder?.remove();
    await chain?.close();
  });

  const log = async (): Promise<QuoteRow[]> => JSON.parse((await runCommand(folder.folder, ['log'])).stdout);

  test('signs a quote that its user fills on chain, nobody else can, and the log follows', async () => {
    const { user, other } = chain.accounts;
    const { status, json } = await taker.firm('asks', { makerAmount: QUARTER });
    expect(status).toBe(200);
    const order = chainOrder(json.order ?? {});
    const signature = json.order?.signature as Hex;

    await expect(fill(chain, other, order, signature, order.takerAmount)).rejects.toThrow('UnauthorizedUser()');
    await fill(chain, user, order, signature, order.takerAmount / 2n);
    await expect.poll(async () => (await log())[0]?.state).toBe('part_filled');
    await fill(chain, user, order, signature, order.takerAmount - order.takerAmount / 2n);
    // Rounding may leave dust of the maker's amount, which keeps the order open.
    await expect.poll(async () => (await log())[0]?.state).toMatch(/^(part_)?filled$/);
    expect((await log())[0]).toMatchObject({ orderHash: chain.orderHash(order), side: 'asks', code: null });
  });

  // A wallet of either kind cancels alike.
  if (maker === 'a wallet of the Safe kind') return;

  test('sees a cancel of the maker, and keeps quoting', async () => {
    const { json } = await taker.firm('bids', { takerAmount: QUARTER });
    const cancelled = await runCommand(folder.folder, [
      'cancel-orders',
      ...(maker === 'its own key' ? [] : ['--dry-run']),
    ]);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    const [row] = JSON.parse(cancelled.stdout);
    expect(row.purpose).toBe('cancel 1 order');
    if (maker !== 'its own key') {
      expect(row).toMatchObject({ outcome: 'dry_run', transactionHash: null });
      return;
    }
    expect(row.outcome).toBe('confirmed');
    await expect.poll(async () => (await log())[0]?.state).toBe('cancelled');
    expect((await log())[0]?.orderHash).toBe(chain.orderHash(chainOrder(json.order ?? {})));
    expect((await taker.firm('asks', { makerAmount: QUARTER })).status).toBe(200);
  });
});

function chainOrder(order: Record<string, string | number>): ChainOrder {
  const address = (name: string) => order[name] as Address;
  return {
    nonceAndMeta: BigInt(order.nonceAndMeta ?? 0),
    expiry: BigInt(order.expiry ?? 0),
    makerAsset: address('makerAsset'),
    takerAsset: address('takerAsset'),
    maker: address('maker'),
    taker: address('taker'),
    makerAmount: BigInt(order.makerAmount ?? 0),
    takerAmount: BigInt(order.takerAmount ?? 0),
  };
}

function fill(chain: TestChain, by: TestAccount, order: ChainOrder, signature: Hex, takerAmount: bigint): Promise<Hex> {
  return by.call(EXECUTOR, chain.executor, 'fill', [order, signature, takerAmount, 0n]);
}
