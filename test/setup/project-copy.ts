import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../../resources/setup', import.meta.url));

/** A project that consists of the set-up scripts and the given files. */
export function copyProject(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'makerdesk-setup-'));
  cpSync(SETUP, join(root, 'resources', 'setup'), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o755);
  }
  return root;
}

export interface ScriptEnd {
  code: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a script of the project as npm does, under this Node, which says it is `version`. */
export function runScript(
  root: string,
  args: string[],
  options: { version?: string; npm?: string } = {},
): Promise<ScriptEnd> {
  const { version = process.versions.node, npm = join(root, 'npm.cjs') } = options;
  const versions = `{...process.versions, node: '${version}'}`;
  const disguise = `data:text/javascript,Object.defineProperty(process, 'versions', {value: ${versions}})`;
  const env = { ...process.env, npm_execpath: npm, npm_node_execpath: process.execPath };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', disguise, join(root, 'resources', 'setup', 'run.mjs'), ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Runs a script of the project in a shell, the way npm does. */
export function throughShell(root: string, args: string[]): { prints(line: string): Promise<void>; kill(): void } {
  const script = join(root, 'resources', 'setup', 'run.mjs');
  const command = [process.execPath, script, ...args].map((word) => `'${word}'`).join(' ');
  const shell = spawn('/bin/sh', ['-c', `${command}; true`], {
    env: { ...process.env, npm_lifecycle_event: 'makerdesk' },
  });
  let printed = '';
  const data = on(shell.stdout, 'data');
  return {
    async prints(line) {
      while (!printed.split('\n').includes(line)) printed += String((await data.next()).value);
    },
    kill: () => {
      shell.kill('SIGKILL');
    },
  };
}
