import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { EXECUTOR } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { type ChainOrder, startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from './desk-process.ts';
import { type TakerClient, takerClient } from './taker-client.ts';

/** 0.25 WETH, what the taker asks to buy. */
const QUARTER = String(25n * 10n ** 16n);

describe.each(['its own key', 'a contract'])('a desk whose maker is %s', (maker) => {
  let chain: TestChain;
  let folder: { folder: string; remove(): void };
  let desk: RunningDesk;
  let taker: TakerClient;
  let file: DeskFile;

  beforeEach(async () => {
    chain = await startTestChain({ blockTimeSeconds: 1 });
    file = deskFileFor(chain, maker === 'a contract' ? { maker: chain.contractMaker } : {});
    folder = await armedFolder(chain, file);
    desk = await startDesk(folder.folder, 'serve');
    taker = takerClient(desk.ready.surface, file, chain.accounts.user.address);
    await expect.poll(async () => (await taker.get('/prices')).status, { timeout: 15_000 }).toBe(200);
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
    await expect.poll(async () => (await log())[0]?.state, { timeout: 15_000 }).toBe('part_filled');
    await fill(chain, user, order, signature, order.takerAmount - order.takerAmount / 2n);
    // Rounding may leave dust of the maker's amount, which keeps the order open.
    await expect.poll(async () => (await log())[0]?.state, { timeout: 15_000 }).toMatch(/^(part_)?filled$/);
    expect((await log())[0]).toMatchObject({ orderHash: chain.orderHash(order), side: 'asks', code: null });
  });

  test('sees a cancel of the maker, and keeps quoting', async () => {
    const { json } = await taker.firm('bids', { takerAmount: QUARTER });
    const cancelled = await runCommand(folder.folder, [
      'cancel-orders',
      ...(maker === 'a contract' ? ['--dry-run'] : []),
    ]);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    const [row] = JSON.parse(cancelled.stdout);
    expect(row.purpose).toBe('cancel 1 order');
    if (maker === 'a contract') {
      expect(row).toMatchObject({ outcome: 'dry_run', transactionHash: null });
      return;
    }
    expect(row.outcome).toBe('confirmed');
    await expect.poll(async () => (await log())[0]?.state, { timeout: 15_000 }).toBe('cancelled');
    expect((await log())[0]?.orderHash).toBe(chain.orderHash(chainOrder(json.order ?? {})));
    expect((await taker.firm('asks', { makerAmount: QUARTER })).status).toBe(200);
  });
});

test('a desk whose signer does not bind the maker never goes live, and says why', async () => {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const file = deskFileFor(chain, { maker: chain.accounts.other.address });
  const folder = await armedFolder(chain, file);
  const desk = await startDesk(folder.folder, 'serve');
  try {
    const state = async () => JSON.parse((await runCommand(folder.folder, ['status', '--json'])).stdout);
    await expect.poll(async () => (await state()).state, { timeout: 15_000 }).toBe('HALTED');
    const resumed = await runCommand(folder.folder, ['resume', '--reason', 'try']);
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toContain('neither the signer');
    expect((await takerClient(desk.ready.surface, file).firm('asks', { makerAmount: QUARTER })).status).toBe(503);
  } finally {
    await desk.stop();
    folder.remove();
    await chain.close();
  }
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
