import { app } from 'electron';
import { pause } from '../time/pause.ts';
import type { DeskLife } from './desk-life.ts';
import { askToQuit, DRAIN_SECONDS } from './questions.ts';
import type { StateWatch } from './state-watch.ts';

/** Time for the halt at the end of the drain to be written. */
const MARGIN_MS = 3_000;

/**
 * Makes every way to quit pass through one door: a desk that trades is drained first, if whoever quits agrees, and the
 * journal is closed. A signal of the operating system closes without a question and without draining, like `serve`. `sure` is
 * told once nothing keeps the app from quitting.
 */
export function quitInOrder(desk: DeskLife, watch: StateWatch, sure: () => void): void {
  let stage: 'running' | 'asking' | 'closing' | 'closed' = 'running';

  const close = async () => {
    stage = 'closing';
    sure();
    watch.close();
    await desk.close();
    stage = 'closed';
    app.quit();
  };
  const askAndClose = async () => {
    stage = 'asking';
    const trades = watch.state() === 'LIVE' || watch.state() === 'DRAIN';
    if (trades && !(await askToQuit())) {
      stage = 'running';
      return;
    }
    if (trades) await drain(desk, watch);
    await close();
  };
  app.on('before-quit', (event) => {
    if (stage === 'closed') return;
    event.preventDefault();
    if (stage === 'running') void askAndClose();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stage === 'running' || stage === 'asking') void close();
    });
  }
}

/** Returns when the desk is halted, or when it should long have been. */
async function drain(desk: DeskLife, watch: StateWatch): Promise<void> {
  const asked = desk.client()?.trading.drain({ scope: {}, seconds: DRAIN_SECONDS, reason: 'the app quits' });
  const answer = await asked?.catch(() => null);
  if (!answer) return;
  watch.set(answer.status.state);
  const until = Date.now() + DRAIN_SECONDS * 1_000 + MARGIN_MS;
  while (watch.state() === 'DRAIN' && Date.now() < until) await pause(100);
}
