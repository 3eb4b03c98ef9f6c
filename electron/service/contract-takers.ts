import { z } from 'zod';
import { type Address, addressSchema } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { askService } from './ask-service.ts';

const MOST_TAKERS = 1_000;

/**
 * Fetches the execution contracts that may be named as takers (PROTOCOL 4.3): `GET /adapters/contract-takers?network=…`. The
 * answer is documented nowhere: a bare array is taken, or an object that holds exactly one. A list that is empty or has
 * anything in it that is no address is refused whole, so that it never takes the place of a good one.
 * Throws DeskError as `askService` does, and `service_nonsense`.
 */
export async function fetchContractTakers(
  serviceUrl: string,
  chainId: number,
  { signal, apiKey }: { signal?: AbortSignal; apiKey?: string | undefined } = {},
): Promise<Address[]> {
  const url = `${serviceUrl.replace(/\/$/, '')}/adapters/contract-takers?network=${chainId}`;
  const list = listIn(await askService({ url, who: 'The service', signal, apiKey }));
  const takers = z.array(addressSchema).max(MOST_TAKERS).safeParse(list);
  if (list === null || !takers.success) throw nonsense('something that is no list of addresses');
  if (takers.data.length === 0) throw nonsense('an empty list');
  return [...new Set(takers.data)];
}

function listIn(answer: unknown): unknown[] | null {
  if (Array.isArray(answer)) return answer;
  if (typeof answer !== 'object' || answer === null) return null;
  const [only, ...others] = Object.values(answer).filter((value) => Array.isArray(value));
  return only !== undefined && others.length === 0 ? only : null;
}

function nonsense(what: string): DeskError {
  return new DeskError('service_nonsense', `The service answered the question for its takers with ${what}.`, {
    remedy: 'The list that was in force stays so.',
  });
}
