import { expect, test, vi } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { approveCall, readAllowance } from '../../electron/chain/allowance.ts';
import { OpenCalls } from '../../electron/chain/open-calls.ts';
import { sendCalls } from '../../electron/chain/send-calls.ts';
import { resendEmergencies } from '../../electron/desk/resend-emergencies.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { folder, openBook } from '../book/fixture.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain } from '../chain-fixture.ts';
import { PATIENCE } from '../how-long.ts';

test('what an emergency signed is handed to a node whenever it has lost it, and is not called there once something else took its nonce', async () => {
  const chain = await startTestChain();
  const accounts = new AccountTurns();
  const { address: maker, privateKey } = chain.accounts.maker;
  const { rpcUrl, chainId } = chain;
  const common = { rpcUrl, chainId, maker, signer: openSigner(privateKey), mostPerGas: 500n * 10n ** 9n };
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const started = () =>
    resendEmergencies({
      book: { chains: () => [{ chainId, config: {} }], seals: { nodes: () => ({ rpcUrl }) } },
      credentials: { openUrls: async () => {} },
      accounts,
      log: { info: tell, warn: tell },
    } as unknown as Parameters<typeof resendEmergencies>[0]);
  try {
    const calls = [approveCall(chain.usdc, chain.rfqContract, 0n)];
    await chain.control.setAutomine(false);
    const [sent] = await sendCalls({ ...common, calls, turns: accounts, urgent: true, receiptTimeoutMs: 500 });
    let end = started();
    await vi.waitFor(() => expect(told).toEqual(['what an emergency had signed was handed to the node again']));
    const waiting = () => chain.client.getTransactionCount({ address: maker, blockTag: 'pending' });
    const withIt = await waiting();
    await chain.control.dropTransaction({ hash: sent?.transactionHash ?? '0x' });
    expect(await waiting()).toBe(withIt - 1);
    await vi.waitFor(async () => expect(await waiting()).toBe(withIt), PATIENCE);
    expect(told, 'which is said once').toHaveLength(1);
    end();
    await chain.control.dropTransaction({ hash: sent?.transactionHash ?? '0x' });
    await chain.control.setAutomine(true);
    const other = [approveCall(chain.weth, chain.rfqContract, 5n)];
    expect(await sendCalls({ ...common, calls: other, turns: new AccountTurns() })).toMatchObject([
      { outcome: 'confirmed' },
    ]);
    end = started();
    await vi.waitFor(() => expect(told.at(-1)).toContain('has lost its place: the next emergency sends it anew'));
    end();
    expect(accounts.emergencies.of(chainId, maker)).toMatchObject(calls);
  } finally {
    await chain.close();
  }
});

test('an approval that no node answered for is handed over until it is mined, also by a desk that starts again, and not behind an emergency', async () => {
  const chain = await startTestChain();
  const { journal } = await openBook(folder());
  const { address: maker, privateKey } = chain.accounts.maker;
  const { rpcUrl, chainId } = chain;
  const proxy = await openNodeProxy(() => rpcUrl);
  proxy.refuse = ([call]) => (call?.method === 'eth_sendRawTransaction' ? 502 : undefined);
  const common = {
    chainId,
    maker,
    signer: openSigner(privateKey),
    mostPerGas: 500n * 10n ** 9n,
    receiptTimeoutMs: 100,
  };
  const follow = (accounts: AccountTurns) =>
    resendEmergencies({
      book: { chains: () => [{ chainId, config: {} }], seals: { nodes: () => ({ rpcUrl }) } },
      credentials: { openUrls: async () => {} },
      accounts,
      log: { info: () => {}, warn: () => {} },
    } as unknown as Parameters<typeof resendEmergencies>[0]);
  const opened = async () => new AccountTurns(undefined, await OpenCalls.open(journal, Date.now));
  const approve = (turns: AccountTurns) =>
    sendCalls({ ...common, rpcUrl: proxy.url, turns, calls: [approveCall(chain.usdc, chain.rfqContract, 5n)] });
  const allowance = () => readAllowance(chain, chain.usdc, maker, chain.rfqContract);
  try {
    const before = await opened();
    const was = await allowance();
    await approve(before);
    expect(before.open.all()).toHaveLength(1);
    await sendCalls({
      ...common,
      rpcUrl,
      turns: before,
      calls: [approveCall(chain.weth, chain.rfqContract, 0n)],
      urgent: true,
    });
    expect(before.open.all(), 'which takes its place').toEqual([]);
    await approve(before);
    const after = await opened();
    expect(after.open.all()).toEqual(before.open.all());
    expect(await allowance()).toBe(was);
    const end = follow(after);
    await vi.waitFor(async () => expect(await allowance()).toBe(5n), PATIENCE);
    await vi.waitFor(() => expect(after.open.all()).toEqual([]), PATIENCE);
    end();
    expect((await opened()).open.all()).toEqual([]);
  } finally {
    await proxy.down();
    await chain.close();
  }
});
