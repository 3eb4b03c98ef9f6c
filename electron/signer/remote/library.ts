/**
 * What is made of a library that is not installed with the desk, loaded when it is first asked for. Throws Error, which says how to
 * install it, until it is there.
 */
export function libraryOf<L, T>(name: string, version: string, make: (library: L) => T): () => Promise<T> {
  let made: Promise<T> | undefined;
  const load = async () => {
    let library: L;
    try {
      library = (await import(name)) as L;
    } catch (cause) {
      const remedy = `npm install --no-save ${name}@${version}, beside the desk`;
      throw new Error(`the library ${name} is not installed: ${remedy}`, { cause });
    }
    return make(library);
  };
  return () => {
    made ??= load().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
