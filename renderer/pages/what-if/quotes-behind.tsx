import { Link } from 'wouter';
import type { WhatIfAsked, WhatIfQuote } from '../../../electron/contract/what-if.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { decimalText, exactText } from '../../components/figures/prices.ts';
import { clockText, stampText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { quotePath } from '../../state/pages.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useFurther } from '../../state/use-further.ts';
import { readDollars, signedDollars } from '../results/dollars.ts';
import styles from './quotes-behind.module.css';
import { type Figure, useQuotesBehind } from './use-what-if.ts';

/** Digits that a price shows at least. */
const DIGITS = 7;

const TITLES: Record<Figure['group'], string> = {
  better: 'A better price for the taker',
  same: 'The same price',
  worse: 'A worse price for the taker',
  refusedThen: 'Signed then, and would have been refused',
  signedThen: 'Refused then, and would have been signed',
  refused: 'Refused then, and would have been refused',
  dollars: 'What counts in edge and markout',
};

/** The requests behind a figure: what each was answered, and what it would have been. */
export function QuotesBehind(props: { asked: WhatIfAsked; figure: Figure; onClose: () => void }) {
  const { asked, figure, onClose } = props;
  const read = useQuotesBehind(asked, figure);
  const { isAsked, further } = useFurther(read);
  const quotes = read.data?.pages.flat() ?? [];
  return (
    <Dialog
      title={`${TITLES[figure.group]}: ${figure.pair === null ? 'all pairs' : figure.pair.pair}`}
      width="widest"
      onClose={onClose}
    >
      <Scroll className={styles.list} aria-label="Requests behind the figure">
        {quotes.length === 0 ? (
          <>
            <ReadState read={read} rows={6} />
            {read.data !== undefined && <Empty title="No request counts in it" />}
          </>
        ) : (
          <Table aria-label="Requests behind the figure">
            <thead>
              <tr>
                <th className={styles.time}>Time, {zoneName()}</th>
                <th className={styles.pair}>Pair</th>
                <th className={styles.side}>We</th>
                <th className={styles.user}>User</th>
                <th className={`${styles.size} right`}>Size</th>
                <th className="right">
                  Price<small>was</small>
                </th>
                <th className="right">
                  Price<small>would be</small>
                </th>
                <th className="right">
                  Edge, $<small>was</small>
                </th>
                <th className="right">
                  Edge, $<small>would be</small>
                </th>
                <th className={`${styles.fills} right`}>Fills</th>
              </tr>
            </thead>
            <tbody>
              {quotes.map((quote) => (
                <Row key={quote.seq} quote={quote} />
              ))}
            </tbody>
          </Table>
        )}
      </Scroll>
      <DialogActions>
        {read.data !== undefined && (
          <span className="quiet">
            {plural(quotes.length, 'request')}, oldest first{read.hasNextPage ? '; there are more' : ''}. Edge is of the
            whole order, against the reference when it was decided.
          </span>
        )}
        <span className="fill" />
        {read.hasNextPage && (
          <Button size="large" disabled={isAsked} onClick={further}>
            {isAsked ? 'Reading more…' : 'Read more'}
          </Button>
        )}
        <Button size="large" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Row({ quote }: { quote: WhatIfQuote }) {
  const { seq, time, pair, side, user, was, would, fills, kept } = quote;
  const size = was.traded ?? would.traded;
  const cut = side === 'bids' ? 'up' : 'down';
  const base = pair.split('/')[0];
  return (
    <tr data-seq={seq} title={kept === null ? undefined : `As it was: ${kept}`}>
      <td>
        <Link className="muted" href={quotePath(seq)} title={`${stampText(time)}. Opens its quote.`}>
          {clockText(time)}
        </Link>
      </td>
      <td>
        <PairName pair={pair} />
      </td>
      <td>{side !== null && <SideMark side={side} />}</td>
      <td title={user} data-may-clip>
        <User address={user} />
      </td>
      <td className="right" title={size === null ? undefined : `${exactText(size.base)} ${base}`} data-may-clip>
        {size === null ? (
          '—'
        ) : (
          <>
            {decimalText(size.base, 4)} <span className="unit">{base}</span>
          </>
        )}
      </td>
      <Answer decided={was} cut={cut} />
      <Answer decided={would} cut={cut} isDraft={kept === null} />
      <Edge edge={was.edge} />
      <Edge edge={would.edge} isDraft={kept === null} />
      <td className="right">{fills === 0 ? <span className="quiet">0</span> : fills}</td>
    </tr>
  );
}

function Answer(props: { decided: WhatIfQuote['was']; cut: 'up' | 'down'; isDraft?: boolean }) {
  const { decided, cut, isDraft = false } = props;
  const look = isDraft ? `right ${styles.would}` : 'right';
  if (decided.code !== null) {
    return (
      <td className={look} title={decided.code} data-may-clip>
        {decided.code}
      </td>
    );
  }
  const price = decided.traded?.price ?? null;
  return (
    <td className={look} title={price === null ? undefined : exactText(price)} data-may-clip>
      {price === null ? '—' : decimalText(price, placesOf(price), cut)}
    </td>
  );
}

function Edge({ edge, isDraft = false }: { edge: string | null; isDraft?: boolean }) {
  const look = isDraft ? `right ${styles.would}` : 'right';
  return <td className={look}>{edge === null ? '—' : signedDollars(readDollars(edge))}</td>;
}

/** Of a price that was worked out of two amounts, and may have no end of digits. */
function placesOf(price: string): number {
  return Math.max(2, DIGITS - (price.split('.')[0] ?? '').length);
}
