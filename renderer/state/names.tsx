import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { type GivenName, type NamesOf, namesOf } from '../../electron/contract/given-names.ts';
import { asRead } from '../../electron/contract/names.ts';
import { shortHex } from '../components/figures/counts.ts';
import { useClient } from './console.tsx';
import { useMay } from './rights.ts';
import { silence, useStream } from './use-stream.ts';

/** What people call users and counterparties, as the desk tells it. */
export interface Names extends NamesOf {
  given: readonly GivenName[];
}

const NamesContext = createContext<Names>({ given: [], ...namesOf([]) });

export function NamesProvider({ children }: { children: ReactNode }) {
  const client = useClient();
  const [given, setGiven] = useState<readonly GivenName[]>([]);
  const mayLook = useMay('look');
  const open = useCallback(
    async (signal: AbortSignal) => (mayLook ? client.names.watch(undefined, { signal }) : silence(signal)),
    [client, mayLook],
  );
  useStream(open, setGiven);
  const names = useMemo(() => ({ given, ...namesOf(given) }), [given]);
  const isUserNamed = given.some(({ of }) => of === 'user');
  useEffect(() => {
    // Columns of users have room for names once there are any.
    document.documentElement.toggleAttribute('data-users-named', isUserNamed);
  }, [isUserNamed]);
  return <NamesContext value={names}>{children}</NamesContext>;
}

export function useNames(): Names {
  return use(NamesContext);
}

/** A name in a line of text: what is written the other way turns nothing around it. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** A user in a line of text: the name where there is one, and always the shortened address. */
export function userText(names: NamesOf, address: string): string {
  const name = names.user(address);
  return name === undefined ? shortHex(address) : `${isolated(name)} ${shortHex(address)}`;
}

/** A counterparty in a line of text: the name where there is one, and always the domain. */
export function counterpartyText(names: NamesOf, domain: string): string {
  const name = names.counterparty(domain);
  return name === undefined ? domain : `${isolated(name)} ${domain}`;
}

const MOST_TOLD = 3;

/** What a typed name means: one user, nobody, or several, as the sentence that says so. */
export type Called =
  | { kind: 'nobody' }
  | { kind: 'user'; address: `0x${string}` }
  | { kind: 'several'; reason: string };

/** Who is called like this: whose name it is, else whose name has it in it. Never one of several. */
export function userCalled(given: readonly Pick<GivenName, 'of' | 'id' | 'name'>[], typed: string): Called {
  const found = usersCalled(given, typed);
  const [first] = found;
  if (first === undefined) return { kind: 'nobody' };
  if (found.length === 1) return { kind: 'user', address: first.id as `0x${string}` };
  const told = found.slice(0, MOST_TOLD).map(({ id, name }) => `${isolated(name)} ${shortHex(id)}`);
  const more = found.length > MOST_TOLD ? ` and ${found.length - MOST_TOLD} more` : '';
  return {
    kind: 'several',
    reason: `${found.length} users are called that: ${told.join(', ')}${more}. Write the address.`,
  };
}

/** The users whose name it is; where there are none those whose name has it in it. */
export function usersCalled<T extends Pick<GivenName, 'of' | 'name'>>(
  given: readonly T[],
  typed: string,
): readonly T[] {
  const wanted = asRead(typed);
  if (wanted === '') return [];
  const users = given.filter(({ of }) => of === 'user').map((one) => ({ one, name: asRead(one.name) }));
  const same = users.filter(({ name }) => name === wanted);
  return (same.length > 0 ? same : users.filter(({ name }) => name.includes(wanted))).map(({ one }) => one);
}
