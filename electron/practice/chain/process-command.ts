import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a process, or '' when there is none of that id (or only its remains). */
export function processCommand(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (process.platform === 'win32') {
      const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`;
      return ask('powershell.exe', ['-NoProfile', '-Command', query]);
    }
    return ask('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
  } catch {
    return '';
  }
}

function ask(command: string, args: string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  }).trim();
}
