import type { HedgeQuote } from '../../../electron/contract/hedge.ts';
import { SelectField } from '../../components/select-field.tsx';
import { cutAmount } from './hedge-words.ts';
import type { Ticket } from './ticket.ts';
import { bridgesOf, quoteOver, shownAmount } from './use-quote.ts';

/** The bridges of a crossing price, each with what it gives and how long it takes. Nothing where there is no choice. */
export function BridgeChoice(props: { quote: HedgeQuote; ticket: Ticket; set: (change: Partial<Ticket>) => void }) {
  const { quote, ticket, set } = props;
  const names = bridgesOf(quote);
  if (names.length < 2 && ticket.bridge === '') return null;
  const against = quote.side === 'SELL' ? quote.dest : quote.src;
  const textOf = (bridge: string) => {
    const way = quoteOver(quote, { bridge }).intent.quote;
    if (way === null) return `${bridge}: not offered now`;
    const gives = cutAmount(shownAmount(way, quote.side), against, quote.side === 'SELL' ? 'down' : 'up');
    const seconds = way.bridge?.seconds ?? null;
    return `${bridge}: ${quote.side === 'SELL' ? 'gives' : 'takes'} ${gives}${seconds === null ? '' : `, ${seconds}\u00a0s`}`;
  };
  const offered = names.includes(ticket.bridge) || ticket.bridge === '' ? names : [...names, ticket.bridge];
  const [first] = names;
  return (
    <div className="is-bridge">
      <SelectField
        label="Over"
        value={ticket.bridge}
        options={[
          {
            value: '',
            text: first === undefined ? 'first choice of the service' : `first choice, ${first}`,
          },
          ...offered.map((bridge) => ({ value: bridge, text: textOf(bridge) })),
        ]}
        onChange={(bridge) => set({ bridge })}
      />
    </div>
  );
}
