import { recoverAddress } from 'viem';
import { firmResponseSchema } from '../../electron/protocol/wire.ts';
import { type Answer, type TakerClient, takerClient } from '../desk/taker-client.ts';
import { PATIENCE } from '../how-long.ts';
import { type BesiegedDesk, SMALL } from './besieged-desk.ts';

/** Who asks for these quotes, and nobody else does. */
export const SECOND_USER = `0x${'c2'.repeat(20)}` as const;
/** How long a request of these is good for. */
const DEADLINE_MS = 10_000;
/** What `SMALL` costs at 3412.96 USDC for one, the best ask of this desk: rounded up, raw units of 6 decimals. */
const COST = '3413';

/** A client of a desk that nobody has a quarrel with: it is to get each quote that it asks for, and each is to be right. */
export class SecondClient {
  readonly #world: Pick<BesiegedDesk, 'chain' | 'file'>;
  readonly #client: Pick<TakerClient, 'firm'>;
  readonly #nonces = new Set<string>();
  /** Milliseconds that the slowest answer took. */
  #slowest = 0;

  /** `client` asks for it, the desk of `world` unless another is given. */
  constructor(world: Pick<BesiegedDesk, 'chain' | 'file' | 'desk'>, client?: Pick<TakerClient, 'firm'>) {
    this.#world = world;
    this.#client = client ?? takerClient(world.desk.ready.surface, world.file, SECOND_USER);
  }

  /** How many right answers it got so far. */
  get quotes(): number {
    return this.#nonces.size;
  }

  get slowestMs(): number {
    return Math.round(this.#slowest);
  }

  /** Asks for one quote. Returns what is wrong with the answer, in a sentence without its subject, or null. */
  async ask(): Promise<string | null> {
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<string>((resolve) => {
      late = setTimeout(() => resolve(`was not answered within ${PATIENCE / 1_000} s`), PATIENCE);
    });
    const answered = this.#answerInTime().then(
      (answer) => this.#faultOf(answer),
      (error: Error) => `was not answered: ${error.message}`,
    );
    return Promise.race([answered, patience]).finally(() => clearTimeout(late));
  }

  /** A machine that stands still for longer than the request allows gets a lawful refusal: it asks again. */
  async #answerInTime(): Promise<Answer> {
    for (;;) {
      const answer = await this.#client.firm('asks', SMALL);
      if (answer.json.code !== 'deadline' || answer.receivedAt - answer.sentAt < DEADLINE_MS) return answer;
    }
  }

  async #faultOf({ status, json, sentAt, receivedAt }: Answer): Promise<string | null> {
    const read = firmResponseSchema.safeParse(json);
    if (status !== 200 || read.data?.order === undefined) return `was refused with ${status}: ${JSON.stringify(json)}`;
    const { signature, ...order } = read.data.order;
    const wrong = (what: string) => `was answered with an order of ${what}: ${JSON.stringify(order)}`;
    const { chain } = this.#world;
    const [config] = this.#world.file.chains;
    const amounts = [order.makerAsset, order.makerAmount, order.takerAsset, order.takerAmount];
    if (`${amounts}`.toLowerCase() !== `${[chain.weth, SMALL.makerAmount, chain.usdc, COST]}`.toLowerCase())
      return wrong('other assets or amounts');
    const between = [order.maker, order.taker, BigInt.asUintN(160, BigInt(order.nonceAndMeta)).toString(16)];
    if (`${between}`.toLowerCase() !== `${[config?.maker, config?.takers[0], SECOND_USER.slice(2)]}`.toLowerCase())
      return wrong('another maker, taker or user');
    if (order.expiry < Date.now() / 1_000 + 60) return wrong('too short a life');
    const bigints = {
      nonceAndMeta: BigInt(order.nonceAndMeta),
      expiry: BigInt(order.expiry),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
    };
    const hash = chain.orderHash({ ...order, ...bigints });
    const signer = await recoverAddress({ hash, signature }).catch(() => null);
    if (signer?.toLowerCase() !== config?.signer.toLowerCase()) return wrong('somebody else');
    if (this.#nonces.has(order.nonceAndMeta)) return wrong('a nonce that was there before');
    this.#nonces.add(order.nonceAndMeta);
    this.#slowest = Math.max(this.#slowest, receivedAt - sentAt);
    return null;
  }
}
