import type { ServerResponse } from 'node:http';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';

/** A whole HTTP answer, ready to be sent as often as needed. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
};

/** An answer that holds `text`, which is JSON: everything a surface says is (PROTOCOL 7). */
export function jsonAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  const body = Buffer.from(text, 'utf8');
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers },
    body,
  };
}

/** The error body of a refusal (PROTOCOL 7), with the sentence of its code unless there is a more specific one. */
export function refusalText(code: RefusalCode, sentence: string = REFUSALS[code].sentence): string {
  return JSON.stringify({ error: sentence, code });
}

/** A refusal with its status. */
export function refusal(code: RefusalCode, sentence?: string, headers?: Record<string, string>): Answer {
  return jsonAnswer(REFUSALS[code].status, refusalText(code, sentence), headers);
}

const plainRefusals = new Map<RefusalCode, Answer>();

/** The refusal in the words of its code; made once. */
export function plainRefusal(code: RefusalCode): Answer {
  const known = plainRefusals.get(code);
  if (known !== undefined) return known;
  const made = refusal(code);
  plainRefusals.set(code, made);
  return made;
}

/**
 * Sends text that is JSON and is sent once. Node writes a head and a text to the socket in one piece, which for short
 * answers costs less than a head and a buffer.
 */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
