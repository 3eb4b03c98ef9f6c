import { DeskError } from '../../protocol/desk-error.ts';
import { os } from './base.ts';

/** Hedging, where no desk runs: nothing is known of it and nothing can be placed. */
export function hedgeHandlers() {
  const { hedge } = os;
  const refuse = (): never => {
    throw new DeskError('no_hedging', 'Hedges are placed and followed by a running desk only.', {
      remedy: 'Start the desk.',
    });
  };
  return {
    positions: hedge.positions.handler(() => refuse()),
    fills: hedge.fills.handler(() => refuse()),
    askFor: hedge.askFor.handler(() => refuse()),
    quote: hedge.quote.handler(() => refuse()),
    prepare: hedge.prepare.handler(() => refuse()),
    place: hedge.place.handler(() => refuse()),
    list: hedge.list.handler(() => refuse()),
    get: hedge.get.handler(() => refuse()),
    cancel: hedge.cancel.handler(() => refuse()),
    send: hedge.send.handler(() => refuse()),
    auto: hedge.auto.handler(() => refuse()),
    setAuto: hedge.setAuto.handler(() => refuse()),
    watch: hedge.watch.handler(() => refuse()),
  };
}
