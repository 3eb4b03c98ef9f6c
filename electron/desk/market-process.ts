import { fork } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createORPCClient, ORPCError } from '@orpc/client';
import { type BrowserPortLike, RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import type { MarketReady, MarketStart, marketContract } from '../contract/market-channel.ts';
import type { FaultSwitch, PracticeControl, PracticeState } from '../contract/practice.ts';
import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';
import { inTime } from '../time/in-time.ts';
import type { Log } from './log.ts';

/** How long the market may take to write the state of its chains before its process is ended. */
const CLOSING_MS = 6_000;
/** How long its users may take to end what is under way, so that nobody trades with a desk that closes. */
const STOPPING_MS = 3_000;

/**
 * The practice market beside a desk, in a process of its own, which does not outlive this one however it ends. One that
 * ends by itself is told, and is started again when somebody asks for it.
 */
export class MarketProcess implements PracticeControl {
  readonly ready: MarketReady;
  readonly #start: MarketStart;
  readonly #log: Log;
  #child: MarketChild | null = null;
  #ended: string | null = null;
  /** What its service asks while it trades. */
  #asked: string[] | null = null;
  /** The surfaces of its fleet, and what they were started with. */
  #surfaces: { passphrase: string; urls: string[] } | null = null;
  #speed: number | undefined;
  #restarting: Promise<void> | null = null;
  #closing = false;

  private constructor(start: MarketStart, ready: MarketReady, log: Log) {
    this.#start = start;
    this.#speed = start.speed;
    this.#log = log;
    this.ready = ready;
  }

  /**
   * Opens the market of a practice desk.
   * @throws DeskError what the market throws, or `practice_ended` where its process ends meanwhile
   */
  static async open(start: MarketStart, log: Log): Promise<MarketProcess> {
    const { child, ready } = await openChild(start);
    const market = new MarketProcess(start, ready, log);
    market.#follow(child);
    return market;
  }

  ended(): string | null {
    return this.#ended;
  }

  /** Starts the surfaces of its fleet, which are there again, where they were, after a restart. Returns where they listen. */
  async startSurfaces(passphrase: string): Promise<string[]> {
    const ports = (this.#surfaces?.urls ?? []).map(portOf);
    const urls = await this.#there().ask(({ startSurfaces }) => startSurfaces({ passphrase, ports }));
    this.#surfaces = { passphrase, urls };
    return urls;
  }

  /** Its service consumes these surfaces from now on, in turn, and its takers ask; so it is again after a restart. */
  async startTrading(surfaceUrls: string[]): Promise<void> {
    this.#asked = surfaceUrls;
    await this.#there().ask(({ trade }) => trade({ surfaceUrls }));
  }

  /** One that has ended trades no more, and one that does not answer is not waited for: closing it ends it. Never rejects. */
  async stopTrading(): Promise<void> {
    this.#asked = null;
    const stopped = this.#child?.ask(({ stopTrading }) => stopTrading()).catch(() => {});
    if (stopped !== undefined) await inTime(stopped, STOPPING_MS, () => {});
  }

  async state(): Promise<PracticeState> {
    const child = this.#child;
    if (child !== null) {
      try {
        return { ...(await child.ask(({ state }) => state())), ended: null };
      } catch (error) {
        if (child.isConnected()) throw error;
        await child.gone;
      }
    }
    return { faults: [], speed: this.#speed ?? 0, service: [], takers: [], ended: this.#ended };
  }

  async switchFault(fault: FaultSwitch): Promise<void> {
    await this.#there().ask((client) => client.fault(fault));
  }

  async setSpeed(asksPerSecond: number): Promise<void> {
    await this.#there().ask(({ speed }) => speed({ asksPerSecond }));
    this.#speed = asksPerSecond;
  }

  restart(): Promise<void> {
    this.#restarting ??= this.#again().finally(() => {
      this.#restarting = null;
    });
    return this.#restarting;
  }

  /** Lets the market write the state of its chains, and waits until its process is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#restarting?.catch(() => {});
    await this.#child?.close();
  }

  async #again(): Promise<void> {
    const before = this.#letGo();
    this.#ended = 'It is being started again.';
    try {
      await before?.close();
      const { rpcUrls, serviceUrl, deskFile, fleetUrl } = this.ready;
      const { fleet } = this.#start;
      const { child, ready } = await openChild({
        ...this.#start,
        rpcPorts: rpcUrls.map(portOf),
        servicePort: portOf(serviceUrl),
        speed: this.#speed,
        fleet: fleet && { ...fleet, port: portOf(fleetUrl ?? '') },
      });
      if (!isDeepStrictEqual(ready.deskFile, deskFile)) {
        await child.close();
        throw new DeskError('practice_moved', 'The practice market came back with other addresses.', {
          remedy: 'End the desk and start it again: it takes them over then.',
        });
      }
      this.#follow(child);
      if (this.#surfaces !== null) await this.startSurfaces(this.#surfaces.passphrase);
      if (this.#asked !== null) await this.startTrading(this.#asked);
      this.#log.info('the practice market runs again');
    } catch (error) {
      const left = this.#letGo();
      this.#ended = error instanceof Error ? error.message : String(error);
      await left?.close();
      throw error;
    }
  }

  /** Follows its process no more. */
  #letGo(): MarketChild | null {
    const child = this.#child;
    this.#child = null;
    return child;
  }

  #follow(child: MarketChild): void {
    this.#child = child;
    this.#ended = null;
    void child.gone.then((how) => {
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#closing) return;
      this.#ended = how;
      this.#log.error('the practice market ended', { how });
    });
  }

  /** @throws DeskError `practice_ended` */
  #there(): MarketChild {
    if (this.#child === null) throw practiceEnded(this.#ended ?? 'It was closed.');
    return this.#child;
  }
}

type MarketClient = ContractRouterClient<typeof marketContract>;

/** One process of the market. */
interface MarketChild {
  isConnected(): boolean;
  /** How it ended, one sentence. */
  gone: Promise<string>;
  /** @throws DeskError what the market throws, or `practice_ended` */
  ask<T>(call: (client: MarketClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

async function openChild(start: MarketStart): Promise<{ child: MarketChild; ready: MarketReady }> {
  const child = startChild(start.folder);
  try {
    return { child, ready: await child.ask(({ open }) => open(start)) };
  } catch (error) {
    await child.close();
    throw error;
  }
}

/** Starts the process with a channel that closes when either end is gone. */
function startChild(folder: string): MarketChild {
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(isSource ? '../practice-process.ts' : './practice-process.js', import.meta.url);
  const child = fork(fileURLToPath(file), [], {
    execArgv: [],
    // The program of the desktop app is Node's as well when it is told so.
    env: { ...process.env, ...(process.versions.electron !== undefined && { ELECTRON_RUN_AS_NODE: '1' }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`Its process could not be started: ${message}.`);
    });
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `Its process ended with exit code ${code}.` : `Its process was ended by ${signal}.`),
    );
  });
  const client: MarketClient = createORPCClient(new RPCLink({ port: channelPort(child) }));
  const ask: MarketChild['ask'] = async (call) => {
    try {
      return await call(client);
    } catch (error) {
      throw child.connected ? refusalOf(error, folder) : practiceEnded(await gone);
    }
  };
  return {
    isConnected: () => child.connected,
    gone,
    ask,
    async close() {
      const insist = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS);
      await ask(({ close }) => close()).catch(() => {});
      if (child.connected) child.disconnect();
      await gone;
      clearTimeout(insist);
    },
  };
}

/** One end of the channel between a desk and its market, as a port that calls go over. */
export function channelPort(
  end: Pick<EventEmitter, 'on'> & Pick<NodeJS.Process, 'connected' | 'send'>,
): BrowserPortLike {
  return {
    postMessage(message) {
      if (!end.connected) throw new Error('The channel to the practice market is closed.');
      end.send?.(message, () => {}); // what cannot be sent is told by the end of the channel
    },
    onMessage: { addListener: (listener) => void end.on('message', listener) },
    onDisconnect: { addListener: (listener) => void end.on('disconnect', listener) },
  };
}

/** What the market answers when it refuses something. */
const refusalSchema = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string'),
  remedy: z.string(),
});

function refusalOf(error: unknown, folder: string): DeskError {
  const refusal = error instanceof ORPCError ? refusalSchema.safeParse(error.data) : null;
  if (error instanceof ORPCError && refusal?.success) {
    return new DeskError(refusal.data.code, error.message, { remedy: refusal.data.remedy, cause: error });
  }
  return new DeskError('practice_failed', 'The practice market could not do this.', {
    remedy: `Its log in ${join(folder, 'logs')} says why.`,
    cause: error,
  });
}

function practiceEnded(how: string): DeskError {
  return new DeskError('practice_ended', `The practice market does not run. ${how}`, {
    remedy: 'Start it again on the Practice page, or with "makerdesk practice restart".',
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
