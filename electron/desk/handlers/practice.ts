import type { PracticeControl, PracticeStart, PracticeStarter, PracticeState } from '../../contract/practice.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { pause } from '../../time/pause.ts';
import { folded } from '../stream.ts';
import { os } from './base.ts';

const LOOK_EVERY_MS = 500;

/** The practice market beside the desk, where a door has put one; `no_practice` where there is none. */
export function practiceHandlers(practice: PracticeControl | null, startBeside: PracticeStarter | null) {
  const there = (): PracticeControl => {
    if (practice !== null) return practice;
    throw new DeskError('no_practice', 'There is no practice market beside this desk.', {
      remedy: 'Start one with "makerdesk practice", or name its folder with --practice or --data.',
    });
  };
  return {
    start: os.practice.start.handler(({ signal }) => {
      if (startBeside !== null) return started(startBeside, signal);
      throw new DeskError('practice_elsewhere', 'This desk cannot start a practice desk.', {
        remedy: 'Run "makerdesk practice" on its machine, or "npm start" in the repository.',
      });
    }),
    watch: os.practice.watch.handler(({ signal }) => changes(there(), signal)),
    fault: os.practice.fault.handler(async ({ input }) => {
      await there().switchFault(input);
      return there().state();
    }),
    speed: os.practice.speed.handler(async ({ input }) => {
      await there().setSpeed(input.asksPerSecond);
      return there().state();
    }),
    restart: os.practice.restart.handler(async () => {
      await there().restart();
      return there().state();
    }),
  };
}

/** What the practice desk says until it is ready. Whoever stops listening leaves it running. */
async function* started(start: PracticeStarter, signal: AbortSignal | undefined): AsyncGenerator<PracticeStart> {
  yield { stage: 'starting', said: null };
  type News = PracticeStart | { stage: 'failed'; error: unknown };
  const news = folded<News>(
    (listener) => {
      start((said) => listener({ stage: 'starting', said })).then(
        ({ console }) => listener({ stage: 'ready', console }),
        (error: unknown) => listener({ stage: 'failed', error }),
      );
      return () => {};
    },
    (pending, next) => (pending.stage === 'starting' ? next : pending),
    signal,
  );
  for await (const next of news) {
    if (next.stage === 'failed') throw next.error;
    yield next;
    if (next.stage === 'ready') return;
  }
}

async function* changes(practice: PracticeControl, signal: AbortSignal | undefined): AsyncGenerator<PracticeState> {
  let told = '';
  while (!signal?.aborted) {
    const state = await practice.state();
    const text = JSON.stringify(state);
    if (text !== told) yield state;
    told = text;
    await pause(LOOK_EVERY_MS, signal);
  }
}
