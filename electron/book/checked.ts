import type { z } from 'zod';
import '../protocol/plain-issues.ts';
import { below } from '../contract/fault-path.ts';
import type { Fault } from './faults.ts';

/** A value that has its form, or what is wrong with it. */
export type Checked<T> =
  | { readonly value: T; readonly faults: null }
  | { readonly value: null; readonly faults: Fault[] };

type Issue = z.core.$ZodIssue;

/** Checks the form of one part and names each fault in plain words. Cross-field rules are checked elsewhere. */
export function checkForm<T>(schema: z.ZodType<T>, input: unknown): Checked<T> {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, faults: null };
  return { value: null, faults: result.error.issues.flatMap((issue) => issueFaults(issue, '', input)) };
}

function issueFaults(issue: Issue, prefix: string, input: unknown): Fault[] {
  const path = issue.path.reduce<string>(below, prefix);
  const found = issue.path.reduce<unknown>(stepInto, input);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: below(path, key), message: 'is not a known field' }));
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ path, message: `has a key that cannot be used: ${message}` }));
    case 'invalid_union': {
      // The branch that got past the outermost form is the one that was meant.
      const meant = issue.errors.find((branch) => branch.every((inner) => inner.path.length > 0 || isAboutKeys(inner)));
      if (meant) return meant.flatMap((inner) => issueFaults(inner, path, found));
      return [{ path, message: issue.message }];
    }
    case 'invalid_type':
      return [{ path, message: found === undefined ? 'is missing' : issue.message }];
    default:
      return [{ path, message: issue.message }];
  }
}

function isAboutKeys(issue: Issue): boolean {
  return issue.code === 'unrecognized_keys';
}

function stepInto(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}
