import type { z } from 'zod';
import { type HedgeStep, isEmpty } from '../../contract/hedge-steps.ts';
import type { SentencePart } from '../../contract/journal.ts';
import { isoTime } from '../../contract/names.ts';
import {
  amount,
  differences,
  figure,
  named,
  type PastRows,
  quoted,
  shortened,
  type TellingsOf,
  type ToldRow,
  words,
} from '../telling.ts';
import type { HEDGE_EVENTS, HedgeOpened } from './events.ts';

type AutoSet = z.infer<typeof HEDGE_EVENTS.auto_hedge_set>;
type Ends = Pick<HedgeOpened, 'src' | 'dest'>;

/** Hedges, step by step. */
export function tellHedges(past: PastRows): TellingsOf<typeof HEDGE_EVENTS> {
  const opened = (seq: number): HedgeOpened | undefined => {
    const row = past.at(seq);
    return row?.kind === 'hedge_opened' ? (row.body as HedgeOpened) : undefined;
  };
  return {
    hedge_opened: {
      name: 'Hedge opened',
      group: 'hedges',
      concerns: ({ seq, body: { chainId, pair } }) => ({ chainId, pair, hedge: seq }),
      say: ({ body }) => {
        const { src, dest, side, amount: raw, way, slippageBps, fillSeqs, automatic } = body;
        const isSale = side === 'SELL';
        const other = isSale ? dest : src;
        const fills =
          fillSeqs.length === 0
            ? ''
            : `, for ${fillSeqs.length === 1 ? 'the fill of row' : `${fillSeqs.length} fills:`} ${fillSeqs.slice(0, 3).join(', ')}${fillSeqs.length > 3 ? '…' : ''}`;
        return [
          words(`${automatic ? 'a hedge by itself' : 'a hedge'} ${isSale ? 'sells' : 'buys'} `),
          amount(raw, isSale ? src : dest, 'after'),
          words(
            ` ${isSale ? 'for' : 'with'} ${named(other.symbol, 16)}, ${named(way.mode)}, at most ${figure(`${slippageBps}`)} bps under its price${fills}`,
          ),
        ];
      },
    },
    hedge_step: {
      name: 'Hedge step',
      group: 'hedges',
      concerns: ({ body: { chainId, hedgeSeq } }) => ({ chainId, pair: opened(hedgeSeq)?.pair, hedge: hedgeSeq }),
      say: ({ body: { hedgeSeq, step } }) => [words(`hedge ${hedgeSeq}: `), ...stepParts(step, opened(hedgeSeq))],
    },
    auto_hedge_set: {
      name: 'Automatic hedging',
      group: 'settings',
      concerns: ({ body: { chainId, pair } }) => ({ chainId, pair }),
      say: ({ seq, body: { chainId, pair, settings } }) => {
        const old = past.latest(seq, ['auto_hedge_set'], ({ body }: ToldRow<AutoSet>) =>
          body.chainId === chainId && body.pair === pair ? body.settings : undefined,
        );
        const parts = differences(old, settings);
        return parts.length === 0
          ? [words('set automatic hedging as it was')]
          : [words('set automatic hedging: '), ...parts];
      },
    },
    auto_hedge_said: {
      name: 'Automatic hedging said',
      group: 'hedges',
      concerns: ({ body: { chainId, pair, hedgeSeq } }) => ({
        chainId,
        pair,
        ...(hedgeSeq !== null && { hedge: hedgeSeq }),
      }),
      say: ({ body: { sentence, alert, hedgeSeq } }) => {
        const isRefused = alert === 'refused' && hedgeSeq === null;
        return [
          words(alert === 'stopped' ? 'switched itself off:' : isRefused ? 'does not hedge:' : 'said:'),
          ...quoted(sentence),
        ];
      },
    },
  };
}

const PURPOSES = {
  approval: 'the approval',
  swap: 'the swap',
  fill: 'the fill',
  delivery: 'the delivery',
  refund: 'the refund',
} as const;
const OUTCOMES = {
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  handed_out: 'handed out to the maker’s owner',
} as const;

/** What happened to a hedge; a step of a new sort without a sentence does not compile. */
function stepParts(step: HedgeStep, ends: Ends | undefined): SentencePart[] {
  const what = 'purpose' in step ? PURPOSES[step.purpose] : '';
  const moved = ({ spent, received }: { spent: string; received: string }, as?: SentencePart['as']): SentencePart[] => [
    { text: 'gave ', as },
    amount(spent, ends?.src, as),
    { text: ', got ', as },
    amount(received, ends?.dest, as),
  ];
  const bounds = ({ most, least }: { most: string; least: string }): SentencePart[] => [
    words('gives at most '),
    amount(most, ends?.src),
    words(', gets at least '),
    amount(least, ends?.dest),
  ];
  switch (step.step) {
    case 'transaction_signed':
      return [words(`${what} is signed, with the nonce ${step.nonce}, ${shortened(step.hash)}`)];
    case 'transaction_replaced':
      return [
        words(
          isEmpty(step)
            ? `an empty transaction is signed in the place of ${what}, whose deadline is over: `
            : `${what} is signed again with a higher fee: `,
        ),
        { text: shortened(step.replaces), as: 'before' },
        words(' → '),
        { text: shortened(step.hash), as: 'after' },
      ];
    case 'transaction_sent':
      return [words(`the node took ${what}, ${shortened(step.hash)}`)];
    case 'transaction_mined':
      if (step.emptied) return [words(`an empty transaction took the place of ${what} in block ${step.block}`)];
      if (!step.succeeded) return [words(`${what} reverted in block ${step.block}`)];
      return [words(`${what} is in block ${step.block}: `), ...moved(step)];
    case 'transaction_lost':
      return [words(`${what} can never be mined: another transaction took its nonce`)];
    case 'taken_back':
      return [words(`a reorganisation took back ${what}, ${shortened(step.hash)}`)];
    case 'mined_again':
      return [words(`${what} is in block ${step.block} now${step.succeeded ? '' : ', and reverted'}`)];
    case 'final':
      return [words(`${what} is final`)];
    case 'permit_signed':
      return [
        words('a permit for '),
        amount(step.amount, ends?.src),
        words(` is signed to ${shortened(step.spender)}`),
      ];
    case 'swap_built':
      return [words('the service built the swap: '), ...bounds(step)];
    case 'handed_out':
      return [words(`the calldata is for the maker’s owner; the chain is watched from block ${step.block} on`)];
    case 'wallet_mined':
      return [words(`the owner’s transaction is in block ${step.block}: `), ...moved(step)];
    case 'swap_simulated':
      return [
        words('it was tried without sending it'),
        ...(step.received === null ? [] : [words(': gets '), amount(step.received, ends?.dest)]),
      ];
    case 'order_built':
      return [words(`the service built the order ${shortened(step.orderHash)}: `), ...bounds(step)];
    case 'order_signed':
      return [words(`the order ${shortened(step.orderHash)} is signed`)];
    case 'order_submitted':
      return [words(`the service has the order ${shortened(step.orderId)}: ${named(step.status)}`)];
    case 'order_status':
      return [words('the order is '), { text: named(step.status), as: 'after' }, words(': '), ...moved(step)];
    case 'filled_late':
      return [words('the chain took more of it after its end: '), ...moved(step), ...quoted(step.sentence)];
    case 'cancel_wanted':
      return [words('its cancellation is wanted')];
    case 'cancel_signed':
      return [words('its cancellation is signed')];
    case 'cancel_asked':
      return [words('the service took the cancellation')];
    case 'waiting':
      return [words(step.held ? 'waits while the desk is halted:' : 'waits:'), ...quoted(step.sentence)];
    case 'confirmed':
      return [words('goes on although the desk is halted: a person confirmed it')];
    case 'entered':
      return [
        words(`done at ${named(step.where, 60)}, ${isoTime(step.at).slice(0, 16).replace('T', ' ')} UTC: `),
        ...moved(step),
        ...quoted(step.note),
      ];
    case 'corrected': {
      const { before } = step;
      const was = before === undefined ? [] : [...moved(before, 'before'), words(' → ')];
      return [words('corrected: '), ...was, ...moved(step, 'after'), ...quoted(step.reason)];
    }
    case 'struck_out':
      return [words('struck out: it no longer counts'), ...quoted(step.reason)];
    case 'ended':
      return [{ text: OUTCOMES[step.outcome], as: 'after' }, ...quoted(step.sentence), ...quoted(step.givenUp)];
  }
}
