import { randomBytes } from 'node:crypto';
import { concat, createTestClient, encodeAbiParameters, http, publicActions } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainCheck } from '../../electron/chain/chain-check.ts';
import { checkChain } from '../../electron/chain/check-chain.ts';
import { proveSignature } from '../../electron/chain/signature-proof.ts';
import { type Anvil, startAnvil } from '../../electron/practice/chain/anvil.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { type Address, addressSchema, type Hex } from '../../electron/protocol/address.ts';
import { NETWORKS } from '../../renderer/state/network-presets.ts';

const PRIVATE_KEY: Hex = `0x${'11'.repeat(32)}`;
const MAKER = addressSchema.parse(privateKeyToAccount(PRIVATE_KEY).address);

type Network = (typeof NETWORKS)[number];

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil({ port: 0 });
});
afterAll(() => anvil?.close());

/** The node, with the id of a network; a contract of this name settles at `at`, and nothing where it has none. */
async function nodeOf(chainId: number, at: Address, domainName: string | null = 'AUGUSTUS RFQ'): Promise<string> {
  const node = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl), chain: undefined }).extend(
    publicActions,
  );
  await node.request<{ Method: string; Parameters: [number]; ReturnType: null }>({
    method: 'anvil_setChainId',
    params: [chainId],
  });
  await node.setCode({ address: at, bytecode: '0x' });
  if (domainName === null) return anvil.rpcUrl;
  // Its code is what its constructor makes at that very address, which is in the domain of what is signed.
  const made = concat([SETTLEMENT.bytecode, encodeAbiParameters([{ type: 'string' }], [domainName])]);
  await node.setCode({ address: at, bytecode: made });
  const { data = '0x' } = await node.call({ to: at });
  await node.setCode({ address: at, bytecode: data });
  return anvil.rpcUrl;
}

/** What a desk asks before this network may be quoted, with nothing of it but what the preset says. */
async function checksOf(
  { chainId, rfqContract: contract, domainName }: Network,
  rpcUrl: string,
): Promise<ChainCheck[]> {
  const rfqContract = addressSchema.parse(contract);
  const ofChain = await checkChain({ rpcUrl, chainId, rfqContract, tokens: {} });
  const asked = { rpcUrl, chainId, rfqContract, domainName, maker: MAKER, randomBytes };
  const proof = await proveSignature({
    ...asked,
    sign: ({ hash }) => sign({ hash, privateKey: PRIVATE_KEY, to: 'hex' }),
  });
  return [...ofChain, proof];
}

const outcomes = (checks: ChainCheck[]) => Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));

describe.each(NETWORKS.map((network) => [network.name, network] as const))('the preset of %s', (_name, network) => {
  const at = addressSchema.parse(network.rfqContract);

  test('passes the self-check on a node of its chain id with the contract at its address', async () => {
    const checks = await checksOf(network, await nodeOf(network.chainId, at));
    expect(outcomes(checks)).toEqual({ chain_id: 'passed', rfq_contract: 'passed', rfq_signature: 'passed' });
  });

  test('fails where nothing is at that address, and where the contract there has another name', async () => {
    expect(outcomes(await checksOf(network, await nodeOf(network.chainId, at, null)))).toEqual({
      chain_id: 'passed',
      rfq_contract: 'failed',
      rfq_signature: 'failed',
    });
    const other = await checksOf(network, await nodeOf(network.chainId, at, 'SOME RFQ'));
    expect(outcomes(other)).toEqual({ chain_id: 'passed', rfq_contract: 'passed', rfq_signature: 'failed' });
  });

  test('fails on a node of another network, whatever is there', async () => {
    const [other] = NETWORKS.filter(({ chainId }) => chainId !== network.chainId);
    const checks = await checksOf(network, await nodeOf(other?.chainId ?? 0, at));
    expect(outcomes(checks)).toEqual({ chain_id: 'failed', rfq_signature: 'failed' });
    expect(checks[0]?.sentence).toContain(`is of chain ${other?.chainId}, not of chain ${network.chainId}`);
  });
});
