import { inspect } from 'node:util';
import { decodeFunctionData, keccak256, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { approveCall } from '../../electron/chain/allowance.ts';
import { EmergencyCalls } from '../../electron/chain/emergency-calls.ts';
import { ERC20_ABI } from '../../electron/chain/erc20-abi.ts';
import { dryRun } from '../../electron/chain/estimate-calls.ts';
import { cancelCalls, cancelledBy } from '../../electron/chain/maker-calls.ts';
import { sendCalls } from '../../electron/chain/send-calls.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { readRemaining, startTestChain, type TestChain } from '../chain-fixture.ts';
import { PATIENCE } from '../how-long.ts';
import { openNodeProxy } from './node-proxy.ts';

const turns = new AccountTurns();
const GWEI = 10n ** 9n;
const mostPerGas = 500n * GWEI;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

const hashes = (count: number, from = 1): Hex[] =>
  Array.from({ length: count }, (_, index): Hex => `0x${(from + index).toString(16).padStart(64, '0')}`);
const allowance = () =>
  chain.client.readContract({
    abi: ERC20_ABI,
    address: chain.usdc,
    functionName: 'allowance',
    args: [chain.accounts.maker.address, chain.rfqContract],
  });
const send = (
  calls: Parameters<typeof sendCalls>[0]['calls'],
  onSent?: Parameters<typeof sendCalls>[0]['onSent'],
  options: Partial<Pick<Parameters<typeof sendCalls>[0], 'rpcUrl' | 'turns' | 'receiptTimeoutMs'>> = {},
) => {
  const { address: maker, privateKey } = chain.accounts.maker;
  return sendCalls({
    rpcUrl: chain.rpcUrl,
    chainId: chain.chainId,
    maker,
    signer: openSigner(privateKey),
    calls,
    onSent,
    mostPerGas,
    turns,
    ...options,
  });
};

test('cancels go out in chunks of at most 200 hashes, each hash once and in order', () => {
  const calls = cancelCalls(chain.rfqContract, hashes(401));
  expect(calls.map(({ purpose }) => purpose)).toEqual(['cancel 200 orders', 'cancel 200 orders', 'cancel 1 order']);
  expect(calls.map(({ data }) => cancelledBy(data))).toEqual([200, 200, 1]);
  const named = calls.flatMap(({ data }) => decodeFunctionData({ abi: SETTLEMENT.abi, data }).args?.[0]);
  expect(named).toEqual(hashes(401));
  expect(cancelCalls(chain.rfqContract, [])).toEqual([]);
});

test('a dry run gives calldata, gas and the highest fee, and changes nothing', async () => {
  const { maker } = chain.accounts;
  const before = await chain.client.getBlockNumber();
  const [cancel, approve] = await dryRun({ ...chain, timeoutMs: PATIENCE }, maker.address, [
    ...cancelCalls(chain.rfqContract, hashes(3)),
    approveCall(chain.usdc, chain.rfqContract, 0n),
  ]);
  expect(cancel).toMatchObject({ to: chain.rfqContract });
  expect(cancel?.gas).toBeGreaterThan(60_000n);
  expect(cancel?.feeWei).toBeGreaterThan(cancel?.gas ?? 0n);
  expect(decodeFunctionData({ abi: ERC20_ABI, data: approve?.data ?? '0x' }).args).toEqual([
    expect.stringMatching(new RegExp(chain.rfqContract, 'i')),
    0n,
  ]);
  expect(await chain.client.getBlockNumber()).toBe(before);
});

test('a dry run from a contract maker has its gas too, and without a node only the calldata', async () => {
  const calls = cancelCalls(chain.rfqContract, hashes(2));
  const [fromContract] = await dryRun({ ...chain, timeoutMs: PATIENCE }, chain.contractMaker, calls);
  expect(fromContract?.gas).toBeGreaterThan(0n);
  const [alone] = await dryRun({ rpcUrl: 'http://127.0.0.1:1', chainId: 31337 }, chain.contractMaker, calls);
  expect(alone).toMatchObject({ ...calls[0], gas: null, feeWei: null });
});

test('what is sent is confirmed, and has its effect on chain', async () => {
  const { maker } = chain.accounts;
  const told: string[] = [];
  const sent = await send(
    [...cancelCalls(chain.rfqContract, hashes(250, 1_000)), approveCall(chain.usdc, chain.rfqContract, 0n)],
    (call, transactionHash) => void told.push(`${call.purpose} ${transactionHash}`),
  );
  expect(sent.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(told).toEqual(sent.map(({ purpose, transactionHash }) => `${purpose} ${transactionHash}`));
  expect(await allowance()).toBe(0n);
  for (const hash of hashes(250, 1_000)) expect(await readRemaining(chain, maker.address, hash)).toBe(1n);
  await send([approveCall(chain.usdc, chain.rfqContract, maxUint256)]);
  expect(await allowance()).toBe(maxUint256);
});

test('a call that would fail is not sent and does not keep the others', async () => {
  const broken = { purpose: 'call nothing that is there', to: chain.rfqContract, data: '0xdeadbeef' as const };
  const sent = await send([broken, approveCall(chain.usdc, chain.rfqContract, 5n)]);
  expect(sent.map(({ outcome }) => outcome)).toEqual(['failed', 'confirmed']);
  expect(sent[0]?.reason).toContain('would fail on chain');
  expect(await allowance()).toBe(5n);
});

test('a call the node will not take says why', async () => {
  const { maker } = chain.accounts;
  await chain.control.setBalance({ address: maker.address, value: 1n });
  const [sent] = await send([approveCall(chain.usdc, chain.rfqContract, 6n)]);
  await chain.control.setBalance({ address: maker.address, value: 10n ** 22n });
  expect(sent).toMatchObject({ outcome: 'failed', transactionHash: null });
  expect(await allowance()).toBe(5n);
});

test('the key of somebody else, and a node of another chain, are refused before anything is sent', async () => {
  const { maker, other } = chain.accounts;
  const calls = [approveCall(chain.usdc, chain.rfqContract, 7n)];
  const options = { rpcUrl: chain.rpcUrl, chainId: 31337, maker: maker.address, calls, mostPerGas };
  await expect(sendCalls({ ...options, turns, signer: openSigner(other.privateKey) })).rejects.toMatchObject({
    code: 'wrong_key',
  });
  await expect(
    sendCalls({ ...options, turns, signer: openSigner(maker.privateKey), chainId: 1 }),
  ).rejects.toMatchObject({
    code: 'node_wrong_chain',
  });
  expect(await allowance()).toBe(5n);
});

test('a node that is away is said in our own words, without what its address holds', async () => {
  const { address: maker, privateKey } = chain.accounts.maker;
  const calls = [approveCall(chain.usdc, chain.rfqContract, 7n)];
  const sending = sendCalls({
    rpcUrl: 'http://127.0.0.1:1/v2/provider-key',
    chainId: 31337,
    maker,
    signer: openSigner(privateKey),
    calls,
    mostPerGas,
    turns,
  });
  const error = await sending.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'node_unreachable' });
  expect(inspect(error)).toContain('The node at 127.0.0.1:1 ');
  expect(inspect(error)).not.toContain('provider-key');
});

const urgently = (
  calls: Parameters<typeof sendCalls>[0]['calls'],
  { rpcUrl = chain.rpcUrl, spareRpcUrls = [] as string[], receiptTimeoutMs = 1_000 } = {},
) =>
  sendCalls({
    rpcUrl,
    spareRpcUrls,
    chainId: chain.chainId,
    maker: chain.accounts.maker.address,
    signer: openSigner(chain.accounts.maker.privateKey),
    calls,
    mostPerGas,
    turns,
    urgent: true,
    receiptTimeoutMs,
  });
const countOf = (blockTag: 'latest' | 'pending') =>
  chain.client.getTransactionCount({ address: chain.accounts.maker.address, blockTag });
const waiting = (count: number) => vi.waitFor(async () => expect(await countOf('pending')).toBe(count));

test('an emergency takes the place of what the chain does not take, whatever it offered, and of no earlier emergency', async () => {
  const { maker, other } = chain.accounts;
  const account = privateKeyToAccount(maker.privateKey);
  const gwei = 10n ** 9n;
  const remaining = (hash: Hex) => readRemaining(chain, maker.address, hash);
  await send([approveCall(chain.usdc, chain.rfqContract, maxUint256)]);
  await chain.control.setAutomine(false);
  try {
    // A block in which they had no place would drop them from the pool here, so that none is mined while they wait.
    await chain.control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei });
    await chain.control.mine({ blocks: 1 });
    const nonce = await countOf('latest');
    for (const next of [nonce, nonce + 1]) {
      const fees = { maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: 10n * gwei };
      const stuck = { type: 'eip1559', chainId: chain.chainId, nonce: next, to: other.address, gas: 21_000n } as const;
      const serializedTransaction = await account.signTransaction({ ...stuck, ...fees });
      await chain.client.sendRawTransaction({ serializedTransaction });
    }
    await urgently(cancelCalls(chain.rfqContract, hashes(1, 9_000)));
    expect(await countOf('pending'), 'it waits behind nothing').toBe(nonce + 2);
    const zeroed = await urgently([approveCall(chain.usdc, chain.rfqContract, 0n)]);
    expect(zeroed.map(({ purpose }) => purpose)).toEqual([
      expect.stringMatching(/^set the allowance/),
      'cancel 1 order',
    ]);
    await chain.control.mine({ blocks: 1 });
    expect(await allowance()).toBe(0n);
    expect(await remaining(hashes(1, 9_000)[0] ?? '0x')).toBe(1n);
    expect(await countOf('latest')).toBe(nonce + 2);
    expect(await countOf('pending'), 'nothing waits any more').toBe(nonce + 2);
  } finally {
    await chain.control.setAutomine(true);
  }
});

test('what took the nonce of an emergency does not take its place: the next one sends it along', async () => {
  const { maker, other } = chain.accounts;
  const [hash = '0x'] = hashes(1, 9_500);
  const account = privateKeyToAccount(maker.privateKey);
  const gwei = 10n ** 9n;
  await send([approveCall(chain.usdc, chain.rfqContract, maxUint256)]);
  await chain.control.setAutomine(false);
  try {
    const nonce = await chain.client.getTransactionCount({ address: maker.address, blockTag: 'latest' });
    await urgently(cancelCalls(chain.rfqContract, [hash]));
    const fees = { maxFeePerGas: 100n * gwei, maxPriorityFeePerGas: 100n * gwei };
    const instead = { type: 'eip1559', chainId: chain.chainId, nonce, to: other.address, gas: 21_000n } as const;
    const serializedTransaction = await account.signTransaction({ ...instead, ...fees });
    await chain.client.sendRawTransaction({ serializedTransaction });
    await chain.control.mine({ blocks: 1 });
    expect(await readRemaining(chain, maker.address, hash), 'another transaction has its nonce').toBe(0n);
    await urgently([approveCall(chain.usdc, chain.rfqContract, 0n)]);
    await chain.control.mine({ blocks: 1 });
    expect(await readRemaining(chain, maker.address, hash)).toBe(1n);
    expect(await allowance()).toBe(0n);
    expect(turns.emergencies.of(chain.chainId, maker.address)).toHaveLength(2);
    await chain.control.setAutomine(true);
    const last = await urgently([approveCall(chain.weth, chain.rfqContract, 0n)]);
    expect(
      last.map(({ purpose }) => purpose),
      'what was mined is over',
    ).toHaveLength(1);
  } finally {
    await chain.control.setAutomine(true);
  }
});

test('an emergency that another one pushed out of its place is not taken for done: it goes along until it is', async () => {
  const { maker } = chain.accounts;
  const many = hashes(60, 7_777);
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  const patiently = { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE };
  const isCancelled = async () => (await readRemaining(chain, maker.address, many[0] ?? '0x')) === 1n;
  await chain.control.setAutomine(false);
  try {
    const nonce = await countOf('latest');
    const cancelling = urgently(cancelCalls(chain.rfqContract, many), patiently);
    // It has looked for its transaction, and for whatever took its nonce.
    const looks = () =>
      proxy.trips.flat().filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[1]);
    await vi.waitFor(() => expect(looks()).not.toEqual([]));
    const zeroing = urgently([approveCall(chain.usdc, chain.rfqContract, 0n)]);
    await waiting(nonce + 2);
    await chain.control.setBlockGasLimit({ gasLimit: 400_000n }); // the cancellation behind it finds no place
    await chain.control.mine({ blocks: 1 });
    const [cancel] = await cancelling;
    expect(cancel).toMatchObject({ outcome: 'sent', paidWei: null });
    expect(cancel?.reason).toContain('Its nonce was taken by 0x');
    expect(await isCancelled()).toBe(false);
    const kept = turns.emergencies.of(chain.chainId, maker.address).map(({ purpose }) => purpose);
    expect(kept).toContain('cancel 60 orders');
    await zeroing;
    await chain.control.setBlockGasLimit({ gasLimit: 30_000_000n });
    await chain.control.mine({ blocks: 1 });
    await chain.control.setAutomine(true);
    await urgently([approveCall(chain.weth, chain.rfqContract, 0n)], patiently);
    expect(await isCancelled()).toBe(true);
    expect(turns.emergencies.of(chain.chainId, maker.address)).toEqual([]);
  } finally {
    await chain.control.setBlockGasLimit({ gasLimit: 30_000_000n });
    await chain.control.setAutomine(true);
    await proxy.down();
  }
});

test('an emergency that the chain reverted is still to be done: the next one sends it along', async () => {
  const [hash = '0x'] = hashes(1, 9_700);
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.change = ({ method }, answer) =>
    method === 'eth_getTransactionReceipt' && answer.result // null until its block is there
      ? { ...answer, result: { ...answer.result, status: '0x0' } }
      : undefined;
  try {
    const cancel = cancelCalls(chain.rfqContract, [hash]);
    const [reverted] = await urgently(cancel, { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(reverted).toMatchObject({ outcome: 'failed', reason: 'It was reverted on chain.' });
    expect(turns.emergencies.of(chain.chainId, chain.accounts.maker.address)).toMatchObject(cancel);
    await urgently(cancel, { receiptTimeoutMs: PATIENCE });
    expect(turns.emergencies.of(chain.chainId, chain.accounts.maker.address)).toEqual([]);
  } finally {
    await proxy.down();
  }
});

test('a receipt that is of another transaction says nothing of an emergency, which is still to be done', async () => {
  const [hash = '0x'] = hashes(1, 9_850);
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.change = ({ method }, answer) =>
    method === 'eth_getTransactionReceipt' ? { ...answer, result: { status: '0x1' } } : undefined;
  try {
    const cancel = cancelCalls(chain.rfqContract, [hash]);
    const [unsure] = await urgently(cancel, { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(unsure).toMatchObject({
      outcome: 'sent',
      reason: 'The node answered with something else than its receipt.',
    });
    expect(turns.emergencies.of(chain.chainId, chain.accounts.maker.address)).toMatchObject(cancel);
    await urgently(cancel, { receiptTimeoutMs: PATIENCE });
    expect(turns.emergencies.of(chain.chainId, chain.accounts.maker.address)).toEqual([]);
  } finally {
    await proxy.down();
  }
});

const spendersOf = () =>
  [
    [chain.usdc, chain.rfqContract],
    [chain.weth, chain.rfqContract],
    [chain.usdc, chain.accounts.other.address],
  ] as const;
const zeros = () => spendersOf().map(([token, spender]) => approveCall(token, spender, 0n));
/** What each of them may take of the maker. */
const allowances = () =>
  Promise.all(
    spendersOf().map(([address, spender]) =>
      chain.client.readContract({
        abi: ERC20_ABI,
        address,
        functionName: 'allowance',
        args: [chain.accounts.maker.address, spender],
      }),
    ),
  );
const allowAll = () => send(spendersOf().map(([token, spender]) => approveCall(token, spender, maxUint256)));

test('the same emergency pressed twice before a block leaves nothing allowed', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  await chain.control.setAutomine(false);
  try {
    const nonce = await countOf('latest');
    const first = urgently(zeros(), { receiptTimeoutMs: PATIENCE });
    await waiting(nonce + 3);
    const second = urgently(zeros(), { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    const sends = () => proxy.trips.flat().filter(({ method }) => method === 'eth_getTransactionReceipt');
    await vi.waitFor(() => expect(sends().length).toBeGreaterThanOrEqual(6)); // three it looks for before, three it sent
    await chain.control.mine({ blocks: 1 });
    expect(await allowances()).toEqual([0n, 0n, 0n]);
    for (const press of [await first, await second]) {
      expect(press.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    }
    expect(await countOf('pending'), 'nothing waits any more').toBe(nonce + 3);
    expect(turns.emergencies.of(chain.chainId, chain.accounts.maker.address)).toEqual([]);
  } finally {
    await chain.control.setAutomine(true);
    await proxy.down();
  }
});

test('what the node took and did not answer keeps its nonce: the next call goes behind it', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  await chain.control.setAutomine(false);
  try {
    for (const { lost, outcome } of [
      { lost: 1, outcome: 'asked again, it says that it has it' },
      { lost: 2, outcome: 'it says nothing twice' },
    ]) {
      const nonce = await countOf('latest');
      let left = lost;
      const taken: unknown[] = [];
      proxy.refuse = (calls) => {
        const [call] = calls;
        if (left === 0 || call?.method !== 'eth_sendRawTransaction') return undefined;
        left -= 1;
        taken.push(call.params[0]);
        void chain.client.sendRawTransaction({ serializedTransaction: call.params[0] as Hex }).catch(() => {});
        return 502;
      };
      const zeroing = urgently(zeros(), { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
      await waiting(nonce + 3);
      expect(new Set(taken).size, 'the very bytes').toBe(1);
      await chain.control.mine({ blocks: 1 });
      expect(
        (await zeroing).map((row) => [row.outcome, row.reason]),
        outcome,
      ).toEqual(Array(3).fill(['confirmed', null]));
      expect(await allowances()).toEqual([0n, 0n, 0n]);
      await chain.control.setAutomine(true);
      await allowAll();
      await chain.control.setAutomine(false);
    }
  } finally {
    await chain.control.setAutomine(true);
    await proxy.down();
  }
});

test('what a node neither took nor answered is handed over again, since what was sent after it waits behind its nonce', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  let left = 2;
  proxy.refuse = ([call]) => {
    if (left === 0 || call?.method !== 'eth_sendRawTransaction') return undefined;
    left -= 1;
    return 502;
  };
  try {
    const rows = await urgently(zeros(), { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await allowances()).toEqual([0n, 0n, 0n]);
  } finally {
    await proxy.down();
  }
});

test('what no node answered for is not called failed, and is remembered with its nonce', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.refuse = ([call]) => (call?.method === 'eth_sendRawTransaction' ? 502 : undefined);
  const { address } = chain.accounts.maker;
  try {
    const nonce = await countOf('latest');
    const rows = await urgently(zeros(), { rpcUrl: proxy.url });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent']);
    expect(rows[0]?.reason).toContain('whether the node has it is not known');
    expect(turns.emergencies.nonces(chain.chainId, address)).toEqual([nonce, nonce + 1, nonce + 2]);
    await urgently(zeros(), { receiptTimeoutMs: PATIENCE });
    expect(turns.emergencies.of(chain.chainId, address)).toEqual([]);
  } finally {
    await proxy.down();
  }
});

test('a node that is late with its counts keeps no emergency', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.change = ({ method }, answer) =>
    method === 'eth_getTransactionCount'
      ? { ...answer, result: `0x${(Number(answer.result) - 2).toString(16)}` }
      : undefined;
  try {
    const rows = await urgently(zeros(), { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await allowances()).toEqual([0n, 0n, 0n]);
  } finally {
    await proxy.down();
  }
});

test('what is allowed goes behind an emergency that a node lost, and not behind one that it refused', async () => {
  const { address } = chain.accounts.maker;
  const cancelling = cancelCalls(chain.rfqContract, hashes(1, 9_800));
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  // One that calls every number too low is not followed for ever.
  proxy.answer = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'nonce too low' } } : undefined;
  const [refused] = await urgently(cancelling, { rpcUrl: proxy.url });
  await proxy.down();
  expect(refused).toMatchObject({ outcome: 'failed', transactionHash: null });
  expect(refused?.reason).toContain('nonce too low');
  expect(turns.emergencies.of(chain.chainId, address), 'it is still to be done').toMatchObject(cancelling);
  expect(await send([approveCall(chain.usdc, chain.rfqContract, 8n)])).toMatchObject([{ outcome: 'confirmed' }]);
  await chain.control.setAutomine(false);
  try {
    const [cancel] = await urgently(cancelling);
    await chain.control.dropTransaction({ hash: cancel?.transactionHash ?? '0x' });
    const nonce = await countOf('pending');
    const approving = send([approveCall(chain.usdc, chain.rfqContract, 9n)]);
    await waiting(nonce + 2);
    await chain.control.mine({ blocks: 1 });
    expect(await approving).toMatchObject([{ outcome: 'confirmed' }]);
    expect(await allowance()).toBe(9n);
    expect(await readRemaining(chain, address, hashes(1, 9_800)[0] ?? '0x'), 'the emergency was not pushed out').toBe(
      1n,
    );
  } finally {
    await chain.control.setAutomine(true);
  }
});

test('no emergency waits while a node is asked to take what another one signed', async () => {
  const [lost, next] = [hashes(1, 9_810), hashes(1, 9_811)].map((each) => cancelCalls(chain.rfqContract, each));
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  let ask = () => {};
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let times = 0;
  proxy.hold = ([call]) => {
    if (call?.method !== 'eth_sendRawTransaction') return undefined;
    times += 1;
    ask();
    return answered;
  };
  await chain.control.setAutomine(false);
  try {
    const [cancel] = await urgently(lost ?? []);
    await chain.control.dropTransaction({ hash: cancel?.transactionHash ?? '0x' });
    await chain.control.setAutomine(true);
    const approving = send([approveCall(chain.usdc, chain.rfqContract, 10n)], undefined, { rpcUrl: proxy.url });
    await asked;
    const done = await urgently(next ?? [], { receiptTimeoutMs: PATIENCE });
    expect(done.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    expect(times, 'the node has still not answered').toBe(1);
    answer();
    expect(await approving).toMatchObject([{ outcome: 'confirmed' }]);
  } finally {
    answer();
    await chain.control.setAutomine(true);
    await proxy.down();
  }
});

test('no emergency waits while a node is asked what a call would cost that is none', async () => {
  const [cancels, allowed] = [
    cancelCalls(chain.rfqContract, hashes(1, 9_820)),
    approveCall(chain.usdc, chain.rfqContract, 12n),
  ];
  for (const method of ['eth_getBlockByNumber', 'eth_estimateGas']) {
    const proxy = await openNodeProxy(() => chain.rpcUrl);
    let isAsked = false;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    proxy.hold = (calls) => {
      if (calls.every((call) => call.method !== method)) return undefined;
      isAsked = true;
      return answered;
    };
    try {
      const approving = send([allowed], undefined, { rpcUrl: proxy.url });
      await vi.waitFor(() => expect(isAsked).toBe(true));
      expect(await urgently(cancels, { receiptTimeoutMs: PATIENCE }), method).toMatchObject([{ outcome: 'confirmed' }]);
      answer();
      expect(await approving, method).toMatchObject([{ outcome: 'confirmed' }]);
    } finally {
      answer();
      await proxy.down();
    }
  }
  expect(await allowance()).toBe(12n);
});

test('an emergency goes out also where the node estimates nothing; what is none says what the node said', async () => {
  const cancels = cancelCalls(chain.rfqContract, hashes(250, 9_900));
  const zero = approveCall(chain.usdc, chain.rfqContract, 0n);
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.answer = ({ method }) =>
    method === 'eth_estimateGas' ? { error: { code: -32005, message: 'daily request count exceeded' } } : undefined;
  try {
    const [some] = await send([approveCall(chain.usdc, chain.rfqContract, 13n)], undefined, { rpcUrl: proxy.url });
    expect(some).toMatchObject({ outcome: 'failed', transactionHash: null });
    expect(some?.reason).toContain('daily request count exceeded');
    expect(some?.reason).not.toContain('would fail on chain');
    const done = await urgently([...cancels, zero], { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(done.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await allowance()).toBe(0n);
    const { maker } = chain.accounts;
    for (const hash of hashes(250, 9_900)) expect(await readRemaining(chain, maker.address, hash)).toBe(1n);
  } finally {
    await proxy.down();
  }
});

test('what is allowed does not go behind an emergency of a chain that was begun anew, or one that no chain took for a day', async () => {
  const { address } = chain.accounts.maker;
  let at = Date.now();
  const emergencies = new EmergencyCalls(null, () => at);
  const [call] = cancelCalls(chain.rfqContract, hashes(1, 9_900));
  if (call === undefined) throw new Error('There is no call.');
  const left = () =>
    emergencies.signed({ chainId: chain.chainId, account: address, nonce: 5_000 }, call, { hash: '0x1', raw: '0x' });
  await left();
  emergencies.begunAnew(chain.chainId + 1);
  expect(emergencies.nonces(chain.chainId, address)).toEqual([5_000]);
  emergencies.begunAnew(chain.chainId);
  expect(emergencies.nonces(chain.chainId, address)).toEqual([]);
  await left();
  at += 86_400_000;
  const next = [approveCall(chain.usdc, chain.rfqContract, 4n)];
  const anew = { turns: new AccountTurns(emergencies), receiptTimeoutMs: PATIENCE };
  expect(await send(next, undefined, anew)).toMatchObject([{ outcome: 'confirmed' }]);
});

test('a node that calls a nonce too low has no approval signed for one nonce after the other', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  const raw: Hex[] = [];
  proxy.hold = ([call]) => {
    if (call?.method === 'eth_sendRawTransaction') raw.push(call.params[0] as Hex);
    return undefined;
  };
  proxy.answer = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'nonce too low' } } : undefined;
  const approve = [approveCall(chain.usdc, chain.rfqContract, 11n)];
  try {
    const [refused] = await send(approve, undefined, { rpcUrl: proxy.url });
    expect(refused).toMatchObject({ outcome: 'failed', transactionHash: null });
    expect(raw).toHaveLength(1);
    // One that counts on with each of them is not followed far, and every hash is told.
    proxy.change = ({ method }, answer) =>
      method === 'eth_getTransactionCount'
        ? { ...answer, result: `0x${(Number(answer.result) + raw.length).toString(16)}` }
        : undefined;
    raw.length = 0;
    const [again] = await send(approve, undefined, { rpcUrl: proxy.url });
    expect(raw.length).toBeLessThanOrEqual(3);
    for (const bytes of raw) expect(again?.reason).toContain(keccak256(bytes));
  } finally {
    await proxy.down();
  }
});

test('an approval that was mined while its node answered nothing but "nonce too low" is the one that was sent', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  const raw: Hex[] = [];
  proxy.hold = async ([call]) => {
    if (call?.method !== 'eth_sendRawTransaction') return;
    const serializedTransaction = call.params[0] as Hex;
    raw.push(serializedTransaction);
    await chain.client.sendRawTransaction({ serializedTransaction }).catch(() => {});
    await chain.client.waitForTransactionReceipt({ hash: keccak256(serializedTransaction) });
  };
  proxy.answer = ({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'nonce too low' } } : undefined;
  try {
    const [sent] = await send([approveCall(chain.usdc, chain.rfqContract, 12n)], undefined, { rpcUrl: proxy.url });
    expect(raw).toHaveLength(1);
    expect(sent).toMatchObject({ outcome: 'confirmed', transactionHash: keccak256(raw[0] ?? '0x') });
  } finally {
    await proxy.down();
  }
});

test('no approval pays more for gas than a hedge may, and an emergency offers a node twice that beside the base fee at most', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.answer = ({ method }) =>
    method === 'eth_maxPriorityFeePerGas' ? { result: `0x${(1_000_000n * GWEI).toString(16)}` } : undefined;
  const rpcUrl = proxy.url;
  const { address } = chain.accounts.maker;
  try {
    const [nonce, before] = [await countOf('pending'), await allowance()];
    const [approved] = await send([approveCall(chain.usdc, chain.rfqContract, 77n)], undefined, { rpcUrl });
    expect(approved).toMatchObject({ outcome: 'failed', transactionHash: null });
    expect(approved?.reason).toMatch(/^Gas costs 1000000\S* gwei now, and 500 are paid at most\. .*hedgeMostGwei/);
    expect([await countOf('pending'), await allowance()]).toEqual([nonce, before]);
    const ether = await chain.client.getBalance({ address });
    const [zeroed] = await urgently([approveCall(chain.usdc, chain.rfqContract, 0n)], {
      rpcUrl,
      receiptTimeoutMs: PATIENCE,
    });
    expect(zeroed).toMatchObject({ outcome: 'confirmed' });
    expect(zeroed?.reason).toBe(
      'The node asked for 1000000 gwei beside the base fee; 640 were offered at first, so that a later emergency can offer more, up to 1000: twice what a hedge pays at most.',
    );
    expect(await allowance()).toBe(0n);
    const paid = ether - (await chain.client.getBalance({ address }));
    expect(paid).toBe(zeroed?.paidWei);
    expect(paid).toBeLessThan((zeroed?.gas ?? 0n) * 1_100n * GWEI);
  } finally {
    await proxy.down();
  }
});

test('an emergency still goes out where each block raises the base fee after it was sent, and also where the maker cannot pay for so much', async () => {
  const { address } = chain.accounts.maker;
  await send([approveCall(chain.usdc, chain.rfqContract, 78n)]);
  const hash = hashes(1, 9_700);
  await chain.control.setAutomine(false);
  try {
    await chain.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n * GWEI });
    await chain.control.mine({ blocks: 1 });
    await urgently([...cancelCalls(chain.rfqContract, hash), approveCall(chain.usdc, chain.rfqContract, 0n)]);
    await chain.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 18n * GWEI });
    await chain.control.mine({ blocks: 1 });
    expect(await allowance()).toBe(0n);
    expect(await readRemaining(chain, address, hash[0] ?? '0x')).toBe(1n);
  } finally {
    await chain.control.setAutomine(true);
  }
  const ether = await chain.client.getBalance({ address });
  try {
    await send([approveCall(chain.usdc, chain.rfqContract, 79n)]);
    const zero = approveCall(chain.usdc, chain.rfqContract, 0n);
    await chain.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 20n * GWEI });
    await chain.control.mine({ blocks: 1 });
    const [{ feeWei } = { feeWei: null }] = await dryRun(chain, address, [zero], true);
    await chain.control.setBalance({ address, value: ((feeWei ?? 0n) * 4n) / 5n });
    const [sent] = await urgently([zero], { receiptTimeoutMs: PATIENCE });
    expect(sent).toMatchObject({ outcome: 'confirmed', reason: expect.stringContaining('1.2 times was offered') });
    expect(await allowance()).toBe(0n);
    // A node adds up what waits: five calls, and enough for all of them at the lower fee alone.
    const five = hashes(5, 1).map((hash) => approveCall(chain.usdc, `0x${hash.slice(-40)}`, 0n));
    await chain.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 20n * GWEI });
    await chain.control.mine({ blocks: 1 });
    const most = (await dryRun(chain, address, five, true)).reduce((sum, one) => sum + (one.feeWei ?? 0n), 0n);
    await chain.control.setBalance({ address, value: (most * 4n) / 5n });
    const all = await urgently(five, { receiptTimeoutMs: PATIENCE });
    expect(all.map(({ outcome }) => outcome)).toEqual(five.map(() => 'confirmed'));
  } finally {
    await chain.control.setBalance({ address, value: ether });
  }
});

test('an emergency that a node may have keeps its nonce also where the key does not sign it once more', async () => {
  const { address, privateKey } = chain.accounts.maker;
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  let asked = 0;
  proxy.refuse = ([call]) => (call?.method === 'eth_sendRawTransaction' && ++asked === 1 ? 502 : undefined);
  proxy.answer = ({ method }) =>
    method === 'eth_sendRawTransaction'
      ? { error: { code: -32_000, message: 'replacement transaction underpriced' } }
      : undefined;
  const key = openSigner(privateKey);
  let signatures = 0;
  const signer: typeof key = {
    ...key,
    address: key.address,
    sign: (what) => {
      if (++signatures > 1) throw new Error('The key is away.');
      return key.sign(what);
    },
  };
  try {
    const nonce = await countOf('pending');
    const calls = zeros().slice(0, 1);
    const chainId = chain.chainId;
    const options = { rpcUrl: proxy.url, chainId, maker: address, signer, calls, mostPerGas, turns, urgent: true };
    const [row] = await sendCalls({ ...options, receiptTimeoutMs: 500 });
    expect(row).toMatchObject({ outcome: 'sent', transactionHash: expect.stringMatching(/^0x/) });
    expect(row?.reason).toContain('whether the node has it is not known. The key is away.');
    expect(turns.emergencies.nonces(chain.chainId, address)).toContain(nonce);
  } finally {
    await proxy.down();
    await urgently(zeros(), { receiptTimeoutMs: PATIENCE });
  }
});

test('what one node does not answer for is handed to the spare one, the very bytes', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  const unanswered: unknown[] = [];
  proxy.refuse = ([call]) => {
    if (call?.method !== 'eth_sendRawTransaction') return undefined;
    unanswered.push(keccak256(call.params[0] as Hex));
    return 502;
  };
  try {
    const nodes = { rpcUrl: proxy.url, spareRpcUrls: [chain.rpcUrl], receiptTimeoutMs: PATIENCE };
    const rows = await urgently(zeros(), nodes);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(unanswered).toContain(rows[0]?.transactionHash);
    expect(await allowances()).toEqual([0n, 0n, 0n]);
  } finally {
    await proxy.down();
  }
});

test('of emergencies whose node asks for too much the third still takes the place of the first, and what cannot says what keeps it', async () => {
  await allowAll();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.answer = ({ method }) =>
    method === 'eth_maxPriorityFeePerGas' ? { result: `0x${(1_000_000n * GWEI).toString(16)}` } : undefined;
  await chain.control.setAutomine(false);
  try {
    const nonce = await countOf('latest');
    const first = cancelCalls(chain.rfqContract, hashes(1, 9_901));
    for (const calls of [first, cancelCalls(chain.rfqContract, hashes(1, 9_902)), zeros().slice(0, 1)]) {
      await urgently(calls, { rpcUrl: proxy.url });
    }
    expect(await countOf('pending'), 'the later ones are before the earlier ones').toBe(nonce + 3);
    const block = await chain.client.getBlock({ blockTag: 'pending', includeTransactions: true });
    const ours = block.transactions.find((one) => one.nonce === nonce && one.from === chain.accounts.maker.address);
    expect(ours?.input).toBe(zeros()[0]?.data);
    // This one offers a single wei more, which is enough for this node; the next one has nothing more to offer.
    await urgently(zeros().slice(1, 2), { rpcUrl: proxy.url });
    const [last] = await urgently(zeros().slice(2), { rpcUrl: proxy.url });
    expect(last).toMatchObject({ outcome: 'sent' });
    expect(last?.reason).toMatch(
      new RegExp(`waits behind a transaction of nonce ${nonce} .* 1000 gwei beside the base fee, .*hedgeMostGwei`),
    );
    await chain.control.mine({ blocks: 1 });
    expect(await allowances()).toEqual([0n, 0n, 0n]);
  } finally {
    await chain.control.setAutomine(true);
    await urgently(zeros(), { receiptTimeoutMs: PATIENCE });
    await proxy.down();
  }
});

test('on a node that limits how often it is asked an emergency of eight calls goes out in one press', async () => {
  const token = chain.weth;
  const spenders = Array.from({ length: 8 }, (_, index): Hex => `0x${'0'.repeat(39)}${index + 1}`);
  const { address } = chain.accounts.maker;
  await send(spenders.map((spender) => approveCall(token, spender, 5n)));
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  let asked: number[] = [];
  proxy.refuse = () => {
    const now = performance.now();
    asked = asked.filter((at) => now - at < 1_000);
    if (asked.length >= 5) return 429;
    asked.push(now);
    return undefined;
  };
  try {
    const calls = spenders.map((spender) => approveCall(token, spender, 0n));
    const rows = await urgently(calls, { rpcUrl: proxy.url, receiptTimeoutMs: PATIENCE });
    expect(rows.map(({ transactionHash }) => transactionHash)).not.toContain(null);
    const left = spenders.map((spender) =>
      chain.client.readContract({
        abi: ERC20_ABI,
        address: token,
        functionName: 'allowance',
        args: [address, spender],
      }),
    );
    expect(await Promise.all(left)).toEqual(Array(8).fill(0n));
  } finally {
    await proxy.down();
    await urgently(zeros(), { receiptTimeoutMs: PATIENCE });
  }
});

test('an emergency does not go to a first node that stands still while a spare one does not', async () => {
  await allowAll();
  await chain.control.mine({ blocks: 1 }); // one of now
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  proxy.answer = ({ method, params }) =>
    method === 'eth_sendRawTransaction' ? { result: keccak256(params[0] as Hex) } : undefined;
  proxy.change = ({ method }, answer) =>
    method === 'eth_getBlockByNumber' && answer.result
      ? { ...answer, result: { ...answer.result, timestamp: '0x65000000' } }
      : undefined;
  try {
    const nodes = { rpcUrl: proxy.url, spareRpcUrls: [chain.rpcUrl], receiptTimeoutMs: 10_000 };
    const press = async () => (await urgently(zeros(), nodes)).map(({ outcome }) => outcome);
    // Where a busy machine lets the spare one not say in time how old its block is, it is pressed again, as a person would.
    await expect.poll(press).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await allowances()).toEqual([0n, 0n, 0n]);
  } finally {
    await proxy.down();
  }
});

test('a dry run asks for fees and gas at once', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  let estimate = () => {};
  const estimated = new Promise<void>((resolve) => {
    estimate = resolve;
  });
  proxy.hold = (calls) => {
    if (calls.some(({ method }) => method === 'eth_estimateGas')) estimate();
    return calls.some(({ method }) => method === 'eth_getBlockByNumber') ? estimated : undefined;
  };
  try {
    const calls = cancelCalls(chain.rfqContract, hashes(1, 9_950));
    const { address } = chain.accounts.maker;
    const [row] = await dryRun({ rpcUrl: proxy.url, chainId: chain.chainId, timeoutMs: PATIENCE }, address, calls);
    expect(row?.feeWei).toBeGreaterThan(0n);
  } finally {
    await proxy.down();
  }
});
