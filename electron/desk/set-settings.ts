import { isDeepStrictEqual } from 'node:util';
import type { ChainBook } from '../book/chain-book.ts';
import { parseDesk } from '../book/parse-desk.ts';
import type { ChainConfig, CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';
import { markOf, withUrls } from '../contract/sealed-url.ts';
import { keepEarlier } from '../hedge/still-live.ts';
import type { ChainSet, DeskSet } from '../journal/book/events.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { EarlierKeys } from './credentials.ts';
import { expectHalted, refuseWhatIsLive } from './replace-configuration.ts';
import type { Rooms } from './rooms.ts';

/**
 * Sets where a chain is and how it is quoted on a desk that runs: nothing but this chain has to stop for it. It is checked
 * anew before a resume of it counts. Throws DeskError `chain_trading` unless the chain (or the whole desk) is HALTED,
 * `still_live` where something that was signed would be left behind, `desk_changed`, or FaultyInput `desk_file_faulty`.
 */
export async function setChain(
  rooms: Pick<Rooms, 'book' | 'guard' | 'journal' | 'credentials' | 'now'>,
  chainId: number,
  { actor, edit }: { actor: string; edit: (desk: DeskFile) => unknown },
): Promise<void> {
  const { book, guard, credentials, journal } = rooms;
  const refuseWhileTrading = () => {
    if (guard.trading.stateOf({ chainId }) === 'HALTED') return;
    const name = book.chain(chainId)?.config.name ?? `chain ${chainId}`;
    throw new DeskError('chain_trading', `${name} is changed only while it is halted.`, {
      remedy: 'Halt this chain first; the others go on.',
    });
  };
  refuseWhileTrading();
  const seen = book.chain(chainId);
  // What protections name may be set apart on another chain, and holds up no setting of this one.
  const file = { ...(await book.deskFile()), protections: [] };
  const { desk: wanted, urls } = parseDesk(edit(file));
  const [before, next] = [file, wanted].map(({ chains }) => chains.find((chain) => chain.chainId === chainId));
  if (before === undefined || next === undefined || seen === undefined) {
    throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  }
  const whole = withUrls(next, (url) => urls[markOf(url) ?? ''] ?? url);
  await credentials.openUrls([...book.chains().map(({ config }) => config), whole]);
  const others = wanted.chains.filter((chain) => chain.chainId !== chainId);
  await refuseWhatIsLive(rooms, { ...wanted, chains: [...others, whole] });
  const { maker, rfqContract } = seen.config;
  await keepEarlier(journal, [{ chainId, maker, rfqContract }]);
  await credentials.keep([], wanted, {}, urls);
  const still = () => {
    refuseWhileTrading();
    if (isDeepStrictEqual(book.chain(chainId)?.config, seen.config)) return;
    throw new DeskError('desk_changed', 'Somebody changed something of this chain meanwhile.', {
      remedy: 'Nothing was changed. Look at what it is now, and do this again.',
    });
  };
  const cause =
    'The settings of the chain were changed while this was being resumed. Look at what is set now, then resume again.';
  await guard.trading.withoutResumes({ actor, cause }, () =>
    book.setChain(chainId, settingsOf(withUnsaid(seen.config, before, next)), { actor, urls, still }),
  );
}

/**
 * A chain as `next` has it; what nobody gave anew is as it is now, with all that a desk file leaves out of it: the reserve of a token and
 * the reference of a pair that are set apart come back with them.
 */
function withUnsaid(now: ChainBook['config'], before: ChainConfig, next: ChainConfig): ChainConfig {
  const names = Object.keys(before) as (keyof ChainConfig)[];
  const left = new Set<string>(names.filter((name) => isDeepStrictEqual(before[name], next[name])));
  return { ...next, ...Object.fromEntries(Object.entries(now).filter(([name]) => left.has(name))) };
}

function settingsOf({
  chainId: _chainId,
  tokens: _tokens,
  pairs: _pairs,
  prices: _prices,
  blacklist: _blacklist,
  off: _off,
  limits: _limits,
  takers: _takers,
  takersLeftOut: _leftOut,
  follow: _follow,
  byHand: _byHand,
  formulas: _formulas,
  ...settings
}: ChainConfig): ChainSet {
  return settings;
}

/**
 * Sets what concerns the whole desk, on one that runs and is halted. What it lists, quotes and has stopped is as it was. `refuse` throws
 * where the setting is not as it was seen any more. Throws DeskError `desk_trading`.
 */
export async function setDesk(
  { book, guard }: Pick<Rooms, 'book' | 'guard'>,
  settings: DeskSet,
  { actor, refuse }: { actor: string; refuse: () => void },
): Promise<void> {
  const still = () => {
    expectHalted({ guard });
    refuse();
  };
  still();
  const cause =
    'A setting of the desk was changed while this was being resumed. Look at what is set now, then resume again.';
  await guard.trading.withoutResumes({ actor, cause }, () => book.setDesk(settings, { actor, still }));
}

/**
 * Sets who may ask on a desk that runs. Nothing stops for it but the traffic of those whose credentials change: their feeds
 * are closed, and what they signed before is refused; but where the earlier keys are kept both are taken until those end. Throws DeskError `desk_trading` where nobody would have to sign any
 * more while the desk trades, or FaultyInput `desk_file_faulty`.
 */
export async function setCounterparties(
  { book, guard, credentials }: Pick<Rooms, 'book' | 'guard' | 'credentials'>,
  {
    actor,
    edit,
    earlier = null,
  }: {
    actor: string;
    edit: (known: readonly CounterpartyConfig[]) => CounterpartyConfig[];
    earlier?: EarlierKeys | null;
  },
): Promise<void> {
  const before = book.desk().counterparties;
  // By themselves: whatever is wrong elsewhere, a key that leaked can be taken away.
  const { desk, secrets } = parseDesk({ version: 1, chains: [], counterparties: edit(before) });
  const refuse = () => {
    if (desk.counterparties.length === 0 && before.length > 0 && guard.trading.stateOf({}) !== 'HALTED') {
      throw new DeskError('desk_trading', 'Without a counterparty anybody on this machine may ask unsigned.', {
        remedy: 'Halt the desk before the last one is removed.',
      });
    }
    if (book.desk().counterparties === before) return;
    throw new DeskError('desk_changed', 'Somebody changed the counterparties meanwhile.', {
      remedy: 'Nothing was changed. Look at what they are now, and do this again.',
    });
  };
  refuse();
  const { fingerprints, takeBack } = await credentials.keepUnless(refuse, secrets, desk, {}, {}, earlier);
  try {
    refuse();
  } catch (error) {
    await takeBack();
    throw error;
  }
  await book.setCounterparties(desk.counterparties, { actor, fingerprints });
}
