import { userInfo } from 'node:os';
import { personSchema } from '../contract/names.ts';

/** The name of the OS user, which stands in the journal where no console gave another. */
export function osUser(): string {
  try {
    return personName(userInfo().username);
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = 'unknown';

/** The account as a person's name: one that is called as the program calls itself is told apart from it. */
export function personName(account: string): string {
  const [name, told] = [account, `user ${account}`].map((text) => personSchema.safeParse(text).data);
  return name ?? told ?? UNKNOWN;
}
