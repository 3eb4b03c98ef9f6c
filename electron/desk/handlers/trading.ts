import type { Scope, StaysClosed } from '../../contract/trading.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { scopeKey } from '../../signer/scope-key.ts';
import type { ChainChecks } from '../chain-checks.ts';
import { checkBeforeResume, resumeOutlook } from '../resume-check.ts';
import type { Rooms } from '../rooms.ts';
import { expectStopsSeen, stopsAround } from '../stops-around.ts';
import type { WatchedChains } from '../watched-chains.ts';
import { os } from './base.ts';

/** So many presses of HALT are known again, the newest. */
const MOST_PRESSES = 1_000;

/** Stop, drain, start, what trades now, and what was stopped before. */
export function tradingHandlers(
  { guard, book, journal, log, now }: Pick<Rooms, 'guard' | 'book' | 'journal' | 'log' | 'now'>,
  watched: Pick<WatchedChains, 'accept'>,
  checks: Pick<ChainChecks, 'again' | 'holdings'>,
  handedOver: () => Promise<void> | undefined = () => undefined,
) {
  /** A stop of something misspelt must not look like a stop. */
  const known = (scope: Scope): Scope => {
    const { chainId, pair } = scope;
    if (chainId === undefined) return scope;
    const chain = book.chain(chainId);
    if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
    if (pair !== undefined && !chain.pairs.has(pair)) {
      throw new DeskError('unknown_pair', `${pair} is not a pair of chain ${chainId}.`);
    }
    return scope;
  };
  const parts = { book, guard, checks, now };
  const presses = new Map<string, Promise<{ durable: boolean; at: number }>>();
  const remember = (key: string, halting: Promise<{ durable: boolean; at: number }>) => {
    presses.set(key, halting);
    halting.catch(() => presses.delete(key)); // sent again it is a new stop
    for (const oldest of presses.keys()) if (presses.size > MOST_PRESSES) presses.delete(oldest);
  };
  const haltNow = async (scope: Scope, by: { actor: string; reason: string | null }) => {
    // What was answered before may be on its way through a surface elsewhere. The latch moves, and the surfaces count it, in one step.
    const [halted] = await Promise.all([guard.trading.halt(scope, by), handedOver()]);
    return halted;
  };
  const acknowledge = ({ durable, at }: { durable: boolean; at: number }) => ({ durable, at, status: guard.status() });
  return {
    status: os.trading.status.handler(() => guard.status()),
    halt: os.trading.halt.handler(async ({ input, context: { actor } }) => {
      const { reason = null, press } = input;
      const scope = known(input.scope);
      const key = `${press} ${scopeKey(scope)}`;
      const before = press === undefined ? undefined : presses.get(key);
      if (before !== undefined) return { ...acknowledge(await before), again: true as const };
      const halting = haltNow(scope, { actor, reason });
      if (press !== undefined) remember(key, halting);
      return acknowledge(await halting);
    }),
    drain: os.trading.drain.handler(async ({ input, context: { actor } }) =>
      acknowledge(
        await guard.trading.drain(known(input.scope), input.seconds, { actor, reason: input.reason ?? null }),
      ),
    ),
    explain: os.trading.explain.handler(async ({ input, context: { actor } }) => {
      const { at } = await guard.trading.explain(known(input.scope), { actor, reason: input.reason });
      log.info('a stop was explained', { scope: input.scope, actor, reason: input.reason });
      return acknowledge({ durable: true, at });
    }),
    stops: os.trading.stops.handler(({ input }) => journal.read.stops(input)),
    acknowledgeAlarms: os.trading.acknowledgeAlarms.handler(async ({ input: { seqs, reason }, context: { actor } }) => {
      await guard.alarms.acknowledge(seqs, { actor, reason });
      return guard.status();
    }),
    here: os.trading.here.handler(({ context: { actor } }) => guard.deadMan.here(actor)),
    acceptChain: os.trading.acceptChain.handler(({ input: { chainId, reason, genesis: seen }, context: { actor } }) => {
      known({ chainId });
      const { genesis } = watched.accept(chainId, { actor, reason }, seen);
      log.warn('a person says that a chain was reset', { chainId, genesis, actor, reason });
      return { genesis };
    }),
    stopsAround: os.trading.stopsAround.handler(({ input }) => stopsAround(guard, known(input.scope))),
    beforeResume: os.trading.beforeResume.handler(async ({ input }) => ({
      at: now(),
      ...(await resumeOutlook(parts, known(input.scope))),
    })),
    resume: os.trading.resume.handler(async ({ input, context: { actor, still } }) => {
      const scope = known(input.scope);
      let staysClosed: StaysClosed[] = [];
      still?.();
      expectStopsSeen(guard, scope, input.seen); // a stop from now on overtakes it
      const { at } = await guard.trading.resume(scope, { actor, reason: input.reason }, async () => {
        ({ staysClosed } = await checkBeforeResume(parts, scope));
        still?.();
      });
      return { ...acknowledge({ durable: true, at }), staysClosed };
    }),
  };
}
