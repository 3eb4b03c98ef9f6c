import { notifyManager } from '@tanstack/react-query';

/** Resolves once everything on the screen has what the last answers said: they are told in rounds, and this waits for the next. */
export function toldToAll(): Promise<void> {
  return new Promise((resolve) => notifyManager.schedule(resolve));
}
