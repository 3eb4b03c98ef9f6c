import type { DeskFile } from '../contract/desk-file.ts';
import type { BookMemory } from './book-memory.ts';
import { type CounterpartySecrets, parseDesk } from './parse-desk.ts';

export type ImportOptions = {
  actor: string;
  /**
   * Keeps the secrets and gives a fingerprint of each: a counterparty's by domain, a service's key by origin. Called when the
   * file was found sound and before anything is written; when it throws, nothing is. `desk` names the counterparties that
   * came without secrets; `urls` are the whole URLs of chains that have a key in them, by mark.
   */
  keepSecrets: (
    secrets: CounterpartySecrets[],
    desk: DeskFile,
    serviceKeys: Record<string, string>,
    urls: Record<string, string>,
  ) => Record<string, string> | Promise<Record<string, string>>;
  /** Runs the replacement itself, in the turn in which nothing else of the book changes; when it throws, nothing is replaced. */
  replacing?: (replace: () => Promise<number>) => Promise<number>;
};

/** What an import changed, and the secrets that came with it: they are not in `desk`, and the book does not keep them. */
export type ImportedDesk = { seq: number; desk: DeskFile; secrets: CounterpartySecrets[] };

/** Replaces the whole configuration in one event. Throws FaultyInput `desk_file_faulty` with every fault and its path. */
export function importDesk(
  memory: BookMemory,
  now: () => number,
  input: unknown,
  { actor, keepSecrets, replacing = (replace) => replace() }: ImportOptions,
): Promise<ImportedDesk> {
  return memory.inTurn(async () => {
    const { desk, secrets, serviceKeys, urls } = parseDesk(input);
    const fingerprints = await keepSecrets(secrets, desk, serviceKeys, urls);
    const seq = await replacing(() => {
      memory.seals.learn(urls);
      return memory.replace({ time: now(), actor, kind: 'desk_configured', body: { desk, fingerprints } });
    });
    return { seq, desk, secrets };
  });
}
