import { BaseError, type PublicClient } from 'viem';
import { z } from 'zod';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { Signer } from '../signer/signer.ts';
import { inTime } from '../time/in-time.ts';
import { pause } from '../time/pause.ts';
import type { AccountTurns } from './account-turns.ts';
import { type EmergencyCall, type EmergencyCalls, emptyCall, isEmptyCall } from './emergency-calls.ts';
import { youngestFirst } from './emergency-nodes.ts';
import { type EstimatedCall, estimateCalls, type GasFees, gasAtMost, gasFees, perGasOf } from './estimate-calls.ts';
import type { MakerCall } from './maker-calls.ts';
import { hashSchema } from './node-answers.ts';
import { type NodeClient, openNode } from './node-client.ts';
import { faultReason, isNonceUsed, isSentBefore, wrongChain } from './node-fault.ts';
import { patientNode } from './patient-node.ts';
import { signTransaction } from './sign-transaction.ts';
import { feeOf, gwei } from './transaction-fee.ts';
import { viemClient } from './viem-client.ts';

interface SendOptions {
  rpcUrl: string;
  spareRpcUrls?: readonly string[] | undefined;
  /** A first node whose newest block is older is not asked while a spare one has a younger one. */
  headMaxAgeSeconds?: number;
  chainId: number;
  maker: Address;
  /** Of the maker. */
  signer: Signer;
  calls: readonly MakerCall[];
  /** The chain's `hedgeMostGwei`, wei: above it nothing is sent, and an emergency offers twice that beside the base fee at most. */
  mostPerGas: bigint;
  /** Shared with whoever else sends from this account. Receipts are waited for outside the turn. */
  turns: AccountTurns;
  /** In an emergency nothing waits behind a transaction that the chain does not take: it is replaced. */
  urgent?: boolean;
  /** How many emergencies there had been when it was asked for: once there was another one, what is none itself is not sent. */
  emergenciesBefore?: number;
  /** Told as soon as the node has taken a transaction; its receipt comes later. What is no emergency waits until that is known. */
  onSent?: (call: MakerCall, transactionHash: Hex, nonce: number) => void | Promise<void>;
  /** How long to wait for each receipt, milliseconds. */
  receiptTimeoutMs?: number;
}

type SentCall = EstimatedCall & {
  transactionHash: Hex | null;
  /** `sent`: the node took it, or did not say whether it did, and no receipt came in time: it may still be mined. */
  outcome: 'confirmed' | 'failed' | 'sent';
  /** Why it failed or is still open, or that an emergency offered less than the node asked for. */
  reason: string | null;
  /** What was paid for it, wei, where its receipt came. */
  paidWei: bigint | null;
  /** It was not sent, since an emergency came after it was asked for. */
  overtaken?: true;
};

/**
 * Sends every call from the maker's own account, all before waiting for the first receipt, since in an emergency each
 * second counts. A call that fails does not keep the others. Urgent calls take the nonces of what still waits, with a fee that
 * replaces it; of what waits only earlier urgent calls are sent once more, behind them, and empty transactions take the nonces that are
 * left: nothing that waited comes after them. Throws `wrong_key`, `node_wrong_chain`, `node_unreachable`.
 */
export async function sendCalls(options: SendOptions): Promise<SentCall[]> {
  const { chainId, maker, signer, calls, mostPerGas, turns, urgent = false, emergenciesBefore } = options;
  const { headMaxAgeSeconds = 120 } = options;
  if (urgent) turns.emergencyBegins(chainId, maker);
  const { onSent, receiptTimeoutMs = 120_000 } = options;
  if (signer.address !== maker) {
    throw new DeskError('wrong_key', `The key is of ${signer.address}, not of the maker ${maker}.`, {
      remedy: 'Where the maker is a contract, hand the calldata to its owner.',
    });
  }
  const { rpcUrl, spareRpcUrls } = await youngestFirst(options, { chainId, mostSeconds: headMaxAgeSeconds });
  const open = openNode({ rpcUrl, spareRpcUrls, chainId });
  const node = urgent ? patientNode(open) : open;
  try {
    const client = viemClient(node, chainId);
    const unanswered = (error: unknown): never => {
      throw (
        deskErrorIn(error) ??
        new DeskError('node_refused', sentenceOf(error), { fields: { method: null, overloaded: false } })
      );
    };
    const actual = await client.getChainId().catch(unanswered);
    if (actual !== chainId) throw wrongChain(node.rpcUrl, chainId, actual);
    if (!urgent) await handLost(client, turns.emergencies, { chainId, maker }).catch(unanswered);
    // What is no emergency asks the node for all but its nonce before its turn, so that no emergency waits for these answers.
    const quiet = urgent ? null : await priced(node, client, maker, calls).catch(unanswered);
    let note: string | null = null;
    const sent = await turns.run(chainId, maker, async () => {
      const { emergencies } = turns;
      const countOf = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address: maker, blockTag });
      const [asked, mined, pending, ether] = await Promise.all([
        quiet?.asked ?? gasFees(client, urgent),
        countOf('latest'),
        countOf('pending'),
        // Without an answer it is tried with the whole margin.
        urgent ? client.getBalance({ address: maker }).catch(() => null) : null,
        urgent && forgetDone(node, emergencies, emergencies.of(chainId, maker)),
      ]).catch(unanswered);
      if (!urgent && perGasOf(asked) > mostPerGas)
        return calls.map((call) => tooDear(call, perGasOf(asked), mostPerGas));
      const begun = turns.emergenciesBegun(chainId, maker);
      if (!urgent && begun !== (emergenciesBefore ?? begun)) return calls.map(overtaken);
      // A hedge that offers all it may can still be replaced.
      const mostTip = 2n * mostPerGas;
      let fees = urgent ? clamped(asked, firstMost(mostTip)) : asked;
      if (tipOf(fees) < tipOf(asked)) {
        note = `The node asked for ${gwei(tipOf(asked))} gwei ${besideBase(asked)}; ${gwei(tipOf(fees))} were offered at first, so that a later emergency can offer more, up to ${gwei(mostTip)}: twice what a hedge pays at most.`;
      }
      if (urgent) emergencies.passed(chainId, maker, mined);
      const again = emergencies
        .of(chainId, maker)
        .filter((call) => !isEmptyCall(call))
        .filter(({ to, data }) => calls.every((call) => call.to !== to || call.data !== data))
        .map(({ purpose, to, data }) => ({ purpose, to, data }));
      const empty = urgent && pending > mined ? [emptyCall(maker, mined)] : [];
      let estimated = quiet?.estimated ?? (await estimateCalls(node, maker, [...calls, ...again, ...empty], fees));
      const gas = estimated.reduce((sum, call) => sum + (call.gas ?? gasAtMost(call)), 0n);
      const isLowered = ether !== null && gas * perGasOf(fees) > ether && !('gasPrice' in fees);
      if (isLowered) {
        // A node adds up all that waits of an account: with the whole margin the last of these would find nothing left.
        fees = withLessMargin(fees);
        const perGas = perGasOf(fees);
        estimated = estimated.map((call) => ({ ...call, feeWei: call.gas === null ? null : call.gas * perGas }));
        note ??= LOWERED;
      }
      const emptied = estimated.slice(calls.length + again.length).at(0) ?? null;
      const taken: Taken[] = [];
      const free = Math.max(pending, ...emergencies.nonces(chainId, maker).map((used) => used + 1));
      let nonce = urgent ? mined : free;
      const sendNext = async (call: EstimatedCall) => {
        const isEmpty = isEmptyCall(call);
        const known = emergencies.of(chainId, maker).find(({ to, data }) => to === call.to && data === call.data);
        let signedLast: Hex | null = null;
        const written = (used: number, signed: { hash: Hex; raw: Hex }) => {
          signedLast = signed.hash;
          return emergencies.signed({ chainId, account: maker, nonce: used }, call, signed);
        };
        const one = await sendOne(client, signer, {
          call,
          nonce,
          fees,
          chainId,
          pending,
          mostTip,
          isFixed: isEmpty,
          isLowered,
          urgent: urgent ? written : null,
        });
        const { transactionHash } = one.sent;
        if (one.nonce !== null) {
          nonce = one.nonce + 1;
          if (!urgent) emergencies.allowedAgain(chainId, maker, call);
        } else if (signedLast !== null && isEmpty) emergencies.ended(signedLast);
        else if (signedLast !== null) emergencies.refused(signedLast, known ?? null);
        if (transactionHash !== null && one.nonce !== null) {
          const told = onSent?.(call, transactionHash, one.nonce);
          // Whoever looks after its turn what may be mined yet finds it written down.
          if (!urgent) await inTime(Promise.resolve(told), TOLD_WITHIN_MS, () => {});
        }
        taken.push(one);
      };
      for (const call of estimated.slice(0, calls.length + again.length)) await sendNext(call);
      const isHeld = (used: number) =>
        emergencies
          .of(chainId, maker)
          .some((call) => call.nonce === used && call.refused !== true && !isEmptyCall(call));
      for (let left = nonce; emptied !== null && left < pending; left += 1) {
        nonce = left;
        if (!isHeld(left)) await sendNext({ ...emptied, ...emptyCall(maker, left) });
      }
      return taken;
    });
    return await Promise.all(
      sent.map(async (one) => {
        const isWaitedFor = new AbortController();
        const again = handAgain(client, one, { chainId, maker, emergencies: turns.emergencies }, isWaitedFor.signal);
        try {
          const { emergencies } = turns;
          return await withReceipt(client, one.sent, { timeout: receiptTimeoutMs, note, emergencies });
        } finally {
          isWaitedFor.abort();
          await again;
        }
      }),
    );
  } finally {
    node.close();
  }
}

/** What the node asks for a unit of gas, and what each call would cost with that. */
async function priced(node: NodeClient, client: PublicClient, maker: Address, calls: readonly MakerCall[]) {
  const asked = await gasFees(client);
  return { asked, estimated: await estimateCalls(node, maker, calls, asked) };
}

/** `nonce`: the one it was taken with, or may have been by a node that did not answer; null where it was refused. */
interface Taken {
  sent: SentCall;
  nonce: number | null;
  /** What was signed and no node answered for, else null. */
  unsure: Hex | null;
}

/**
 * Hands over what an emergency signed and the node does not have: whatever is sent behind that waits for it. Returns the bytes of all that
 * was signed by then, each of which the node had or was given; null where it did not answer. Throws where it does not say its count. Not to
 * be waited for in a turn of the account, which an emergency needs.
 */
export async function handLost(
  client: PublicClient,
  emergencies: EmergencyCalls,
  { chainId, maker }: { chainId: number; maker: Address },
): Promise<ReadonlySet<Hex> | null> {
  const signed = emergencies.of(chainId, maker).filter((call) => !call.refused);
  const raws = new Set(signed.map(({ raw }) => raw));
  if (signed.length === 0) return raws;
  const pending = await client.getTransactionCount({ address: maker, blockTag: 'pending' });
  const lost = signed.filter((call) => call.nonce >= pending);
  for (const { raw } of lost.toSorted((a, b) => a.nonce - b.nonce)) {
    // One that signed it anew meanwhile sends that itself.
    if (emergencies.all().every((one) => one.raw !== raw)) continue;
    const { refusal, wasUnanswered, wasLimited } = await hand(client, raw);
    if (refusal !== null && (wasUnanswered || wasLimited)) return null;
  }
  return raws;
}

/** A disk that does not answer keeps the turn, which an emergency needs, no longer. */
const TOLD_WITHIN_MS = 500;

/** How often what no node answered for is handed over again, milliseconds. */
const HAND_AGAIN_MS = 2_000;

/**
 * Hands over again and again what no node answered for, until nobody waits for it any more: what was sent after it waits behind its
 * nonce. Not where a later emergency has its place.
 */
async function handAgain(
  client: PublicClient,
  { sent: { transactionHash: hash }, nonce, unsure }: Taken,
  { chainId, maker, emergencies }: { chainId: number; maker: Address; emergencies: EmergencyCalls },
  signal: AbortSignal,
): Promise<void> {
  if (unsure === null || hash === null) return;
  const hasItsPlace = (call: EmergencyCall) => call.nonce === nonce && !call.hashes.includes(hash);
  while (!signal.aborted) {
    await pause(HAND_AGAIN_MS, signal);
    if (signal.aborted || emergencies.of(chainId, maker).some(hasItsPlace)) return;
    await client.sendRawTransaction({ serializedTransaction: unsure }).catch(() => null);
  }
}

/** Our own error that viem wrapped into its own, if there is one. */
function deskErrorIn(error: unknown): DeskError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (cause instanceof DeskError) return cause;
  }
  return null;
}

/** What viem says went wrong, without the address of the node. */
function sentenceOf(error: unknown): string {
  const ours = deskErrorIn(error);
  if (ours !== null) return faultReason(ours);
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ').slice(0, 300);
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300);
}

/** How often the fee is raised by a quarter until the node takes a transaction in place of one that waits: to fourteen times. */
const MOST_RAISES = 12;

const succeededSchema = z.object({ status: z.literal('0x1'), transactionHash: hashSchema });

/** What was carried out is over. What reverted, and whatever else took the nonce, is not enough: then the call is still to be done. */
async function forgetDone(
  node: NodeClient,
  emergencies: EmergencyCalls,
  calls: readonly EmergencyCall[],
): Promise<void> {
  const hashes = calls.flatMap((call) => call.hashes);
  const asked = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  const answers = await node.ask(asked).catch(() => []);
  hashes.forEach((hash, index) => {
    const answer = answers[index];
    const { data } = succeededSchema.safeParse(answer?.ok === true ? answer.result : null);
    if (data?.transactionHash === hash) emergencies.ended(hash);
  });
}

/** How many transactions a node may be late with its counts, in an emergency. */
const MOST_LATE = 16;
/** How often what is no emergency is signed again since its nonce is used by another transaction. */
const MOST_SIGNED_AGAIN = 2;

/** Sends a call with this nonce; `urgent` writes down what is signed, before it is sent. */
async function sendOne(
  client: PublicClient,
  signer: Signer,
  options: {
    call: EstimatedCall;
    nonce: number;
    fees: GasFees;
    chainId: number;
    pending: number;
    mostTip: bigint;
    /** With this nonce or not at all. */
    isFixed: boolean;
    /** The fees have the small margin already. */
    isLowered: boolean;
    urgent: ((nonce: number, signed: { hash: Hex; raw: Hex }) => Promise<void>) | null;
  },
): Promise<Taken> {
  const { call, chainId, urgent, pending, mostTip, isFixed } = options;
  const failed = (reason: string): Taken => {
    const sent: SentCall = { ...call, transactionHash: null, outcome: 'failed', reason, paidWei: null };
    return { sent, nonce: null, unsure: null };
  };
  const { to, data, unestimated } = call;
  if (unestimated?.reverts === true) {
    return failed('The node refused to estimate it, so it would fail on chain.');
  }
  // An emergency does not fail for want of an estimate: gas that is not used costs nothing.
  const gas = call.gas ?? (urgent === null ? null : gasAtMost(call));
  if (gas === null) return failed(`The node did not estimate it. ${sentenceOf(unestimated?.error)}`);
  let { nonce, fees } = options;
  let isUnsure = false;
  let wasLowered = options.isLowered;
  let behind: string | null = null;
  const hashes: Hex[] = [];
  let last: { hash: Hex; raw: Hex } | null = null;
  const sent = (transactionHash: Hex, used: number, reason: string | null, unsure: Hex | null = null): Taken => {
    return { sent: { ...call, transactionHash, outcome: 'sent', reason, paidWei: null }, nonce: used, unsure };
  };
  /** Not taken, by the word of the node; where a node may have one of those signed its nonce is not given away. */
  const refused = (refusal: string, used: number) => {
    if (isUnsure && last !== null)
      return sent(last.hash, used, `It was signed, and whether the node has it is not known. ${refusal}`, last.raw);
    const also = hashes.length > 1 ? ` It was signed as each of these: ${hashes.join(', ')}.` : '';
    return failed(`${refusal}${also}`);
  };
  for (let raises = 0, late = 0, used = nonce; ; used = nonce) {
    let signed: { hash: Hex; raw: Hex };
    try {
      signed = await signTransaction(signer, { chainId, nonce, to, data, gas, fees });
    } catch (error) {
      return refused(sentenceOf(error), used);
    }
    hashes.push(signed.hash);
    last = signed;
    await urgent?.(nonce, signed);
    const { refusal, wasUnanswered, wasLimited } = await hand(client, signed.raw);
    if (refusal === null || isSentBefore(refusal)) return sent(signed.hash, nonce, behind);
    // What an emergency signed, and a node that is asked too often did not look at, is handed over again: it keeps its nonce.
    isUnsure ||= wasUnanswered || (urgent !== null && wasLimited);
    const more = clamped(raised(fees), mostTip);
    const isAtMost = tipOf(more) <= tipOf(fees);
    const canRaise = raises < MOST_RAISES && !isAtMost;
    if (isNonceUsed(refusal) && !isUnsure) {
      const { mined, next } = await takenOf(client, signer.address, hashes);
      if (mined !== null) return sent(mined, nonce, behind);
      if (isFixed) return failed(`What waited with nonce ${nonce} was mined meanwhile: look at what it did.`);
      // A node may be late with its counts; what is no emergency is not signed again on its word that a nonce is used.
      const isUsed = urgent === null ? next !== null && next > nonce : true;
      if (!isUsed || late === (urgent === null ? MOST_SIGNED_AGAIN : MOST_LATE)) return refused(refusal, nonce);
      late += 1;
      nonce = Math.max(nonce + 1, next ?? 0);
    } else if (
      urgent !== null &&
      /underpriced|replacement/i.test(refusal) &&
      (canRaise || (nonce < pending && !isFixed))
    ) {
      // What waits offers more than this.
      if (canRaise) fees = more;
      else {
        const limit = isAtMost
          ? `, which is all that may be offered: to replace it, raise “Pay for the gas of a hedge up to, gwei” (hedgeMostGwei) under Settings, and press again`
          : '';
        behind = `It waits behind a transaction of nonce ${nonce} that could not be replaced with ${gwei(tipOf(fees))} gwei ${besideBase(fees)}${limit}.`;
        nonce = pending;
      }
      raises += 1;
    } else if (urgent !== null && !wasLowered && !('gasPrice' in fees)) {
      // Each kind of node has other words for an account that is short, and for fees above a cap of its own.
      fees = withLessMargin(fees);
      wasLowered = true;
      behind ??= LOWERED;
    } else return refused(refusal, nonce);
  }
}

/** Which of these transactions is mined, and the nonce that the account uses next; null where there is none, or the node does not say. */
async function takenOf(
  client: PublicClient,
  address: Address,
  hashes: readonly Hex[],
): Promise<{ mined: Hex | null; next: number | null }> {
  const [next, ...found] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }).catch(() => null),
    ...hashes.map((hash) =>
      client.getTransactionReceipt({ hash }).then(
        () => hash,
        () => null,
      ),
    ),
  ]);
  return { mined: found.find((hash) => hash !== null) ?? null, next };
}

/**
 * Hands a transaction to the node; where no answer comes the very bytes once more, to the next node where there is one. `refusal` is
 * what was said last, null where it was taken; `wasUnanswered`: a node may have taken it and not said so; `wasLimited`: the last one was
 * asked too often to look at it.
 */
async function hand(
  client: PublicClient,
  raw: Hex,
): Promise<{ refusal: string | null; wasUnanswered: boolean; wasLimited: boolean }> {
  let wasUnanswered = false;
  for (let tries = 0; ; tries += 1) {
    try {
      await client.sendRawTransaction({ serializedTransaction: raw });
      return { refusal: null, wasUnanswered, wasLimited: false };
    } catch (error) {
      const unanswered = deskErrorIn(error);
      // Who is asked too often has not looked at it.
      const isLimited = isDeskError(unanswered, 'node_unreachable') && unanswered.fields.overloaded;
      if (unanswered !== null && !isLimited) wasUnanswered = true;
      if (unanswered === null || tries > 0) return { refusal: sentenceOf(error), wasUnanswered, wasLimited: isLimited };
    }
  }
}

function raised(fees: GasFees): GasFees {
  const more = (fee: bigint) => (fee * 5n) / 4n + 1n;
  if ('gasPrice' in fees) return { gasPrice: more(fees.gasPrice) };
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return { maxFeePerGas: more(maxFeePerGas), maxPriorityFeePerGas: more(maxPriorityFeePerGas) };
}

/** Said of an emergency that offers less than it would. */
const LOWERED =
  'Twice the base fee is more than the maker can pay or its node takes: 1.2 times was offered, so that it may wait where the base fee rises.';

/** The margin for a rising base fee that what is no emergency has: 1.2 times the base fee in place of twice. */
function withLessMargin(fees: GasFees): GasFees {
  if ('gasPrice' in fees) return fees;
  const { maxFeePerGas, maxPriorityFeePerGas: tip } = fees;
  return { maxFeePerGas: tip + ((maxFeePerGas - tip) * 3n) / 5n, maxPriorityFeePerGas: tip };
}

/** What is offered first, so that two raises by a quarter have room below the most. */
function firstMost(mostTip: bigint): bigint {
  return ((mostTip - 3n) * 16n) / 25n;
}

function besideBase(fees: GasFees): string {
  return 'gasPrice' in fees ? 'for a unit of gas' : 'beside the base fee';
}

/** What is offered beside the base fee, which is the chain's own; a price in one has both. */
function tipOf(fees: GasFees): bigint {
  return 'gasPrice' in fees ? fees.gasPrice : fees.maxPriorityFeePerGas;
}

/** The base fee is paid as the chain has it, whatever the node says of it: only what is offered beside it is kept low. */
function clamped(fees: GasFees, mostTip: bigint): GasFees {
  const over = tipOf(fees) - mostTip;
  if (over <= 0n) return fees;
  if ('gasPrice' in fees) return { gasPrice: mostTip };
  return { maxFeePerGas: fees.maxFeePerGas - over, maxPriorityFeePerGas: mostTip };
}

function overtaken(call: MakerCall): Taken {
  const unsigned = unsent(call, 'An emergency came after it was asked for: it is not sent, and gives nothing back.');
  return { ...unsigned, sent: { ...unsigned.sent, overtaken: true } };
}

function tooDear(call: MakerCall, perGas: bigint, mostPerGas: bigint): Taken {
  const reason = `Gas costs ${gwei(perGas)} gwei now, and ${gwei(mostPerGas)} are paid at most. Nothing is sent until it costs less, or until “Pay for the gas of a hedge up to, gwei” (hedgeMostGwei) is raised under Settings.`;
  return unsent(call, reason);
}

function unsent(call: MakerCall, reason: string): Taken {
  const outcome = 'failed' as const;
  const sent: SentCall = { ...call, gas: null, feeWei: null, transactionHash: null, outcome, reason, paidWei: null };
  return { sent, nonce: null, unsure: null };
}

/** `note`: what is said of it also where it was carried out. */
async function withReceipt(
  client: PublicClient,
  sent: SentCall,
  { timeout, note, emergencies }: { timeout: number; note: string | null; emergencies: EmergencyCalls },
): Promise<SentCall> {
  const { transactionHash: hash } = sent;
  if (hash === null) return sent;
  let replaced: string | null = null;
  const onReplaced = ({ reason }: { reason: string }) => {
    replaced = reason;
  };
  try {
    const receipt = await client.waitForTransactionReceipt({ hash, timeout, onReplaced });
    const { transactionHash } = receipt;
    if (transactionHash !== hash && replaced === null)
      throw new Error('The node answered with something else than its receipt.');
    // The very call, signed anew as a second press does, is as good as this one; whatever else took the nonce is not.
    if (transactionHash !== hash && replaced !== 'repriced') {
      const isKept = !isEmptyCall(sent) && emergencies.all().some(({ hashes }) => hashes.includes(hash));
      const reason = `Its nonce was taken by ${transactionHash}, so nothing of it happened.`;
      return { ...sent, reason: isKept ? `${reason} Every emergency sends it along until it does.` : reason };
    }
    const ended = { ...sent, transactionHash, paidWei: feeOf(receipt) };
    if (receipt.status !== 'success') return { ...ended, outcome: 'failed', reason: 'It was reverted on chain.' };
    emergencies.ended(transactionHash);
    return { ...ended, outcome: 'confirmed', reason: note };
  } catch (error) {
    const reason = sent.reason ?? sentenceOf(error);
    return { ...sent, reason: note === null ? reason : `${reason} ${note}` };
  }
}
