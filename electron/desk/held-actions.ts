import { isDeepStrictEqual } from 'node:util';
import type { AnyContractProcedure, InferSchemaOutput } from '@orpc/contract';
import type { ChainBook } from '../book/chain-book.ts';
import { compareDesks } from '../book/compare-desks.ts';
import { FOUR_EYES, type HeldKind } from '../contract/approvals.ts';
import type { consoleContract } from '../contract/console-contract.ts';
import type { DeskChange } from '../contract/desk-changes.ts';
import type { ChainConfig, CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';
import type { ExposureRow } from '../contract/desk-view.ts';
import type { AutoHedge } from '../contract/hedge-terms.ts';
import { isoTime, isProgram, utcText } from '../contract/names.ts';
import type { NftOrderSide } from '../contract/nft-order.ts';
import { subjectText } from '../contract/protections.ts';
import { consoleRights } from '../contract/rights.ts';
import type { Scope } from '../contract/trading.ts';
import { kindOf } from '../hedge/venues/venues.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { compare, fromRaw, parseDecimal, toRaw } from '../protocol/decimal.ts';
import { scopesAround } from '../signer/scope-key.ts';
import { fingerprint } from '../signer/secrets.ts';
import { hedgeInWords } from './hedge-in-words.ts';
import { droppedStops, isOtherRule, loosenedKinds } from './loosened.ts';
import { comparedWith, expectHalted, seenMark } from './replace-configuration.ts';
import type { Rooms } from './rooms.ts';
import { serviceUrlOf } from './services.ts';
import { isSetByItself, withoutChain, withSavedChain, withSavedParty } from './settings-edits.ts';
import { expectStopsSeen } from './stops-around.ts';
import type { WatchedChains } from './watched-chains.ts';

/** What an action would do, for the second person; of no kind where nobody has to be asked. */
export interface Plan {
  kinds: readonly HeldKind[];
  /** What is to be done, in words: "go live on the desk". */
  says: string;
  /** Why, where whoever asks says that. */
  reason?: string;
  changes: readonly DeskChange[];
  /** One text for what it is about, where the changes do not say all of that: another one as soon as something of it is another. */
  about?: string;
  /** What it is about as it was when the plan was made, and the same for right now, without asking anybody: nothing may come between. */
  seen: string;
  now: () => string;
}

type Input<Operation> = Operation extends AnyContractProcedure
  ? InferSchemaOutput<NonNullable<Operation['~orpc']['inputSchema']>>
  : never;
type Planner<Operation> = (input: Input<Operation>) => Plan | null | Promise<Plan | null>;
/** What an operation of the contract would do; null where it only closes something. One that is not here is never held. */
type Planners = {
  readonly [Room in keyof typeof consoleContract]?: {
    readonly [Name in keyof (typeof consoleContract)[Room]]?: Planner<(typeof consoleContract)[Room][Name]>;
  };
};

/** Rights with which somebody can do or approve what four eyes are set for. */
const WEIGHTY = ['trade', 'settings', 'admin'] as const;

/** What the desk sent and no chain took for so long is not waited for any more. */
const SENT_FOR_MS = 86_400_000;

/** Every action that can take a second person, and what it would change. */
export function heldActions(
  rooms: Rooms,
  outside: {
    watched: Pick<WatchedChains, 'otherGenesis'>;
    /** Whose key signs now; null where there is none. */
    signer: () => string | null;
    surfaceUrl: () => string | null;
  },
) {
  const { book, guard, credentials, approvals } = rooms;

  const plainly = (kinds: readonly HeldKind[], says: string, changes: () => DeskChange[]): Plan => {
    const now = () => JSON.stringify(changes());
    return { kinds, says, changes: changes(), seen: now(), now };
  };

  const because = (reason: string, plan: Plan): Plan => ({ ...plan, reason });

  /** A change of what a desk file says, of which no secret is part; `before` is read anew to see whether it is still so. */
  const ofSettings = (says: string, before: () => Partial<DeskFile>, after: Partial<DeskFile>): Plan => {
    const [from, to] = [bareDesk(before()), bareDesk(after)];
    const changes = () => comparedBare(rooms, bareDesk(before()), to);
    return { ...plainly([], says, changes), kinds: loosenedKinds(from, to) };
  };

  /** The same of what is set only while the desk is halted. */
  const ofDeskSettings = (...given: Parameters<typeof ofSettings>): Plan => {
    expectHalted(rooms);
    return ofSettings(...given);
  };

  /** A plan that puts a desk file in the place of the configuration: a stop that is gone with it is a resume. */
  const replacing = (plan: Plan, desk: DeskFile): Plan => {
    const stops = () =>
      droppedStops(guard.trading.states.all(), desk).map((stop) => {
        const { scope, since } = stop;
        const about = scope.chainId === undefined ? 'Desk' : chainName(scope.chainId);
        const before = stateText(scope, stop);
        return { since, change: { about, what: `Stop of ${placeOf(scope)}`, before, after: null } };
      });
    const dropped = stops();
    const [seen, now] = [JSON.stringify([plan.seen, dropped]), () => JSON.stringify([plan.now(), stops()])];
    if (dropped.length === 0) return { ...plan, seen, now };
    const about = JSON.stringify([plan.about ?? plan.changes, dropped]);
    const kinds = [...new Set<HeldKind>([...plan.kinds, 'resume'])];
    return { ...plan, kinds, changes: [...dropped.map(({ change }) => change), ...plan.changes], about, seen, now };
  };

  const ofChain = (says: string, chainId: number, change: Partial<ChainConfig>): Plan | null => {
    const settings = () => {
      const config = book.chain(chainId)?.config;
      return config === undefined ? [] : [{ ...config, ...NOTHING_LISTED }];
    };
    const [known] = settings();
    if (known === undefined) return null; // refused for that
    return ofSettings(says, () => ({ chains: settings() }), { chains: [{ ...known, ...change }] });
  };

  /** A change of the configuration as whoever imports a desk file sees it; `isReplaced`: the file is put in its place as a whole. */
  const ofDeskFile = async (says: string, input: unknown, isReplaced = true): Promise<Plan> => {
    const { before, after, changes, changesFrom, keysChange, seen } = await comparedWith(rooms, input);
    const kinds = new Set([...loosenedKinds(before, after), ...freedBy(after.protections)]);
    if (keysChange) kinds.add('keys');
    if (isReplaced) for (const kind of unread()) kinds.add(kind);
    const stays = (chainId: number, pair: string) => {
      const { actor = '' } = book.chain(chainId)?.pairs.get(pair)?.ladder ?? {};
      return !isProgram(actor);
    };
    // Of a ladder that is replaced the words have the ends alone; one that a program moves is another one each second.
    const replaced = after.chains.map(({ chainId, prices }) => {
      const known = before.chains.find((one) => one.chainId === chainId)?.prices ?? {};
      const others = Object.entries(known).filter(
        ([pair, ladder]) => stays(chainId, pair) && !isDeepStrictEqual(ladder, prices[pair]),
      );
      return [chainId, Object.fromEntries(others)];
    });
    const about = JSON.stringify([changesFrom(withPricesOf(before, after, stays)), replaced]);
    const plan = { kinds: [...kinds], says, changes, about, seen, now: () => seenMark(rooms) };
    return isReplaced ? replacing(plan, after) : plan;
  };

  /** What a rule has frozen is frozen by that rule: where it goes, or counts otherwise, that is signed for again. */
  const freedBy = (protections: DeskFile['protections'] = []): HeldKind[] =>
    guard.protections.standing().some(({ rule }) => isOtherRule(rule, protections)) ? ['resume'] : [];

  /** Under rules that cannot be read nothing is signed, so that whatever takes their place lets more happen. */
  const unread = (): HeldKind[] => (book.desk().protections === null ? ['limits'] : []);

  /** What the RFQ contract may take of a token, raw units; null where it was not seen lately, or something was sent to its chain since. */
  const sureAllowance = async ({ chainId, address, allowance }: ExposureRow): Promise<bigint | null> => {
    const config = book.chain(chainId)?.config;
    const seenAt = guard.orders.of(chainId).view()?.seenAt ?? null;
    if (config === undefined || allowance === null || seenAt === null) return null;
    const isOld = rooms.now() - seenAt > config.balanceMaxAgeSeconds * 1_000;
    const isToBeSet = rooms.accounts.emergencies.of(chainId, config.maker).some(({ to }) => to === address);
    if (isOld || isToBeSet) return null;
    const sentUntil = (await rooms.journal.read.underWayUntil(chainId, rooms.now() - SENT_FOR_MS)) ?? 0;
    return seenAt > sentUntil ? BigInt(allowance) : null;
  };

  const placeOf = ({ chainId, pair, side }: Scope): string => {
    if (chainId === undefined) return 'the desk';
    const chain = book.chain(chainId)?.config.name ?? `chain ${chainId}`;
    if (pair === undefined) return chain;
    return `${pair}${side === undefined ? '' : ` ${side}`} on ${chain}`;
  };
  const chainName = (chainId: number) => `${book.chain(chainId)?.config.name ?? 'Chain'} (${chainId})`;
  const rightsOf = (token: string) => credentials.tokens().find(({ name }) => name === token)?.rights ?? null;
  const parties = (): CounterpartyConfig[] => [...book.desk().counterparties];

  return {
    trading: {
      resume: ({ scope, reason, seen }) => {
        const { chainId, pair } = scope;
        const chain = chainId === undefined ? undefined : book.chain(chainId);
        const isUnknown =
          chainId !== undefined && (chain === undefined || (pair !== undefined && !chain.pairs.has(pair)));
        if (isUnknown) return null; // refused for that
        expectStopsSeen(guard, scope, seen);
        const stops = () => scopesAround(scope).map((around) => ({ around, own: guard.trading.states.own(around) }));
        const said = () => stops().map(({ around, own }) => stateText(around, own));
        const changes = () => [
          { about: placeOf(scope), what: 'Trading', before: said().at(-1) ?? null, after: 'LIVE' },
        ];
        // A stop around it counts as well: who asked has not seen it.
        // To the millisecond: one that is said anew within a second is another one, which nobody looked at.
        const about = () => JSON.stringify([changes(), said(), stops().map(({ own }) => own?.since)]);
        return {
          kinds: ['resume'],
          says: `go live on ${placeOf(scope)}`,
          reason,
          changes: changes(),
          about: about(),
          seen: about(),
          now: about,
        };
      },
      acceptChain: ({ chainId, reason }) =>
        because(
          reason,
          plainly(['networks'], `take the new chain for ${placeOf({ chainId })}`, () => [
            {
              about: chainName(chainId),
              what: 'First block',
              before: 'the one that is known',
              after: outside.watched.otherGenesis(chainId),
            },
          ]),
        ),
    },
    protections: {
      set: ({ protections }) => {
        const inForce = () => ({ protections: [...(book.desk().protections ?? [])] });
        const plan = ofSettings('set the protections', inForce, { protections });
        return { ...plan, kinds: [...plan.kinds, ...freedBy(protections), ...unread()] };
      },
      reset: ({ rule, subject, reason }) =>
        because(
          reason,
          plainly(['resume'], `reset the protection ${rule}`, () =>
            guard.protections
              .standing()
              .filter(
                (trip) =>
                  trip.rule.name === rule &&
                  (subject === undefined || (trip.who === subject.who && trip.chainId === subject.chainId)),
              )
              .map((trip) => ({
                about: `Protection ${rule}`,
                what: subjectText(trip.rule, trip),
                before: `tripped at ${utcText(trip.at)}`,
                after: 'reset, counted from zero',
              })),
          ),
        ),
    },
    limits: {
      set: ({ chainId, limits }) => ofChain(`set the limits of ${placeOf({ chainId })}`, chainId, { limits }),
    },
    service: {
      setTaker: ({ chainId, address, taken, reason = '' }) =>
        taken && reason !== ''
          ? because(
              reason,
              plainly(['takers'], `let orders on ${placeOf({ chainId })} name ${address}`, () => [
                {
                  about: chainName(chainId),
                  what: 'Taker',
                  before: book.chain(chainId)?.config.takers.includes(address) ? address : null,
                  after: address,
                },
              ]),
            )
          : null,
    },
    hedge: {
      place: (wish) => {
        const { ask, way, approval } = wish;
        const { chainId, destChainId = chainId, beneficiary } = ask;
        const ours = book.chain(destChainId)?.config.maker;
        const addresses = kindOf(way.mode)?.fields.filter(({ kind }) => kind === 'address') ?? [];
        const goesElsewhere = [beneficiary, ...addresses.map(({ name }) => way[name])].some(
          (address) => typeof address === 'string' && address.toLowerCase() !== ours,
        );
        const kinds: HeldKind[] = [
          ...(approval === 'approve_without_end' ? (['limits'] as const) : []),
          ...(goesElsewhere ? (['takers'] as const) : []),
        ];
        if (kinds.length === 0) return null;
        return plainly(kinds, hedgeInWords(book, wish).says, () => hedgeInWords(book, wish).changes);
      },
      setAuto: async ({ chainId, pair, settings }) => {
        const autos = await rooms.journal.read.autoHedges();
        const known = autos.find((one) => one.chainId === chainId && one.pair === pair)?.settings ?? undefined;
        if (!isLooserAuto(known, settings)) return null;
        return plainly(['limits'], `set the automatic hedging of ${placeOf({ chainId, pair })}`, () => [
          {
            about: placeOf({ chainId, pair }),
            what: 'Automatic hedging',
            before: known === undefined ? null : autoText(known),
            after: autoText(settings),
          },
        ]);
      },
      pin: ({ chainId, mode, address }) =>
        plainly(['networks'], `let tokens on ${placeOf({ chainId })} be given to ${address}`, () => [
          {
            about: chainName(chainId),
            what: mode === 'market' ? 'Service’s router' : 'Intent contract',
            before: 'not confirmed by a person',
            after: address,
          },
        ]),
    },
    nftOrders: {
      // It gives what the maker has to somebody else, whoever that is.
      sign: ({ chainId, gives, gets, taker, expiry }) => {
        const side = (of: NftOrderSide) => nftSideText(of, book.chain(chainId)?.tokens);
        const says = `sign an order by which ${taker} gets ${side(gives)} for ${side(gets)} on ${placeOf({ chainId })}`;
        return plainly(['takers'], says, () => [
          { about: chainName(chainId), what: 'The maker gives', before: null, after: side(gives) },
          { about: chainName(chainId), what: 'The maker gets', before: null, after: side(gets) },
          { about: chainName(chainId), what: 'Who alone can take it', before: null, after: taker },
          { about: chainName(chainId), what: 'Until', before: null, after: utcText(expiry * 1_000) },
        ]);
      },
    },
    onChain: {
      setAllowance: async ({ chainId, tokenId, amount, dryRun }) => {
        if (dryRun) return null;
        const rows = guard.orders
          .rows()
          .filter((row) => row.tokenId === tokenId && (chainId ?? row.chainId) === row.chainId);
        const changes = await Promise.all(
          rows.map(async (row): Promise<DeskChange[]> => {
            const [sure, wanted] = [await sureAllowance(row), toRaw(amount, row.decimals)];
            if (wanted === 0n || (sure !== null && wanted <= sure)) return [];
            const last = row.allowance === null ? null : fromRaw(BigInt(row.allowance), row.decimals);
            return [
              {
                about: chainName(row.chainId),
                what: `${tokenId}: what the RFQ contract may take`,
                before: sure === null && last !== null ? `${last} when it was last seen` : last,
                after: fromRaw(boundedRaw(amount, row.decimals), row.decimals),
                unit: tokenId,
              },
            ];
          }),
        ).then((each) => each.flat());
        if (changes.length === 0) return null;
        const says = `let the RFQ contract take ${amount} ${tokenId}`;
        // Every fill makes an allowance smaller: what it is now is shown, and is nothing that this is about.
        const about = JSON.stringify(changes.map(({ before: _now, ...change }) => change));
        return { kinds: ['limits'], says, changes, about, seen: about, now: () => about };
      },
    },
    settings: {
      saveChain: async (input) => {
        const name = input.chain.name ?? book.chain(input.chain.chainId)?.config.name ?? input.chain.chainId;
        const isReplaced = !isSetByItself(book, input.chain);
        return ofDeskFile(`save the settings of ${name}`, withSavedChain(book, input), isReplaced);
      },
      removeChain: ({ chainId }) => {
        if (book.chain(chainId) === undefined) return null; // nothing leaves
        expectHalted(rooms);
        return ofDeskFile(`remove ${placeOf({ chainId })}`, withoutChain(chainId));
      },
      saveCounterparty: (input) => {
        const { domain, accessKey, secretKey } = input.counterparty;
        const wanted = withSavedParty(input)(parties()).map(withoutKeys);
        const settings = ofSettings(`save the counterparty ${domain}`, () => ({ counterparties: parties() }), {
          counterparties: wanted,
        });
        const key = (what: string, before: string | null, given: string | undefined): DeskChange[] => {
          const after = given === undefined ? before : fingerprint(given);
          return before === after ? [] : [{ about: `Counterparty ${domain}`, what, before, after }];
        };
        const keys = () => [
          ...key('Access key, by its fingerprint', credentials.accessPrintOf(domain), accessKey),
          ...key('Secret, by its fingerprint', credentials.fingerprintOf(domain), secretKey),
        ];
        const kept: DeskChange[] =
          input.earlierKeys === 'keep'
            ? [{ about: `Counterparty ${domain}`, what: 'Earlier keys', before: null, after: 'go on being taken' }]
            : [];
        const now = () => JSON.stringify([settings.now(), keys()]);
        return {
          ...settings,
          kinds: keys().length + kept.length > 0 ? ['keys'] : settings.kinds,
          changes: [...settings.changes, ...keys(), ...kept],
          seen: now(),
          now,
        };
      },
      removeCounterparty: ({ domain }) =>
        ofSettings(`remove the counterparty ${domain}`, () => ({ counterparties: parties() }), {
          counterparties: parties().filter((one) => one.domain !== domain),
        }),
      saveSurfaceNames: ({ surfaceNames }) =>
        ofDeskSettings('set the host names', () => ({ surfaceNames: [...book.desk().surfaceNames] }), {
          surfaceNames,
        }),
      saveLockAfter: ({ minutes }) =>
        ofDeskSettings(
          'set when the key is locked',
          () => minutesOf('lockAfterMinutes', book.desk().lockAfterMinutes),
          minutesOf('lockAfterMinutes', minutes),
        ),
      saveDeadMan: ({ minutes }) =>
        ofDeskSettings(
          'set the dead-man switch',
          () => minutesOf('deadManMinutes', book.desk().deadManMinutes),
          minutesOf('deadManMinutes', minutes),
        ),
      saveRemoteSigner: ({ remoteSigner }) =>
        ofDeskSettings('set where the key is', () => ({ remoteSigner: book.desk().remoteSigner ?? undefined }), {
          remoteSigner: remoteSigner ?? undefined,
        }),
      setServiceKey: ({ chainId, key }) => {
        if (key === null) return null;
        const { origin } = new URL(serviceUrlOf(book.chain(chainId), chainId));
        return plainly(['keys'], `set the key to ${origin}`, () => [
          {
            about: `Service ${origin}`,
            what: 'Key, by its fingerprint',
            before: credentials.serviceKeyPrints().get(origin) ?? null,
            after: fingerprint(key),
          },
        ]);
      },
      moveSurface: ({ host, port }) =>
        plainly(['networks'], 'have the surface listen elsewhere', () => [
          { about: 'Desk', what: 'Surface listens at', before: outside.surfaceUrl(), after: `${host}, port ${port}` },
        ]),
      makeKey: () =>
        plainly(['keys'], 'make a key in the folder of the desk', () => [
          { about: 'Desk', what: 'Key', before: outside.signer(), after: 'a new one' },
        ]),
    },
    desk: {
      import: ({ desk }) => {
        expectHalted(rooms);
        return ofDeskFile('import a desk file', desk);
      },
    },
    tokens: {
      create: async ({ name, rights }) => {
        if (weightOf(rights).length === 0) return null;
        await credentials.load();
        return plainly(['people'], `give ${name} a token`, () => [
          { about: 'People', what: `What ${name} may do`, before: rightsOf(name), after: rights },
        ]);
      },
      setRights: async ({ name, rights }) => {
        await credentials.load();
        const isMore = weightOf(rights).some((right) => !weightOf(rightsOf(name) ?? '').includes(right));
        return plainly(isMore ? ['people'] : [], `set what ${name} may do`, () => [
          { about: 'People', what: `What ${name} may do`, before: rightsOf(name), after: rights },
        ]);
      },
    },
    approvals: {
      set: ({ kinds }) => {
        const before = () => approvals.kinds();
        return plainly(
          before().some((kind) => !kinds.includes(kind)) ? ['people'] : [],
          'set what takes a second person',
          () => [
            { about: 'Desk', what: 'Takes a second person', before: kindsText(before()), after: kindsText(kinds) },
          ],
        );
      },
    },
  } satisfies Planners;
}
export type HeldActions = ReturnType<typeof heldActions>;

/** The desk file with the ladders of another where its own do not stay as they are. */
function withPricesOf(desk: DeskFile, other: DeskFile, stays: (chainId: number, pair: string) => boolean): DeskFile {
  const chains = desk.chains.map((chain): ChainConfig => {
    const theirs = other.chains.find(({ chainId }) => chainId === chain.chainId)?.prices ?? {};
    const prices = Object.entries(chain.prices).map(([pair, ladder]) => [
      pair,
      stays(chain.chainId, pair) ? ladder : (theirs[pair] ?? ladder),
    ]);
    return { ...chain, prices: Object.fromEntries(prices) };
  });
  return { ...desk, chains };
}

const NOTHING_LISTED = { tokens: {}, pairs: {}, prices: {}, blacklist: [], off: {} };

function bareDesk(said: Partial<DeskFile>): DeskFile {
  return { version: 1, deadlineMs: 0, chains: [], counterparties: [], ...said };
}

function comparedBare({ credentials }: Pick<Rooms, 'credentials'>, before: DeskFile, after: DeskFile): DeskChange[] {
  const of = (desk: DeskFile) => {
    const prints = desk.counterparties.map(({ domain }) => [domain, credentials.fingerprintOf(domain) ?? undefined]);
    return { desk, callers: { counterparties: desk.counterparties, fingerprints: Object.fromEntries(prints) } };
  };
  return compareDesks(of(before), of(after));
}

function minutesOf(name: 'lockAfterMinutes' | 'deadManMinutes', minutes: number | null): Partial<DeskFile> {
  return minutes === null ? {} : { [name]: minutes };
}

function withoutKeys({ accessKey: _access, secretKey: _secret, ...party }: CounterpartyConfig): CounterpartyConfig {
  return party;
}

function boundedRaw(amount: string, decimals: number): bigint {
  return BigInt(boundedAmount(toRaw(amount, decimals)));
}

function weightOf(rights: string): string[] {
  const given: readonly string[] = rights === '' ? [] : consoleRights(rights);
  return WEIGHTY.filter((right) => given.includes(right));
}

function kindsText(kinds: readonly (keyof typeof FOUR_EYES)[]): string | null {
  return kinds.length === 0 ? null : kinds.map((kind) => FOUR_EYES[kind].name).join(', ');
}

function nftSideText(side: NftOrderSide, tokens: ChainBook['tokens'] | undefined): string {
  if ('nft' in side) return `${side.pieces === '1' ? '' : `${side.pieces} × `}NFT #${side.id} of ${side.nft}`;
  const { amount, tokenId } = side;
  return `${amount} ${tokenId} (${tokens?.get(tokenId)?.address ?? 'not listed'})`;
}

/** Whether it may trade more, or lose more, than before; what only says what it would do may do nothing. */
function isLooserAuto(before: AutoHedge | undefined, after: AutoHedge): boolean {
  if (!after.on || after.dryRun) return false;
  if (before === undefined || !before.on || before.dryRun) return true;
  const isHigher = (of: 'capPerDay' | 'lossCapPerDay') =>
    compare(parseDecimal(after[of]), parseDecimal(before[of])) > 0;
  const losesMore = !isUncapped(before) && (isUncapped(after) || isHigher('lossCapPerDay'));
  const isWider = after.slippageBps > before.slippageBps || after.maxDistanceBps > before.maxDistanceBps;
  return isHigher('capPerDay') || losesMore || isWider;
}

function isUncapped({ lossCapPerDay }: AutoHedge): boolean {
  return parseDecimal(lossCapPerDay).n === 0n;
}

function autoText(auto: AutoHedge): string {
  const { on, dryRun, capPerDay, lossCapPerDay, slippageBps, maxDistanceBps } = auto;
  if (!on) return 'off';
  const loss = isUncapped(auto) ? 'without a loss cap' : `loss up to ${lossCapPerDay} a day`;
  const bounds = `${capPerDay} a day, ${loss}, slippage ${slippageBps} bps, ${maxDistanceBps} bps off the reference`;
  return dryRun ? `dry run: ${bounds}` : bounds;
}

function stateText({ chainId }: Scope, said: ReturnType<Rooms['guard']['trading']['states']['own']>): string {
  if (said === null) return chainId === undefined ? 'HALTED, never live so far' : 'not stopped by itself';
  const { state, actor, since, reason } = said;
  // With its day: this text is compared with itself later, and must not be another one after midnight.
  const at = isoTime(since).slice(0, 19).replace('T', '\u00a0');
  return `${state} since ${at}\u00a0UTC by ${actor}${reason === null ? '' : `: “${reason}”`}`;
}
