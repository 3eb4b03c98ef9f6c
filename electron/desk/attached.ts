import { randomUUID } from 'node:crypto';
import { createORPCClient, ORPCError } from '@orpc/client';
import { commandText, isCommandAt } from '../contract/commands.ts';
import { pause } from '../time/pause.ts';
import { answeredOn, type DeskClient, type DeskLine, lineOn, openSocketTo } from './desk-line.ts';

/** How long a command whose answer was lost is asked for again, and how long after a line that could not be opened. Milliseconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 500;

/** A desk elsewhere, by the address of its console and a token. */
export class Attached {
  readonly #address: URL;
  readonly #readToken: () => Promise<string>;
  #token: Promise<string> | undefined;

  /** `readToken` is asked once, when the token is needed. */
  constructor(address: URL, readToken: () => Promise<string>) {
    this.#address = address;
    this.#readToken = readToken;
  }

  /**
   * Runs `act` against it. A command whose answer was lost with the line is asked for again on another one under the same id, so
   * that it is carried out once. Throws DeskError `no_token`, `no_answer` where the line broke off for good, and as `openSocketTo`.
   */
  async run<T>(act: (desk: DeskClient) => Promise<T>, patienceMs: number): Promise<T> {
    this.#token ??= this.#readToken();
    const token = (await this.#token).trim();
    const open = async () => lineOn(await openSocketTo(this.#address, token, patienceMs));
    let line = await open();
    const again = async () => {
      if (!line.isOpen()) line = await open();
    };
    const desk: DeskClient = createORPCClient({
      call: (path, input, options) => {
        const send = (command?: string) => line.link.call(path, input, { ...options, context: { command } });
        return isCommandAt(path)
          ? sendNamed(send, { isOpen: () => line.isOpen(), again, record: () => recordOf(line) })
          : send();
      },
    });
    try {
      const brokeOff = `The line to ${this} broke off before the desk had answered: whether this was done is not known.`;
      return await answeredOn({ isOpen: () => line.isOpen() }, () => act(desk), brokeOff);
    } finally {
      await line.close();
    }
  }

  toString(): string {
    return this.#address.origin;
  }
}

/**
 * Sends a command under an id of its own, and again on another line for as long as it is of use. Throws what the desk answers, and
 * what the last line ended with.
 */
async function sendNamed(
  send: (command?: string) => Promise<unknown>,
  line: { isOpen(): boolean; again(): Promise<void>; record(): Promise<string | undefined> },
): Promise<unknown> {
  const id = randomUUID();
  const began = performance.now();
  const age = () => Math.round(performance.now() - began);
  let record: string | undefined;
  for (;;) {
    let isUnnamed = false;
    try {
      record ??= await line.record();
      isUnnamed = record === undefined;
      return await send(record === undefined ? undefined : commandText({ record, id, age: age() }));
    } catch (error) {
      if (error instanceof ORPCError || line.isOpen() || isUnnamed) throw error;
      if (!(await isBack(line, () => age() < PATIENCE_MS))) throw error;
    }
  }
}

async function isBack(line: { again(): Promise<void> }, isOfUse: () => boolean): Promise<boolean> {
  while (isOfUse()) {
    try {
      await line.again();
      return true;
    } catch {
      await pause(RETRY_MS);
    }
  }
  return false;
}

/** In which record the commands given to this desk stand; undefined where it does not say. */
async function recordOf({ link }: DeskLine): Promise<string | undefined> {
  const desk: DeskClient = createORPCClient(link);
  const stop = new AbortController();
  try {
    for await (const { record } of await desk.desk.watch(undefined, { signal: stop.signal })) return record;
    return undefined;
  } finally {
    stop.abort();
  }
}
