import * as fc from 'fast-check';
import { hashTypedData, recoverAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { address, CHAIN, USDC, USER, WETH } from '../book/fixture.ts';
import { ORDER_TYPES } from '../vectors/order-types.ts';
import { DOLLAR, ETHER, firm, openDesk, person, quotes, request, signer, TAKER } from './open-desk.ts';

const domain = { name: 'PRACTICE RFQ', version: '1', chainId: CHAIN, verifyingContract: address('e') } as const;

describe('a firm quote', () => {
  it('is an order for the asked amount at the published price, signed so that viem recovers the signer', async () => {
    const desk = await openDesk();
    const asked = Math.floor(desk.now() / 1_000);
    const { status, order } = await firm(desk);
    expect(status).toBe(200);
    if (order === undefined) throw new Error('no order');
    // 0.1 WETH at 3413 USDC.
    expect(order).toMatchObject({
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: `${ETHER / 10n}`,
      takerAmount: '341300000',
    });
    expect(order).toMatchObject({ maker: signer.address, taker: TAKER });
    expect(order.expiry).toBe(asked + 150);
    expect(BigInt(order.nonceAndMeta) & (2n ** 160n - 1n)).toBe(BigInt(USER));
    expect(BigInt(order.nonceAndMeta)).toBeLessThan(2n ** 256n);
    const message = {
      ...order,
      nonceAndMeta: BigInt(order.nonceAndMeta),
      expiry: BigInt(order.expiry),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
    };
    const hash = hashTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message });
    expect((await recoverAddress({ hash, signature: order.signature })).toLowerCase()).toBe(signer.address);
    expect((await quotes(desk))[0]).toMatchObject({ state: 'live', orderHash: hash, code: null });
  });

  it('works in both directions and for both given amounts, rounding for the maker', async () => {
    const desk = await openDesk();
    const bought = await firm(
      desk,
      request({ makerAsset: USDC, takerAsset: WETH, makerAmount: `${1_000n * DOLLAR + 1n}` }),
    );
    // 1000.000001 USDC at 3412.5: the maker receives the ceiling.
    expect(bought.order?.takerAmount).toBe(
      `${((1_000n * DOLLAR + 1n) * ETHER * 10n + 34_125n * DOLLAR - 1n) / (34_125n * DOLLAR)}`,
    );
    const sold = await firm(desk, request({ makerAmount: undefined, takerAmount: '1000000001' }));
    expect(sold.order?.makerAmount).toBe(`${(1_000_000_001n * ETHER) / (3_413n * DOLLAR)}`);
  });

  it('repeats addresses as they were spelt, and signs them in lower case', async () => {
    const desk = await openDesk();
    const shout = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const spelt = {
      makerAsset: shout(WETH),
      takerAsset: shout(USDC),
      takerAddress: shout(address('f')),
      userAddress: shout(USER),
    };
    const { order } = await firm(desk, request(spelt));
    expect(order).toMatchObject({ makerAsset: shout(WETH), takerAsset: shout(USDC), taker: shout(address('f')) });
    expect((await quotes(desk))[0]).toMatchObject({ makerAsset: WETH, takerAddress: address('f'), userAddress: USER });
  });

  it('never uses a nonce twice and always carries the user', async () => {
    const desk = await openDesk({ chain: { prices: { 'WETH/USDC': { asks: [['3413', '1000000']] } } } });
    const users = fc
      .sample(fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }), 200)
      .map((n) => `0x${n.toString(16).padStart(40, '0')}`);
    const answers = await Promise.all(
      users.map((userAddress) => firm(desk, request({ userAddress, makerAmount: '1000000000000' }))),
    );
    const nonces = answers.map(({ order }) => BigInt(order?.nonceAndMeta ?? -1));
    expect(new Set(nonces).size).toBe(users.length);
    expect(nonces.map((nonce) => nonce & (2n ** 160n - 1n))).toEqual(users.map(BigInt));
    expect(new Set(nonces.map((nonce) => nonce >> 160n)).size).toBe(users.length);
  });

  it('is in the journal with everything its decision was made of', async () => {
    const desk = await openDesk();
    await firm(desk);
    const [first] = await quotes(desk);
    const { order } = await firm(desk, request({ special: true, partner: 'x' }));
    const [, row] = await quotes(desk);
    const detail = await desk.journal.read.quote(row?.seq ?? 0);
    expect(detail).toMatchObject({
      pair: 'WETH/USDC',
      side: 'asks',
      given: 'makerAmount',
      ladderRevision: 1,
      counterparty: 'practice',
      signature: order?.signature,
      nonceAndMeta: order?.nonceAndMeta,
      expiry: order?.expiry,
      // As read: the first order was live already.
      balance: `${1_000n * ETHER}`,
      allowance: `${1_000n * ETHER}`,
      exposure: first?.makerAmount,
      requestBody: JSON.stringify(request({ special: true, partner: 'x' })),
    });
    expect(detail?.latencyMs).toBeGreaterThanOrEqual(0);
  });

  it('asks for up to the overfill more than the depth at the last level, and is refused beyond', async () => {
    const desk = await openDesk();
    expect((await firm(desk, request({ makerAmount: `${(ETHER * 102n) / 100n}` }))).order?.takerAmount).toBe(
      '3481260000',
    );
    expect(await firm(desk, request({ makerAmount: `${(ETHER * 102n) / 100n + 2n}` }))).toMatchObject({
      status: 422,
      code: 'insufficient_depth',
    });
  });
});

describe('a maker contract that has the hash wrapped', () => {
  const maker = address('9');
  const wrapped = { chain: { maker }, quoter: { formOf: () => 'safe' as const } };

  /** What the wallet asks its owners to sign, hashed by viem. */
  const messageHash = (hash: Hex) =>
    hashTypedData({
      domain: { chainId: CHAIN, verifyingContract: maker },
      types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
      primaryType: 'SafeMessage',
      message: { message: hash },
    });

  it('gets a signature over the message, and the order keeps its own hash', async () => {
    const desk = await openDesk(wrapped);
    const { status, order } = await firm(desk);
    expect(status).toBe(200);
    const [row] = await quotes(desk);
    const [hash, signature] = [row?.orderHash as Hex, order?.signature as Hex];
    expect(order?.maker).toBe(maker);
    expect((await recoverAddress({ hash: messageHash(hash), signature })).toLowerCase()).toBe(signer.address);
    expect((await recoverAddress({ hash, signature })).toLowerCase()).not.toBe(signer.address);
  });

  it('never gets one that is not over the message: it is recovered before it leaves, and the chain is halted', async () => {
    // Signs whatever it is asked for as if it were an order's hash of another day.
    const careless = { ...signer, sign: () => signer.sign({ hash: `0x${'5b'.repeat(32)}` }) };
    const desk = await openDesk({ ...wrapped, quoter: { ...wrapped.quoter, signerFor: () => careless } });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal', order: undefined });
    expect(desk.released).toEqual([]);
    expect(desk.guard.status().chains[0]?.state).toBe('HALTED');
  });

  it('gets nothing that a stop has overtaken', async () => {
    const desk = await openDesk(wrapped);
    const answer = firm(desk);
    void desk.guard.trading.halt({}, person);
    expect(await answer).toMatchObject({ status: 503, code: 'halted', order: undefined });
    await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'withheld' }]);
  });

  it('gets nothing while it has not said what is to be signed', async () => {
    const unknown = () => {
      throw new Error('not said yet');
    };
    const desk = await openDesk({ ...wrapped, quoter: { formOf: unknown } });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal', order: undefined });
    expect(desk.guard.status().chains[0]?.state).toBe('HALTED');
    expect(desk.guard.orders.rows().every(({ live }) => live === '0')).toBe(true);
  });
});

describe('a signature that is not ours', () => {
  it('never leaves: the chain is halted, and stays so', async () => {
    const other = openSigner(`0x${'07'.repeat(32)}`);
    const broken = { ...signer, sign: other.sign };
    const desk = await openDesk({ quoter: { signerFor: () => broken } });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal', order: undefined });
    expect(desk.released).toEqual([]);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted', order: undefined });
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', chains: [{ state: 'HALTED' }] });
    expect(desk.guard.trading.said({ chainId: CHAIN })?.cause).toMatch(/did not recover/);
    await expect
      .poll(() => quotes(desk))
      .toMatchObject([
        { state: 'withheld', code: 'internal' },
        { state: 'refused', code: 'halted' },
      ]);
    await expect.poll(() => desk.guard.orders.rows().map(({ live }) => live)).toEqual(['0', '0', '0']);
  });

  it('is not asked of a signer that is another one than the desk file names', async () => {
    const desk = await openDesk({ quoter: { signerFor: () => openSigner(`0x${'07'.repeat(32)}`) } });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal' });
    expect(desk.guard.status().chains[0]?.state).toBe('HALTED');
  });
});
