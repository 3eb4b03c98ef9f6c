import type { AccountTurns } from '../chain/account-turns.ts';
import type { HedgeState } from '../contract/hedge.ts';
import { sentenceOf } from './hedge-parts.ts';
import { HedgeOver, type HedgeRun, record } from './hedge-run.ts';
import { followTransaction } from './transactions.ts';
import type { Venue } from './venues/venue.ts';
import { venueOf } from './venues/venues.ts';

/** Something is signed, and what becomes of it is looked up. */
const UNDER_WAY: ReadonlySet<HedgeState> = new Set(['signed', 'sent', 'mined', 'submitted', 'handed_out']);
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
  // Of a venue that this desk does not know nothing is ended: what it signed may be under way.
  const venue = venueOf(record(run).opened.way.mode);
  try {
    if (fresh) await begin(run, venue, queue);
    else await takeUp(run, venue, queue);
  } catch (error) {
    if (run.signal.aborted || !log.isRunning(seq)) return;
    if (record(run).pending !== null) throw error;
    const over = error instanceof HedgeOver ? error.outcome : 'failed';
    await log.end(seq, over, sentenceOf(error));
  }
}

async function begin(run: HedgeRun, venue: Venue, queue: AccountTurns): Promise<void> {
  // Nothing is signed for what only writes down what was done elsewhere: it waits for no turn.
  if (venue.about.isRecord) return venue.sign(run);
  const goesOn = () => run.log.isRunning(run.seq); // not given up before its turn came, nor over by itself
  await inTurn(run, queue, async (mine) => {
    if (!goesOn()) return;
    run.signal.throwIfAborted();
    await venue.sign(mine);
    if (venue.followsInTurn && goesOn()) await venue.follow(mine, true);
  });
  if (!venue.followsInTurn && goesOn()) await venue.follow(run, true);
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

async function takeUp(run: HedgeRun, venue: Venue, queue: AccountTurns): Promise<void> {
  const { state, pending, transactions } = record(run);
  if (pending?.purpose === 'approval') {
    await inTurn(run, queue, (mine) => followTransaction(mine, async () => ({ spent: 0n, received: 0n })));
    throw new HedgeOver('failed', APPROVED_ONLY);
  }
  if (UNDER_WAY.has(state)) {
    if (venue.followsInTurn) await inTurn(run, queue, (mine) => venue.follow(mine, false));
    else await venue.follow(run, false);
    return;
  }
  // What only writes down what was done elsewhere has nothing that could have been signed.
  if (venue.about.isRecord) return begin(run, venue, queue);
  const lost = transactions.some(({ purpose, outcome }) => purpose !== 'approval' && outcome === 'lost');
  if (lost) throw new HedgeOver('failed', 'Another transaction took its nonce: it never can be carried out.');
  throw new HedgeOver('failed', transactions.length > 0 ? APPROVED_ONLY : INTERRUPTED);
}
