import type { DeskFile } from '../contract/desk-file.ts';
import type { BookMemory } from './book-memory.ts';
import { type CounterpartySecrets, parseDesk } from './parse-desk.ts';

export type ImportOptions = {
  actor: string;
  /**
   * Keeps the secrets and gives a fingerprint of each: a counterparty's by domain, a service's key by origin. Called when the
   * file was found sound and before anything is written; when it throws, nothing is. `desk` names the counterparties that
   * came without secrets.
   */
  keepSecrets: (
    secrets: CounterpartySecrets[],
    desk: DeskFile,
    serviceKeys: Record<string, string>,
  ) => Record<string, string> | Promise<Record<string, string>>;
};

/** What an import changed, and the secrets that came with it: they are not in `desk`, and the book does not keep them. */
export type ImportedDesk = { seq: number; desk: DeskFile; secrets: CounterpartySecrets[] };

/** Replaces the whole configuration in one event. Throws FaultyInput `desk_file_faulty` with every fault and its path. */
export function importDesk(
  memory: BookMemory,
  now: () => number,
  input: unknown,
  { actor, keepSecrets }: ImportOptions,
): Promise<ImportedDesk> {
  return memory.inTurn(async () => {
    const { desk, secrets, serviceKeys } = parseDesk(input);
    const fingerprints = await keepSecrets(secrets, desk, serviceKeys);
    const seq = await memory.replace({ time: now(), actor, kind: 'desk_configured', body: { desk, fingerprints } });
    return { seq, desk, secrets };
  });
}
