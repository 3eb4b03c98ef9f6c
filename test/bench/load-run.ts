import type { ReadAnswer } from './answers.ts';
import { clock } from './clock.ts';
import { Lane } from './lane.ts';
import type { Load, LoadResult, ReceivedOrder } from './load.ts';
import { percentile } from './statistics.ts';

/** One run of a load, in the thread that made it. */
export class LoadRun {
  readonly #load: Load;
  readonly #requests: Buffer[];
  readonly #times: number[] = [];
  readonly #statuses: Record<number, number> = {};
  readonly #orders: ReceivedOrder[] = [];
  readonly #idle = new Set<Lane>();
  /** When requests were due that found every lane taken: their wait counts. */
  readonly #overdue: number[] = [];
  readonly #busy = new Set<Lane>();
  #sent = 0;
  #broken = 0;

  constructor(load: Load) {
    this.#load = load;
    this.#requests = load.requests.map((request) => Buffer.from(request));
  }

  run(): Promise<LoadResult> {
    const { connections, seconds, rate, port, keepOrders = false } = this.#load;
    return new Promise((resolve) => {
      const began = clock();
      const until = began + seconds * 1000;
      let due = 0;
      let open = connections;
      const endWhenQuiet = () => {
        if (clock() >= until && this.#busy.size === 0) for (const lane of this.#idle) lane.end();
      };
      const finish = () => {
        clearInterval(ticking);
        clearTimeout(ending);
        resolve(this.#result(Math.min(clock(), until) - began));
      };
      const next = (lane: Lane) => {
        const now = clock();
        const dueAt = rate === undefined ? now : this.#overdue.shift();
        if (dueAt !== undefined && now < until) return this.#send(lane, dueAt);
        this.#idle.add(lane);
        endWhenQuiet();
      };
      const onAnswer = (lane: Lane, answer: ReadAnswer) => {
        this.#take(lane, answer);
        next(lane);
      };
      const onEnd = (lane: Lane) => {
        const wasBusy = this.#busy.delete(lane);
        if (wasBusy || clock() < until) this.#broken += 1;
        this.#idle.delete(lane);
        open -= 1;
        if (open === 0) finish();
        else endWhenQuiet();
      };
      const tick = () => {
        const now = clock();
        if (now >= until) return; // answers from here on end the lanes, and nothing is sent on one that ends
        for (; due <= ((now - began) * (rate ?? 0)) / 1000; due += 1) {
          const [lane] = this.#idle;
          if (lane === undefined) this.#overdue.push(now);
          else this.#send(lane, now);
        }
      };
      const ticking = rate === undefined ? undefined : setInterval(tick, 1);
      const ending = setTimeout(
        () => {
          clearInterval(ticking);
          endWhenQuiet();
        },
        seconds * 1000 + 1,
      );
      for (let count = 0; count < connections; count += 1)
        next(new Lane({ port, withSignatures: keepOrders, onAnswer, onEnd }));
    });
  }

  #send(lane: Lane, dueAt: number): void {
    const request = this.#requests[this.#sent % this.#requests.length];
    if (request === undefined) throw new Error('a load without requests');
    this.#sent += 1;
    this.#idle.delete(lane);
    this.#busy.add(lane);
    lane.send(request, dueAt);
  }

  #take(lane: Lane, { status, signature }: ReadAnswer): void {
    const receivedAt = clock();
    this.#busy.delete(lane);
    this.#times.push(receivedAt - lane.dueAt);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (signature !== null) this.#orders.push({ sentAt: lane.sentAt, receivedAt, signature });
  }

  #result(tookMs: number): LoadResult {
    const times = this.#times.sort((a, b) => a - b);
    return {
      perSecond: (times.length * 1000) / tookMs,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      times,
      answers: times.length,
      statuses: this.#statuses,
      orders: this.#orders,
      broken: this.#broken,
    };
  }
}
