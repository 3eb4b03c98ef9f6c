import { connect, type Socket } from 'node:net';
import { AnswerReader, type ReadAnswer } from './answers.ts';
import { clock } from './clock.ts';

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
  /** When its last request was sent. */
  sentAt = 0;
  /** When it would have been sent if it had not had to wait for a lane: its latency counts from there. */
  dueAt = 0;

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

  send(request: Buffer, dueAt: number): void {
    this.dueAt = dueAt;
    this.sentAt = clock();
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.end();
  }
}
