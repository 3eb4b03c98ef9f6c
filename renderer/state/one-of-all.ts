/** One of the windows or tabs of this desk acts for all of them, as long as it is open; then another one does. */
export interface OneOfAll {
  acts(): boolean;
}

/** `locks` are those of the page; where there are none each acts for itself. */
export function oneOfAll(name: string, locks: Pick<LockManager, 'request'> | undefined): OneOfAll {
  if (locks === undefined) return { acts: () => true };
  let acts = false;
  const hold = () => {
    acts = true;
    return new Promise<never>(() => {});
  };
  locks.request(name, hold).catch(() => {
    acts = true;
  });
  return { acts: () => acts };
}
