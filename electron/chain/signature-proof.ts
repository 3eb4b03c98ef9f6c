import { encodeFunctionData } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { domainSeparator, type OrderFields, orderHash, orderToSign } from '../protocol/order-hash.ts';
import type { Signable } from '../protocol/signable.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { blockHeaderSchema, bytesSchema } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, openNode, resultOf } from './node-client.ts';
import { headerCall } from './pinned-read.ts';
import { revertReason } from './revert.ts';
import { RFQ_ABI } from './rfq-abi.ts';

export interface ProvedSignature {
  rpcUrl: string;
  spareRpcUrls?: readonly string[] | undefined;
  chainId: number;
  rfqContract: Address;
  domainName: string;
  maker: Address;
  /** Signs an order of the maker, as the firm path does. */
  sign: (order: Signable) => Hex | Promise<Hex>;
  randomBytes: (size: number) => Buffer;
  timeoutMs?: number;
}

/** What the RFQ contract says of a signature that does not bind the maker. */
const INVALID_SIGNATURE = 'Invalid Signature';

/** The code of a token that says yes to everything: it gives back the number 1. */
const STAND_IN_TOKEN: Hex = '0x600160005260206000f3';
const ONE: Hex = `0x${'1'.padStart(64, '0')}`;

/** The order of a proof ends after a day, by the chain's time: some nodes simulate with a clock that is ahead of their head. */
const LIFETIME_SECONDS = 86_400;

/**
 * Proves that the RFQ contract takes what we sign for the maker, before it is relied on (PROTOCOL 2.2, 2.3): an order is filled
 * in a simulation, and the same order with one bit of its signature changed is refused as wrongly signed. Whatever else the
 * contract says proves nothing. A wrong `domainName`, and a token in the contract's place, fail here.
 *
 * Nothing is sent, and the maker needs neither funds nor approvals: both tokens of the order are addresses without a
 * contract, at which the simulation puts a stand-in (the third parameter of eth_call). On a node that cannot do so the
 * contract's order of checks proves it: it looks at the signature before it moves a token, so that the well signed order
 * gets further than the other. The node sees a signed order, hence one that nobody can fill: its tokens and its taker are
 * random addresses.
 */
export async function proveSignature(proved: ProvedSignature): Promise<ChainCheck> {
  return check('rfq_signature', async () => {
    const node = openNode(proved);
    try {
      return await prove(node, proved);
    } finally {
      node.close();
    }
  });
}

async function prove(node: NodeClient, proved: ProvedSignature): Promise<string> {
  const { rfqContract, maker } = proved;
  const [head] = await node.ask([headerCall('latest')]);
  const { timestamp } = resultOf(node, 'eth_getBlockByNumber', head, blockHeaderSchema);
  const order = harmlessOrder(proved, timestamp);
  const signature = await proved.sign(orderToSign(proved, order, orderHash(domainSeparator(proved), order)));
  const { makerAsset, takerAsset } = order;
  const standIns = { [makerAsset]: { code: STAND_IN_TOKEN }, [takerAsset]: { code: STAND_IN_TOKEN } };
  const plain = [fillCall(rfqContract, order, signature), fillCall(rfqContract, order, oneBitOff(signature))];
  const [standIn, ...fills] = await node.ask([
    withStandIns({ method: 'eth_call', params: [{ to: makerAsset, data: '0x' }, 'latest'] }, standIns),
    ...plain.map((call) => withStandIns(call, standIns)),
    ...plain,
  ]);
  if (standIn?.ok && standIn.result === ONE) {
    const [signed, changed] = fills;
    const refusal = refusalOf(node, signed);
    if (refusal !== null) throw refused(proved, refusal);
    demandInvalid(node, proved, changed);
    return `The RFQ contract takes orders that this key signs for ${maker}, and no other signature. Nothing was sent.`;
  }
  const [, , signed, changed] = fills;
  demandInvalid(node, proved, changed);
  if (refusalOf(node, signed) === INVALID_SIGNATURE) throw refused(proved, INVALID_SIGNATURE);
  return (
    `The RFQ contract gets past the signature of an order that this key signs for ${maker}, and past no other. ` +
    'The node cannot simulate whole fills (it takes no state overrides), so that is all that can be seen without funds.'
  );
}

/** An order that nobody can fill, in no danger wherever it ends up: it lets an unknown taker swap nothing for nothing. */
function harmlessOrder({ maker, randomBytes }: ProvedSignature, chainTime: number): OrderFields {
  const nobody = (): Address => `0x${randomBytes(20).toString('hex')}`;
  return {
    nonceAndMeta: BigInt(`0x${randomBytes(32).toString('hex')}`),
    expiry: chainTime + LIFETIME_SECONDS,
    makerAsset: nobody(),
    takerAsset: nobody(),
    maker,
    taker: nobody(),
    makerAmount: 1n,
    takerAmount: 1n,
  };
}

function fillCall(rfqContract: Address, order: OrderFields, signature: Hex): NodeCall {
  const args = [{ ...order, expiry: BigInt(order.expiry) }, signature] as const;
  const data = encodeFunctionData({ abi: RFQ_ABI, functionName: 'fillOrder', args });
  return { method: 'eth_call', params: [{ from: order.taker, to: rfqContract, data }, 'latest'] };
}

function withStandIns({ method, params }: NodeCall, standIns: Record<Address, { code: Hex }>): NodeCall {
  return { method, params: [...params, standIns] };
}

/** The signature with the lowest bit of `s` changed: the form of a signature still, and certainly not of this key. */
function oneBitOff(signature: Hex): Hex {
  const at = 2 + 2 * 64 - 1;
  const digit = Number.parseInt(signature.slice(at, at + 1), 16) ^ 1;
  return `${signature.slice(0, at)}${digit.toString(16)}${signature.slice(at + 1)}` as Hex;
}

/** The words with which the contract refused, or null when it filled. Throws when the node gave no answer to that. */
function refusalOf(node: NodeClient, answer: NodeAnswer | undefined): string | null {
  const reason = revertReason(answer);
  if (reason === null) resultOf(node, 'eth_call', answer, bytesSchema);
  return reason;
}

/** The order that was signed wrongly must be refused for its signature; every other end of it proves nothing. */
function demandInvalid(node: NodeClient, { rfqContract }: ProvedSignature, answer: NodeAnswer | undefined): void {
  const refusal = refusalOf(node, answer);
  if (refusal === INVALID_SIGNATURE) return;
  const said = refusal === null ? 'took it' : refusal === '' ? 'gave no reason' : `said "${refusal.slice(0, 100)}"`;
  throw checkFailed(
    `The contract ${rfqContract} does not refuse a wrong signature as an RFQ contract does: it ${said}.`,
    'It is a token or another contract: put in the address of the RFQ contract under Settings, Chains.',
  );
}

function refused({ rfqContract, domainName, chainId, maker }: ProvedSignature, words: string): Error {
  if (words === INVALID_SIGNATURE) {
    return checkFailed(
      `The RFQ contract ${rfqContract} refuses what this key signs for ${maker} under the domain name ` +
        `"${domainName}" on chain ${chainId}: ${INVALID_SIGNATURE}. No order could be filled.`,
      'Correct the domain name, letter for letter, or the RFQ contract under Settings, Chains.',
    );
  }
  const said = words === '' ? 'It gave no reason.' : `It said "${words.slice(0, 100)}".`;
  return checkFailed(
    `The contract ${rfqContract} does not fill an order that is signed well. ${said}`,
    'It is a token or another contract: put in the address of the RFQ contract under Settings, Chains.',
  );
}
