import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { type BenchChain, startBenchChain } from './bench-chain.ts';
import { type BenchDesk, deskFolder, type Folder, startBenchDesk, workFolder } from './bench-desk.ts';
import { benchDeskFile } from './bench-desk-file.ts';
import { type History, writeHistory } from './history.ts';

/** What a long history has. */
const QUOTES = { short: 1_000_000, long: 10_000_000 };

/** What rows share, made when the first one needs it and taken away at the end. */
export class Bench {
  readonly long: boolean;
  /** How long an engine streams. */
  readonly minutes: number;
  readonly #say: (line: string) => void;
  readonly #opened: (() => void | Promise<void>)[] = [];
  #chain: Promise<BenchChain> | undefined;
  #desk: Promise<BenchDesk> | undefined;
  #history: Promise<History> | undefined;

  constructor(long: boolean, minutes: number, say: (line: string) => void) {
    this.long = long;
    this.minutes = minutes;
    this.#say = say;
  }

  say(line: string): void {
    this.#say(line);
  }

  /** To be undone at the end, the last one first. */
  later(undo: () => void | Promise<void>): void {
    this.#opened.push(undo);
  }

  chain(): Promise<BenchChain> {
    this.#chain ??= startBenchChain().then((chain) => {
      this.later(() => chain.close());
      return chain;
    });
    return this.#chain;
  }

  /** A LIVE desk with HMAC and an empty history. */
  desk(): Promise<BenchDesk> {
    this.#desk ??= this.openDesk(benchDeskFile);
    return this.#desk;
  }

  /** One more such desk, of another desk file. */
  async openDesk(fileFor: (chain: BenchChain) => DeskFile): Promise<BenchDesk> {
    const chain = await this.chain();
    const file = fileFor(chain);
    const { folder, remove } = await deskFolder(chain, file);
    this.later(remove);
    const desk = await startBenchDesk(folder, file);
    this.later(async () => void (await desk.stop()));
    return desk;
  }

  /** The desk is stopped, so that the next row has the machine for itself. */
  async stopDesk(): Promise<void> {
    await (await this.#desk)?.stop();
    this.#desk = undefined;
  }

  /** A folder with a long history, and no desk on it. */
  history(): Promise<History> {
    this.#history ??= writeHistory(this, this.long ? QUOTES.long : QUOTES.short);
    return this.#history;
  }

  folder(): Folder {
    const made = workFolder();
    this.later(() => made.remove());
    return made;
  }

  async close(): Promise<void> {
    for (const undo of this.#opened.splice(0).reverse()) await undo();
  }
}
