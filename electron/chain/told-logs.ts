import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { NodeLog } from './node-answers.ts';
import type { NodeClient } from './node-client.ts';
import type { OrderLedger } from './order-ledger.ts';
import { decodeOrderLogs, type OrderLog, saysTheSame } from './order-logs.ts';

/** What a node told of some blocks, held against what the journal has there. */
export class ToldLogs {
  readonly #node: NodeClient;
  readonly #ledger: OrderLedger;
  readonly #from: number;
  readonly #to: number;
  readonly #known: NodeLog[] = [];
  readonly #told = new Set<StandingOrderEvent>();

  constructor(node: NodeClient, ledger: OrderLedger, from: number, to: number) {
    this.#node = node;
    this.#ledger = ledger;
    this.#from = from;
    this.#to = to;
  }

  /** Whether the journal has this very log at this very place. */
  readonly isKnown = (log: NodeLog): boolean => {
    const event = this.#ledger.get(log);
    if (event === undefined || !saysTheSame(log, event)) return false;
    this.#known.push(log);
    this.#told.add(event);
    return true;
  };

  /**
   * Once all were asked for: which of the others are new, and which events of the journal were not told. Nodes may number the logs of a
   * block otherwise: in one transaction a log that is the same in all but its number is the same one, each once, so that no fill counts
   * twice. `renumbered`: events whose number a new log has now; they are among the fresh with their own new one. Throws `node_malformed`.
   */
  compare(others: readonly OrderLog[]): {
    fresh: OrderLog[];
    lacking: StandingOrderEvent[];
    renumbered: StandingOrderEvent[];
  } {
    const standing = this.#ledger.between(this.#from, this.#to);
    const untold = standing.filter((event) => !this.#told.has(event));
    if (untold.length === 0) return { fresh: [...others], lacking: [], renumbered: [] };
    const transactions = new Set(untold.map(transactionOf));
    const isAmong = (log: InTransaction) => transactions.has(transactionOf(log));
    const known = decodeOrderLogs(this.#node, this.#known.filter(isAmong));
    const { logs, events, moved } = unmatched([...known, ...others.filter(isAmong)], standing.filter(isAmong));
    const inPlaceOf = logs.flatMap((log) => this.#ledger.get(log) ?? []);
    // What is new cannot be written beside what has its place: all that moved in that transaction is written anew, or it is lacking.
    const anew = new Set(inPlaceOf.filter((event) => moved.has(event)).map(transactionOf));
    const renumbered = [...moved].filter(([event]) => anew.has(transactionOf(event)));
    return {
      fresh: [...others.filter((log) => !isAmong(log)), ...logs, ...renumbered.map(([, log]) => log)].sort(inOrder),
      lacking: [...new Set([...events, ...inPlaceOf.filter((event) => !moved.has(event))])],
      renumbered: renumbered.map(([event]) => event),
    };
  }
}

type InTransaction = Pick<StandingOrderEvent, 'blockHash' | 'transactionHash'>;
const transactionOf = ({ blockHash, transactionHash }: InTransaction) => `${blockHash}/${transactionHash}`;

const inOrder = (a: OrderLog, b: OrderLog) => a.block - b.block || a.logIndex - b.logIndex;

/** All that a log says but for its number among those of its block. */
export function contentOf(log: OrderLog | StandingOrderEvent): string {
  const { kind, orderHash } = log;
  const amounts = 'makerAmount' in log ? `${log.makerAmount}/${log.takerAmount}` : 'null/null';
  return `${transactionOf(log)}/${kind}/${orderHash}/${amounts}`;
}

/**
 * Pairs logs with the events of the journal that say the same, those of the same number first; gives what is left on either side, and
 * which events have another number now.
 */
export function unmatched(
  logs: readonly OrderLog[],
  events: readonly StandingOrderEvent[],
): { logs: OrderLog[]; events: StandingOrderEvent[]; moved: Map<StandingOrderEvent, OrderLog> } {
  const left = new Set(events);
  const moved = new Map<StandingOrderEvent, OrderLog>();
  const pair = (log: OrderLog, isIt: (event: StandingOrderEvent) => boolean): StandingOrderEvent | undefined => {
    const content = contentOf(log);
    const found = [...left].find((event) => isIt(event) && contentOf(event) === content);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const elsewhere = logs.filter((log) => pair(log, ({ logIndex }) => logIndex === log.logIndex) === undefined);
  const fresh = elsewhere.filter((log) => {
    const event = pair(log, () => true);
    if (event !== undefined) moved.set(event, log);
    return event === undefined;
  });
  return { logs: fresh, events: [...left], moved };
}
