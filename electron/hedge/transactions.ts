import { parseTransaction, type TransactionReceipt } from 'viem';
import { type GasFees, gasFees } from '../chain/estimate-calls.ts';
import { isSentBefore } from '../chain/node-fault.ts';
import { handLost } from '../chain/send-calls.ts';
import { signTransaction } from '../chain/sign-transaction.ts';
import { feeOf, gwei, WEI_PER_GWEI } from '../chain/transaction-fee.ts';
import { type HedgeStep, isEmpty } from '../contract/hedge-steps.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { anyReceipt, expectChain, type HedgeCall, type HedgeNode, priceCall } from './hedge-node.ts';
import { chainOf, sentenceOf } from './hedge-parts.ts';
import { type HedgeRun, isAllowed, isFresh, mayGoOn, record, rest, sayHeld } from './hedge-run.ts';

type Mined = Extract<HedgeStep, { step: 'transaction_mined' }>;
type Signed = Extract<HedgeStep, { step: 'transaction_signed' | 'transaction_replaced' }>;
type Purpose = Mined['purpose'];
/** What a swap moved, raw units. `isGuess`: it is not read from the chain. */
type Moved = { spent: bigint; received: bigint; isGuess?: boolean };

/** How often the same bytes are sent again while the chain does not show them, in looks. */
const SEND_AGAIN_EVERY = 25;
/**
 * How long a nonce is used while there is no receipt before the transaction is given up, in looks and in blocks: nodes lag behind
 * each other, and what took the nonce may be taken back. It is looked after until it is final even then.
 */
const LOST_AFTER = 8;
const LOST_AFTER_BLOCKS = 6n;

/**
 * Signs a call of the maker with the next nonce, and writes it down before it is sent. Nonce, signature and sending are one
 * turn of the account. It waits while gas costs more than the chain's `hedgeMostGwei`, and while the node tells of transactions of the
 * maker that are not ours. False when the price of that moment it is built on became too old meanwhile, and for an approval whenever
 * it has waited, since others may have signed on the allowance as it is: nothing was signed then.
 * Throws DeskError `would_fail`, `no_key`.
 */
export async function signAndSend(
  run: HedgeRun,
  purpose: Purpose,
  call: HedgeCall,
  pricedAt = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { parts, log, seq } = run;
  const { chainId, maker } = record(run).opened;
  const chain = run.node(chainId);
  const { emergencies } = parts.accounts;
  type Priced = Awaited<ReturnType<typeof priceCall>>;
  const inTurn = async (handed: ReadonlySet<Hex>, { gas, fees, perGas }: Priced): Promise<boolean | string> => {
    const { nonce, others } = await nextNonce(run, chain, maker);
    if (others !== null) return others;
    if (purpose === 'approval' && (await isApproving(run, call))) return APPROVING;
    if (emergencies.of(chainId, maker).some(({ raw, refused }) => !refused && !handed.has(raw)))
      return 'An emergency signed something meanwhile: nothing is signed behind it until the node has that.';
    const signer = parts.signerFor(maker);
    if (signer === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
    if (!isAllowed(run) || run.givenUp() !== null || !isFresh(run, pricedAt)) return false;
    const { hash, raw } = await signTransaction(signer, { chainId, nonce, gas, fees, ...call });
    if (!isAllowed(run) || run.givenUp() !== null || !isFresh(run, pricedAt)) return false;
    const { to, data, value } = call;
    const written = { to, data, value: `${value}`, gas: `${gas}`, perGas: `${perGas}` };
    await log.step(seq, { step: 'transaction_signed', purpose, nonce, hash, raw, ...written });
    await send(run, { purpose, hash, raw });
    return true;
  };
  let why: string | null = null;
  let hasWaited = false;
  for (;;) {
    hasWaited = (await mayGoOn(run)) || hasWaited;
    if (purpose === 'approval' && hasWaited && why === null) return false;
    // What it waits for is asked alone: a price for each of its half minutes would cost the service's day.
    if (why === APPROVING) why = (await isApproving(run, call)) ? APPROVING : null;
    else if (why !== null) why = await whyNotNow(run, chain, maker);
    else if (!isFresh(run, pricedAt)) return false;
    else {
      // Before the turn, which an emergency needs: a node may be long with its answers.
      await expectChain(chain);
      const handed = await handLost(chain.client, emergencies, { chainId, maker });
      const priced = await priceCall(chain, maker, call);
      why = whyTooDear(run, priced.perGas);
      if (handed === null)
        why = 'The node does not take what an emergency signed: nothing is signed behind it until it does.';
      else if (why === null) {
        const done = await parts.accounts.run(chainId, maker, () => inTurn(handed, priced));
        if (done === true) return true;
        why = done === false ? null : done;
      }
    }
    if (why === null) continue;
    run.letPass();
    await log.wait(seq, why);
    await rest(run, run.lookMs);
    hasWaited = true;
  }
}

const APPROVING =
  'An allowance that another hedge sets of the same token is on its way: it is waited for, and this one is planned behind it.';

/**
 * Whether another hedge has an allowance of this token for this spender on its way. A token that refuses to exchange one allowance for
 * another would refuse the second of two, and any second one was reckoned without the first.
 */
async function isApproving({ log, seq: own }: HedgeRun, { to, data }: HedgeCall): Promise<boolean> {
  const spenderOf = (call: Hex) => call.slice(0, SPENDER_ENDS);
  const others = log.all().filter(({ seq, pending }) => seq !== own && pending?.purpose === 'approval');
  const signed = await Promise.all(others.map(({ seq }) => log.last(seq, 'transaction_signed')));
  return signed.some((other) => other?.to === to && spenderOf(other.data) === spenderOf(data));
}

/** Where the first argument of a call ends: 0x, its four bytes and a word, in hex digits. */
const SPENDER_ENDS = 2 + 8 + 64;

/** Why nothing of a hedge is signed at this moment, for a person; null where something may be. */
async function whyNotNow(run: HedgeRun, chain: HedgeNode, maker: Address): Promise<string | null> {
  const fees = await gasFees(chain.client);
  const dear = whyTooDear(run, 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas);
  return dear ?? (await nextNonce(run, chain, maker)).others;
}

function whyTooDear(run: HedgeRun, perGas: bigint): string | null {
  const most = mostPerGas(run);
  if (perGas <= most) return null;
  return `Gas costs ${gwei(perGas)} gwei now, and a hedge pays ${gwei(most)} at most: nothing is signed until it costs less, or until that limit is raised under Settings.`;
}

/**
 * The next number of the maker's account, behind all that the desk has on its way. `others`: what a person is told where the node knows
 * of more, behind which a transaction might wait for ever.
 */
async function nextNonce(run: HedgeRun, { client }: HedgeNode, maker: Address) {
  const { chainId } = record(run).opened;
  const countOf = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address: maker, blockTag });
  const [mined, pending] = await Promise.all([countOf('latest'), countOf('pending')]);
  // A node that lost what an emergency signed would give its number away again.
  const urgent = run.parts.accounts.emergencies.nonces(chainId, maker);
  const nonce = Math.max(mined, ...[...noncesOnTheirWay(run), ...urgent].map((one) => one + 1));
  const others =
    pending > nonce
      ? `The node tells of ${pending - nonce} transactions of the maker that wait, and that no hedge sent: nothing is signed until they are mined.`
      : null;
  return { nonce, others };
}

/** The most that a transaction of a hedge offers for a unit of gas, wei. */
function mostPerGas({ parts, log, seq }: HedgeRun): bigint {
  return BigInt(chainOf(parts, log.running(seq).opened.chainId).config.hedgeMostGwei) * WEI_PER_GWEI;
}

/** Nonces of the maker that other hedges wait for: a node that lost one of them would give its number away again. */
function noncesOnTheirWay({ log, seq }: HedgeRun): number[] {
  const { chainId, maker } = log.running(seq).opened;
  return log.all().flatMap(({ seq: other, opened, pending, held, transactions }) => {
    // One that is held for a person before it, or what it took the place of, was ever sent waits behind what a person lets go.
    const signed = transactions.filter(({ nonce }) => nonce === pending?.nonce);
    const isUnsent = held && signed.every(({ outcome }) => outcome === 'signed');
    const isOne = other !== seq && !isUnsent && opened.chainId === chainId && opened.maker === maker;
    return isOne && pending !== null ? [pending.nonce] : [];
  });
}

/** Hands the very bytes to the node. What it says to them is told, and the chain is what counts. */
async function send(run: HedgeRun, { purpose, hash, raw }: { purpose: Purpose; hash: Hex; raw: Hex }): Promise<void> {
  const { log, seq } = run;
  if (!isAllowed(run)) {
    const isSent = record(run).transactions.some((one) => one.hash === hash && one.outcome === 'sent');
    return sayHeld(
      run,
      isSent ? 'It was sent and may be mined; it is not sent again.' : 'It is signed, and is not sent.',
    );
  }
  try {
    await run.node(record(run).opened.chainId).client.sendRawTransaction({ serializedTransaction: raw });
  } catch (error) {
    if (isSentBefore(sentenceOf(error))) return;
    await log.wait(seq, `It was signed, and whether the node has it is not known: ${sentenceOf(error)}`);
    return;
  }
  await log.step(seq, { step: 'transaction_sent', purpose, hash });
}

/**
 * Follows the signed transaction to its end, also one of a desk that was killed: looked up on the chain by its hash first, then
 * by its nonce, and only the same bytes are ever sent again. A swap is sent until its deadline; then an empty transaction takes its
 * nonce. `amounts` reads what a swap moved. False when a transaction that is none of its own took its nonce.
 */
export async function followTransaction(
  run: HedgeRun,
  amounts: (receipt: TransactionReceipt) => Promise<Moved>,
): Promise<boolean> {
  const { parts, log, seq } = run;
  const { chainId, maker } = record(run).opened;
  const { pending } = record(run);
  if (pending === null) throw new Error(`hedge ${seq} has no transaction to follow`);
  const { purpose, nonce } = pending;
  const chain = run.node(chainId);
  const patience = new FeePatience();
  let used = 0;
  let usedSince: bigint | null = null;
  for (let look = 0; ; look += 1) {
    try {
      await expectChain(chain);
      const { hash, replaced = [] } = record(run).pending ?? pending;
      const receipt = await anyReceipt(chain, [hash, ...replaced]);
      if (receipt !== null) {
        const isEmptied = isEmpty(await signedAs(run, receipt.transactionHash));
        const hasMoved = purpose !== 'approval' && receipt.status === 'success' && !isEmptied;
        const moved = hasMoved ? await amounts(receipt) : { spent: 0n, received: 0n };
        await log.step(seq, minedStep(purpose, receipt, moved, isEmptied));
        return true;
      }
      const [count, newest] = await Promise.all([
        chain.client.getTransactionCount({ address: maker, blockTag: 'latest' }),
        chain.client.getBlockNumber({ cacheTime: 0 }),
      ]);
      used = count > nonce ? used + 1 : 0;
      usedSince = used === 0 ? null : (usedSince ?? newest);
      if (used > LOST_AFTER && usedSince !== null && newest >= usedSince + LOST_AFTER_BLOCKS) {
        // It is named for what moves something; whatever has its nonce is looked after.
        const moves = (await signedWith(run, nonce)).findLast((step) => !isEmpty(step))?.hash ?? hash;
        await log.step(seq, { step: 'transaction_lost', purpose, hash: moves, block: Number(newest) });
        return false;
      }
      const { state, held } = record(run);
      const isLate = await isPastDeadline(run);
      // What is held goes as soon as it may; the rest now and then.
      if (used === 0 && !hasRival(run, nonce) && (isLate || patience.isOver(look, newest))) {
        run.letPass();
        if (isAllowed(run)) await parts.accounts.run(chainId, maker, () => raiseFee(run, patience, newest));
      }
      const turn = state === 'sent' ? SEND_AGAIN_EVERY - 1 : 0;
      const due = held ? isAllowed(run) : look % SEND_AGAIN_EVERY === turn;
      // Late it would be carried out at the price of a moment long over.
      if (used === 0 && due && !hasRival(run, nonce) && !(await isPastDeadline(run))) {
        const signed = await signedNow(run);
        await parts.accounts.run(chainId, maker, async () => {
          // An emergency took its place: sent again, it would take that back from a node that lost the emergency.
          if (!parts.accounts.emergencies.holds(chainId, maker, nonce)) await send(run, signed);
        });
      }
    } catch (error) {
      run.signal.throwIfAborted();
      run.letPass();
      await log.wait(seq, `It is signed, and the chain cannot be asked what became of it: ${sentenceOf(error)}`);
    }
    await rest(run, run.lookMs);
  }
}

/** A transaction is looked at for its fee once so many blocks, or looks, went by without it. */
const BLOCKS_WITHOUT_IT = 2n;
const LOOKS_WITHOUT_IT = 25;
/** A node takes another transaction in the place of one only when each of its fees is at least a tenth higher; wei, as fractions of eighths. */
const RAISED = 9n;
const EIGHTHS = 8n;

/** How long a transaction has been let wait with the fee that it has. */
class FeePatience {
  #since: { look: number; block: bigint } | null = null;

  isOver(look: number, block: bigint): boolean {
    this.#since ??= { look, block };
    return block - this.#since.block >= BLOCKS_WITHOUT_IT || look - this.#since.look >= LOOKS_WITHOUT_IT;
  }

  again(): void {
    this.#since = null;
  }
}

/** The bytes that the hedge waits for now: after a reorganisation that may be any of those with its nonce. */
async function signedNow(run: HedgeRun): Promise<Signed & { hash: Hex }> {
  const { pending } = record(run);
  if (pending === null) throw new Error(`hedge ${run.seq} waits for no transaction`);
  return signedAs(run, pending.hash as Hex);
}

async function signedAs(run: HedgeRun, hash: Hex): Promise<Signed & { hash: Hex }> {
  const found = (await signedSteps(run)).find((step) => step.hash === hash);
  if (found === undefined) throw new Error(`hedge ${run.seq} has not signed the transaction ${hash}`);
  return { ...found, hash };
}

/** Everything that the hedge signed with a nonce, in order. */
async function signedWith(run: HedgeRun, nonce: number): Promise<Signed[]> {
  return (await signedSteps(run)).filter((step) => step.nonce === nonce);
}

async function signedSteps({ parts, seq }: HedgeRun): Promise<Signed[]> {
  return (await parts.journal.read.hedgeSteps(seq)).flatMap(({ step }) =>
    step.step === 'transaction_signed' || step.step === 'transaction_replaced' ? [step] : [],
  );
}

/** Whether another hedge has sent something with this nonce, which was held here and never sent: the chain says which of them it takes. */
function hasRival({ log, seq }: HedgeRun, nonce: number): boolean {
  const { chainId, maker } = log.running(seq).opened;
  return log.all().some(({ seq: other, opened, pending, transactions }) => {
    const isOne = other !== seq && opened.chainId === chainId && opened.maker === maker && pending?.nonce === nonce;
    return isOne && transactions.some((one) => one.nonce === nonce && one.outcome === 'sent');
  });
}

/** Whether what is waited for is a swap whose deadline is over. The router may know no deadline. */
async function isPastDeadline(run: HedgeRun): Promise<boolean> {
  const { opened, pending } = record(run);
  if (pending?.purpose !== 'swap' || run.parts.now() / 1_000 <= opened.deadline) return false;
  return !isEmpty(await signedNow(run));
}

/**
 * Where the chain asks for more now than the transaction offers, the same call is signed again with the same nonce and a higher
 * fee, written down, and sent; in the place of a swap past its deadline an empty one is, whatever the swap offered. No other for more
 * than the chain's `hedgeMostGwei`, and no swap for more than its `hedgeFeeMultiple` of the first fee: then a person is told.
 */
async function raiseFee(run: HedgeRun, patience: FeePatience, block: bigint): Promise<void> {
  const { parts, log, seq } = run;
  const { opened, pending } = record(run);
  if (pending === null) return;
  const { chainId, maker } = opened;
  const { purpose, nonce } = pending;
  // An emergency took its place: a higher fee would take that back.
  if (parts.accounts.emergencies.holds(chainId, maker, nonce)) return;
  const chain = run.node(chainId);
  const { client } = chain;
  const [awaited, all, first, isLate] = await Promise.all([
    signedNow(run),
    signedWith(run, nonce),
    log.last(seq, 'transaction_signed'),
    isPastDeadline(run),
  ]);
  const { hash: replaces } = awaited;
  const before = parseTransaction(awaited.raw);
  const [fees, { baseFeePerGas }] = await Promise.all([gasFees(client), client.getBlock({ blockNumber: block })]);
  // After a reorganisation one that offers more may wait beside it.
  const offers = all.map((step) => parseTransaction(step.raw));
  const offered = offers.map((one) => one.maxFeePerGas ?? one.gasPrice ?? 0n).reduce(larger, 0n);
  const asked = 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
  const tip = 'gasPrice' in fees ? 0n : fees.maxPriorityFeePerGas;
  const offeredTip = offers.map((one) => one.maxPriorityFeePerGas ?? 0n).reduce(larger, 0n);
  const isShort = (baseFeePerGas ?? 0n) > offered || asked >= raised(offered) || tip >= raised(offeredTip);
  if (!isShort && !isLate) return patience.again();
  const { hedgeFeeMultiple } = chainOf(parts, chainId).config;
  const [multiple, ceiling] = [BigInt(first?.perGas ?? offered) * BigInt(hedgeFeeMultiple), mostPerGas(run)];
  const wanted = larger(asked, raised(offered));
  // What takes the place of a swap that offered all it may has to offer more; empty as it is, it costs little.
  const perGas = isLate ? smaller(wanted, larger(ceiling, raised(offered))) : wanted;
  if (!isLate && (perGas > ceiling || (perGas > multiple && !isEmpty(awaited)))) {
    const limit =
      perGas > ceiling
        ? `a hedge pays ${gwei(ceiling)} at most`
        : `the limit of ${hedgeFeeMultiple} times its first fee is reached`;
    return log.wait(
      seq,
      `Its transaction waits, and others pass: it offers ${gwei(offered)} gwei, the chain asks for ${gwei(asked)}, and ${limit}. It goes on when the fee of the chain falls, or when that limit is raised under Settings.`,
    );
  }
  const signer = parts.signerFor(maker);
  if (signer === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
  if (!isAllowed(run) || before.to == null || before.gas === undefined) return;
  const same = { to: before.to.toLowerCase() as Hex, data: before.data ?? '0x', value: before.value ?? 0n };
  const call: HedgeCall = isLate ? { to: maker, data: '0x', value: 0n } : same;
  const gas = isLate ? (await priceCall(chain, maker, call)).gas : before.gas;
  const { to, data, value } = call;
  const newTip = larger(tip, raised(offeredTip));
  const newFees: GasFees =
    before.gasPrice !== undefined
      ? { gasPrice: perGas }
      : { maxFeePerGas: perGas, maxPriorityFeePerGas: newTip < perGas ? newTip : perGas };
  const made = await signTransaction(signer, { chainId, nonce, gas, fees: newFees, to, data, value });
  if (!isAllowed(run)) return;
  const written = { to, data, value: `${value}`, gas: `${gas}`, perGas: `${perGas}` };
  await log.step(seq, { step: 'transaction_replaced', purpose, replaces, nonce, ...made, ...written });
  patience.again();
  await send(run, { purpose, ...made });
}

function raised(fee: bigint): bigint {
  return (fee * RAISED + EIGHTHS - 1n) / EIGHTHS + 1n;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function minedStep(
  purpose: Purpose,
  receipt: TransactionReceipt,
  { spent, received, isGuess }: Moved,
  isEmptied: boolean,
): Mined {
  const { transactionHash: hash, blockNumber, blockHash, status } = receipt;
  return {
    step: 'transaction_mined',
    purpose,
    hash,
    block: Number(blockNumber),
    blockHash,
    succeeded: status === 'success' && !isEmptied,
    feeWei: `${feeOf(receipt)}`,
    spent: `${spent}`,
    received: `${received}`,
    ...(isEmptied && { emptied: true as const }),
    ...(isGuess === true && { guessed: true as const }),
  };
}
