import type { TransactionReceipt } from 'viem';
import type { HedgeStep } from '../contract/hedge-steps.ts';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { expectChain, type HedgeCall, priceCall, receiptOf } from './hedge-node.ts';
import { sentenceOf } from './hedge-parts.ts';
import { type HedgeRun, isAllowed, isFresh, mayGoOn, record, rest, sayHeld } from './hedge-run.ts';
import { signTransaction } from './sign-transaction.ts';
import { feeOf } from './transaction-fee.ts';

type Purpose = 'approval' | 'swap';
type Mined = Extract<HedgeStep, { step: 'transaction_mined' }>;

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
 * turn of the account. False when the price of that moment it is built on became too old meanwhile: nothing was signed then.
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
  const inTurn = async () => {
    await expectChain(chain);
    const { gas, fees, perGas } = await priceCall(chain, maker, call);
    const nonce = await chain.client.getTransactionCount({ address: maker, blockTag: 'pending' });
    const signer = parts.signerFor(maker);
    if (signer === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
    if (!isAllowed(run) || run.givenUp() !== null || !isFresh(run, pricedAt)) return false;
    const { hash, raw } = signTransaction(signer, { chainId, nonce, gas, fees, ...call });
    const { to, data, value } = call;
    const written = { to, data, value: `${value}`, gas: `${gas}`, perGas: `${perGas}` };
    await log.step(seq, { step: 'transaction_signed', purpose, nonce, hash, raw, ...written });
    await send(run, { purpose, hash, raw });
    return true;
  };
  for (;;) {
    await mayGoOn(run);
    if (!isFresh(run, pricedAt)) return false;
    if (await parts.accounts.run(chainId, maker, inTurn)) return true;
  }
}

/** Hands the very bytes to the node. What it says to them is told, and the chain is what counts. */
async function send(run: HedgeRun, { purpose, hash, raw }: { purpose: Purpose; hash: Hex; raw: Hex }): Promise<void> {
  const { log, seq } = run;
  if (!isAllowed(run)) return sayHeld(run, 'It is signed, and is not sent.');
  try {
    await run.node(record(run).opened.chainId).client.sendRawTransaction({ serializedTransaction: raw });
  } catch (error) {
    if (/already known|already imported/i.test(sentenceOf(error))) return;
    await log.wait(seq, `It was signed, and whether the node has it is not known: ${sentenceOf(error)}`);
    return;
  }
  await log.step(seq, { step: 'transaction_sent', purpose, hash });
}

/**
 * Follows the signed transaction to its end, also one of a desk that was killed: looked up on the chain by its hash first, then
 * by its nonce, and only the same bytes are ever sent again. `amounts` reads what a swap moved. False when another transaction
 * took its nonce.
 */
export async function followTransaction(
  run: HedgeRun,
  amounts: (receipt: TransactionReceipt) => Promise<{ spent: bigint; received: bigint }>,
): Promise<boolean> {
  const { parts, log, seq } = run;
  const { chainId, maker } = record(run).opened;
  const { pending } = record(run);
  if (pending === null) throw new Error(`hedge ${seq} has no transaction to follow`);
  const { purpose, nonce } = pending;
  const hash = pending.hash as Hex;
  const chain = run.node(chainId);
  let used = 0;
  let usedSince: bigint | null = null;
  for (let look = 0; ; look += 1) {
    try {
      await expectChain(chain);
      const receipt = await receiptOf(chain, hash);
      if (receipt !== null) {
        const none = { spent: 0n, received: 0n };
        const moved = purpose === 'swap' && receipt.status === 'success' ? await amounts(receipt) : none;
        await log.step(seq, minedStep(purpose, receipt, moved));
        return true;
      }
      const [count, newest] = await Promise.all([
        chain.client.getTransactionCount({ address: maker, blockTag: 'latest' }),
        chain.client.getBlockNumber({ cacheTime: 0 }),
      ]);
      used = count > nonce ? used + 1 : 0;
      usedSince = used === 0 ? null : (usedSince ?? newest);
      if (used > LOST_AFTER && usedSince !== null && newest >= usedSince + LOST_AFTER_BLOCKS) {
        await log.step(seq, { step: 'transaction_lost', purpose, hash, block: Number(newest) });
        return false;
      }
      const { state, held } = record(run);
      // What is held goes as soon as it may; the rest now and then.
      const turn = state === 'sent' ? SEND_AGAIN_EVERY - 1 : 0;
      const due = held ? isAllowed(run) : look % SEND_AGAIN_EVERY === turn;
      if (used === 0 && due) {
        const signed = await log.last(seq, 'transaction_signed');
        if (signed?.hash === hash)
          await parts.accounts.run(chainId, maker, () => send(run, { purpose, hash, raw: signed.raw }));
      }
    } catch (error) {
      run.signal.throwIfAborted();
      await log.wait(seq, `It is signed, and the chain cannot be asked what became of it: ${sentenceOf(error)}`);
    }
    await rest(run);
  }
}

function minedStep(
  purpose: Purpose,
  receipt: TransactionReceipt,
  { spent, received }: { spent: bigint; received: bigint },
): Mined {
  const { transactionHash: hash, blockNumber, blockHash, status } = receipt;
  return {
    ...{ step: 'transaction_mined', purpose, hash, block: Number(blockNumber), blockHash },
    ...{ succeeded: status === 'success', feeWei: `${feeOf(receipt)}` },
    ...{ spent: `${spent}`, received: `${received}` },
  };
}
