/** Compiles the contracts and writes built/*.json: `node resources/contracts/build.mjs`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { compileContracts } from './compile.mjs';

const built = new URL('./built/', import.meta.url);
mkdirSync(built, { recursive: true });
for (const [name, artifact] of Object.entries(compileContracts())) {
  writeFileSync(new URL(`${name}.json`, built), `${JSON.stringify(artifact, null, 1)}\n`);
}
