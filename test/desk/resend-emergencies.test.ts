import { expect, test, vi } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { approveCall } from '../../electron/chain/allowance.ts';
import { sendCalls } from '../../electron/chain/send-calls.ts';
import { resendEmergencies } from '../../electron/desk/resend-emergencies.ts';
import { openSigner } from '../../electron/signer/signer.ts';
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
