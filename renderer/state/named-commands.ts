import { ORPCError } from '@orpc/client';
import { COMMAND_HEADER, commandText, isCommandAt } from '../../electron/contract/commands.ts';

/** What a call says beside its input: the command it is, as the header has it. */
export interface CallNotes {
  command?: string;
}

/** What every link sends with a call. */
export function headersOf({ context }: { context: CallNotes }): Record<string, string> {
  return context.command === undefined ? {} : { [COMMAND_HEADER]: context.command };
}

/** The line as a command needs it. `record` is null until the desk has said in which its commands stand, if it keeps one. */
export interface CommandLine {
  epoch: number;
  isOpen: boolean;
  /** Whether the desk has spoken on it. */
  isHeard: boolean;
  record: string | null;
}

/** How long a command whose answer was lost waits for another line, milliseconds. */
const PATIENCE_MS = 60_000;

/** How long a command that is given between two lines waits for the next one, milliseconds. Nothing of it was sent. */
const BETWEEN_LINES_MS = 5_000;

interface Lines {
  now: () => CommandLine;
  subscribe: (listener: () => void) => () => void;
}

/**
 * Sends a call. A command is named, and where the line is lost before its answer came the answer is asked for on the next line,
 * under the same name: the desk carries it out once, or says what it knows. Any other call fails with its line.
 */
export async function sendNamed(
  path: readonly string[],
  send: (notes: CallNotes) => Promise<unknown>,
  lines: Lines,
): Promise<unknown> {
  if (!isCommandAt(path)) return send({});
  const began = { day: Date.now(), run: performance.now() };
  if (!lines.now().isHeard) await comes(lines, ({ isHeard }) => isHeard, BETWEEN_LINES_MS);
  const { record, epoch } = lines.now();
  if (record === null) return send({});
  const id = crypto.randomUUID();
  for (let at = epoch; ; ) {
    // One of the two clocks stands still while the computer sleeps, the other may be set back.
    const age = Math.max(0, Math.round(Math.max(Date.now() - began.day, performance.now() - began.run)));
    const over = untilLine(lines, (line) => line.epoch !== at || !line.isOpen);
    try {
      return await Promise.race([
        send({ command: commandText({ record, id, age }) }),
        over.reached.then(() => Promise.reject(new Error('The connection was lost before the answer came.'))),
      ]);
    } catch (error) {
      const { epoch: now, isOpen } = lines.now();
      if (error instanceof ORPCError || (now === at && isOpen)) throw error;
      const isNext = (line: CommandLine) => line.epoch !== at && line.isOpen && line.record !== null;
      if (!(await comes(lines, isNext, PATIENCE_MS)) || lines.now().record !== record) throw error;
      at = lines.now().epoch;
    } finally {
      over.stop();
    }
  }
}

function untilLine(lines: Lines, is: (line: CommandLine) => boolean): { reached: Promise<void>; stop: () => void } {
  let stop = () => {};
  const reached = new Promise<void>((resolve) => {
    const look = () => {
      if (is(lines.now())) resolve();
    };
    stop = lines.subscribe(look);
    look();
  });
  return { reached, stop };
}

/** Whether a line of which this holds comes within so many milliseconds. */
async function comes(lines: Lines, is: (line: CommandLine) => boolean, withinMs: number): Promise<boolean> {
  const line = untilLine(lines, is);
  const late = new Promise<false>((resolve) => setTimeout(resolve, withinMs, false));
  const came = await Promise.race([line.reached.then(() => true), late]);
  line.stop();
  return came;
}
