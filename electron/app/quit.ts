import { app } from 'electron';
import type { DeskLife } from './desk-life.ts';
import { askToQuit, tell } from './questions.ts';
import { quotesNothing, type StateWatch } from './state-watch.ts';

/**
 * Makes every way to quit pass through one door: a desk that trades, or may, is drained first, if whoever quits agrees, and the
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
    const state = watch.state();
    const trades = !quotesNothing(state);
    if (trades && !(await askToQuit(state))) {
      stage = 'running';
      return;
    }
    const stillArmed = trades ? await desk.drain() : null;
    if (stillArmed !== null) await tell('The desk may come back LIVE at its next start.', stillArmed);
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
