import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a baseline server in a process of its own and waits for the port it prints. It ends when this process does. */
export async function startBaseline(
  name: string,
  args: string[] = [],
): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const file = fileURLToPath(new URL(`./baselines/${name}.ts`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (line) => resolve(Number(line)));
    child.once('close', (code) => reject(new Error(`baseline ${name} ended with ${code}`)));
  });
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
