import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { NodeLog } from './node-answers.ts';
import type { NodeClient } from './node-client.ts';
import type { OrderLedger } from './order-ledger.ts';
import { decodeOrderLogs, type OrderLog } from './order-logs.ts';

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

  /** Whether the journal has a log at this very place. */
  readonly isKnown = (log: NodeLog): boolean => {
    const event = this.#ledger.get(log);
    if (event === undefined) return false;
    this.#known.push(log);
    this.#told.add(event);
    return true;
  };

  /**
   * Once all were asked for: which of those at other places are new, and which events of the journal were not told. Nodes may number
   * the logs of a block otherwise: in one transaction a log that is the same in all but its number is the same one, each once, so that
   * no fill counts twice. Throws `node_malformed`.
   */
  compare(others: readonly OrderLog[]): { fresh: OrderLog[]; lacking: StandingOrderEvent[] } {
    const standing = this.#ledger.between(this.#from, this.#to);
    const untold = standing.filter((event) => !this.#told.has(event));
    if (untold.length === 0) return { fresh: [...others], lacking: [] };
    const transactions = new Set(untold.map(transactionOf));
    const isAmong = (log: InTransaction) => transactions.has(transactionOf(log));
    const known = decodeOrderLogs(this.#node, this.#known.filter(isAmong));
    const { logs, events } = unmatched([...known, ...others.filter(isAmong)], standing.filter(isAmong));
    // What is new in the place of another one cannot be written beside it.
    const taken = logs.flatMap((log) => this.#ledger.get(log) ?? []);
    return {
      fresh: [...others.filter((log) => !isAmong(log)), ...logs].sort(inOrder),
      lacking: [...new Set([...events, ...taken])],
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

/** Pairs logs with the events of the journal that say the same, those of the same number first; gives what is left on either side. */
export function unmatched(
  logs: readonly OrderLog[],
  events: readonly StandingOrderEvent[],
): { logs: OrderLog[]; events: StandingOrderEvent[] } {
  const left = new Set(events);
  const pair = (log: OrderLog, isIt: (event: StandingOrderEvent) => boolean): boolean => {
    const content = contentOf(log);
    for (const event of left) if (isIt(event) && contentOf(event) === content) return left.delete(event);
    return false;
  };
  const moved = logs.filter((log) => !pair(log, ({ logIndex }) => logIndex === log.logIndex));
  return { logs: moved.filter((log) => !pair(log, () => true)), events: [...left] };
}
