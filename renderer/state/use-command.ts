import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { type CommandRefusal, refusalOf } from './refusal-of.ts';

export interface Command<T> {
  run(input: T): void;
  busy: boolean;
  /** Why the last try did not happen; gone with the next one. */
  refusal: CommandRefusal | null;
  reset(): void;
}

/** A command a person gives: at most one at a time, and its refusal in words. */
export function useCommand<T = void>(send: (input: T) => Promise<unknown>): Command<T> {
  // The second of two quick presses comes before anything is drawn anew: this is known at once.
  const running = useRef(false);
  // A mutation learns its function only after the drawing: what a press sends is what was drawn when it was pressed.
  const mutation = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => {
      running.current = false;
    },
  });
  return {
    run: (input) => {
      if (running.current) return;
      running.current = true;
      mutation.mutate(() => send(input));
    },
    busy: mutation.isPending,
    refusal: mutation.error === null ? null : refusalOf(mutation.error),
    reset: mutation.reset,
  };
}
