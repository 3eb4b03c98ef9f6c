/** One HTTP answer as far as a load needs it. */
export interface ReadAnswer {
  status: number;
  /** The order's signature, when the body holds an order and signatures are asked for. */
  signature: string | null;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const SIGNATURE = Buffer.from('"signature":"');
const SIGNATURE_LENGTH = 132;

/**
 * Reads the answers of one socket, one after the other; each needs a content-length. It does as little as it can, so that
 * a load on a small machine measures the server and not itself.
 */
export class AnswerReader {
  readonly #withSignatures: boolean;
  #pending: Buffer | null = null;

  constructor(withSignatures: boolean) {
    this.#withSignatures = withSignatures;
  }

  /** The answer that ends with this chunk, or null when more has to come. A chunk is only valid during the call. */
  read(chunk: Buffer): ReadAnswer | null {
    const whole = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk]);
    const headEnd = whole.indexOf(HEAD_END);
    const length = headEnd < 0 ? Number.POSITIVE_INFINITY : contentLength(whole.toString('latin1', 0, headEnd));
    const end = headEnd + HEAD_END.length + length;
    if (whole.length < end) {
      this.#pending = this.#pending === null ? Buffer.from(chunk) : whole;
      return null;
    }
    if (whole.length > end) throw new Error('an answer came that nobody asked for');
    this.#pending = null;
    return {
      status: Number(whole.toString('latin1', 9, 12)),
      signature: this.#withSignatures ? signatureIn(whole) : null,
    };
  }
}

function contentLength(head: string): number {
  const at = head.search(/content-length: /i);
  if (at < 0) throw new Error('an answer came without content-length');
  return Number.parseInt(head.slice(at + 'content-length: '.length), 10);
}

function signatureIn(answer: Buffer): string | null {
  const at = answer.indexOf(SIGNATURE);
  if (at < 0) return null;
  const from = at + SIGNATURE.length;
  return answer.toString('latin1', from, from + SIGNATURE_LENGTH);
}
