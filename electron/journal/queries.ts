import type { Queries } from './slices.ts';

export type QueryName = keyof Queries;

/** The queries as the rest of the desk calls them. Each sees everything whose append was answered before. */
export type JournalReader = {
  [Name in QueryName]: (...args: Parameters<Queries[Name]>) => Promise<ReturnType<Queries[Name]>>;
};

/** A reader that puts every question through `ask`. */
export function readerOf(ask: (query: QueryName, args: unknown[]) => Promise<unknown>): JournalReader {
  // The thread has the queries themselves; their names and types are known here by the compiler alone. Each is made when it is
  // first looked for. It is no promise, so there is no "then".
  const made: Record<PropertyKey, unknown> = {};
  const make = (name: PropertyKey) => {
    if (typeof name !== 'string' || name === 'then' || name in made) return;
    made[name] = (...args: unknown[]) => ask(name as QueryName, args);
  };
  return new Proxy(made as JournalReader, {
    get: (_, name) => {
      make(name);
      return made[name];
    },
    getOwnPropertyDescriptor: (_, name) => {
      make(name);
      return Reflect.getOwnPropertyDescriptor(made, name);
    },
  });
}
