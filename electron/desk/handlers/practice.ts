import { setTimeout as sleep } from 'node:timers/promises';
import type { PracticeControl, PracticeState } from '../../contract/practice.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { os } from './base.ts';

const LOOK_EVERY_MS = 500;

/** The practice market beside the desk, where a door has put one; `no_practice` where there is none. */
export function practiceHandlers(practice: PracticeControl | null) {
  const there = (): PracticeControl => {
    if (practice !== null) return practice;
    throw new DeskError('no_practice', 'There is no practice market beside this desk.', {
      remedy: 'Start one with "makerdesk practice", or name its folder with --practice or --data.',
    });
  };
  return {
    watch: os.practice.watch.handler(({ signal }) => changes(there(), signal)),
    fault: os.practice.fault.handler(async ({ input }) => {
      await there().switchFault(input);
      return there().state();
    }),
    speed: os.practice.speed.handler(({ input }) => {
      there().setSpeed(input.asksPerSecond);
      return there().state();
    }),
  };
}

async function* changes(practice: PracticeControl, signal: AbortSignal | undefined): AsyncGenerator<PracticeState> {
  let told = '';
  while (!signal?.aborted) {
    const state = practice.state();
    const text = JSON.stringify(state);
    if (text !== told) yield state;
    told = text;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
