import { z } from 'zod';
import { below } from '../contract/fault-path.ts';
import { pairIdSchema } from '../contract/names.ts';
import { pairReferenceSchema, REFERENCE_URL, sourceNameSchema, sourceSchema } from '../contract/sources.ts';
import { checkForm } from './checked.ts';
import { type Fault, faultsAt } from './faults.ts';
import { SOURCE_KINDS, sourceFor } from './sources/sources.ts';

/** The sources of a chain in a desk file, and what its references say about them and about pairs. Faults of form are found elsewhere. */
export function sourceFaults(input: Record<string, unknown>, pairs: ReadonlyMap<string, unknown>): Fault[] {
  const sources = checkForm(sourcesSchema, input.sources ?? {}).value ?? {};
  const references = checkForm(referencesSchema, input.references ?? {}).value ?? {};
  const maxAge = checkForm(z.int(), input.referenceMaxAgeSeconds ?? 20).value ?? Number.POSITIVE_INFINITY;
  return [
    ...faultsAt(
      'sources',
      Object.entries(sources).flatMap(([name]) => faultsAt(below('', name), ofSource(name))),
    ),
    ...faultsAt(
      'references',
      Object.entries(references).flatMap(([pair]) => faultsAt(below('', pair), ofPair(pair))),
    ),
  ];

  function ofSource(name: string): Fault[] {
    const source = sources[name];
    if (source === undefined) return [];
    const kind = sourceFor(source);
    const faults = kind?.faults(source) ?? [{ path: 'kind', message: `must be one of ${SOURCE_KINDS.join(', ')}` }];
    if (name === REFERENCE_URL)
      faults.push({ path: '', message: 'has the name of the chain’s own reference: choose another' });
    const unlisted = (kind?.pairsOf(source) ?? []).filter((pair) => !pairs.has(pair));
    return [...faults, ...unlisted.map((pair) => ({ path: 'pairs', message: `${pair} is not a listed pair` }))];
  }

  function ofPair(pair: string): Fault[] {
    const reference = references[pair];
    if (reference === undefined) return [];
    const faults: Fault[] = pairs.has(pair) ? [] : [{ path: '', message: 'is not a listed pair' }];
    for (const [index, name] of reference.sources.entries()) {
      const fault = faultOfName(name, pair);
      if (fault !== null) faults.push({ path: `sources[${index}]`, message: fault });
    }
    const { atLeast = 1, upToSeconds = 1 } = reference;
    if (atLeast > reference.sources.length) {
      faults.push({ path: 'atLeast', message: `is more than the ${reference.sources.length} that are named` });
    }
    if (upToSeconds > maxAge) {
      faults.push({ path: 'upToSeconds', message: `must not be more than a reference may be old, ${maxAge} s` });
    }
    return faults;
  }

  function faultOfName(name: string, pair: string): string | null {
    if (name === REFERENCE_URL) return input.referenceUrl == null ? 'needs a reference of the chain' : null;
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source === undefined) return `${name} is not one of the sources`;
    const named = sourceFor(source)?.pairsOf(source) ?? null;
    return named === null || named.includes(pair) ? null : `${name} says nothing of ${pair}`;
  }
}

const sourcesSchema = z.record(sourceNameSchema, sourceSchema);
const referencesSchema = z.record(pairIdSchema, pairReferenceSchema);
