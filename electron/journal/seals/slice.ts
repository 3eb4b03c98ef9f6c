import type { Database } from 'better-sqlite3';
import type { Address, Hex } from '../../protocol/address.ts';
import type { Slice } from '../slice.ts';
import { shortened, type TellingsOf, words } from '../telling.ts';
import { SEAL_EVENTS } from './events.ts';

/** A seal as its row has it: whether it is one is for whoever checks it. */
export type StoredSeal = { seq: number; body: string };

/** Which row was the last of the journal, signed by the desk's key. There are so few that no table is made of them. */
export const SEALS = {
  events: SEAL_EVENTS,
  tables: [],
  migrations: {},
  project: () => ({}),
  tell: (): TellingsOf<typeof SEAL_EVENTS> => ({
    journal_sealed: {
      name: 'Journal sealed',
      group: 'desk',
      concerns: () => ({}),
      say: ({ body: { row, signer } }) => [
        words(`sealed the journal up to row ${row} with the key of ${shortened(signer)}`),
      ],
    },
  }),
  queries: readSeals,
} satisfies Slice;

type SignerRow = { chainId: number; signer: string };

/** Seals, and what they are checked against. Reads rows alone, so that it also works where the tables are of another program. */
export function readSeals(db: Database) {
  const ofKind = (kind: string) => `kind <> 'quote' AND kind = '${kind}'`;
  const first = db.prepare<[], string>('SELECT lower(hex(hash)) FROM main.journal WHERE seq = 1').pluck();
  const last = db
    .prepare<[], number>(`SELECT time FROM main.journal WHERE ${ofKind('journal_sealed')} ORDER BY seq DESC LIMIT 1`)
    .pluck();
  const all = db.prepare<[], StoredSeal>(
    `SELECT seq, body FROM main.journal WHERE ${ofKind('journal_sealed')} ORDER BY seq`,
  );
  const configured = db
    .prepare<[number], number | null>(
      `SELECT max(seq) FROM main.journal WHERE ${ofKind('desk_configured')} AND seq <= ?`,
    )
    .pluck();
  const imported = db.prepare<[number], SignerRow>(`
    SELECT value ->> '$.chainId' AS chainId, value ->> '$.signer' AS signer
    FROM main.journal j, json_each(j.body, '$.desk.chains') WHERE j.seq = ?`);
  const set = db.prepare<[number, number], SignerRow>(`
    SELECT body ->> '$.chainId' AS chainId, body ->> '$.config.signer' AS signer
    FROM main.journal WHERE ${ofKind('chain_set')} AND seq BETWEEN ? AND ? ORDER BY seq`);
  return {
    /** Which desk this is; null while nothing was written. */
    deskId: (): Hex | null => {
      const hash = first.get();
      return hash === undefined ? null : `0x${hash}`;
    },
    /** When the journal was last sealed, Unix milliseconds; null when it never was. */
    lastSealed: (): number | null => last.get() ?? null,
    /** In the order of the journal. */
    storedSeals: (): StoredSeal[] => all.all(),
    /** Whose keys signed for the chains of the desk, by its configuration after a row. */
    signersAfter: (row: number): Address[] => {
      const since = configured.get(row) ?? 0;
      const signers = new Map<number, string>();
      for (const { chainId, signer } of [...imported.all(since), ...set.all(since, row)]) signers.set(chainId, signer);
      return [...new Set([...signers.values()].map((signer) => signer.toLowerCase() as Address))];
    },
  };
}
