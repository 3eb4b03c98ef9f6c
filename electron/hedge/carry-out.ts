import type { AccountTurns } from '../chain/account-turns.ts';
import { sentenceOf } from './hedge-parts.ts';
import { HedgeOver, type HedgeRun, record } from './hedge-run.ts';
import { followOrder, signIntentOrder, submitOrder } from './intent-hedge.ts';
import { runMarketHedge } from './market-hedge.ts';
import { followTransaction } from './transactions.ts';

const INTERRUPTED = 'The desk ended before anything of it was signed: nothing was traded.';
const APPROVED_ONLY =
  'The desk ended after the allowance was set and before anything else was signed: nothing was traded.';

/**
 * Carries a hedge from where it stands to its end. What is signed in a turn of `queue` is alone there, so that the hedges of
 * an account come one after the other. `fresh`: it was opened just now, by this desk; another one is taken up where its journal
 * ends, and of what nothing was signed nothing is begun again, since its price is old. Never throws but for a journal that
 * cannot be written.
 */
export async function carryOut(run: HedgeRun, queue: AccountTurns, fresh: boolean): Promise<void> {
  const { log, seq } = run;
  try {
    if (fresh) await begin(run, queue);
    else await takeUp(run, queue);
  } catch (error) {
    if (run.signal.aborted || !log.isRunning(seq)) return;
    if (record(run).pending !== null) throw error;
    const over = error instanceof HedgeOver ? error.outcome : 'failed';
    await log.end(seq, over, sentenceOf(error));
  }
}

async function begin(run: HedgeRun, queue: AccountTurns): Promise<void> {
  const { way } = record(run).opened;
  const isMarket = way.mode === 'market';
  await inTurn(run, queue, async (mine) => {
    if (!run.log.isRunning(run.seq)) return; // given up before its turn came
    run.signal.throwIfAborted();
    await (isMarket ? runMarketHedge(mine) : signIntentOrder(mine));
  });
  if (isMarket || !run.log.isRunning(run.seq)) return;
  await submitOrder(run, true);
  await followOrder(run);
}

/**
 * The hedges of an account come one after the other, since each is judged by the allowances and the pools that the one before it
 * left. One that waits for a chain that does not take its transaction, or for a person, lets the others pass and goes on beside them.
 */
async function inTurn(run: HedgeRun, queue: AccountTurns, deed: (run: HedgeRun) => Promise<unknown>): Promise<void> {
  const { chainId, maker } = record(run).opened;
  let letPass = (): void => {};
  const passed = new Promise<void>((resolve) => {
    letPass = resolve;
  });
  let work: Promise<unknown> = Promise.resolve();
  await queue.run(chainId, maker, () => {
    work = deed({ ...run, letPass });
    return Promise.race([work, passed]);
  });
  await work;
}

async function takeUp(run: HedgeRun, queue: AccountTurns): Promise<void> {
  const { opened, state, pending, transactions } = record(run);
  const { way } = opened;
  if (pending?.purpose === 'approval') {
    await inTurn(run, queue, (mine) => followTransaction(mine, async () => ({ spent: 0n, received: 0n })));
    throw new HedgeOver('failed', APPROVED_ONLY);
  }
  if (way.mode === 'market' && (pending !== null || state === 'mined')) {
    await inTurn(run, queue, runMarketHedge);
    return;
  }
  if (state === 'handed_out') return runMarketHedge(run);
  if (state !== 'signed' && state !== 'submitted') {
    const lost = transactions.some(({ purpose, outcome }) => purpose === 'swap' && outcome === 'lost');
    if (lost) throw new HedgeOver('failed', 'Another transaction took its nonce: it never can be carried out.');
    throw new HedgeOver('failed', transactions.length > 0 ? APPROVED_ONLY : INTERRUPTED);
  }
  if (state === 'signed') await submitOrder(run, false);
  await followOrder(run);
}
