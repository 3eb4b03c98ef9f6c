import type { AlertBoard } from '../alert-board.ts';
import { os } from './base.ts';

/** How alerts are told. */
export function alertHandlers(alerts: AlertBoard) {
  return {
    set: os.alerts.set.handler(({ input: { kind, change }, context: { actor } }) => alerts.set(kind, change, actor)),
  };
}
