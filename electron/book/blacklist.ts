import { z } from 'zod';
import { type BlacklistEntry, blacklistEntrySchema } from '../contract/desk-file.ts';
import { below } from '../contract/fault-path.ts';
import type { BlacklistedUser } from '../journal/book/fold.ts';
import { type Address, addressSchema } from '../protocol/address.ts';
import { type Checked, checkForm } from './checked.ts';
import { type Fault, faultsAt } from './faults.ts';

const listSchema = z.array(z.unknown(), 'must be a list').default([]);
const bareEntrySchema = addressSchema.transform((address): BlacklistEntry => ({ address }));

/** The blacklist of a chain in a desk file: each entry by itself, and no address twice (PROTOCOL 8). */
export function blacklistFaults(input: unknown): Fault[] {
  const list = checkForm(listSchema, input);
  if (list.faults) return list.faults;
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const [index, raw] of list.value.entries()) {
    const at = below('', index);
    const entry = checkEntry(raw);
    if (entry.faults) {
      faults.push(...faultsAt(at, entry.faults));
      continue;
    }
    const first = seen.get(entry.value.address);
    if (first === undefined) seen.set(entry.value.address, index);
    else faults.push({ path: at, message: `is the address of entry [${first}] too` });
  }
  return faults;
}

function checkEntry(raw: unknown): Checked<BlacklistEntry> {
  return typeof raw === 'object' ? checkForm(blacklistEntrySchema, raw) : checkForm(bareEntrySchema, raw);
}

/** Whether the entry has not come to its end at `now` (Unix milliseconds). */
export function isInForce({ until }: Pick<BlacklistedUser, 'until'>, now: number): boolean {
  return until === null || now < until;
}

/**
 * Why an entry keeps its user from quotes at `now` (Unix milliseconds): it is on the list that the service reads, or on that of this
 * desk alone; null where it does not, or there is none.
 */
export function blacklistCodeOf(entry: BlacklistedUser | undefined, now: number): 'blacklisted' | 'user_barred' | null {
  if (entry === undefined || !isInForce(entry, now)) return null;
  return entry.onlyHere ? 'user_barred' : 'blacklisted';
}

/** The addresses that the service reads at `now` (PROTOCOL 8); not those that this desk alone blacklists. */
export function servedBlacklist(entries: Iterable<BlacklistedUser>, now: number): Address[] {
  return [...entries].flatMap((entry) => (!entry.onlyHere && isInForce(entry, now) ? [entry.address] : []));
}
