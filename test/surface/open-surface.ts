import { afterEach } from 'vitest';
import type { Counterparty } from '../../electron/protocol/hmac.ts';
import { openSurface, type Surface, type SurfaceOptions } from '../../electron/surface/surface.ts';
import type { Beat } from '../../electron/surface/surface-context.ts';
import { FakeChain } from './fake-chain.ts';

export const ACCESS_KEY = 'the-access-key';
export const SECRET = 'a-secret-of-some-length';
export const COUNTERPARTIES = new Map<string, Counterparty>([
  ['desk.example', { accessKey: ACCESS_KEY, secretKey: SECRET, signedPath: 'full' }],
  ['short.example', { accessKey: ACCESS_KEY, secretKey: SECRET, signedPath: 'without-prefix' }],
]);

const open: Surface[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((surface) => surface.close()));
});

/** Opens a real surface on a free port of loopback; it closes with the test. */
export async function surfaceOf(
  chains: FakeChain[] = [new FakeChain(31337, '/31337')],
  options: Partial<SurfaceOptions> = {},
) {
  const beats: Beat[] = [];
  const warnings: string[] = [];
  const surface = await openSurface({
    host: '127.0.0.1',
    port: 0,
    chains: () => chains,
    counterparties: () => new Map(),
    now: Date.now,
    monotonic: () => performance.now(),
    onHeartbeat: (beat) => beats.push(beat),
    log: { warn: (line) => warnings.push(line) },
    ...options,
  });
  open.push(surface);
  const [chain = new FakeChain(0, '')] = chains;
  return { surface, chain, chains, beats, warnings, port: surface.port };
}
