import { encodeFunctionData } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { openHedgeNode, priceCall } from '../../electron/hedge/hedge-node.ts';
import { startTestChain } from '../chain-fixture.ts';
import { deploySafeMaker, SAFE_MAKER } from '../safe-maker.ts';

test('a call that a contract would refuse with an error of its own is refused with its name and in words, once', async () => {
  const chain = await startTestChain();
  onTestFinished(chain.close);
  const safe = await deploySafeMaker(chain);
  const hedging = openHedgeNode(chain.rpcUrl, chain.chainId);
  onTestFinished(() => hedging.node.close());
  const { abi } = SAFE_MAKER;
  const data = encodeFunctionData({ abi, functionName: 'setOwner', args: [safe, true] });
  const stranger = chain.accounts.other.address;
  await expect(priceCall(hedging, stranger, { to: safe, data, value: 0n })).rejects.toMatchObject({
    code: 'would_fail',
    message: 'On the chain as it is now it would fail: OnlyOwner (only an owner of the contract may call this).',
  });
});
