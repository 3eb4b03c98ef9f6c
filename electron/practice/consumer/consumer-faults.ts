/** What can be wrong with the service itself, for drills: read at every request, changed at any time. */
export interface ConsumerFaults {
  /** Nothing leaves the service, its WebSocket is closed and what it had cached is gone. */
  down: boolean;
  /** How much later than it should every request leaves, in milliseconds. */
  slowMs: number;
  /** Requests are signed with a secret that is not the agreed one. */
  wrongSecret: boolean;
  /** How far the service's clock is off in the timestamps it signs, in milliseconds; above zero is ahead. */
  clockOffsetMs: number;
}

/** A service without faults. */
export function noFaults(): ConsumerFaults {
  return { down: false, slowMs: 0, wrongSecret: false, clockOffsetMs: 0 };
}
