import { isDeepStrictEqual } from 'node:util';
import type { ChainConfig, DeskFile } from '../contract/desk-file.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { type CounterpartySecrets, parseDesk } from './parse-desk.ts';
import { writeDesk } from './write-desk.ts';

export type ImportOptions = {
  actor: string;
  /**
   * What the file was made of, where it is an edit of what was in force: then pairs that stay go on being retired, and stops go on with
   * their words. Else it is compared with what is in force now.
   */
  madeOf?: DeskFile | undefined;
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
  /** Puts the secrets of before back: called where nothing was replaced after they were kept. */
  takeBack?: () => Promise<void>;
  /** Runs the replacement itself, in the turn in which nothing else of the book changes; when it throws, nothing is replaced. */
  replacing?: (replace: () => Promise<number>) => Promise<number>;
};

/** What an import changed, and the secrets that came with it: they are not in `desk`, and the book does not keep them. */
export type ImportedDesk = { seq: number; desk: DeskFile; secrets: CounterpartySecrets[] };

/**
 * Replaces the whole configuration in one event. A ladder that it leaves as it is goes on under its revision: whoever priced the pair
 * does, and it is as old as it was. Throws FaultyInput `desk_file_faulty` with every fault and its path.
 */
export function importDesk(
  memory: BookMemory,
  now: () => number,
  input: unknown,
  { actor, madeOf, keepSecrets, takeBack, replacing = (replace) => replace() }: ImportOptions,
): Promise<ImportedDesk> {
  return memory.inTurn(async () => {
    const { desk, secrets, serviceKeys, urls } = parseDesk(input);
    const fingerprints = await keepSecrets(secrets, desk, serviceKeys, urls);
    let isHanded = false;
    const replace = () => {
      memory.seals.learn(urls);
      const before = madeOf ?? writeDesk(memory.committed, new Map(), now());
      const retired = madeOf === undefined ? [] : retiredIn(memory, desk);
      // The file has no prices of a retired pair, whose ladder is another one only when it comes back.
      const standing = [...standingIn(before, desk), ...retired.map(({ chainId, pair }) => ({ chainId, pair }))];
      const body = { desk, fingerprints, standing, ...(madeOf !== undefined && { edit: { retired } }) };
      isHanded = true;
      return memory.replace({ time: now(), actor, kind: 'desk_configured', body });
    };
    try {
      return { seq: await replacing(replace), desk, secrets };
    } catch (error) {
      // A row that a disk failed under may be there all the same.
      if (!isHanded || isDeskError(error, 'journal_row_refused')) await takeBack?.();
      throw error;
    }
  });
}

/** The pairs of the file that go on being retired, also by a stop that is not written yet: one that it gives prices comes back. */
function retiredIn({ chains }: Pick<BookMemory, 'chains'>, desk: DeskFile) {
  return desk.chains.flatMap(({ chainId, pairs, prices }) =>
    [...(chains.get(chainId)?.pairs.values() ?? [])].flatMap(({ id, retiredUntil }) =>
      retiredUntil === null || !Object.hasOwn(pairs, id) || Object.hasOwn(prices, id)
        ? []
        : [{ chainId, pair: id, until: retiredUntil }],
    ),
  );
}

/** The pairs whose ladder is the same in both, and means the same: its levels, its pair and the tokens of that. */
function standingIn(before: DeskFile, after: DeskFile): { chainId: number; pair: string }[] {
  return after.chains.flatMap((chain) => {
    const { chainId } = chain;
    const known = before.chains.find((one) => one.chainId === chainId);
    if (known === undefined) return [];
    const stands = (pair: string) => isDeepStrictEqual(pricedIn(chain, pair), pricedIn(known, pair));
    return Object.keys(chain.prices).flatMap((pair) => (stands(pair) ? [{ chainId, pair }] : []));
  });
}

function pricedIn({ prices, pairs, tokens }: ChainConfig, pair: string) {
  const { base = '', quote = '' } = pairs[pair] ?? {};
  return { ladder: prices[pair], base, quote, tokens: [tokens[base], tokens[quote]] };
}
