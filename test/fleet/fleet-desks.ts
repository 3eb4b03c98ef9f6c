import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { CLI, PASSPHRASE, type Ready, runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';

/** A desk of a fleet as a process of its own: the one that writes, or one that stands by. */
export interface FleetDesk {
  /** What it has said on stdout, by line. */
  said<T>(holds: (line: Record<string, unknown>) => boolean): Promise<T>;
  ready(): Promise<Ready>;
  signal(name: NodeJS.Signals): void;
  end(name: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
  stderr(): string;
}

/** Starts `serve` or `standby` on free ports, without waiting for anything. */
export function startInFleet(folder: string, args: string[], environment: Record<string, string> = {}): FleetDesk {
  const ports = ['--surface-port', '0', '--console-port', '0'];
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args, ...ports, '--data', folder], {
    env: { ...process.env, MAKERDESK_PASSPHRASE: PASSPHRASE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() => {
    isOver = true;
  });
  const end = async (name: NodeJS.Signals) => {
    child.kill(name);
    return ended;
  };
  onTestFinished(async () => void (await end('SIGKILL')));
  const lines = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const said = async <T>(holds: (line: Record<string, unknown>) => boolean): Promise<T> => {
    for (;;) {
      const found = lines().find(holds);
      if (found !== undefined) return found as T;
      if (isOver) throw new Error(`the desk ended with ${await ended}:\n${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    said,
    ready: () => said<Ready>((line) => line.ready === true),
    signal: (name) => void child.kill(name),
    end,
    ended,
    stderr: () => stderr,
  };
}

/** A new folder with the key of another desk in it, and nothing else. */
export function folderWithKeyOf(folder: string): string {
  const own = temporaryFolder();
  onTestFinished(own.remove);
  copyFileSync(join(folder, 'keystore.json'), join(own.folder, 'keystore.json'));
  return own.folder;
}

const SMALL = String(10n ** 13n);

/** Asks for small quotes over several connections until it is stopped; whoever answers nothing is asked again. */
export function askAllTheTime(surface: string, file: DeskFile, clients = 8) {
  const received: { signature: string; at: number }[] = [];
  const client = takerClient(surface, file);
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      try {
        const { json } = await client.firm('asks', { makerAmount: SMALL });
        if (json.order) received.push({ signature: String(json.order.signature), at: performance.now() });
        else await new Promise((resolve) => setTimeout(resolve, 20));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const asking = Promise.all(Array.from({ length: clients }, ask));
  return {
    received,
    async stop() {
      isOver = true;
      await asking;
    },
  };
}

/** Signatures of all quotes in the journal of a folder on which nobody runs. */
export async function signaturesIn(folder: string): Promise<Set<string>> {
  const { stdout } = await runCommand(folder, ['log']);
  const rows: QuoteRow[] = JSON.parse(stdout);
  const journal = await openJournal({ folder, now: Date.now });
  try {
    const signed = rows.filter((row) => row.orderHash !== null);
    const details = await Promise.all(signed.map((row) => journal.read.quote(row.seq)));
    return new Set(details.map((detail) => String(detail?.signature)));
  } finally {
    await journal.close();
  }
}
