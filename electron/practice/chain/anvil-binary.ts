import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { DeskError } from '../../protocol/desk-error.ts';

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Where anvil is: in the platform's npm package, else on PATH.
 * @throws DeskError `anvil_missing`, with how to get it
 */
export function findAnvil(folders: readonly string[] = usualFolders()): string {
  const executable = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const found = folders.map((folder) => join(folder, executable)).find(isExecutable);
  if (found !== undefined) return found;
  throw new DeskError('anvil_missing', 'The practice market needs anvil, a local EVM node, and there is none here.', {
    remedy: `Run "npm install" to bring ${packageName()}, or install Foundry (https://getfoundry.sh) so that anvil is on PATH.`,
  });
}

function usualFolders(): string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [packagedFolder(), ...onPath].filter((folder) => folder !== '');
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

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
