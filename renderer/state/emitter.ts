export interface Emitter {
  /** Tells this listener from now on; what it returns ends that. */
  subscribe(listener: () => void): () => void;
  /** Tells all who listen at this moment. */
  emit(): void;
}

/** Tells whoever listens that something changed; what it is now they read themselves. */
export function createEmitter(): Emitter {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: () => {
      for (const listener of [...listeners]) listener();
    },
  };
}
