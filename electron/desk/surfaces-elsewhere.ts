import { FleetSurfaces } from '../fleet/surfaces.ts';
import { refusalAnswer } from '../quoting/firm-answer.ts';
import type { Quoter } from '../quoting/quoter.ts';
import { sealText } from '../signer/sealed-text.ts';
import { completeMessage } from '../surface/serialised-grid.ts';
import type { SurfaceChain } from '../surface/surface-chain.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Rooms } from './rooms.ts';
import type { DeskFleet } from './take-seat.ts';

/** Whoever says that a request has waited for longer at a surface says something else than when it came. */
const MOST_WAITED_MS = 60_000;

/** What the desk does for its surfaces elsewhere: they serve what it serves, and what they are asked it answers. Loaded only by a desk of a fleet. */
export async function openSurfacesElsewhere(
  { server, writer }: DeskFleet,
  { book, credentials, earlierUses, refusedAddresses, now, log }: Rooms,
  { quoter, firm }: { quoter: Pick<Quoter, 'served' | 'onServed'>; firm: SurfaceChain['firm'] },
  { heartbeats, monotonic, sealedFor }: { heartbeats: Heartbeats; monotonic: () => number; sealedFor: string },
): Promise<FleetSurfaces> {
  const isKnown = (domain: string) => book.desk().counterparties.some((known) => known.domain === domain);
  const elsewhere = new FleetSurfaces({
    server,
    writer,
    // Who asks was judged there; since when they wait counts from there too. Whom this desk does not know gets nothing, and a chain that it
    // does not have is none of its own: it counts nowhere.
    firm: ({ at, turn: _turn, ...ask }, respond) => {
      if (book.chain(ask.chainId) === undefined) {
        respond(refusalAnswer('not_found'));
        return;
      }
      if (ask.counterparty === null ? book.desk().counterparties.length > 0 : !isKnown(ask.counterparty)) {
        respond(refusalAnswer('unauthorized'));
        return;
      }
      const [came, monotonicNow] = [now(), monotonic()];
      const waitedMs = Math.min(Math.max(0, Math.round(monotonicNow - at)), MOST_WAITED_MS);
      firm({ ...ask, receivedAt: came - waitedMs, receivedMonotonic: monotonicNow - waitedMs }, respond);
    },
    onBeat: (beat) => {
      if (book.chain(beat.chainId) !== undefined) heartbeats.record(beat);
    },
    onEarlierKeys: (domain) => {
      if (isKnown(domain)) earlierUses.set(domain, now());
    },
    onElsewhere: ({ domain, address }) => {
      if (isKnown(domain)) refusedAddresses.record({ domain, address, at: now() });
    },
    now,
    monotonic,
    log,
  });
  let sealed: string | null = null;
  const publish = (chainId: number) =>
    elsewhere.publish(chainId, () => {
      const grid = quoter.served(chainId);
      return { closed: grid.closed, complete: completeMessage(grid) };
    });
  const publishAll = () => {
    elsewhere.publishDesk(async () => {
      sealed = await sealText(JSON.stringify(credentials.kept), sealedFor, { before: sealed });
      const { deadlineMs, surfaceNames, counterparties } = book.desk();
      const chains = book.chains().map(({ chainId, config: { basePath, feedMaxAgeSeconds } }) => {
        return { chainId, basePath, feedMaxAgeSeconds };
      });
      return {
        deadlineMs,
        surfaceNames: [...surfaceNames],
        counterparties: [...counterparties],
        secrets: sealed,
        chains,
      };
    });
    for (const { chainId } of book.chains()) publish(chainId);
  };
  quoter.onServed(publish);
  book.onChange((chainId) => chainId === null && publishAll());
  book.onSettings(publishAll);
  credentials.onChange(publishAll);
  publishAll();
  return elsewhere;
}
