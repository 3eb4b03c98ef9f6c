import { userInfo } from 'node:os';

/** The name of the OS user, which stands in the journal where no console gave another. */
export function osUser(): string {
  try {
    return userInfo().username || 'unknown';
  } catch {
    return 'unknown';
  }
}
