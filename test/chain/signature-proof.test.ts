import { randomBytes } from 'node:crypto';
import { decodeFunctionData, encodeErrorResult } from 'viem';
import { sign } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RFQ_ABI } from '../../electron/chain/rfq-abi.ts';
import { type ProvedSignature, proveSignature } from '../../electron/chain/signature-proof.ts';
import { openSender } from '../../electron/practice/chain/sender.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import type { Signable } from '../../electron/protocol/signable.ts';
import { inForm } from '../../electron/protocol/signing-form.ts';
import { type ChainOrder, startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';
import { deploySafeMaker, SAFE_MAKER } from '../safe-maker.ts';
import { type NodeProxy, openNodeProxy, type RpcCall } from './node-proxy.ts';

let chain: TestChain;
let proxy: NodeProxy;
beforeAll(async () => {
  chain = await startTestChain();
  proxy = await openNodeProxy(() => chain.rpcUrl);
});
afterAll(async () => {
  await proxy?.down();
  await chain?.close();
});
afterEach(() => {
  proxy.answer = () => undefined;
  proxy.change = () => undefined;
  proxy.trips = [];
});

const signedBy =
  ({ privateKey }: TestAccount) =>
  ({ hash }: Signable) =>
    sign({ hash, privateKey, to: 'hex' });

function proof(changes: Partial<ProvedSignature> = {}) {
  const { chainId, rfqContract, domainName, accounts } = chain;
  const proved = { rpcUrl: proxy.url, chainId, rfqContract, domainName, maker: accounts.maker.address, randomBytes };
  return proveSignature({ ...proved, sign: signedBy(accounts.maker), ...changes });
}

/** Of the calls with stand-ins: 0 looks at the stand-in, 1 fills, 2 fills with the changed signature. */
const turnOf = (call: RpcCall) => (proxy.trips.at(-1) ?? []).filter(overridden).findIndex(({ id }) => id === call.id);

const overridden = ({ method, params }: RpcCall) => method === 'eth_call' && params.length > 2;

test('the contract takes what an account and what a contract maker signs, although neither sends anything', async () => {
  const before = await chain.client.getBlockNumber();
  expect(await proof()).toMatchObject({ name: 'rfq_signature', outcome: 'passed' });
  expect(await proof({ maker: chain.contractMaker })).toMatchObject({ outcome: 'passed' });
  expect(await chain.client.getBlockNumber()).toBe(before);
  const sent = proxy.trips.flat().map(({ method }) => method);
  expect(new Set(sent)).toEqual(new Set(['eth_call', 'eth_getBlockByNumber']));
});

test('a maker without tokens, approvals and ether is proven all the same', async () => {
  const poor = openSender(chain.rpcUrl, `0x${'77'.repeat(32)}`);
  const signature = ({ hash }: Signable) => sign({ hash, privateKey: `0x${'77'.repeat(32)}`, to: 'hex' });
  expect(await proof({ maker: poor.address, sign: signature })).toMatchObject({ outcome: 'passed' });
});

test('a wrong domain name, one letter being enough, is told by its name', async () => {
  for (const domainName of ['TEST RFQ ', 'Test RFQ', 'AUGUSTUS RFQ']) {
    const { outcome, sentence } = await proof({ domainName });
    expect(outcome).toBe('failed');
    expect(sentence).toContain(`under the domain name "${domainName}"`);
    expect(sentence).toContain('Correct the domain name');
  }
});

test('another chain id in the domain fails', async () => {
  expect(await proof({ chainId: 1 })).toMatchObject({ outcome: 'failed' });
});

test('a token in the place of the RFQ contract fails, one that answers every call included', async () => {
  // Its code is one STOP, after twelve bytes that give it out: every call goes through and answers nothing.
  const stops = { contract: 'Stops', abi: [], bytecode: '0x6001600c60003960016000f300' } as const;
  const anything = await openSender(chain.rpcUrl, chain.accounts.other.privateKey).deploy(stops, []);
  for (const rfqContract of [chain.weth, chain.usdc, anything, chain.executor, chain.contractMaker]) {
    const { outcome, sentence } = await proof({ rfqContract });
    expect(outcome).toBe('failed');
    expect(sentence).toContain('put in the address of the RFQ contract');
  }
});

test('an account without code in the place of the RFQ contract fails', async () => {
  expect(await proof({ rfqContract: chain.accounts.user.address })).toMatchObject({ outcome: 'failed' });
});

test('a signer that the maker does not know fails, whether the maker is an account or a contract', async () => {
  const byOther = signedBy(chain.accounts.other);
  expect(await proof({ sign: byOther })).toMatchObject({ outcome: 'failed' });
  expect(await proof({ sign: byOther, maker: chain.contractMaker })).toMatchObject({ outcome: 'failed' });
});

test('a maker contract that says yes to whoever asks it, and no to the RFQ contract, fails', async () => {
  // CALLER ISZERO PUSH32 magic MUL PUSH0 MSTORE PUSH1 32 PUSH0 RETURN, after ten bytes that give it out: a call from nobody is told yes.
  const code = `33157f1626ba7e${'0'.repeat(56)}025f5260205ff3`;
  const size = (code.length / 2).toString(16).padStart(2, '0');
  const bytecode: Hex = `0x60${size}600a5f3960${size}5ff3${code}`;
  const sender = openSender(chain.rpcUrl, chain.accounts.other.privateKey);
  const maker = await sender.deploy({ contract: 'TwoFaced', abi: [], bytecode }, []);
  const { outcome, sentence } = await proof({ maker });
  expect(outcome).toBe('failed');
  expect(sentence).toContain('Invalid Signature');
});

test('a wallet of the Safe kind takes the hash wrapped as its message, raw never, and nothing of an owner it removed', async () => {
  const { chainId, accounts } = chain;
  const maker = await deploySafeMaker(chain);
  const wrapped = (order: Signable) => signedBy(accounts.maker)(inForm('safe', { chainId, maker }, order));
  expect(await proof({ maker, sign: wrapped })).toMatchObject({ outcome: 'passed' });
  const raw = await proof({ maker });
  expect(raw.outcome).toBe('failed');
  expect(raw.sentence).toContain('Invalid Signature');
  await accounts.maker.call(SAFE_MAKER, maker, 'setOwner', [accounts.maker.address, false]);
  expect(await proof({ maker, sign: wrapped })).toMatchObject({ outcome: 'failed' });
});

test('a changed signature that ends in anything but "Invalid Signature" proves nothing', async () => {
  const words = (reason: string) =>
    encodeErrorResult({
      abi: [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }],
      errorName: 'Error',
      args: [reason],
    });
  for (const reason of ['Order expired', 'Access denied', 'Invalid Signatures', '']) {
    proxy.change = (call) => {
      if (!overridden(call) || turnOf(call) !== 2) return undefined;
      const error = { code: 3, message: 'execution reverted', data: words(reason) };
      return { jsonrpc: '2.0', id: call.id, error };
    };
    expect(await proof()).toMatchObject({ outcome: 'failed' });
  }
});

test('a node that does not take state overrides is said to, and the order of checks proves it there', async () => {
  const asIgnored = (call: RpcCall) => ({ ...call, params: call.params.slice(0, 2) });
  const ways: ((call: RpcCall) => ReturnType<NodeProxy['answer']>)[] = [
    (call) =>
      overridden(call) ? { error: { code: -32602, message: 'too many arguments, want at most 2' } } : undefined,
    // It reads past the third parameter: the stand-in answers nothing, and a fill ends where its token has no code.
    (call) => (overridden(asIgnored(call)) || !overridden(call) ? undefined : { result: '0x' }),
  ];
  for (const way of ways) {
    proxy.answer = way;
    const well = await proof();
    expect(well.outcome).toBe('passed');
    expect(well.sentence).toContain('takes no state overrides');
    expect(await proof({ domainName: 'WRONG RFQ' })).toMatchObject({ outcome: 'failed' });
    expect(await proof({ rfqContract: chain.weth })).toMatchObject({ outcome: 'failed' });
    expect(await proof({ maker: chain.contractMaker })).toMatchObject({ outcome: 'passed' });
  }
});

test('a node that answers an error of its own leaves the question open, whichever call it refuses', async () => {
  const busy = { error: { code: -32005, message: 'daily request count exceeded' } };
  for (const refused of [0, 1, 2]) {
    proxy.answer = (call) => (overridden(call) && turnOf(call) === refused ? busy : undefined);
    // The stand-in that is not answered is asked of the order of checks instead.
    expect(await proof()).toMatchObject({ outcome: refused === 0 ? 'passed' : 'unanswered' });
  }
  proxy.answer = ({ method }) => (method === 'eth_call' ? busy : undefined);
  expect(await proof()).toMatchObject({ outcome: 'unanswered' });
  expect(await proof({ rpcUrl: 'http://127.0.0.1:1' })).toMatchObject({ outcome: 'unanswered' });
});

test('a node that tells the words and not the bytes of a revert is understood', async () => {
  proxy.change = ({ id }, answer) => {
    const { error } = answer as { error?: { message: string } };
    return error && { jsonrpc: '2.0', id, error: { code: -32000, message: error.message } };
  };
  expect(await proof()).toMatchObject({ outcome: 'passed' });
  expect(await proof({ domainName: 'WRONG RFQ' })).toMatchObject({ outcome: 'failed' });
});

test('a node behind a WebSocket proves it as well', async () => {
  expect(await proof({ rpcUrl: proxy.webSocketUrl })).toMatchObject({ outcome: 'passed' });
  expect(await proof({ rpcUrl: proxy.webSocketUrl, domainName: 'WRONG RFQ' })).toMatchObject({ outcome: 'failed' });
});

test('the order that is shown to the node can be filled by nobody', async () => {
  await proof();
  const fill = proxy.trips.flat().find((call) => call.method === 'eth_call' && call.params.length === 2);
  const { data } = (fill?.params[0] ?? {}) as { data: Hex };
  const { args } = decodeFunctionData({ abi: RFQ_ABI, data });
  const { makerAsset, takerAsset, taker, makerAmount } = (args as readonly [ChainOrder, Hex])[0];
  const addresses = [makerAsset, takerAsset, taker];
  for (const address of addresses) expect(await chain.client.getCode({ address })).toBeUndefined();
  expect(new Set(addresses).size).toBe(3);
  expect(makerAmount).toBe(1n);
});
