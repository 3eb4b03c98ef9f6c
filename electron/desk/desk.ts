import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { RequestHeadersPlugin } from '@orpc/server/plugins';
import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import packageFile from '../../package.json' with { type: 'json' };
import type { Book } from '../book/book.ts';
import type { ChainBook } from '../book/chain-book.ts';
import { asRead, personSchema } from '../contract/names.ts';
import type { PracticeControl, PracticeStarter } from '../contract/practice.ts';
import type { DeskReady, PortReader } from '../contract/process-messages.ts';
import type { SurfacePlace } from '../contract/surface-place.ts';
import type { FleetServer } from '../fleet/fleet-server.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';
import { enterFleet, expectAlone, joinFleet, leaveFleet } from '../fleet/membership.ts';
import type { FleetSurfaces } from '../fleet/surfaces.ts';
import { openHedging } from '../hedge/hedging.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { Opened } from '../protocol/opened.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { NftOrders } from '../quoting/nft-orders.ts';
import { openQuoter, type Quoter } from '../quoting/quoter.ts';
import { resealKeystore } from '../signer/keystore.ts';
import { SignatureRecovery } from '../signer/recover-signatures.ts';
import { surfacesPassphrase } from '../signer/surfaces-passphrase.ts';
import { openSurface, type Surface } from '../surface/surface.ts';
import type { SurfaceChain } from '../surface/surface-chain.ts';
import { inTime } from '../time/in-time.ts';
import { monotonic } from '../time/monotonic.ts';
import { AlertBoard } from './alert-board.ts';
import { AlertCaller } from './alerts/caller.ts';
import { AnswerTimes } from './answer-times.ts';
import { ArchiveByAge } from './archive-by-age.ts';
import { haltForBreakOff, readBreakOff } from './break-off.ts';
import { ChainChecks } from './chain-checks.ts';
import { CommandRecord } from './command-record.ts';
import { ConsoleLines, type ConsolePort, type Speaking } from './console-lines.ts';
import { type ConsoleServer, type ConsoleUser, openConsoleServer } from './console-server.ts';
import type { Credentials } from './credentials.ts';
import { openDeskSocket } from './desk-socket.ts';
import { Figures } from './figures.ts';
import { deskSocketPath, witnessFolder } from './folder.ts';
import { asOwner, type CallContext } from './handlers/base.ts';
import { Heartbeats } from './heartbeats.ts';
import { HeldPassphrase } from './held-passphrase.ts';
import { holdSigner } from './held-signer.ts';
import { keepPlace } from './kept-place.ts';
import { KeyLock } from './key-lock.ts';
import { LiveView } from './live-view.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { MidHistory } from './mid-history.ts';
import { Outside } from './outside.ts';
import { isPracticeChain } from './practice-chain.ts';
import { PricesDoor } from './prices-door.ts';
import { resendEmergencies } from './resend-emergencies.ts';
import { openRooms, type Rooms } from './rooms.ts';
import { createRouter } from './router.ts';
import { Seals } from './seals.ts';
import { StandingProtections } from './standing-protections.ts';
import type { DeskFleet } from './take-seat.ts';
import type { SpanOutcome } from './traces/span-queue.ts';
import type { Traces } from './traces/traces.ts';
import { wantedTraces } from './traces/wanted.ts';
import { WatchedChains } from './watched-chains.ts';
import { WatchedKey } from './watched-key.ts';
import { wholeView } from './whole-view.ts';

export interface DeskOptions {
  folder: string;
  surfaceHost: string;
  surfacePort: number;
  /** Where that port is taken, it listens on a free one for the time being and says so; else `port_taken` is thrown. */
  orFreePort?: boolean;
  /** Null: no console is served over the network. */
  consolePort: number | null;
  /** Addresses at which a reverse proxy has the console; none unless given. */
  consoleUrls?: readonly URL[];
  /** Where engines push prices; without it at the usual port, once a token for prices exists. */
  pricesPort?: number | undefined;
  /** Where those who watch the desk ask for its figures; without it nowhere. */
  metricsPort?: number | undefined;
  /** The program that is run for each alert; without it none. */
  alertCommand?: string | undefined;
  passphrase: string;
  /** Who acts where no console says who. */
  actor: string;
  log: Log;
  /** The practice market that a door has put beside it. */
  practiceControl?: PracticeControl;
  /** Puts a practice desk beside this one, where the door can. */
  startPractice?: PracticeStarter;
  /** The key was locked, by whomever: nobody is to keep its passphrase. */
  onLocked?: () => void;
  /** Where the desk is one of a fleet, of which it has the seat. */
  fleet?: DeskFleet | undefined;
  /** The desk of this folder leaves its fleet with this start. */
  leavesFleet?: boolean | undefined;
}

export interface Desk {
  /** Where it listens. */
  ready: DeskReady;
  /** Lets the console at the other end of a port of the desktop app speak as `actor`. */
  serve(port: ConsolePort, console: { actor: string; reader: PortReader }): void;
  /** Halts for an error that nobody caught, at once; resolves with whether that is durable. Never rejects. */
  brokeOff(cause: string): Promise<boolean>;
  /** Takes the key of a keystore file over, sealed anew under this desk's passphrase, and gives its address. Throws DeskError. */
  importKey(file: { text: string; passphrase: string }): Promise<Address>;
  /** Takes the passphrase of a key that was locked; the desk stays halted. Throws as `KeyLock.unlock`. */
  unlock(passphrase: string): Promise<{ address: Address }>;
  /** Words of its own that must never be written down. */
  secrets(): string[];
  /** Takes the surface down, ends what is on its way, and lets go of the folder. The trading state stays as it is. */
  close(): Promise<void>;
}

/** The book is asked what time brings this often. */
const TICK_MS = 1_000;
/** A start has better things to do than to archive, or to seal. */
const FIRST_ARCHIVED_MS = 5 * 60_000;
const FIRST_SEALED_MS = 60_000;
/** A command that asks a folder for its status holds it for a moment. */
const LOCK_PATIENCE_MS = 3_000;
/** How long the start waits for the first round of checks; a node that is away must not keep the desk from listening. */
const FIRST_CHECKS_MS = 1_500;

/**
 * Starts a desk: takes the folder, opens its rooms, and listens. Until signer, journal and chains are checked everything
 * is answered 503. Throws a DeskError when the folder, the journal, the passphrase or a port cannot be used.
 */
export async function openDesk({ passphrase: given, ...options }: DeskOptions): Promise<Desk> {
  const { folder, log, actor } = options;
  const now = Date.now;
  const held = new HeldPassphrase(given);
  const passphrase = () => held.get();
  const tracesWanted = wantedTraces(process.env);
  const opened = new Opened();
  const close = () => opened.close();
  const { fleet } = options;
  if (fleet !== undefined) {
    opened.push(() => fleet.server.close());
    opened.push(() => fleet.writer.close());
  }
  try {
    const { leavesFleet = false } = options;
    if (fleet === undefined && !leavesFleet) expectAlone(folder);
    const { practiceControl = null } = options;
    const practice = practiceControl !== null;
    const watched = new WatchedChains({ practice });
    const open = (witness: string | undefined) =>
      openRooms({
        folder,
        passphrase,
        loadsSecrets: true,
        log,
        now,
        monotonic,
        views: (chainId) => watched.view(chainId),
        lockPatienceMs: LOCK_PATIENCE_MS,
        witness,
        alertCommand: options.alertCommand,
        replica: fleet?.writer,
        // Not before: in the folder of a standby that runs, what it says of that one would be gone.
        whenTaken: fleet === undefined ? undefined : () => enterFleet(folder, fleet.place.url),
      });
    const rooms = await openWitnessed(open, practice);
    opened.push(rooms.close);
    // Only now is its journal known to have all that the fleet has: one that is behind goes on following, so no command may write a row there.
    if (fleet !== undefined) await joinFleet(folder, { fleet: fleet.place.url, follows: false });
    // Only now is it certain that no desk or standby runs in this folder, which would have another one beside it.
    if (leavesFleet) leaveFleet(folder);
    const { book, guard, journal, latch, credentials, tokenUses } = rooms;
    fleet?.writer.tellAlone((why) => guard.trading.alone(why));
    await readBreakOff(rooms);
    await credentials.load();
    const forgetTokens = async () => credentials.forgetTokens(await journal.read.revokedTokens());
    await forgetTokens();
    await sealFoundUrls(rooms);
    // Before anybody is answered: whoever takes over has to know counterparties by the same keys.
    if (fleet !== undefined) opened.push(await sendSecrets(fleet.server, folder, log));
    const watchedKey = new WatchedKey(rooms, monotonic);
    const remote = () => book.desk().remoteSigner;
    const signer = await holdSigner(folder, passphrase, { remote, onHeard: watchedKey.heard });
    const { why } = signer.said();
    if (why !== null) log.warn('there is no key that could sign: nothing is quoted until there is one', { why });
    signer.onChange(() => {
      if (signer.said().locked) return;
      forgetTokens().catch((error: unknown) =>
        log.warn('revoked tokens are still in the sealed file', { error: String(error) }),
      );
    });
    let place = JSON.stringify(remote());
    book.onChange((chainId) => {
      const now = JSON.stringify(remote());
      if (chainId !== null || now === place) return;
      place = now;
      signer.reload().catch((error: unknown) => guard.trading.failed({}, error));
    });
    const handedOver = () => elsewhere?.stopped();
    const keyLock = new KeyLock(rooms, { signer, passphrase: held, monotonic, handedOver, onLocked: options.onLocked });

    const checks = new ChainChecks(rooms, signer, { practice });
    const checker = new SignatureRecovery((line) => log.warn(line));
    opened.push(() => checker.close());
    const formOf = (chain: ChainBook) => checks.formOf(chain);
    const signerFor = signer.of;
    const signing = { book, guard, journal, latch, now, randomBytes, log, signerFor, formOf, checks: checker };
    const quoter = openQuoter({ ...signing, monotonic });
    const nftOrders = new NftOrders(signing);
    opened.push(() => quoter.close());
    await quoter.readBack(journal);
    const heartbeats = new Heartbeats();
    await heartbeats.follow(journal);
    opened.push(() => heartbeats.close(journal));
    const answers = new AnswerTimes(monotonic);
    let metrics: Metrics | null = null;
    const untraced: SurfaceChain['firm'] = (input, respond) =>
      quoter.firm(input, (answer) => {
        respond(answer);
        const tookMs = monotonic() - input.receivedMonotonic;
        answers.answered(input.chainId, tookMs);
        metrics?.firmAnswered(input.chainId, answer, tookMs);
      });
    const onSpans = (outcome: SpanOutcome, count: number) => metrics?.spansEnded(outcome, count);
    const firm =
      tracesWanted === null
        ? untraced
        : await traced(untraced, { wanted: tracesWanted, monotonic, log, onSpans, opened });
    const openAt = (place: SurfacePlace) => openDeskSurface(rooms, { quoter, firm }, heartbeats, place, monotonic);
    const wanted = { host: options.surfaceHost, port: options.surfacePort };
    let missed: SurfacePlace | null = null;
    let surface = await openAt(wanted).catch((error: unknown) => {
      if (options.orFreePort !== true || !isDeskError(error, 'port_taken')) throw error;
      missed = wanted;
      log.warn('the port of the surface is taken: it listens on a free one', { port: wanted.port });
      return openAt({ host: wanted.host, port: 0 });
    });
    opened.push(() => surface.close());
    /** It may have been resumed while it was being opened. */
    const openWhileHalted = async (place: SurfacePlace) => {
      const moved = await openAt(place);
      try {
        expectHalted(rooms);
      } catch (error) {
        await moved.close();
        throw error;
      }
      return moved;
    };
    /** The port may be the one it has, at another address: then the old one lets go of it first, and is put back where the new one cannot listen. */
    const moveTo = async (place: SurfacePlace) => {
      expectHalted(rooms);
      const { hostname, port } = new URL(surface.url);
      const keepsPort = Number(port) === place.port;
      if (keepsPort) await surface.close();
      try {
        const before = surface;
        surface = await openWhileHalted(place);
        if (!keepsPort) await before.close();
      } catch (error) {
        if (keepsPort) surface = await openAt({ host: hostname.replace(/^\[|\]$/g, ''), port: place.port });
        throw error;
      }
      await keepPlace(folder, place);
      missed = null;
      return surface.url;
    };
    // One at a time: of two at once each would close the one before them both, and one that is new would go on listening.
    const moves = new SerialQueue();
    opened.push(() => moves.over());
    const elsewhere =
      fleet === undefined
        ? null
        : await (await import('./surfaces-elsewhere.ts')).openSurfacesElsewhere(
            fleet,
            rooms,
            { quoter, firm },
            { heartbeats, monotonic, sealedFor: await surfacesPassphrase(await passphrase()) },
          );
    if (elsewhere !== null) opened.push(() => elsewhere.close());
    const say = (chainId: number | null, line: string) => {
      const told = surface.say(chainId, line);
      elsewhere?.say(chainId, line);
      return told;
    };
    quoter.onServed((chainId) => surface.refresh(chainId));
    book.onChange((chainId) => {
      if (chainId === null) surface.refresh(null); // chains may have come, gone or moved
    });
    book.onSettings(() => surface.refresh(null));

    watched.start(rooms, (chainId) => quoter.chainSeen(chainId));
    opened.push(() => watched.stop());
    opened.push(() => checks.stop());
    const outside = await Outside.open(rooms, { practice });
    outside.start();
    opened.push(() => outside.stop());
    const standing = new StandingProtections(rooms);
    const archiving = new ArchiveByAge(rooms, now() + FIRST_ARCHIVED_MS);
    const seals = new Seals({ rooms, key: signer.current, firstAt: now() + FIRST_SEALED_MS });
    opened.push(() => seals.close());
    const ticking = setInterval(() => {
      haltWithoutLock(rooms);
      keyLock.tick();
      watchedKey.tick(signer.current());
      standing.tick();
      void archiving.tick();
      void seals.tick();
      void book
        .tick()
        .catch((error: unknown) => log.warn('what fell due in the book could not be done', { error: String(error) }));
    }, TICK_MS);
    opened.push(() => clearInterval(ticking));

    const { accounts } = rooms;
    opened.push(resendEmergencies(rooms));
    const hedging = await openHedging({
      book,
      guard,
      journal,
      accounts,
      now,
      log,
      signerFor: signer.of,
      service: (chainId) => outside.services.of(chainId),
    });
    opened.push(() => hedging.stop());

    const watchedFleet =
      fleet === undefined || elsewhere === null ? null : await watchFleet(fleet, elsewhere, rooms, monotonic, opened);
    const figures = new Figures(rooms);
    opened.push(() => figures.close());
    const alerts = await AlertBoard.open(journal);
    const mids = new MidHistory(rooms);
    opened.push(() => mids.close());
    const prices = new PricesDoor(rooms, options.pricesPort ?? null);
    opened.push(() => prices.close());
    const read = () =>
      wholeView({
        rooms,
        owner: actor,
        watched,
        heartbeats,
        answers,
        figures,
        outside,
        checks,
        surface,
        missed,
        prices,
        fleet: watchedFleet,
        alerts,
        hedging,
        quoter,
        practice: practiceControl,
      });
    const commands = await CommandRecord.open(journal, now);
    const view = new LiveView({ read, now, log, record: commands.id });
    opened.push(() => view.close());
    await prices.begin();
    const caller = await AlertCaller.open({ ways: rooms.ways, read, journal, now, monotonic, log });
    opened.push(() => caller.close());
    let metricsUrl: string | null = null;
    if (options.metricsPort !== undefined) {
      const [{ Metrics }, { openMetricsDoor }] = await Promise.all([
        import('./metrics.ts'),
        import('./metrics-door.ts'),
      ]);
      metrics = new Metrics({ read, rooms });
      const door = await openMetricsDoor({ port: options.metricsPort, metrics, log });
      opened.push(door.close);
      metricsUrl = door.url;
    }
    const service = { rooms, watched, outside, checks };
    let consoleServer: ConsoleServer | null = null;
    const { router, secondPerson } = createRouter({
      rooms,
      view,
      alerts,
      caller,
      checks,
      service,
      signer,
      key: signer.current,
      keyLock,
      mids,
      seals,
      standing,
      hedging,
      nftOrders,
      passphrase,
      running: true,
      fleet: watchedFleet,
      handedOver,
      practice: practiceControl,
      owner: actor,
      commands,
      doors: { prices, console: () => consoleServer },
      say,
      moveSurface: practice ? undefined : (place) => moves.run(() => moveTo(place)),
      surfaceUrl: () => surface.url,
      startPractice: options.startPractice,
    });
    const handler = new RPCHandler(router, { plugins: [new RequestHeadersPlugin()] });
    await rooms.approvals.begin();
    const answering = setInterval(() => secondPerson.tick(), TICK_MS);
    opened.push(() => clearInterval(answering));
    const lines = new ConsoleLines(log);
    opened.push(() => lines.close());
    const speak = (line: Speaking, context: CallContext) => void handler.upgrade(line, { context });
    const nameOf = ownerName(actor, credentials);
    const deskSocket = await openDeskSocket(deskSocketPath(folder), {
      nameOf,
      connect: (socket, who) => speak(lines.command(socket), { ...asOwner(who.actor), givenSecrets: true }),
      log,
    });
    opened.push(deskSocket.close);
    const names = { nameOf, holderOf: (token: string) => credentials.holderOf(token) };
    consoleServer = await openConsole(options, names, (socket, { actor: as, holder }) => {
      const line = lines.console(socket);
      if (line !== null)
        speak(line, holder === null ? asOwner(as) : { actor: as, token: holder.name, may: holder.may });
      if (holder === null) return;
      tokenUses.used(holder.name);
      socket.on('close', () => tokenUses.used(holder.name));
    });
    if (consoleServer) opened.push(consoleServer.close);

    const firstChecks = checks.start();
    await inTime(firstChecks, FIRST_CHECKS_MS, () => {});
    await started(rooms, checks, actor);
    log.info('the desk listens', { surface: surface.url, state: guard.status().state });
    return {
      ready: {
        surface: surface.url,
        console: consoleServer?.url ?? null,
        ...(prices.url !== null && { prices: prices.url }),
        ...(metricsUrl !== null && { metrics: metricsUrl }),
        pid: process.pid,
      },
      serve(port, { actor: as, reader }) {
        speak(lines.port(port, reader), asOwner(as));
        port.start?.();
      },
      brokeOff: (cause) => haltForBreakOff(rooms, cause).catch(() => false),
      async importKey(file) {
        expectOnePerson(rooms);
        const address = await resealKeystore(folder, await passphrase(), file, randomBytes);
        await signer.reload();
        return address;
      },
      unlock: (text) => keyLock.unlock(actor, text),
      secrets: () => [...rooms.credentials.secrets(), ...held.words(), tokenOf(consoleServer)],
      async close() {
        await journal.append({ time: now(), actor, kind: 'desk_stopped', body: {} }).catch(() => {});
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Gives the sealed secrets of the folder to those who stand by, now and after each change. Returns what ends that; throws what the fleet server throws. */
async function sendSecrets(server: FleetServer, folder: string, log: Log): Promise<() => void> {
  const { sendSealed } = await import('../fleet/sealed-secrets.ts');
  let sent = await sendSealed(server, folder, null);
  const changes = new SerialQueue();
  const look = async () => {
    sent = await sendSealed(server, folder, sent);
  };
  const failed = (error: unknown) =>
    log.warn('the sealed secrets could not be given to the standbys', { error: String(error) });
  const looking = setInterval(() => void changes.run(look).catch(failed), TICK_MS);
  return () => clearInterval(looking);
}

/** Looks at the fleet for the console; what that needs is loaded only here. */
async function watchFleet(
  { place, server, writer }: DeskFleet,
  surfaces: FleetSurfaces,
  { journal, now, log }: Rooms,
  monotonic: () => number,
  opened: Opened,
): Promise<FleetWatch> {
  const { FleetWatch } = await import('../fleet/fleet-watch.ts');
  const watch = new FleetWatch({ place, server, writer, surfaces, head: journal.head, now, monotonic, log });
  opened.push(() => watch.close());
  return watch;
}

/** The same firm path, with a trace of each request. What traces need is loaded only here. */
async function traced(
  firm: SurfaceChain['firm'],
  options: Omit<ConstructorParameters<typeof Traces>[0], 'version'> & { opened: Opened },
): Promise<SurfaceChain['firm']> {
  const { Traces } = await import('./traces/traces.ts');
  const traces = new Traces({ ...options, version: packageFile.version });
  options.opened.push(() => traces.close());
  options.log.info('firm requests are traced', { collector: options.wanted.origin, share: options.wanted.share });
  return (input, respond) => {
    const heard = traces.begin();
    input.trace = heard;
    firm(input, (answer) => {
      respond(answer);
      traces.answered(input, heard, answer);
    });
  };
}

/** Journals from before URLs were sealed have keys in them. It works on from memory where they cannot be sealed now. */
async function sealFoundUrls({ credentials, log }: Rooms): Promise<void> {
  try {
    const origins = await credentials.sealFound();
    if (origins.length === 0) return;
    const line =
      'addresses with keys stood in the journal, in the open: they are sealed from now on; have those keys replaced';
    log.warn(line, { origins: origins.join(' ') });
  } catch (error) {
    log.warn('addresses with keys could not be sealed', { error: String(error) });
  }
}

/** What a practice desk signs is worth nothing and needs no witness, unless a real chain was imported there. */
async function openWitnessed(open: (witness: string | undefined) => Promise<Rooms>, practice: boolean): Promise<Rooms> {
  if (practice) {
    const rooms = await open(undefined);
    if (rooms.book.chains().every(({ config }) => isPracticeChain(config))) return rooms;
    await rooms.close();
  }
  return open(witnessFolder(process.env));
}

/** Throws DeskError `desk_trading` while anything may be signed. */
function expectHalted({ guard }: Rooms): void {
  if (guard.trading.stateOf({}) === 'HALTED') return;
  throw new DeskError('desk_trading', 'The surface is moved only while the desk is halted.', {
    remedy: 'Halt the desk first.',
  });
}

/** Throws DeskError `second_person_needed` where keys take two: a keystore with its passphrase is left lying nowhere to wait for one. */
function expectOnePerson({ approvals }: Rooms): void {
  if (!approvals.holds('keys')) return;
  throw new DeskError(
    'second_person_needed',
    'A key takes a second person on this desk, and a keystore file cannot wait for one.',
    {
      remedy: 'Have it approved that keys take no second person for as long as this takes (Approvals).',
    },
  );
}

/** Another desk could take the folder now; this one stops before it does. */
function haltWithoutLock({ guard, lock, folder }: Rooms): void {
  if (lock.isInPlace() || guard.trading.stateOf({}) === 'HALTED') return;
  const cause = `lock.db was taken away from ${folder}, so a second desk could start there. End this one, and start it again.`;
  void guard.trading.halt({}, { actor: 'desk', cause });
}

/** What counterparties are served, and what answers their firm requests. */
type Quoting = { quoter: Pick<Quoter, 'served'>; firm: SurfaceChain['firm'] };

function openDeskSurface(
  rooms: Rooms,
  quoting: Quoting,
  heartbeats: Heartbeats,
  { host, port }: SurfacePlace,
  monotonic: () => number,
): Promise<Surface> {
  const { book, credentials, now, log } = rooms;
  let chains = surfaceChains(book, quoting);
  let counterparties = credentials.counterparties(book.desk().counterparties);
  const follow = () => {
    chains = surfaceChains(book, quoting);
    counterparties = credentials.counterparties(book.desk().counterparties);
  };
  book.onChange((chainId) => {
    if (chainId === null) follow();
  });
  book.onSettings(follow);
  return openSurface({
    host,
    port,
    now,
    monotonic,
    log,
    chains: () => chains,
    counterparties: () => counterparties,
    names: () => book.desk().surfaceNames,
    onHeartbeat: (beat) => heartbeats.record(beat),
    onElsewhere: (refused) => rooms.refusedAddresses.record(refused),
    onEarlierKeys: ({ domain, at }) => void rooms.earlierUses.set(domain, at),
  });
}

function surfaceChains(book: Book, { quoter, firm }: Quoting): SurfaceChain[] {
  return book.chains().map(({ chainId, config: { basePath, feedMaxAgeSeconds } }) => ({
    chainId,
    basePath,
    feedMaxAgeSeconds,
    served: () => quoter.served(chainId),
    firm,
  }));
}

/** The user who runs the desk may be called as their console says, but neither as the program nor as somebody who has a token. */
function ownerName(actor: string, credentials: Pick<Credentials, 'tokens'>): (given: string | null) => string {
  return (given) => {
    const name = personSchema.safeParse(given).data;
    const isTaken = name !== undefined && credentials.tokens().some((token) => asRead(token.name) === asRead(name));
    return name === undefined || isTaken ? actor : name;
  };
}

async function openConsole(
  options: Omit<DeskOptions, 'passphrase'>,
  names: Pick<Parameters<typeof openConsoleServer>[0], 'nameOf' | 'holderOf'>,
  connect: (socket: WebSocket, who: ConsoleUser) => void,
): Promise<ConsoleServer | null> {
  if (options.consolePort === null) return null;
  const token = randomBytes(24).toString('base64url');
  const built = import.meta.url.endsWith('.ts') ? '../../out/renderer' : '../renderer';
  const files = fileURLToPath(new URL(built, import.meta.url));
  const { consolePort: port, consoleUrls: outside = [], log } = options;
  return openConsoleServer({ ...names, port, outside, files, token, connect, log });
}

function tokenOf(console: ConsoleServer | null): string {
  return console === null ? '' : new URL(console.url).hash.slice(1);
}

/** The start is in the journal with what the checks said; a journal that cannot take it halts the desk. */
async function started({ journal, now }: Rooms, checks: ChainChecks, actor: string): Promise<void> {
  const said = checks.faults().map(({ chainId, check }) => [`${chainId} ${check.name}`, check.sentence] as const);
  const body = { version: packageFile.version, checks: Object.fromEntries(said) };
  await journal.append({ time: now(), actor, kind: 'desk_started', body }).catch(() => {});
}
