import { ensureBuilt } from '../resources/setup/build.mjs';

/** Before any test: desks, commands and the journal's threads run as they are shipped, so what is built must be fresh. */
export const setup = ensureBuilt;
