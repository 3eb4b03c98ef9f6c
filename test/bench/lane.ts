import { connect, type Socket } from 'node:net';
import { AnswerReader, type ReadAnswer } from './answers.ts';

/** What the sockets of this thread read into, one after the other. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024);

export interface LaneOptions {
  port: number;
  withSignatures: boolean;
  onAnswer: (lane: Lane, answer: ReadAnswer) => void;
  onEnd: (lane: Lane) => void;
}

/** One keep-alive connection with at most one request on its way. */
export class Lane {
  readonly #reader: AnswerReader;
  readonly #socket: Socket;
  /** When its last request was sent, or was due if it had to wait. */
  sentAt = 0;

  constructor({ port, withSignatures, onAnswer, onEnd }: LaneOptions) {
    this.#reader = new AnswerReader(withSignatures);
    const callback = (bytes: number): boolean => {
      const answer = this.#reader.read(READ_BUFFER.subarray(0, bytes));
      if (answer !== null) onAnswer(this, answer);
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: READ_BUFFER, callback } });
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => onEnd(this));
  }

  send(request: Buffer, sentAt: number): void {
    this.sentAt = sentAt;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.end();
  }
}
