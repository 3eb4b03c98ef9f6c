import { Command } from 'commander';
import { vi } from 'vitest';
import { describeError } from '../../electron/commands/print.ts';
import type { CommandResult } from './desk-process.ts';

type Add = (program: Command, folderOf: () => string, actor: string) => void;

/**
 * Runs commands on a folder, or on the desk that runs there, within this process: most of what one costs is to start a program.
 * A passphrase would stay with this process, so what takes one is run as it is shipped.
 */
export function commandsHere(...adds: Add[]): (folder: string, args: string[]) => Promise<CommandResult> {
  return async (folder, args) => {
    const program = new Command('makerdesk').exitOverride();
    for (const add of adds) add(program, () => folder, 'mara');
    const written = { stdout: '', stderr: '' };
    const streams = (['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text, ...more) => {
        written[name] += text.toString();
        const done: unknown = more.at(-1);
        if (typeof done === 'function') done();
        return true;
      }),
    );
    const { exitCode } = process;
    process.exitCode = 0;
    try {
      await program.parseAsync(args, { from: 'user' });
      return { ...written, code: Number(process.exitCode) };
    } catch (error) {
      return { stdout: written.stdout, stderr: `${written.stderr}${describeError(error)}\n`, code: 1 };
    } finally {
      process.exitCode = exitCode;
      for (const stream of streams) stream.mockRestore();
    }
  };
}
