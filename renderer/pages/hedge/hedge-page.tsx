import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import type { HedgeRow, Position } from '../../../electron/contract/hedge.ts';
import type { HedgeAsk } from '../../../electron/contract/hedge-terms.ts';
import { Button } from '../../components/button.tsx';
import { NoChainPage } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import { useAutoCounts } from '../../state/auto-hedge.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { hedgePath, nameIn } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useStream } from '../../state/use-stream.ts';
import { AutoDialog } from './auto-dialog.tsx';
import { FillsPanel } from './fills-panel.tsx';
import styles from './hedge-page.module.css';
import { chainOf, namedToken, tokenId, typedAmount, useHedgeTokens } from './hedge-token.ts';
import { HistoryPanel } from './history-panel.tsx';
import { PositionPanel } from './position-panel.tsx';
import { changed, EMPTY_TICKET, type Ticket } from './ticket.ts';
import { TicketPanel } from './ticket-panel.tsx';
import { TrackerPanel } from './tracker-panel.tsx';
import { useFollowed } from './use-hedges.ts';
import { hedgeWatch } from './use-quote.ts';

/** What the desk was filled on, and how it gets rid of it: positions and fills at the left, the hedge at the right, and what became of each. */
export function HedgePage() {
  const [, route] = useRoute('/hedge/:chainId?/:pair?');
  const asked = Number(route?.chainId);
  // Whoever comes back finds what they typed, and the chain that it is for.
  const [chosen, choose] = useState(() => chainOf(kept.token));
  // A chain that the address names is meant, also where a tab was pressed before, and stays when the address names none.
  if (asked > 0 && asked !== chosen) choose(asked);
  const there = useDesk(({ chains }) => (chains.find((chain) => chain.chainId === chosen) ?? chains[0])?.chainId);
  const chainId = asked > 0 ? asked : there;
  if (chainId === undefined) {
    return (
      <NoChainPage name="Hedge">Once a chain trades, what it was filled on stands here until it is hedged.</NoChainPage>
    );
  }
  const pair = route?.pair === undefined ? '' : nameIn(route.pair);
  return (
    <HedgeOf
      key={`${chainId} ${pair}`}
      chainId={chainId}
      pairAsked={pair}
      isAuto={route?.chainId === 'auto'}
      onChain={choose}
    />
  );
}

function HedgeOf(props: { chainId: number; pairAsked: string; isAuto: boolean; onChain: (chainId: number) => void }) {
  const { chainId, pairAsked, isAuto, onChain } = props;
  const { connection, toasts } = useConsole();
  const [, navigate] = useLocation();
  const tokens = useHedgeTokens();
  const listed = useDesk((view) => view.listed);
  const [ticket, set] = useKeptTicket(chainId);
  const [pair, setPair] = useState(pairAsked);
  const [followed, follow] = useFollowed(chainId);
  const latest = useRef(0);
  useHedgeFeed(ticket);
  const amountField = useRef<HTMLInputElement>(null);
  const focusAmount = () => amountField.current?.focus();
  useShortcuts({ filter: focusAmount });

  const ofAsk = useCallback(
    (ask: HedgeAsk, fillSeqs: readonly number[]) => {
      const [src, dest] = [
        tokenId({ chainId: ask.chainId, address: ask.srcToken }),
        tokenId({ chainId: ask.destChainId ?? ask.chainId, address: ask.destToken }),
      ];
      const [token, against] = ask.side === 'SELL' ? [src, dest] : [dest, src];
      set({ side: ask.side, token, against, amount: ask.amount, fillSeqs });
    },
    [set],
  );
  const chooseFills = async (of: string, fillSeqs: readonly number[]) => {
    latest.current += 1;
    const mine = latest.current;
    set({ fillSeqs });
    if (fillSeqs.length === 0) return;
    try {
      const ask = await connection.client.hedge.askFor({ chainId, pair: of, fillSeqs: [...fillSeqs] });
      if (mine === latest.current) ofAsk(ask, fillSeqs);
    } catch (error) {
      const { sentence, remedy } = refusalOf(error);
      if (mine === latest.current) toasts.show({ level: 'look', title: sentence, detail: remedy });
    }
  };
  const hedgePosition = ({ token, net }: Position) => {
    const quote = listed.find((row) => row.chainId === chainId && row.base === token.symbol)?.quote;
    const against = namedToken(tokens, chainId, quote);
    set({
      side: net.startsWith('-') ? 'BUY' : 'SELL',
      token: tokenId(token),
      against: against === undefined ? '' : tokenId(against),
      amount: typedAmount(net.replace('-', ''), token),
      fillSeqs: [],
    });
    focusAmount();
  };
  const again = ({ side, src, dest, amount, mode, fillSeqs }: HedgeRow) => {
    const [token, against] = side === 'SELL' ? [src, dest] : [dest, src];
    set({
      side,
      token: tokenId(token),
      against: tokenId(against),
      mode,
      amount: typedAmount(amount, token),
      fillSeqs,
    });
    focusAmount();
  };
  const placed = (row: HedgeRow) => {
    follow(row.seq);
    // Nobody is paid a second time because they stood in the form.
    set({ amount: '', other: '', beneficiary: '', fillSeqs: [] });
    // Nor does the next entry carry the fee, the moment and the note of this one.
    if (row.correctable) set({ fields: {} });
  };

  // Asked for with its pair, by the palette or a link: the tokens stand in the ticket, the amount is the person's.
  const asPair = listed.find((row) => row.chainId === chainId && row.pair === pairAsked);
  const [base, quote] = [namedToken(tokens, chainId, asPair?.base), namedToken(tokens, chainId, asPair?.quote)];
  const [baseId, quoteId] = [base && tokenId(base), quote && tokenId(quote)];
  useEffect(() => {
    if (baseId !== undefined && quoteId !== undefined) set({ token: baseId, against: quoteId });
  }, [baseId, quoteId, set]);

  return (
    <>
      <PageHead name="Hedge">
        <ChainTabs
          chainId={chainId}
          onChange={(next) => {
            navigate(hedgePath());
            onChain(next);
          }}
        />
        <span className="fill" />
        <AutoButton onOpen={() => navigate(hedgePath('auto'))} />
      </PageHead>
      <PageBody className={styles.page}>
        <div className={styles.left}>
          <PositionPanel chainId={chainId} onHedge={hedgePosition} />
          <FillsPanel
            chainId={chainId}
            pair={pair}
            onPair={setPair}
            chosen={ticket.fillSeqs}
            onChoose={(of, seqs) => void chooseFills(of, seqs)}
            onHedge={follow}
          />
        </div>
        <TicketPanel
          chainId={chainId}
          ticket={ticket}
          tokens={tokens}
          set={set}
          amountField={amountField}
          onPlaced={placed}
        />
        <div className={styles.bottom}>
          <HistoryPanel chainId={chainId} chosen={followed} onChoose={follow} />
          <TrackerPanel chainId={chainId} seq={followed} onAgain={again} />
        </div>
      </PageBody>
      {isAuto && <AutoDialog onClose={() => navigate(hedgePath())} />}
    </>
  );
}

/** What was being typed stays as long as this console is open, whatever page is looked at meanwhile. */
let kept: Ticket = EMPTY_TICKET;

function useKeptTicket(chainId: number): [Ticket, (change: Partial<Ticket>) => void] {
  const [ticket, setTicket] = useState(() => {
    // What was typed for another chain would be hedged there, from a page that says this one.
    if (chainOf(kept.token) !== chainId) kept = changed(kept, { token: '', against: '', fillSeqs: [] });
    return kept;
  });
  const set = useCallback((change: Partial<Ticket>) => {
    kept = changed(kept, change);
    setTicket(kept);
  }, []);
  return [ticket, set];
}

/** Changes of this long are read anew together. Milliseconds. */
const GATHER = 150;

/** Reads hedges, positions and fills anew when the desk says that they changed, and what placing the ticket means when another hedge touches it. */
function useHedgeFeed(ticket: Ticket): void {
  const { connection, queries } = useConsole();
  const cache = useQueryClient();
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; positions: boolean; touched: boolean } | null>(null);
  const open = useCallback((signal: AbortSignal) => connection.client.hedge.watch(undefined, { signal }), [connection]);
  const [touches] = useState(hedgeWatch);
  useStream(open, ({ rows, positions }) => {
    const touched = touches(rows, ticket);
    if (waiting.current !== null) {
      waiting.current.positions ||= positions;
      waiting.current.touched ||= touched;
      return;
    }
    const timer = setTimeout(() => {
      const news = waiting.current;
      waiting.current = null;
      const { list, get, positions: held, fills, auto, prepare } = queries.hedge;
      const moved = news?.positions === true ? [held, fills, auto] : [];
      const meant = news?.touched === true ? [prepare] : [];
      for (const changed of [list, get, ...moved, ...meant]) {
        void cache.invalidateQueries({ queryKey: changed.key() });
      }
    }, GATHER);
    waiting.current = { timer, positions, touched };
  });
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
}

/** Whether anything is hedged without a person, in one chip; opens the settings. */
function AutoButton({ onOpen }: { onOpen: () => void }) {
  const { on, dry, isKnown } = useAutoCounts();
  const words = [
    on > 0 ? `on for ${plural(on, 'pair')}` : null,
    dry > 0 ? `dry run for ${plural(dry, 'pair')}` : null,
  ].filter((word) => word !== null);
  // Neither off nor on may be said before it is known.
  const off = isKnown ? ' is off' : '';
  return (
    <Button className={words.length > 0 ? styles.autoSet : ''} onClick={onOpen}>
      <Mark shape={on > 0 ? 'live' : dry > 0 ? 'part' : isKnown ? 'off' : 'expired'} tone={on > 0 ? 'ok' : 'quiet'} />
      <span>Automatic hedging{words.length === 0 ? off : ` ${words.join(', ')}`}…</span>
    </Button>
  );
}
