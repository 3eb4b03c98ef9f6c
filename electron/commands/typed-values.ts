import { consoleOrigin } from '../contract/console-access.ts';
import { practiceSpeedSchema } from '../contract/practice.ts';
import { readNumber } from '../contract/typed-number.ts';
import { type Address, addressSchema } from '../protocol/address.ts';
import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';
import { hash32Schema } from '../protocol/order-record.ts';

/**
 * What a person typed behind a command, read for what it should be. Each takes the text and the name it was typed for
 * (`--chain`, `the amount`), so that it can stand in `.option(…)`, and throws DeskError with what would have been right.
 */

/** An EVM chain id. */
export function chainIdOf(text: string): number {
  return whole(text, {
    code: 'bad_chain',
    name: '--chain',
    from: 1,
    example: 'the number of a chain, such as 1 or 31337',
  });
}

/** A port; 0 takes a free one. */
export function portOf(text: string, name: string): number {
  return whole(text, { code: 'bad_port', name, to: 65_535, example: 'a number from 0 to 65,535' });
}

/** Whole seconds from 1 to 600, as a drain may last. */
export function drainSecondsOf(text: string): number {
  return whole(text, {
    code: 'bad_seconds',
    name: '--seconds',
    from: 1,
    to: 600,
    example: 'whole seconds, from 1 to 600',
  });
}

/** Whole seconds from 5 to 3600, after which a standby takes over by itself. */
export function takeOverSecondsOf(text: string): number {
  return whole(text, {
    code: 'bad_seconds',
    name: '--take-over-after',
    from: 5,
    to: 3_600,
    example: 'whole seconds, from 5 to 3,600',
  });
}

/** How many surfaces a practice fleet has, from 1 to 9. */
export function surfacesOf(text: string): number {
  return whole(text, { code: 'bad_surfaces', name: '--surfaces', from: 1, to: 9, example: 'a number from 1 to 9' });
}

/** What a desk is called in its fleet. */
export function fleetNameOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(text)) return text;
  throw new DeskError('bad_option', `--name has letters, digits, _ and -, 32 at most, and not “${text}”.`);
}

/** Any whole number from 0 on. */
export function wholeOf(text: string, name: string, code: ErrorCode): number {
  return whole(text, { code, name, example: 'a whole number' });
}

/** How many rows of a list are wanted. */
export function limitOf(text: string): number {
  return whole(text, {
    code: 'bad_limit',
    name: '--limit',
    from: 1,
    to: 9_999_999,
    example: 'a whole number from 1 on',
  });
}

/** How many blocks a reorganisation of the practice chain takes back. */
export function depthOf(text: string): number {
  return whole(text, {
    code: 'bad_depth',
    name: '--depth',
    from: 1,
    to: 64,
    example: 'a number of blocks from 1 to 64',
  });
}

/** Firm quotes asked for in a second, from 0 to 1,000. */
export function speedOf(text: string): number {
  const speed = practiceSpeedSchema.safeParse(/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
  if (speed.success) return speed.data;
  throw refused('bad_speed', 'the speed', text, 'how many firm quotes are asked for in a second, from 0 to 1,000');
}

/** A day, a time of day if there is one, and what it is in: UTC unless it says otherwise, wherever the machine stands. */
const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):?(?<minutes>[0-5]\d))?)?$/;

/** ISO 8601 to Unix milliseconds. */
export function timeOf(text: string, name: string): number {
  const time = momentOf(text);
  if (time !== null && time >= 0) return time;
  throw refused('bad_time', name, text, 'a time such as 2026-11-20T18:00:00Z; without the Z it is UTC too');
}

/** Throws DeskError `bad_time` where a time would end before it begins. */
export function expectInOrder({ since, until }: { since?: number; until?: number }): void {
  if (since === undefined || until === undefined || since <= until) return;
  throw new DeskError('bad_time', '--since is after --until.', { remedy: 'Give the earlier time as --since.' });
}

/** Null where it is no moment: also of a day or an hour that does not exist. */
function momentOf(text: string): number | null {
  const { day, minute = '00:00', second = '00', fraction = '', sign, hours, minutes } = MOMENT.exec(text)?.groups ?? {};
  const written = `${day}T${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const time = Date.parse(written);
  if (Number.isNaN(time) || new Date(time).toISOString() !== written) return null;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? time + offset : time - offset;
}

export function addressOf(text: string, name: string): Address {
  const address = addressSchema.safeParse(text);
  if (address.success) return address.data;
  throw refused('bad_address', name, text, 'an address: 0x and 40 hex characters');
}

/** An order's hash, in lower case. */
export function orderHashOf(text: string): string {
  const hash = hash32Schema.safeParse(text);
  if (hash.success) return hash.data;
  throw refused('bad_hash', 'the order hash', text, 'a hash: 0x and 64 hex characters');
}

/** The hash of a chain's first block, in lower case. */
export function genesisOf(text: string): string {
  const hash = hash32Schema.safeParse(text);
  if (hash.success) return hash.data;
  throw refused('bad_hash', '--genesis', text, 'a hash: 0x and 64 hex characters');
}

/** An amount in token units, as a plain decimal string. */
export function amountOf(typed: string): string {
  const { text, fault } = readNumber(typed);
  if (text !== null) return text;
  const why = fault ?? 'must not be empty';
  throw new DeskError('bad_amount', `The amount “${shortened(typed)}” ${why}${why.endsWith('?') ? '' : '.'}`, {
    remedy: 'Give an amount in token units, such as 250000 or 0.5.',
  });
}

/** An address of a console, as `consoleOrigin` takes it. */
export function consoleOriginOf(text: string, name: string): URL {
  const origin = consoleOrigin(text);
  if (origin !== null) return origin;
  // What was typed may have a token behind its #.
  throw new DeskError('bad_url', `What stands after ${name} is not the address of a console.`, {
    remedy: 'Give an https address without a path or a token, such as https://desk.example.com.',
  });
}

interface Whole {
  code: ErrorCode;
  name: string;
  from?: number;
  to?: number;
  example: string;
}

function whole(text: string, { code, name, from = 0, to = Number.MAX_SAFE_INTEGER, example }: Whole): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= from && value <= to) return value;
  throw refused(code, name, text, example);
}

/** `what` was typed and cannot be meant; `example` is what would be right. */
function refused(code: ErrorCode, name: string, typed: string, example: string): DeskError {
  const sentence = `${name.startsWith('-') ? name : name.slice(0, 1).toUpperCase() + name.slice(1)} cannot be “${shortened(typed)}”.`;
  return new DeskError(code, sentence, { remedy: `Give ${example}.` });
}

function shortened(typed: string): string {
  return typed.length > 80 ? `${typed.slice(0, 80)}…` : typed;
}
