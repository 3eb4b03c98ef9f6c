import { useQuery } from '@tanstack/react-query';
import { Copy, X } from 'lucide-react';
import { Waiting } from '../../components/empty.tsx';
import { shortHex } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { QuoteFacts } from './quote-facts.tsx';

/** Everything one quote's decision depended on; J and K go through the rows behind it. */
export function QuoteDrawer({ seq, onClose }: { seq: number; onClose: () => void }) {
  const { queries, toasts } = useConsole();
  const quote = useQuery(
    queries.log.quote.queryOptions({ input: { seq }, refetchInterval: 5_000, placeholderData: (old) => old }),
  );
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(quote.data, null, 2));
      toasts.show({ level: 'note', title: 'Copied everything about this quote', detail: 'As JSON, for support.' });
    } catch {
      toasts.show({ level: 'look', title: 'The clipboard does not answer' });
    }
  };
  return (
    <aside className="panel quote-drawer" aria-label="Quote">
      <header>
        <h2>Quote</h2>
        <span className="mono quiet">{quote.data?.orderHash ? shortHex(quote.data.orderHash) : `row ${seq}`}</span>
        <span className="fill" />
        <kbd>J</kbd>
        <kbd>K</kbd>
        <button type="button" className="button is-quiet" aria-label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </button>
      </header>
      <div className="scroll">
        {quote.isPending && <Waiting rows={8} />}
        {quote.error !== null && <RefusalNote refusal={refusalOf(quote.error)} />}
        {quote.data !== undefined && <QuoteFacts quote={quote.data} />}
      </div>
      <footer className="drawer-foot">
        <button
          type="button"
          className="button is-primary"
          disabled={quote.data === undefined}
          onClick={() => void copy()}
        >
          <Copy aria-hidden="true" /> Copy for support
        </button>
      </footer>
    </aside>
  );
}
