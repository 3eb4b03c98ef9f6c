import { setTimeout as sleep } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import type { Scope, StopAcknowledgement } from '../contract/trading.ts';
import { Attached } from '../desk/attached.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { readDeskPid } from '../desk/pid-file.ts';
import { disarm } from '../guard/armed-file.ts';
import { isFolderTaken } from '../journal/folder-lock.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { tellNotRunning } from './not-running.ts';
import { printDone } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf, statesAfter, stopReason } from './scope-options.ts';
import { stillLiveText } from './still-live-text.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** How long a halt waits for the desk's acknowledgement. */
const PATIENCE_MS = 3_000;
/** How soon one that ended before it had answered is asked again. */
const AGAIN_MS = 100;
/** How long it then waits to be told what is still live. */
const LIVE_PATIENCE_MS = 10_000;

interface HaltOptions extends ScopeOptions {
  force?: boolean;
}

/** `scope`: what was halted. `running`: whether a desk was halted that runs, or one that is not there to trade. */
type Acknowledged = StopAcknowledgement & { scope: Scope; running: boolean };

export function addHalt(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('halt').description('stop quoting at once; nothing is asked'))
    .option('--force', 'when the desk does not answer: end its process and write the halt')
    .action(async (typed: HaltOptions) => {
      const place = placeOf();
      const options = { ...typed, reason: stopReason(typed.reason) };
      if (options.force && place instanceof Attached) {
        throw new DeskError(
          'bad_option',
          'A desk elsewhere cannot be forced: its process is ended on its own machine.',
        );
      }
      const acknowledged = await haltWithin(place, actor, options);
      if (acknowledged) {
        await report(place, acknowledged, options);
        await tellStillLive(place, actor);
        process.exit(process.exitCode ?? 0); // nobody waits for a desk that hangs by now
      }
      if (place instanceof Attached) throw notHeard(place);
      await haltWithoutAnswer(place, actor, options);
    });
}

async function halt(desk: DeskClient, running: boolean, options: HaltOptions): Promise<Acknowledged> {
  const chainIds =
    options.chain || options.pair ? (await desk.trading.status()).chains.map((chain) => chain.chainId) : [];
  const scope = scopeOf(options, chainIds);
  return { ...(await desk.trading.halt({ scope, reason: options.reason })), scope, running };
}

/**
 * The acknowledgement, or null when whoever holds the folder gave none in time. A desk that ended before it had answered has let go of its
 * folder, or another one has it by now: that one is asked in what is left of the time.
 */
async function haltWithin(place: DeskPlace, actor: string, options: HaltOptions): Promise<Acknowledged | null> {
  const until = performance.now() + PATIENCE_MS;
  const late = sleep(PATIENCE_MS, null, { ref: false });
  const acknowledge = (desk: DeskClient, running: boolean) => {
    const answer = halt(desk, running, options);
    return running ? Promise.race([answer, late]) : answer;
  };
  for (;;) {
    try {
      return await withDesk(place, actor, acknowledge, { patienceMs: until - performance.now() });
    } catch (error) {
      if (place instanceof Attached) throw error;
      if (isDeskError(error, 'no_answer') && performance.now() + AGAIN_MS < until) {
        await sleep(AGAIN_MS);
        continue;
      }
      // On a disk that can only be read any more nothing is opened, and a desk can still hang.
      const isHeld = isDeskError(error, 'no_answer') || (isDeskError(error, 'folder_unusable') && isFolderTaken(place));
      if (isHeld) return null;
      if (isOfAll(options) && !isDeskError(error, 'no_desk', 'fleet_standby')) await disarmUnwritten(place, error);
      throw error;
    }
  }
}

/** Whoever halts all of a desk finds it halted once it starts, also where its journal took no halt. */
async function disarmUnwritten(folder: string, error: unknown): Promise<void> {
  const after = (await disarm(folder)) ?? 'The desk comes back HALTED all the same.';
  const now = error instanceof ORPCError ? ', and the desk may still be quoting' : '';
  process.stderr.write(`The halt could not be written${now}. ${after}\n`);
}

function isOfAll({ chain, pair, side }: ScopeOptions): boolean {
  return chain === undefined && pair === undefined && side === undefined;
}

function notHeard(place: Attached): DeskError {
  return new DeskError(
    'no_answer',
    `The desk at ${place} did not answer within ${PATIENCE_MS / 1000} s: whether it halted is not known.`,
    {
      remedy: 'Halt it again, or on its own machine, where --force ends it.',
    },
  );
}

async function report(place: DeskPlace, acknowledged: Acknowledged, options: HaltOptions): Promise<void> {
  const { status, scope, durable, running } = acknowledged;
  const at = isoTime(acknowledged.at);
  const answer = { halted: true, durable, at, ...statesAfter(status, scope), running };
  await printDone(`${JSON.stringify(answer)}\n`, `HALTED at ${at}: the halt is in force.`);
  if (!running) tellNotRunning(place, 'stopped');
  if (durable) return;
  const isWhole = isOfAll(options);
  const stillArmed = typeof place === 'string' && isWhole ? await disarm(place) : null;
  const ofPart = '; a desk that starts again before it is written quotes there again. Look at its disk, or halt all.';
  const ofAll = stillArmed === null ? '; the desk stays halted after a restart all the same.' : `. ${stillArmed}`;
  const after = isWhole ? ofAll : ofPart;
  process.stderr.write(`Halted, but the journal could not be written${after}\n`);
  process.exitCode = 1;
}

/** Resolves once it is written, or nobody reads it. */
async function tellStillLive(place: DeskPlace, actor: string): Promise<void> {
  const text = await textOfStillLive(place, actor);
  const written = new Promise((resolve) => process.stderr.write(text, resolve));
  await Promise.race([written, sleep(LIVE_PATIENCE_MS)]);
}

/** What can still be used although nothing is signed any more. The halt stands whatever comes of asking. */
async function textOfStillLive(place: DeskPlace, actor: string): Promise<string> {
  const unknown = 'What is still live of what was signed before could not be read: see "makerdesk status".\n';
  try {
    const asked = withDesk(place, actor, (desk) => desk.onChain.stillLive({}), {
      patienceMs: LIVE_PATIENCE_MS,
    });
    const live = await Promise.race([asked, sleep(LIVE_PATIENCE_MS, null, { ref: false })]);
    return live === null ? unknown : stillLiveText(live);
  } catch {
    return unknown;
  }
}

/** The desk hangs: with --force it ends now, and whether or not it does, it must come back halted. */
async function haltWithoutAnswer(folder: string, actor: string, options: HaltOptions): Promise<void> {
  const pid = readDeskPid(folder);
  if (!options.force) {
    const stillArmed = await disarm(folder);
    const after = stillArmed ?? 'It halts as soon as it wakes or starts again.';
    process.stderr.write(
      `The desk${pid === null ? '' : ` (process ${pid})`} did not answer within ${PATIENCE_MS / 1000} s, ` +
        `and may still be quoting now. ${after} Use --force to end it.\n`,
    );
    process.exit(1);
  }
  // Before anything is asked of the disk, which may be why it hangs.
  if (pid !== null) await endProcess(pid);
  const stillArmed = await disarm(folder);
  await report(folder, await haltEnded(folder, actor, { options, pid, stillArmed }), {}); // all of it was disarmed
  process.exit(process.exitCode ?? 0);
}

/** Writes the halt of a desk whose process was ended. Where that cannot be done, what is certain is said before the reason is thrown. */
async function haltEnded(
  folder: string,
  actor: string,
  { options, pid, stillArmed }: { options: HaltOptions; pid: number | null; stillArmed: string | null },
): Promise<Acknowledged> {
  const reason = options.reason ?? 'forced: the desk did not answer';
  try {
    return await withDesk(folder, actor, (desk, running) => halt(desk, running, { ...options, reason }));
  } catch (error) {
    let ended = 'Which process has the folder is not known, so none was ended: the desk may still be quoting.';
    if (pid !== null && isAlive(pid)) ended = `Process ${pid} of the desk does not end, and may still be quoting.`;
    else if (pid !== null) ended = `Process ${pid} of the desk is ended, so that it quotes nothing.`;
    const after = stillArmed ?? 'It comes back HALTED.';
    process.stderr.write(`${ended} Its halt could not be written into the journal. ${after}\n`);
    throw error;
  }
}

async function endProcess(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it ended by itself meanwhile
  }
  for (let waited = 0; waited < 2_000 && isAlive(pid); waited += 20) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
