import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { Note } from '../../components/note.tsx';
import { asSentence } from '../../components/sentence.tsx';
import { useQueries } from '../../state/console.tsx';
import styles from './sources-dialog.module.css';
import { ruleText, SourcesTable } from './sources-table.tsx';

/** Where the reference of a pair comes from: each source, what it says, and what is made of it. */
export function SourcesDialog(props: { chainId: number; pair: string; quote: string; onClose: () => void }) {
  const { chainId, pair, quote, onClose } = props;
  const read = useQuery(
    useQueries().service.sources.queryOptions({ input: { chainId, pair }, refetchInterval: 1_000 }),
  );
  const reference = read.data?.references[0];
  return (
    <Dialog title={`Reference of ${pair}`} width="widest" onClose={onClose}>
      {reference === undefined ? (
        <ReadState
          read={read}
          rows={4}
          unknown={`The sources of ${pair} are not known here; the desk goes on asking them`}
        />
      ) : (
        <div className={styles.body}>
          <Lead>{ruleText(reference)}</Lead>
          {reference.why !== null && (
            <Note level="stop" title={`${pair} is closed`}>
              {asSentence(reference.why)}
            </Note>
          )}
          <SourcesTable
            reference={reference}
            lines={read.data?.sources ?? []}
            quote={quote}
            className={styles.scroll}
          />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
