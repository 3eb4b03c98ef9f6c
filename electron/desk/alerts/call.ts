import { hostname } from 'node:os';
import type { CallKind } from '../../contract/alert-ways.ts';
import { plain } from '../../contract/plain-text.ts';

/** What is told outside the console of a fault, or to try a way. The command gets it as one line of JSON. */
export interface AlertCall {
  alert: 'raised' | 'over' | 'test';
  kind: CallKind;
  /** The same for both ends of a fault, and for no other fault. */
  code: string;
  title: string;
  detail: string;
  /** When it was seen or found gone, ISO 8601. */
  at: string;
  /** The same however often this call is tried. */
  id: string;
}

/** Tells a call, and returns in words what the other side answered. Throws Error with what went wrong, in words without a secret. */
export type TellCall = (call: AlertCall, signal: AbortSignal) => Promise<string>;

const MARKS: Record<CallKind, string> = { halt: 'HALT', stop: 'STOPPED', look: 'Look today' };

/** The call in one line. */
export function headOf({ alert, kind, title }: AlertCall): string {
  const mark = alert === 'raised' ? MARKS[kind] : alert === 'over' ? 'Over' : 'Test';
  return plain(`${mark}: ${title}`);
}

/** What follows it, with the machine that the desk runs on. */
export function bodyOf({ alert, detail, at }: AlertCall): string {
  const words = alert === 'over' ? 'This is over now.' : plain(detail);
  return `${words}\n${at} · Makerdesk on ${hostname()}`;
}
