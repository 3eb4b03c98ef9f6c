import { type IntentKind, plainValue } from './kind.ts';

/** Swaps one token for another. */
export const PLAIN: IntentKind = {
  name: 'Order',
  value: plainValue({}),
  mark: null,
  needs: null,
  isSliced: false,
};
