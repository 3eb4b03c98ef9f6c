import { useQuery } from '@tanstack/react-query';
import { Copy, X } from 'lucide-react';
import { useState } from 'react';
import { isByHand, type QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Button } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { ReadState } from '../../components/empty.tsx';
import { shortHex } from '../../components/figures/counts.ts';
import { Key } from '../../components/key.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useConsole } from '../../state/console.tsx';
import { baseAndQuote, hasMoreThanDust } from '../../state/quote-figures.ts';
import { SHORTCUTS, useShortcuts } from '../../state/shortcuts.ts';
import { useTokenFinder } from '../../state/tokens.ts';
import { BlacklistDialog } from '../blacklist/blacklist-dialog.tsx';
import { NftOrderActs } from './nft-order-dialog.tsx';
import styles from './quote-drawer.module.css';
import { XrayHead, XrayLimits, XrayPrice, XrayRequest } from './xray-decision.tsx';
import { XrayFills, XrayOrder, XraySignature } from './xray-order.tsx';

/** Everything one quote's decision depended on; J and K go through the rows behind it, C copies all of it. */
export function QuoteDrawer(props: {
  seq: number;
  onClose: () => void;
  /** Asks whether its order is to be cancelled on chain. */
  onCancel: (quote: QuoteRow) => void;
}) {
  const { seq, onClose, onCancel } = props;
  const { queries, toasts } = useConsole();
  const find = useTokenFinder();
  const [blacklisting, setBlacklisting] = useState(false);
  const read = useQuery(
    queries.log.xray.queryOptions({ input: { seq }, refetchInterval: 5_000, placeholderData: (old) => old }),
  );
  // While another row is read the one before is dimmed, and nothing in it can be pressed.
  const { data: xray, isPlaceholderData: isOld } = read;
  const copy = async () => {
    if (xray === undefined || isOld) return;
    try {
      await navigator.clipboard.writeText(JSON.stringify(xray, null, 2));
      toasts.show({ level: 'note', title: 'Copied everything about this quote', detail: 'As JSON, for support.' });
    } catch {
      toasts.show({ level: 'look', title: 'The clipboard does not answer' });
    }
  };
  useShortcuts({ copyBundle: () => void copy() });
  const gives = xray && find(xray.quote.chainId, xray.quote.makerAsset);
  const gets = xray && find(xray.quote.chainId, xray.quote.takerAsset);
  // Without a hash every order of the chain would be cancelled; one that was signed by hand has its own button above.
  const canCancel =
    xray?.quote.outcome === 'open' &&
    xray.quote.orderHash !== null &&
    !isByHand(xray.quote) &&
    hasMoreThanDust(xray.quote, baseAndQuote(xray.quote, (address) => find(xray.quote.chainId, address)).quote);
  return (
    <PanelBox className={styles.drawer} aria-label="X-ray">
      <header>
        <h2>X-ray</h2>
        <span className="mono quiet">
          {xray?.quote.orderHash && !isOld ? shortHex(xray.quote.orderHash) : `row ${seq}`}
        </span>
        <span className="fill" />
        {xray !== undefined && !isOld && xray.quote.pair !== null && (
          <ChangesLink of={{ kind: 'pair', chainId: xray.quote.chainId, pair: xray.quote.pair }} />
        )}
        {SHORTCUTS.logRow.keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        <Button look="quiet" aria-label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </header>
      <Scroll>
        <ReadState
          read={read}
          rows={8}
          unknown="This quote cannot be shown here; what was written down of it is kept all the same"
        />
        {xray !== undefined && (
          <div aria-busy={isOld} inert={isOld}>
            <XrayHead xray={xray} />
            {isByHand(xray.quote) && <NftOrderActs quote={xray.quote} />}
            <XrayRequest xray={xray} gives={gives} gets={gets} />
            <XrayPrice xray={xray} />
            {!isByHand(xray.quote) && <XrayLimits xray={xray} token={gives} />}
            <XrayFills xray={xray} gives={gives} gets={gets} />
            <XrayOrder xray={xray} gives={gives} gets={gets} />
            <XraySignature xray={xray} />
          </div>
        )}
      </Scroll>
      <footer className={styles.foot}>
        <Button
          look="primary"
          disabled={xray === undefined || isOld}
          title="Everything about this quote as JSON, for support"
          onClick={() => void copy()}
        >
          <Copy aria-hidden="true" /> Copy bundle <Key of="copyBundle" />
        </Button>
        <span className="fill" />
        {canCancel && (
          <Button disabled={isOld} onClick={() => onCancel(xray.quote)}>
            Cancel on chain…
          </Button>
        )}
        <Button look="quiet" disabled={xray === undefined || isOld} onClick={() => setBlacklisting(true)}>
          Blacklist…
        </Button>
      </footer>
      {blacklisting && xray !== undefined && (
        <BlacklistDialog address={xray.quote.userAddress} reason="" onClose={() => setBlacklisting(false)} />
      )}
    </PanelBox>
  );
}
