import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex, TestClient } from 'viem';

/**
 * A chain that many files begin with is made once in a run: its state is kept, with what `make` returned, and the next node of
 * that name goes on from there. What `make` returns has to be what JSON keeps.
 */
export async function keptChain<Made>(
  name: string,
  control: TestClient<'anvil'>,
  make: () => Promise<Made>,
): Promise<Made> {
  const { MAKERDESK_STATE: place } = process.env;
  if (place === undefined) return make();
  const folder = join(place, 'chains');
  const file = join(folder, `${name}.json`);
  if (existsSync(file)) {
    const { state, made } = JSON.parse(readFileSync(file, 'utf8')) as { state: Hex; made: Made };
    await control.loadState({ state });
    // Its newest block is as old as the state: what reads the chain's clock is to find this moment.
    await control.mine({ blocks: 1 });
    return made;
  }
  const made = await make();
  // Another process may make it at the same time: each puts a whole file in place.
  const own = join(folder, `${name}.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(own, JSON.stringify({ state: await control.dumpState(), made }));
  renameSync(own, file);
  return made;
}
