import type { HedgeDetail, HedgeToken } from '../../../electron/contract/hedge.ts';
import { isEmpty } from '../../../electron/contract/hedge-steps.ts';
import { decimalText, pricePlaces } from '../../components/figures/prices.ts';
import { stampText } from '../../components/figures/times.ts';
import type { MarkShape } from '../../components/mark.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { cutAmount, spoken, statusSentence } from './hedge-words.ts';

type Written = HedgeDetail['steps'][number];

/** A line of the tracker: what happened, in words, and the hash that proves it. */
export interface TrackLine {
  seq: number;
  time: number;
  shape: MarkShape;
  tone: string;
  text: string;
  hash: { hex: string; of: string } | null;
}

/** Everything that happened to a hedge, newest first. */
export function trackLines(detail: HedgeDetail): TrackLine[] {
  return detail.steps.map((written) => lineOf(written, detail)).reverse();
}

function lineOf({ seq, time, step }: Written, { src, dest, note }: HedgeDetail): TrackLine {
  const line = (text: string, look: Partial<TrackLine> = {}): TrackLine => {
    return { seq, time, shape: 'done', tone: 'ok', hash: null, ...look, text };
  };
  const hash = (hex: string, of = 'transaction') => ({ hash: { hex, of } });
  const what = 'purpose' in step ? WHAT[step.purpose] : '';
  switch (step.step) {
    case 'transaction_signed':
      return line(`${what} is signed, with the nonce ${step.nonce}.`, hash(step.hash));
    case 'transaction_replaced':
      return line(
        isEmpty(step)
          ? `The deadline is over: an empty transaction is signed that takes the nonce of ${what.toLowerCase()}.`
          : `${what} is signed again with a higher fee: the chain did not take the one before.`,
        hash(step.hash),
      );
    case 'transaction_sent':
      return line(`${what} is with the node.`, hash(step.hash));
    case 'transaction_mined':
      if (step.emptied) {
        return line(
          `The empty transaction is in block ${step.block}: ${what.toLowerCase()} can never be mined, and its gas was paid.`,
          { ...hash(step.hash), shape: 'look', tone: 'attn' },
        );
      }
      if (!step.succeeded) {
        return line(`${what} reverted in block ${step.block}.`, { ...hash(step.hash), shape: 'refused', tone: 'stop' });
      }
      return line(`${what} is in block ${step.block}${moved(step, src, dest)}.`, hash(step.hash));
    case 'transaction_lost':
      return line(`${what} can never be mined: another transaction took its nonce.`, {
        ...hash(step.hash),
        shape: 'look',
        tone: 'attn',
      });
    case 'taken_back':
      return line(`The chain took ${what.toLowerCase()} back: it is followed again.`, {
        ...hash(step.hash),
        shape: 'look',
        tone: 'attn',
      });
    case 'mined_again':
      return line(`${what} is in block ${step.block} now.`, hash(step.hash));
    case 'final':
      return line(`${what} is final.`, { ...hash(step.hash), tone: 'quiet' });
    case 'permit_signed':
      return line(`A permit for ${cutAmount(step.amount, src)} is signed.`, hash(step.spender, 'spender’s address'));
    case 'swap_built':
      return line(`The service built the swap: ${bounds(step, src, dest)}.`);
    case 'handed_out':
      return line(`The calldata is for the maker’s owner; the chain is watched from block ${step.block} on.`, {
        shape: 'note',
        tone: 'quiet',
      });
    case 'wallet_mined':
      return line(`The owner’s transaction is in block ${step.block}${moved(step, src, dest)}.`, hash(step.hash));
    case 'swap_simulated':
      return line(
        `It was tried on the chain${step.received === null ? '' : `: it gives ${cutAmount(step.received, dest)}`}.`,
      );
    case 'order_built':
      return line(`The service built the order: ${bounds(step, src, dest)}.`, hash(step.orderHash, 'order hash'));
    case 'order_signed':
      return line('The order is signed.', hash(step.orderHash, 'order hash'));
    case 'order_submitted':
      return line('The service has the order.', hash(step.orderId, 'order’s id'));
    case 'order_status': {
      const last = step.transactions.at(-1);
      const said = `${step.status}: ${statusSentence(step.status)}`;
      const part = moved(step, src, dest).replace(/^: g(.*)$/, ' G$1.');
      return line(said + part, { shape: 'part', tone: 'quiet', ...(last && hash(last.hash, last.kind)) });
    }
    case 'filled_late': {
      const last = step.transactions.at(-1);
      return line(spoken(step.sentence), { shape: 'filled', tone: 'attn', ...(last && hash(last.hash, last.kind)) });
    }
    case 'cancel_wanted':
      return line('Its cancellation is wanted: the service is asked until the order shows it.');
    case 'cancel_signed':
      return line('The cancellation is signed.');
    case 'cancel_asked':
      return line('The service took the cancellation.');
    case 'waiting':
      return line(spoken(step.sentence), { shape: 'look', tone: 'attn' });
    case 'confirmed':
      return line('A person confirmed it: it goes on while the desk is halted.');
    case 'entered': {
      const done = `Done at ${step.where}, ${stampText(step.at)} ${zoneName(step.at)}`;
      return line(`${done}${moved(step, src, dest)}.${extraFee(step)}${noteWords(step)}`, { shape: 'filled' });
    }
    case 'corrected': {
      const counts = `Corrected${moved(step, src, dest)}.${extraFee(step)}${elsewhere(step)}`;
      return line(`${counts} Why: ${step.reason}`, { shape: 'note', tone: 'attn' });
    }
    case 'struck_out':
      return line(`Struck out: it no longer counts. ${step.reason}`, { shape: 'cancelled', tone: 'quiet' });
    case 'ended':
      // Why it ended stands over the steps already.
      return line(
        step.sentence === null || step.sentence === note ? ENDS[step.outcome].text : spoken(step.sentence),
        ENDS[step.outcome],
      );
  }
}

const WHAT = {
  approval: 'The approval',
  swap: 'The swap',
  fill: 'The fill',
  delivery: 'The delivery',
  refund: 'The refund',
} as const;

const ENDS = {
  done: { text: 'Done.', shape: 'filled', tone: 'ok' },
  failed: { text: 'Failed.', shape: 'refused', tone: 'stop' },
  cancelled: { text: 'Cancelled.', shape: 'cancelled', tone: 'quiet' },
  handed_out: { text: 'The calldata is for the maker’s owner.', shape: 'note', tone: 'quiet' },
} as const;

function moved({ spent, received }: { spent: string; received: string }, src: HedgeToken, dest: HedgeToken): string {
  if (spent === '0' && received === '0') return '';
  return `: gave ${cutAmount(spent, src)}, got ${cutAmount(received, dest)}`;
}

function extraFee({ feeUsd }: { feeUsd: string }): string {
  return /[1-9]/.test(feeUsd) ? ` Extra fee $${decimalText(feeUsd, Math.max(2, pricePlaces([feeUsd])))}.` : '';
}

function noteWords({ note }: { note: string }): string {
  return note === '' ? '' : ` Note: “${note}”.`;
}

/** What a correction says of where, when and with what note it was done, where that is another than before. */
function elsewhere({ where, at, note, before }: Extract<Written['step'], { step: 'corrected' }>): string {
  if (before === undefined) return '';
  const place = where === undefined || where === before.where ? '' : ` Done at ${where}, not at ${before.where}.`;
  const time =
    at === undefined || at === before.at
      ? ''
      : ` Done on ${stampText(at)} ${zoneName(at)}, not on ${stampText(before.at)} ${zoneName(before.at)}.`;
  if (note === undefined || note === before.note) return place + time;
  return `${place}${time}${note === '' ? ' The note is taken away.' : noteWords({ note })}`;
}

function bounds({ least, most }: { least: string; most: string }, src: HedgeToken, dest: HedgeToken): string {
  return `at most ${cutAmount(most, src, 'up')} for at least ${cutAmount(least, dest)}`;
}
