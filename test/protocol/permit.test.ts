import {
  decodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  parseAbi,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  toFunctionSelector,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMIT2 as PERMIT2_CONTRACT, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { readAmount } from '../../electron/practice/chain/read-amount.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { compactSignature, splitSignature } from '../../electron/protocol/compact-signature.ts';
import {
  eip2612TypedData,
  encodeEip2612,
  encodePermit2,
  type Permit,
  permit2TypedData,
} from '../../electron/protocol/permit.ts';
import { typedDataHash } from '../../electron/protocol/typed-data.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { INTENT, OWNER, ROUTER, WETH } from './wire-samples.ts';

const KEY: Hex = `0x${'5a'.repeat(32)}`;
const sign = (hash: Hex) => privateKeyToAccount(KEY).sign({ hash });
const lower = (address: Hex) => address.toLowerCase() as Hex;
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

describe('a permit', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterAll(() => chain?.close());

  it('of EIP-2612 is what the token itself takes, for that spender and amount and once only', async () => {
    const { user, other } = chain.accounts;
    const permit: Permit = {
      chainId: chain.chainId,
      token: chain.usdc,
      owner: user.address,
      spender: ROUTER,
      amount: 7_000_001n,
      nonce: 0n,
      deadline: (await chain.now()) + 600n,
    };
    const toSign = eip2612TypedData({ name: 'USD Coin', version: '1' }, permit);
    const signature = await privateKeyToAccount(user.privateKey).sign({ hash: typedDataHash(toSign) });
    const words = encodeEip2612(permit, signature);
    expect(words).toHaveLength(2 + 7 * 64);
    const selector = encodeFunctionData({
      abi: TEST_TOKEN.abi,
      functionName: 'permit',
      args: [OWNER, OWNER, 0n, 0n, 27, `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`],
    }).slice(0, 10);
    const call = { to: chain.usdc, data: `${selector}${words.slice(2)}` as Hex };
    await other.mined(await other.send({ ...call, gas: 200_000n }));
    expect(await readAmount(chain.client, TEST_TOKEN, chain.usdc, 'allowance', [user.address, ROUTER])).toBe(
      7_000_001n,
    );
    await expect(chain.client.call(call)).rejects.toThrow(/Invalid permit/);
  });

  it('of Permit2 is what its contract takes, from the spender and once only', async () => {
    const { user, other, maker } = chain.accounts;
    const contract = await maker.deploy(PERMIT2_CONTRACT, []);
    await user.call(TEST_TOKEN, chain.usdc, 'approve', [contract, 10n ** 12n]);
    const permit: Permit = {
      chainId: chain.chainId,
      token: chain.usdc,
      owner: user.address,
      spender: other.address,
      amount: 5_000_001n,
      nonce: 2n ** 200n + 7n,
      deadline: (await chain.now()) + 600n,
    };
    const hash = typedDataHash(permit2TypedData(contract, permit));
    const signature = await privateKeyToAccount(user.privateKey).sign({ hash });
    const selector = toFunctionSelector(
      'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    );
    const call = { to: contract, data: `${selector}${encodePermit2(permit, signature).slice(2)}` as Hex };
    await expect(chain.client.call({ ...call, account: maker.address })).rejects.toThrow(/Invalid signer/);
    const before = await chain.balanceOf(chain.usdc, other.address);
    await other.mined(await other.send({ ...call, gas: 300_000n }));
    expect((await chain.balanceOf(chain.usdc, other.address)) - before).toBe(5_000_001n);
    await expect(chain.client.call({ ...call, account: other.address })).rejects.toThrow(/Invalid nonce/);
  });
});

describe('a Permit2 transfer', () => {
  const permit: Permit = {
    chainId: 31337,
    token: WETH,
    owner: OWNER,
    spender: INTENT,
    amount: 5n,
    nonce: 9n,
    deadline: 1_800_000_000n,
  };

  it('is signed as Permit2 hashes it', () => {
    const toSign = permit2TypedData(PERMIT2, permit);
    const message = {
      permitted: { token: lower(WETH), amount: 5n },
      spender: INTENT,
      nonce: 9n,
      deadline: 1_800_000_000n,
    };
    const domain = { name: 'Permit2', chainId: 31337, verifyingContract: PERMIT2 } as const;
    const types = {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    } as const;
    expect(typedDataHash(toSign)).toBe(hashTypedData({ domain, types, primaryType: 'PermitTransferFrom', message }));
  });

  it('is encoded as the arguments of permitTransferFrom, to the spender', async () => {
    const signature = await sign(typedDataHash(permit2TypedData(PERMIT2, permit)));
    const [abi] = parseAbi([
      'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) details, address owner, bytes signature)',
    ]);
    const encoded = encodePermit2(permit, signature);
    expect((encoded.length - 2) / 2).toBeGreaterThan(256);
    expect(decodeAbiParameters(abi.inputs, encoded)).toMatchObject([
      { permitted: { amount: 5n }, nonce: 9n, deadline: 1_800_000_000n },
      { to: INTENT, requestedAmount: 5n },
      OWNER,
      signature,
    ]);
  });
});

describe('a signature', () => {
  it('is made compact with its parity in s, either way round', async () => {
    const seen = new Set<number>();
    for (let index = 0; index < 12; index += 1) {
      const signature = await sign(`0x${index.toString(16).padStart(64, '0')}`);
      const compact = compactSignature(signature);
      expect(compact).toBe(serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))));
      expect(compactSignature(compact)).toBe(compact);
      seen.add(splitSignature(signature).v);
    }
    expect([...seen].sort()).toEqual([27, 28]);
  });

  it('of another length, recovery or half is refused', async () => {
    const signature = await sign(`0x${'01'.repeat(32)}`);
    const { r } = splitSignature(signature);
    const wrong: Hex[] = ['0x', `${signature}00`, `${r}${'f'.repeat(64)}1b`, `${signature.slice(0, -2)}1d` as Hex];
    for (const one of wrong) expect(() => compactSignature(one)).toThrow(/65 bytes/);
  });
});
