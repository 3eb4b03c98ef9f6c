import { z } from 'zod';
import type { AlertsFile } from '../contract/alert-ways.ts';
import { type CounterpartyConfig, counterpartySchema, type DeskFile, deskFileSchema } from '../contract/desk-file.ts';
import { below } from '../contract/fault-path.ts';
import { chainFaults } from './chain-check.ts';
import { checkForm } from './checked.ts';
import { type Fault, FaultyInput, faultsAt } from './faults.ts';
import { protectionFaults } from './protection-check.ts';
import { sealChain } from './url-seals.ts';

/** What a counterparty knows and the journal must never hold (PROTOCOL 5.2). */
export type CounterpartySecrets = { domain: string; accessKey: string; secretKey: string };

/** A sound desk file, taken apart: what may be written down, and the secrets that came with it. */
export type ParsedDesk = {
  desk: DeskFile;
  secrets: CounterpartySecrets[];
  /** By origin. */
  serviceKeys: Record<string, string>;
  /** Whole URLs of chains, by the mark that `desk` has in their place. */
  urls: Record<string, string>;
  /** What the file says of alerts, with what is secret of it; the book keeps nothing of it. */
  alerts: AlertsFile | undefined;
};

const frameSchema = deskFileSchema.extend({
  chains: z.array(z.unknown(), 'must be a list of chains'),
  counterparties: z.array(z.unknown(), 'must be a list').default([]),
});

/** Reads a desk file. Throws FaultyInput `desk_file_faulty` with every fault it has, each with its path. */
export function parseDesk(input: unknown): ParsedDesk {
  const faults = deskFaults(input);
  if (faults.length > 0) throw new FaultyInput('desk_file_faulty', 'The desk file', faults);
  const sound = checkForm(deskFileSchema, input);
  if (sound.faults) throw new FaultyInput('desk_file_faulty', 'The desk file', sound.faults);
  const secrets: CounterpartySecrets[] = [];
  const { serviceKeys = {}, alerts, ...open } = sound.value;
  const counterparties = open.counterparties.map(({ accessKey, secretKey, ...known }) => {
    if (accessKey !== undefined && secretKey !== undefined)
      secrets.push({ domain: known.domain, accessKey, secretKey });
    return known;
  });
  const chains = open.chains.map(sealChain);
  const desk = { ...open, chains: chains.map(({ sealed }) => sealed), counterparties };
  return { desk, secrets, serviceKeys, urls: Object.assign({}, ...chains.map(({ urls }) => urls)), alerts };
}

function deskFaults(input: unknown): Fault[] {
  const faults = [...(checkForm(frameSchema, input).faults ?? [])];
  const chains = listIn(input, 'chains');
  faults.push(...faultsAt('protections', protectionFaults(listIn(input, 'protections'), chains)));
  for (const [index, chain] of chains.entries()) faults.push(...faultsAt(below('chains', index), chainFaults(chain)));
  faults.push(...chainIdFaults(chains), ...basePathFaults(chains));
  faults.push(...faultsAt('counterparties', counterpartyFaults(listIn(input, 'counterparties'))));
  return faults;
}

function listIn(input: unknown, field: string): unknown[] {
  const list = fieldOf(input, field);
  return Array.isArray(list) ? list : [];
}

function fieldOf(input: unknown, field: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[field] : undefined;
}

function chainIdFaults(chains: readonly unknown[]): Fault[] {
  const ids = chains.map((chain) => fieldOf(chain, 'chainId'));
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    if (typeof id !== 'number' || first === index) return [];
    return [{ path: `chains[${index}].chainId`, message: `is the chain id of chains[${first}] too` }];
  });
}

/** Every chain answers below a path of its own (PROTOCOL 4.3), so no base path may begin with another one. */
function basePathFaults(chains: readonly unknown[]): Fault[] {
  const paths = chains.map((chain) => fieldOf(chain, 'basePath'));
  return paths.flatMap((path, index) => {
    if (typeof path !== 'string') return [];
    const first = paths.findIndex(
      (other, before) => before < index && typeof other === 'string' && overlap(path, other),
    );
    if (first < 0) return [];
    const message =
      path === paths[first]
        ? `is the base path of chains[${first}] too`
        : `overlaps ${JSON.stringify(paths[first])} of chains[${first}]`;
    return [{ path: `chains[${index}].basePath`, message }];
  });
}

/** Whether one path is the other or lies below it. */
export function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function counterpartyFaults(list: readonly unknown[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const [index, raw] of list.entries()) {
    const at = below('', index);
    const { value, faults: form } = checkForm<CounterpartyConfig>(counterpartySchema, raw);
    if (form) {
      faults.push(...faultsAt(at, form));
      continue;
    }
    const first = seen.get(value.domain);
    if (first === undefined) seen.set(value.domain, index);
    else faults.push({ path: `${at}.domain`, message: `is the domain of counterparties[${first}] too` });
    if ((value.accessKey === undefined) !== (value.secretKey === undefined)) {
      const missing = value.accessKey === undefined ? 'accessKey' : 'secretKey';
      faults.push({ path: `${at}.${missing}`, message: 'is missing: the two keys come together or not at all' });
    }
  }
  return faults;
}
