import type { Address } from '../protocol/address.ts';
import type { ChainBook } from './chain-book.ts';

/** What of a list that the service named is not in force. */
interface JudgedTakers {
  /** A person has to say whether orders may name them. */
  waiting: Address[];
  /** No order may name them, whatever anybody says, and why. */
  never: { address: Address; is: string }[];
}

/** Holds a list that the service named against what is in force. */
export function judgeTakers({ config, never }: ChainBook, named: readonly Address[]): JudgedTakers {
  const { takers, takersLeftOut = [] } = config;
  const waiting = named.filter(
    (address) => !takers.includes(address) && !takersLeftOut.includes(address) && !never.has(address),
  );
  return { waiting, never: named.flatMap((address) => ofNever(never, address)) };
}

function ofNever(never: ChainBook['never'], address: Address): JudgedTakers['never'] {
  const is = never.get(address);
  return is === undefined ? [] : [{ address, is }];
}
