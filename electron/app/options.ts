import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeskSettings } from '../contract/desk-settings.ts';
import { deskFolder } from '../desk/folder.ts';
import { DeskError } from '../protocol/desk-error.ts';

/**
 * Reads what the app was started with. Electron and Chromium take switches of their own from the same line, so unknown
 * ones are left alone.
 * @throws DeskError `bad_option`
 */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): DeskSettings {
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      data: { type: 'string' },
      practice: { type: 'boolean' },
      'surface-host': { type: 'string' },
      'surface-port': { type: 'string' },
      'console-port': { type: 'string' },
      'prices-port': { type: 'string' },
      'service-port': { type: 'string' },
      'rpc-port': { type: 'string' },
      'no-takers': { type: 'boolean' },
      seed: { type: 'string' },
    },
  });
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const port = (name: string, otherwise: number) => numberIn(text(name), name, 65_535) ?? otherwise;
  const practice = values.practice === true;
  return {
    folder: deskFolder(text('data'), environment, practice),
    surfaceHost: text('surface-host') ?? null,
    surfacePort: numberIn(text('surface-port'), 'surface-port', 65_535),
    consolePort: numberIn(text('console-port'), 'console-port', 65_535),
    pricesPort: numberIn(text('prices-port'), 'prices-port', 65_535) ?? undefined,
    practice: practice
      ? {
          takers: values['no-takers'] !== true,
          seed: numberIn(text('seed'), 'seed', Number.MAX_SAFE_INTEGER),
          servicePort: port('service-port', 8790),
          rpcPort: port('rpc-port', 8545),
        }
      : null,
  };
}

/** A practice desk beside a real one: below its folder, on free ports, since the usual ones may be taken. */
export function practiceSettings({ folder, surfaceHost }: DeskSettings): DeskSettings {
  return {
    folder: join(folder, 'practice'),
    surfaceHost,
    surfacePort: 0,
    consolePort: null,
    practice: { takers: true, seed: null, servicePort: 0, rpcPort: 0 },
  };
}

function numberIn(text: string | undefined, option: string, highest: number): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= highest) return number;
  throw new DeskError('bad_option', `--${option} is ${text}.`, { remedy: `Give a whole number from 0 to ${highest}.` });
}
