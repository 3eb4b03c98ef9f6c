export interface Emitter<T = void> {
  /** Tells this listener from now on. Returns what ends that. */
  subscribe(listener: (value: T) => void): () => void;
  /** Tells all who listen at this moment. */
  emit(value: T): void;
  /** Whether anybody listens. */
  isHeard(): boolean;
}

/** Tells whoever listens. One who throws keeps none of the others from being told: it is `onError` that hears of it. */
export function createEmitter<T = void>(onError: (error: unknown) => void): Emitter<T> {
  const listeners = new Set<{ listener: (value: T) => void }>();
  return {
    subscribe(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    emit(value) {
      for (const entry of [...listeners]) {
        if (!listeners.has(entry)) continue;
        try {
          entry.listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
    isHeard: () => listeners.size > 0,
  };
}
