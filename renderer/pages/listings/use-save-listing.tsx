import { type ReactNode, useState } from 'react';
import type { ListingChange } from '../../../electron/contract/book.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useClient } from '../../state/console.tsx';
import { type Command, useCommand } from '../../state/use-command.ts';
import styles from './use-save-listing.module.css';

type Discard = { body: string; blame: readonly string[] };

/** Saves a token or pair; where strict counterparties would then discard a whole list, it asks first. */
export function useSaveListing(
  chainId: number,
  read: () => { what: string; change: ListingChange; save: () => Promise<unknown> },
): { save: Command<void>; question: ReactNode } {
  const client = useClient();
  const [asked, setAsked] = useState<{
    what: string;
    discards: readonly Discard[];
    save: () => Promise<unknown>;
  } | null>(null);
  const save = useCommand(async () => {
    const { what, change, save: send } = read();
    const { discards } = await client.listings.preview({ chainId, change });
    if (discards.length > 0) setAsked({ what, discards, save: send });
    else await send();
  });
  const question = asked && (
    <ConfirmDialog
      title={`Save ${asked.what} although strict services then discard all of ${bodiesText(asked.discards)}?`}
      keep="Do not save"
      act="Save anyway"
      send={asked.save}
      onClose={() => setAsked(null)}
    >
      <p>
        A strict service takes each list whole or not at all. With this saved it throws away every entry, and trades
        none of your pairs:
      </p>
      <ul className={styles.discards}>
        {asked.discards.flatMap(({ body, blame }) =>
          blame.map((sentence) => (
            <li key={`${body} ${sentence}`}>
              <b className="strong">/{body}</b>: {sentence}
            </li>
          )),
        )}
      </ul>
      <p>
        The self-check names it for as long as it is so. “What strict services refuse” under Settings can leave it out.
      </p>
    </ConfirmDialog>
  );
  return { save, question };
}

function bodiesText(discards: readonly Discard[]): string {
  return discards.map(({ body }) => `/${body}`).join(' and ');
}
