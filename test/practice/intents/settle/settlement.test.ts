import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbiParameters, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTRACT_MAKER, INTENT_SETTLEMENT, TEST_TOKEN } from '../../../../electron/practice/chain/artifacts.ts';
import { allowanceOf } from '../../../../electron/practice/chain/read-amount.ts';
import type { Address } from '../../../../electron/protocol/address.ts';
import {
  eip2612TypedData,
  encodeEip2612,
  encodePermit2,
  permit2TypedData,
} from '../../../../electron/protocol/permit.ts';
import { type ToSign, typedDataHash } from '../../../../electron/protocol/typed-data.ts';
import { BENEFICIARY, DOLLAR, ETHER, type IntentFloor, openIntentFloor, PARTNER, partnerFee } from './intent-floor.ts';

let floor: IntentFloor;
beforeAll(async () => {
  floor = await openIntentFloor();
});
afterAll(() => floor?.close());

const WHOLE = { amount: ETHER, offer: 3_100n * DOLLAR };
const BUY = { kind: 1, srcAmount: `${ETHER}`, destAmount: `${3_000n * DOLLAR}`, expectedAmount: `${ETHER}` };
/** Flags of `partnerAndFee`. */
const [TAKE, CAP, PARTLY, DIRECT] = [1, 2, 4, 8] as const;

/** What the owner, the beneficiary, the solver and the contract gain of source and destination. */
async function moved(deed: () => Promise<unknown>) {
  const who: Address[] = [floor.owner.address, BENEFICIARY, floor.solvers.swift.address, floor.addresses.intents];
  const pairs = who.flatMap((one) => [['WETH', one] as const, ['USDC', one] as const]);
  const amounts = await floor.changes(pairs, deed);
  const of = (index: number) => [amounts[index * 2], amounts[index * 2 + 1]];
  return { owner: of(0), beneficiary: of(1), solver: of(2), contract: of(3) };
}

async function signed(toSign: ToSign): Promise<Hex> {
  return privateKeyToAccount(floor.owner.key).sign({ hash: typedDataHash(toSign) });
}

test('a sale takes exactly what was signed and gives the beneficiary what the solver brings', async () => {
  const order = await floor.order('Order');
  expect(await moved(() => floor.fill(order, WHOLE))).toEqual({
    owner: [-ETHER, 0n],
    beneficiary: [0n, 3_100n * DOLLAR],
    solver: [ETHER, -3_100n * DOLLAR],
    contract: [0n, 0n],
  });
});

test('a purchase gives exactly what was signed and leaves the owner what it cost less', async () => {
  const order = await floor.order('Order', BUY, { long: true });
  const step = { amount: 3_000n * DOLLAR, offer: (9n * ETHER) / 10n };
  expect(await moved(() => floor.fill(order, step))).toEqual({
    owner: [(-9n * ETHER) / 10n, 0n],
    beneficiary: [0n, 3_000n * DOLLAR],
    solver: [(9n * ETHER) / 10n, -3_000n * DOLLAR],
    contract: [0n, 0n],
  });
});

test('no fill is worse than what was signed by a single unit', async () => {
  const [sale, purchase] = [await floor.order('Order'), await floor.order('Order', BUY)];
  await expect(floor.fill(sale, { amount: ETHER, offer: 3_000n * DOLLAR - 1n })).rejects.toThrow('INSUFFICIENT_OUTPUT');
  await floor.fill(sale, { amount: ETHER, offer: 3_000n * DOLLAR });
  const amount = 3_000n * DOLLAR;
  await expect(floor.fill(purchase, { amount, offer: ETHER + 1n })).rejects.toThrow('Excessive input');
  await floor.fill(purchase, { amount, offer: ETHER });
});

test('an order is filled once, whatever a solver says was filled before', async () => {
  const order = await floor.order('Order');
  await floor.fill(order, WHOLE);
  for (const fills of [0, 1]) await expect(floor.fill(order, { ...WHOLE, fills })).rejects.toThrow('Already filled');
  const again = await floor.order('Order', { nonce: order.value.nonce, metadata: '0x01' });
  await expect(floor.fill(again, WHOLE)).rejects.toThrow('Nonce used');
});

test('an order whose deadline is past, that is cancelled, or that somebody else signed is not filled', async () => {
  const now = await floor.seconds();
  const late = await floor.order('Order', { deadline: `${now + 10}` });
  await floor.pass(11);
  await expect(floor.fill(late, WHOLE)).rejects.toThrow('Order expired');

  const [first, second] = [await floor.order('Order'), await floor.order('Order')];
  await expect(floor.act(floor.stranger, 'cancel', first)).rejects.toThrow('Not the owner');
  await floor.act(floor.owner, 'cancel', first);
  await floor.act(floor.operator, 'cancel', second);
  for (const order of [first, second]) await expect(floor.fill(order, WHOLE)).rejects.toThrow('Order cancelled');

  const forged = await floor.order('Order', {}, { key: `0x${'77'.repeat(32)}` });
  await expect(floor.fill(forged, WHOLE)).rejects.toThrow('Invalid signature');
  const order = await floor.order('Order');
  const changed = { ...order, value: { ...order.value, destAmount: '1' } };
  await expect(floor.fill(changed, WHOLE)).rejects.toThrow('Invalid signature');
  await expect(floor.fill(order, WHOLE, floor.stranger)).rejects.toThrow('Not a solver');
  const poor = await floor.order('Order', { srcAmount: `${200n * ETHER}` });
  await expect(floor.fill(poor, { ...WHOLE, amount: 200n * ETHER })).rejects.toThrow('Insufficient balance');
});

test('only an order that says so is filled in parts, each at no worse a price, and no further than its amount', async () => {
  const whole = await floor.order('Order');
  const part = { amount: ETHER / 2n, offer: 1_500n * DOLLAR };
  await expect(floor.fill(whole, part)).rejects.toThrow('Fill or kill');

  const order = await floor.order('Order', { srcAmount: '7', destAmount: '10', partnerAndFee: partnerFee(0, PARTLY) });
  await expect(floor.fill(order, { amount: 2n, offer: 2n })).rejects.toThrow('INSUFFICIENT_OUTPUT');
  expect((await moved(() => floor.fill(order, { amount: 2n, offer: 3n }))).owner).toEqual([-2n, 0n]);
  await expect(floor.fill(order, { fills: 1, amount: 6n, offer: 60n })).rejects.toThrow('Invalid amount');
  await floor.fill(order, { fills: 1, amount: 5n, offer: 8n });
  await expect(floor.fill(order, { fills: 2, amount: 1n, offer: 8n })).rejects.toThrow('Already filled');

  const bought = await floor.order('Order', {
    ...BUY,
    srcAmount: '10',
    destAmount: '7',
    partnerAndFee: partnerFee(0, PARTLY),
  });
  await expect(floor.fill(bought, { amount: 2n, offer: 3n })).rejects.toThrow('Excessive input');
  await floor.fill(bought, { amount: 2n, offer: 2n });
});

test('the partner earns their fee in the vault or directly: of the output of a sale, of the input of a purchase', async () => {
  const order = await floor.order('Order', { partnerAndFee: partnerFee(50) });
  const fee = (3_100n * DOLLAR * 50n) / 10_000n;
  expect((await moved(() => floor.fill(order, WHOLE))).beneficiary).toEqual([0n, 3_100n * DOLLAR - fee]);
  expect(await floor.owed('USDC', PARTNER)).toBe(fee);

  const direct = await floor.order('Order', { ...BUY, partnerAndFee: partnerFee(200, DIRECT) });
  const step = { amount: 3_000n * DOLLAR, offer: (9n * ETHER) / 10n };
  const [paid] = await floor.changes([['WETH', PARTNER]], async () => {
    expect((await moved(() => floor.fill(direct, step))).owner).toEqual([(-918n * ETHER) / 1_000n, 0n]);
  });
  expect(paid).toBe((18n * ETHER) / 1_000n);
  const greedy = await floor.order('Order', { partnerAndFee: `${BigInt(partnerFee(200)) + 1n}` });
  await expect(floor.fill(greedy, WHOLE)).rejects.toThrow('Fee too high');
});

test('what is better than expected is the owner’s, or the partner’s up to its cap, as the flags say', async () => {
  const gained = async (flags: number) => {
    const order = await floor.order('Order', { partnerAndFee: partnerFee(0, flags | DIRECT) });
    const [all, part] = await floor.changes(
      [
        ['USDC', BENEFICIARY],
        ['USDC', PARTNER],
      ],
      () => floor.fill(order, WHOLE),
    );
    return [all, part];
  };
  expect(await gained(0)).toEqual([3_100n * DOLLAR, 0n]);
  expect(await gained(TAKE)).toEqual([3_000n * DOLLAR, 100n * DOLLAR]);
  expect(await gained(TAKE | CAP)).toEqual([3_070n * DOLLAR, 30n * DOLLAR]);
  const order = await floor.order('Order', { ...BUY, partnerAndFee: partnerFee(0, TAKE | DIRECT) });
  const step = { amount: 3_000n * DOLLAR, offer: (9n * ETHER) / 10n };
  const [given, part] = await floor.changes(
    [
      ['WETH', floor.owner.address],
      ['WETH', PARTNER],
    ],
    () => floor.fill(order, step),
  );
  expect([given, part]).toEqual([-ETHER, ETHER / 10n]);
});

test('a permit of the token or of Permit2 inside the order replaces the approval', async () => {
  const { intents } = floor.addresses;
  const [token, owner] = [floor.token('WETH'), floor.owner.address];
  const approve = (spender: Address, amount: bigint) =>
    floor.call(floor.owner, TEST_TOKEN, token, 'approve', [spender, amount]);
  await approve(intents, 0n);
  const permit = {
    chainId: 31337,
    token,
    owner,
    spender: intents,
    amount: ETHER,
    nonce: 0n,
    deadline: BigInt((await floor.seconds()) + 3_600),
  };
  await expect(floor.fill(await floor.order('Order'), WHOLE)).rejects.toThrow('Insufficient allowance');
  const eip2612 = encodeEip2612(
    permit,
    await signed(eip2612TypedData({ name: 'Wrapped Ether', version: '1' }, permit)),
  );
  expect((await moved(async () => floor.fill(await floor.order('Order', { permit: eip2612 }), WHOLE))).owner).toEqual([
    -ETHER,
    0n,
  ]);
  expect(await allowanceOf(floor.chain.client, token, owner, intents)).toBe(0n);

  await approve(floor.permit2, ETHER);
  const transfer = encodePermit2(permit, await signed(permit2TypedData(floor.permit2, permit)));
  const order = await floor.order('Order', { permit: transfer });
  expect((await moved(() => floor.fill(order, WHOLE))).owner).toEqual([-ETHER, 0n]);
  const again = await floor.order('Order', { permit: transfer });
  await expect(floor.fill(again, WHOLE)).rejects.toThrow('Permit failed');
  await approve(intents, 2n ** 256n - 1n);
});

test('an owner that is a contract signs by EIP-1271, or on chain without any signature', async () => {
  const { wallet, owner, addresses } = floor;
  const order = await floor.order('Order', { owner: wallet });
  const [given] = await floor.changes([['WETH', wallet]], () => floor.fill(order, WHOLE));
  expect(given).toBe(-ETHER);

  const unsigned = { ...(await floor.order('Order', { owner: wallet })), signature: '0x' as const };
  await expect(floor.fill(unsigned, WHOLE)).rejects.toThrow('Invalid signature');
  await floor.call(owner, INTENT_SETTLEMENT, addresses.intents, 'preSign', [unsigned.hash]);
  await expect(floor.fill(unsigned, WHOLE)).rejects.toThrow('Invalid signature');
  const { abi } = INTENT_SETTLEMENT;
  const data = encodeFunctionData({ abi, functionName: 'preSign', args: [unsigned.hash] });
  await floor.call(owner, CONTRACT_MAKER, wallet, 'execute', [addresses.intents, data]);
  await floor.fill(unsigned, WHOLE);
});

test('the native asset is delivered as such', async () => {
  const order = await floor.order('Order', { destToken: floor.token('ETH'), destAmount: `${ETHER}` });
  const pairs = [
    ['ETH', BENEFICIARY],
    ['WNAT', floor.solvers.swift.address],
  ] as const;
  const changed = await floor.changes(pairs, () => floor.fill(order, { amount: ETHER, offer: ETHER + 5n }));
  expect(changed).toEqual([ETHER + 5n, -ETHER - 5n]);
});

test('a token that keeps a part of each transfer is judged by what arrives', async () => {
  const fee = (bps: bigint) => floor.call(floor.owner, TEST_TOKEN, floor.token('USDC'), 'setTransferFee', [bps]);
  await fee(100n);
  const order = await floor.order('Order', { destAmount: `${2_940n * DOLLAR}` });
  await expect(floor.fill(order, { amount: ETHER, offer: 2_999n * DOLLAR })).rejects.toThrow('INSUFFICIENT_OUTPUT');
  expect((await moved(() => floor.fill(order, { amount: ETHER, offer: 3_000n * DOLLAR }))).beneficiary).toEqual([
    0n,
    29_403n * (DOLLAR / 10n),
  ]);
  await fee(0n);
});

test('a TWAP sells floor(total / slices) each time, no sooner than its interval, and leaves the remainder', async () => {
  const total = 10n ** 18n + 2n;
  const order = await floor.order('TWAPOrder', { totalSrcAmount: `${total}`, destAmount: `${1_000n * DOLLAR}` });
  const amount = total / 3n;
  const slice = (fills: number, changes = {}) =>
    floor.fill(order, { fills, amount, offer: 1_000n * DOLLAR, ...changes });
  await expect(slice(0, { amount: amount + 1n })).rejects.toThrow('Invalid amount');
  await expect(slice(0, { offer: 1_000n * DOLLAR - 1n })).rejects.toThrow('INSUFFICIENT_OUTPUT');
  const result = await moved(async () => {
    await slice(0);
    await expect(slice(0)).rejects.toThrow('Already filled');
    await expect(slice(1)).rejects.toThrow('Slice too early');
    await floor.pass(59);
    await expect(slice(1)).rejects.toThrow('Slice too early');
    await floor.pass(1);
    await slice(1);
    await floor.pass(60);
    await slice(2);
    await floor.pass(60);
    await expect(slice(3)).rejects.toThrow('Already filled');
  });
  expect(result).toMatchObject({ owner: [-3n * amount, 0n], beneficiary: [0n, 3_000n * DOLLAR] });
});

test('a TWAP-buy buys floor(total / slices) each time for at most its share of the most input', async () => {
  const order = await floor.order('TWAPBuyOrder', {
    totalDestAmount: '1000000001',
    maxSrcAmount: '100',
    numSlices: '2',
  });
  const amount = 500_000_000n;
  await expect(floor.fill(order, { amount, offer: 51n })).rejects.toThrow('Excessive input');
  const result = await moved(async () => {
    await floor.fill(order, { amount, offer: 50n });
    await floor.pass(60);
    await floor.fill(order, { fills: 1, amount, offer: 49n });
  });
  expect(result).toMatchObject({ owner: [-99n, 0n], beneficiary: [0n, 2n * amount] });
});

test('an external order hands its output and its data to the handler, whose failure undoes the fill', async () => {
  const shares = (of: readonly (readonly [Address, bigint])[]) =>
    encodeAbiParameters(parseAbiParameters('(address to, uint256 bps)[]'), [of.map(([to, bps]) => ({ to, bps }))]);
  const data = shares([
    [PARTNER, 2_500n],
    [floor.stranger.address, 1n],
  ]);
  const order = await floor.order('ExternalOrder', { data });
  const pairs = [
    ['USDC', PARTNER],
    ['USDC', floor.stranger.address],
    ['USDC', BENEFICIARY],
    ['USDC', floor.addresses.handler],
  ] as const;
  const changed = await floor.changes(pairs, () => floor.fill(order, { amount: ETHER, offer: 3_000_000_001n }));
  expect(changed).toEqual([750_000_000n, 300_000n, 2_249_700_001n, 0n]);
  const wrong = await floor.order('ExternalOrder', {
    data: shares([
      [PARTNER, 9_000n],
      [PARTNER, 2_000n],
    ]),
  });
  await expect(floor.fill(wrong, WHOLE)).rejects.toThrow('Shares over the whole');
  const bridge = { ...(order.value.bridge as object), destinationChainId: '1' };
  await expect(floor.fill(await floor.order('ExternalOrder', { data, bridge }), WHOLE)).rejects.toThrow(
    'Invalid bridge',
  );
  const nobody = await floor.order('ExternalOrder', { handler: zeroAddress });
  await expect(floor.fill(nobody, WHOLE)).rejects.toThrow();
});

test('a productive order’s input lies in its strategy and earns by the second until it is filled', async () => {
  const order = await floor.order('ProductiveOrder', { srcAmount: `${10n * ETHER}`, destAmount: '1' });
  const step = { amount: 10n * ETHER, offer: 30_000n * DOLLAR };
  await expect(floor.fill(order, step)).rejects.toThrow('Not in the strategy');
  await expect(floor.act(floor.solvers.swift, 'park', order)).rejects.toThrow('Not the operator');
  const { strategy } = floor.addresses;
  const parked = [
    ['WETH', floor.owner.address],
    ['WETH', strategy],
  ] as const;
  expect(await floor.changes(parked, () => floor.act(floor.operator, 'park', order))).toEqual([
    -10n * ETHER,
    10n * ETHER,
  ]);
  await expect(floor.act(floor.operator, 'park', order)).rejects.toThrow('Already parked');
  const since = await floor.seconds();
  await floor.pass(86_400);
  const late = await floor.order('ProductiveOrder', { nonce: order.value.nonce });
  await expect(floor.act(floor.operator, 'park', late)).rejects.toThrow('Nonce used');
  await expect(floor.fill(order, step)).rejects.toThrow('Order expired');
  const [back] = await floor.changes(parked, () => floor.act(floor.operator, 'cancel', order));
  const time = BigInt((await floor.seconds()) - since);
  expect(back).toBe(10n * ETHER + (10n * ETHER * 500n * time) / (10_000n * 31_536_000n));
});

test('a filled productive order pays the interest to the owner, and the rest of a purchase', async () => {
  const order = await floor.order('ProductiveOrder', { ...BUY });
  await floor.act(floor.operator, 'park', order);
  const since = await floor.seconds();
  await floor.pass(1_000);
  const offer = ETHER / 2n;
  const result = await moved(() => floor.fill(order, { amount: 3_000n * DOLLAR, offer }));
  const time = BigInt((await floor.seconds()) - since);
  const interest = (ETHER * 500n * time) / (10_000n * 31_536_000n);
  expect(result).toMatchObject({
    owner: [ETHER / 2n + interest, 0n],
    beneficiary: [0n, 3_000n * DOLLAR],
    solver: [offer, -3_000n * DOLLAR],
  });
  expect(await floor.balance('WETH', floor.addresses.strategy)).toBe(0n);
});
