import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DeskError, isDeskError } from '../../protocol/desk-error.ts';
import { pause } from '../../time/pause.ts';
import { claimPort, portTaken } from '../service/free-port.ts';
import { collectText, endTied, findProgram, foldersOnPath, isRunning, startTied } from '../tied-process.ts';

export const PRACTICE_CHAIN_ID = 31337;

const PURPOSE = 'the practice chain';
const READY_WITHIN_MS = 60_000;
/** How often a node is started that may have any port: the one it was given can be somebody else's by the time it takes it. */
const MOST_TRIES = 5;
const GRACE_MS = 5_000;

/**
 * So many states of the chain are kept, in memory only: more than a reorganisation takes back. Without it the node writes
 * every older one to the user's home, and leaves them there when it is killed.
 */
const KEPT_STATES = 128;

export interface AnvilOptions {
  /** 31337 when it is not given. */
  chainId?: number;
  /** 0 takes a free one. */
  port: number;
  /** Seconds between blocks; without it every transaction makes its own block at once. */
  blockTimeSeconds?: number;
  /** How much gas fits into a block; 30 M when it is not given. */
  blockGas?: number;
  /** The file that keeps the chain's state from one run to the next. */
  stateFile?: string;
  /** Of so many blocks the transactions are kept; of all when it is not given. */
  keptBlocks?: number;
}

export interface Anvil {
  rpcUrl: string;
  port: number;
  pid: number;
  /** Resolves when the node has ended, by itself or not. */
  ended: Promise<void>;
  /** Ends the node, which writes its state first. */
  close(): Promise<void>;
}

/**
 * Starts a real EVM node on loopback and waits until it answers `eth_chainId`.
 * @throws DeskError `anvil_missing`, `port_taken`, `anvil_failed`
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (options.port !== 0 || tries === MOST_TRIES || !isDeskError(error, 'port_taken')) throw error;
    }
  }
}

async function startOnce(options: AnvilOptions): Promise<Anvil> {
  const binary = findAnvil();
  const port = await claimPort(options.port, PURPOSE);
  const child = startTied(binary, nodeArguments({ ...options, port }));
  const complaints = collectText(child);
  const ended = once(child, 'exit').then(() => {});
  const rpcUrl = `http://127.0.0.1:${port}`;
  await untilReady(rpcUrl, child);
  if (child.pid === undefined || !isRunning(child)) {
    if (/in use/i.test(complaints())) throw portTaken(port, PURPOSE);
    throw new DeskError('anvil_failed', 'The practice chain did not start.', {
      remedy: 'See what anvil says: it is given as the cause.',
      cause: new Error(complaints() || 'no output'),
    });
  }
  return { rpcUrl, port, pid: child.pid, ended, close: () => endTied(child, GRACE_MS) };
}

function nodeArguments(options: AnvilOptions): string[] {
  const { chainId = PRACTICE_CHAIN_ID, port, blockTimeSeconds, blockGas, stateFile, keptBlocks } = options;
  const fixed = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--quiet'];
  const history = ['--prune-history', `${KEPT_STATES}`];
  const blocks = keptBlocks === undefined ? [] : ['--transaction-block-keeper', `${keptBlocks}`];
  const mining = blockTimeSeconds === undefined ? [] : ['--block-time', `${blockTimeSeconds}`];
  const gas = blockGas === undefined ? [] : ['--gas-limit', `${blockGas}`];
  const state = stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', '60'];
  return [...fixed, ...history, ...blocks, ...mining, ...gas, ...state];
}

/** Returns when the node answers or has ended; a node that does neither in time is ended. */
async function untilReady(rpcUrl: string, child: ChildProcess): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  while (!signal.aborted && isRunning(child)) {
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body, signal }).catch(() => null);
    if (answer?.ok) return;
    await pause(20);
  }
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Where anvil is: in the platform's npm package, else on PATH.
 * @throws DeskError `anvil_missing`, with how to get it
 */
export function findAnvil(folders: readonly string[] = usualFolders()): string {
  const found = findProgram('anvil', folders);
  if (found !== null) return found;
  throw new DeskError('anvil_missing', 'The practice market needs anvil, a local EVM node, and there is none here.', {
    remedy: `Run "npm install" to bring ${packageName()}, or install Foundry (https://getfoundry.sh) so that anvil is on PATH.`,
  });
}

function usualFolders(): string[] {
  return [packagedFolder(), ...foldersOnPath()].filter((folder) => folder !== '');
}

function packageName(): string {
  return `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
}

function packagedFolder(): string {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve(`${packageName()}/package.json`)), 'bin');
  } catch {
    return '';
  }
}
