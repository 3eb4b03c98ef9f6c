import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import * as Signature from 'ox/Signature';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signTransaction } from '../../electron/chain/sign-transaction.ts';
import { type RemoteSignerConfig, remoteSignerSchema, SIGNER_METHODS } from '../../electron/contract/remote-signer.ts';
import { startAnvil } from '../../electron/practice/chain/anvil.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import type { DeskError } from '../../electron/protocol/desk-error.ts';
import { keyProbe } from '../../electron/protocol/key-probe.ts';
import { nftOrderFields, nftOrderHash, nftOrderToSign } from '../../electron/protocol/nft-order-hash.ts';
import { domainSeparator, type OrderFields, orderHash, orderToSign } from '../../electron/protocol/order-hash.ts';
import { packAsset } from '../../electron/protocol/packed-asset.ts';
import type { Signable } from '../../electron/protocol/signable.ts';
import { inForm } from '../../electron/protocol/signing-form.ts';
import { typedToSign } from '../../electron/protocol/typed-data.ts';
import { openRemoteSigner, ownSignature } from '../../electron/signer/remote/remote-signer.ts';
import { sealToSign } from '../../electron/signer/seal-hash.ts';
import { openSigner, signedBy } from '../../electron/signer/signer.ts';
import { CLOUDS, type Cloud, cloudConfig, knowTheClouds, openCloud } from './cloud.ts';
import { openSigningServer, type SigningServer } from './signing-server.ts';

/** Of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY: Hex = `0x${'4c'.repeat(32)}`;
const here = openSigner(KEY);
const { address } = here;
const random = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const DOMAIN = { domainName: 'PRACTICE RFQ', chainId: 31337, rfqContract: addressOf('e') };

let server: SigningServer;
let heard: (DeskError | null)[];
beforeEach(async () => {
  server = await openSigningServer(KEY);
  heard = [];
});
afterEach(() => server.close().catch(() => {}));

function remote(changes: Partial<Extract<RemoteSignerConfig, { kind: 'json-rpc' }>> = {}) {
  const config = remoteSignerSchema.parse({
    kind: 'json-rpc',
    address,
    url: server.url,
    timeoutMs: 10_000,
    ...changes,
  });
  return openRemoteSigner(config, (fault) => heard.push(fault));
}

function order(changes: Partial<OrderFields> = {}): Signable {
  const fields: OrderFields = {
    nonceAndMeta: 2n ** 255n + 17n,
    expiry: 1_900_000_000,
    makerAsset: addressOf('a'),
    takerAsset: addressOf('b'),
    maker: address,
    taker: addressOf('c'),
    makerAmount: 2n ** 256n - 1n,
    takerAmount: 1n,
    ...changes,
  };
  return orderToSign(DOMAIN, fields, orderHash(domainSeparator(DOMAIN), fields));
}

function nftOrder(): Signable {
  const fields = nftOrderFields({
    nonceAndMeta: 5n,
    expiry: 1_900_000_000,
    maker: address,
    taker: addressOf('c'),
    makerAsset: addressOf('a'),
    takerAsset: addressOf('b'),
    makerNft: { kind: 'erc721', id: `${2n ** 200n}` },
    makerAmount: 1n,
    takerAmount: 7n,
  });
  expect(fields.takerAsset).toBe(packAsset({ kind: 'erc20', token: addressOf('b') }));
  return nftOrderToSign(DOMAIN, fields, nftOrderHash(domainSeparator(DOMAIN), fields));
}

const permit = () =>
  typedToSign({
    domain: { name: 'Permit2', chainId: '31337', verifyingContract: addressOf('d') },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    value: {
      permitted: { token: addressOf('a'), amount: `${2n ** 200n}` },
      spender: addressOf('b'),
      nonce: '340282366920938463463374607431768211456',
    },
  });

const SEAL = {
  desk: `0x${'1'.repeat(64)}`,
  row: 2 ** 52,
  hash: `0x${'2'.repeat(64)}`,
  time: 1_800_000_000_000,
} as const;

describe('a key held elsewhere, asked over JSON-RPC', () => {
  const WHOLES: [string, () => Signable][] = [
    ['an order', order],
    [
      'an order wrapped as a message of the maker contract',
      () => inForm('safe', { chainId: 1, maker: addressOf('9') }, order()),
    ],
    ['an NFT order', nftOrder],
    ['typed data of the service', permit],
    ['a seal of the journal', () => sealToSign(SEAL)],
    ['a probe', () => keyProbe(random())],
  ];
  for (const method of SIGNER_METHODS) {
    it.each(WHOLES)(`signs %s by ${method}, hashed by itself, as the key here would`, async (_, made) => {
      const signable = made();
      expect(await remote({ method }).sign(signable)).toBe(here.sign(signable));
      expect(server.asked.map((one) => one.method)).toEqual([method]);
      expect(heard).toEqual([null]);
    });
  }

  const CALL = { chainId: 31337, nonce: 0, to: addressOf('a'), data: '0x1234', gas: 21_000n } as const;
  const FEES = [{ maxFeePerGas: 7n, maxPriorityFeePerGas: 1n }, { gasPrice: 9n }];
  for (const method of ['eth_signTypedData_v4', 'account_signTypedData'] as const) {
    it.each(FEES)(`signs a transaction with the fees %o beside ${method}`, async (fees) => {
      const { raw } = await signTransaction(remote({ method }), { ...CALL, fees });
      expect(await signTransaction(here, { ...CALL, fees })).toMatchObject({ raw });
      expect((await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase()).toBe(
        address,
      );
      expect(parseTransaction(raw)).toMatchObject({ gas: 21_000n, ...fees });
    });
  }

  it('puts a high s into the lower half, and reads v as 0 or 1 too', async () => {
    for (const behaviour of ['high s', 'v of 0 or 1'] as const) {
      server.behaviour = behaviour;
      const signable = order();
      expect(await remote().sign(signable)).toBe(here.sign(signable));
    }
  });

  it.each(['another key', 'another message', 'zeros'] as const)(
    'gives nothing where what came is of %s',
    async (how) => {
      server.behaviour = how;
      await expect(remote().sign(order())).rejects.toMatchObject({ code: 'wrong_signature' });
      expect(heard).toMatchObject([{ code: 'wrong_signature' }]);
    },
  );

  it('gives no transaction that another key signed', async () => {
    server.behaviour = 'another key';
    const made = signTransaction(remote(), { ...CALL, fees: { gasPrice: 1n } });
    await expect(made).rejects.toMatchObject({ code: 'wrong_signature' });
  });

  it.each([
    ['refuses', 'the account is locked'],
    ['garbage', 'HTTP 200, and no JSON-RPC'],
    ['endless', 'has no end'],
    ['elsewhere', 'redirect'],
    ['short', 'no signature of 65 bytes'],
  ] as const)('says why where it %s', async (behaviour, words) => {
    server.behaviour = behaviour;
    const failed = await remote()
      .sign(order())
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'signer_silent', message: expect.stringContaining(words) });
    expect(heard).toEqual([failed]);
  });

  it('says that it is not there, and signs once it is', async () => {
    await server.close();
    const signer = remote();
    await expect(signer.sign(order())).rejects.toMatchObject({
      code: 'signer_silent',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await server.reopen();
    const signable = order();
    expect(await signer.sign(signable)).toBe(here.sign(signable));
    expect(heard).toMatchObject([{ code: 'signer_silent' }, null]);
  });

  it('does not wait longer than its time, and what comes later is nobody’s', async () => {
    server.behaviour = 'holds';
    const signer = remote({ timeoutMs: 100 });
    await expect(signer.sign(order())).rejects.toMatchObject({
      code: 'signer_silent',
      message: expect.stringContaining('did not sign within 100 ms'),
    });
    server.letGo();
    expect(heard).toHaveLength(1);
  });

  it('signs nothing once it is forgotten, also what it was asked before', async () => {
    server.behaviour = 'holds';
    const signer = remote();
    const asked = signer.sign(order()).catch((error: unknown) => error);
    await expect.poll(() => server.held).toBe(1);
    signer.forget();
    expect(await asked).toMatchObject({ code: 'key_locked' });
    server.letGo();
    await expect(signer.sign(order())).rejects.toMatchObject({ code: 'key_locked' });
    expect(heard).toEqual([]);
  });

  it('signs with a key that a node holds', async () => {
    const anvil = await startAnvil({ port: 0 });
    onTestFinished(() => anvil.close());
    // The first development key, which anvil opens with.
    const developer = openSigner('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
    const signer = remote({ url: anvil.rpcUrl, address: developer.address });
    for (const [, made] of WHOLES) {
      const signable = made();
      expect(await signer.sign(signable)).toBe(developer.sign(signable));
    }
    for (const fees of FEES as Parameters<typeof signTransaction>[1]['fees'][]) {
      const { raw } = await signTransaction(signer, { ...CALL, fees });
      expect(await signTransaction(developer, { ...CALL, fees })).toMatchObject({ raw });
    }
    const stranger = remote({ url: anvil.rpcUrl });
    await expect(stranger.sign(order())).rejects.toMatchObject({ code: 'signer_silent' });
  });
});

describe('the numbers of a signature', () => {
  it('are this key’s over this hash, or give nothing', async () => {
    const bits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const none = fc.property(fc.record({ r: bits, s: bits }), (rs) => {
      expect(ownSignature(random(), rs, address)).toBeNull();
    });
    await fc.assert(none);
    const ours = fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean(), (bytes, high) => {
      const hash: Hex = `0x${Buffer.from(bytes).toString('hex')}`;
      const signature = here.sign({ hash });
      const { r, s } = Signature.fromHex(signature);
      expect(ownSignature(hash, { r, s: high ? ORDER - s : s }, address)).toBe(signature);
      expect(signedBy(hash, signature)).toBe(address);
      expect(ownSignature(hash, { r: s, s: r }, address)).toBeNull();
    });
    await fc.assert(ours);
  });
});

describe.each(CLOUDS)('a key in a cloud ($kind)', ({ kind, isInstalled, settings, answer }) => {
  beforeEach(knowTheClouds);

  const open = (cloud: Cloud) => openRemoteSigner(cloudConfig(cloud, { kind, settings }), (fault) => heard.push(fault));

  it.skipIf(!isInstalled)('signs whatever there is to sign by its hash, DER made into 65 bytes', async () => {
    const cloud = await openCloud(KEY, answer);
    const signer = open(cloud);
    for (const signable of [order(), nftOrder(), permit(), keyProbe(random())]) {
      expect(await signer.sign(signable)).toBe(here.sign(signable));
    }
    const call = {
      chainId: 1,
      nonce: 3,
      to: addressOf('a'),
      data: '0x',
      gas: 21_000n,
      fees: { gasPrice: 1n },
    } as const;
    expect(await signTransaction(signer, call)).toEqual(await signTransaction(here, call));
  });

  it.skipIf(!isInstalled)('gives nothing of another key, and says why it does not sign', async () => {
    const cloud = await openCloud(KEY, answer);
    const signer = open(cloud);
    cloud.key = `0x${'07'.repeat(32)}`;
    await expect(signer.sign(order())).rejects.toMatchObject({ code: 'wrong_signature' });
    cloud.status = 403;
    await expect(signer.sign(order())).rejects.toMatchObject({
      code: 'signer_silent',
      message: expect.stringContaining('not allowed to sign'),
    });
  });
});
