import type { PairRow } from '../../../electron/contract/book.ts';
import { percentText } from '../../components/figures/counts.ts';

/** Of the orders signed today, how many were filled at least in part, in percent: as Fills has it. A desk of before does not say. */
export function fillRatioText(rows: readonly Pick<PairRow, 'today'>[]): string {
  let filled = 0;
  let signed = 0;
  for (const { today } of rows) {
    if (today.filledOrders === undefined) return '—';
    filled += today.filledOrders;
    signed += today.signed;
  }
  return percentText(filled, signed);
}
