import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvalEndSchema } from '../../electron/contract/approvals.ts';
import {
  type ApprovalEvent,
  foldApproval,
  isWaiting,
  type StoredApproval,
} from '../../electron/journal/approvals/fold.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { openDirectly } from './fixture.ts';
import { START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const token = fc.constantFrom(null, 'ada', 'tara');
/** Which of those there are, counted from the newest, or one that was never asked for. */
const nth = fc.nat(4);
const event = fc.oneof(
  fc.record({ kind: fc.constant('approval_asked' as const), token, until: fc.constantFrom(START + 5, START + 100) }),
  fc.record({ kind: fc.constant('approval_given' as const), token, nth }),
  fc.record({ kind: fc.constant('approval_ended' as const), nth, how: fc.constantFrom(...approvalEndSchema.options) }),
  fc.record({ kind: fc.constant('token_revoked' as const), name: fc.constantFrom('ada', 'tara') }),
);

const ASKED = {
  operation: 'limits.set',
  kinds: ['limits' as const],
  right: 'settings' as const,
  says: 'set the limits of Practice',
  changes: [{ about: 'Practice (31337)', what: 'WETH: at most in one quote', before: '5', after: '8' }],
  more: 0,
  input: 'a'.repeat(64),
  mark: 'b'.repeat(64),
};

test('after any events about what waits, memory, the table and the table made anew say the same, and nothing was approved by whoever asked, late or twice', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 30, size: 'max' }), (given) => {
      const journal = openDirectly();
      const memory = new Map<number, StoredApproval>();
      for (const [index, { kind, ...of }] of given.entries()) {
        const written = { time: START + index, actor: 'token' in of ? (of.token ?? 'mara') : 'desk' };
        const seqs = [...memory.keys()];
        const request = 'nth' in of ? (seqs[seqs.length - 1 - of.nth] ?? 9_999) : 0;
        const bodies = {
          approval_asked: { ...ASKED, ...of },
          approval_given: { request, ...of },
          approval_ended: { request, why: null, ...of },
          token_revoked: of,
        };
        const body: Record<string, unknown> = { ...bodies[kind] };
        delete body.nth;
        const one = { ...written, kind, body } as unknown as NewEvent;
        const seq = Number(journal.write(one)[0]);
        const event = { ...one, seq } as unknown as ApprovalEvent;
        const about = kind === 'token_revoked' ? seqs : [kind === 'approval_asked' ? seq : request];
        for (const at of about) {
          const after = foldApproval(memory.get(at), event);
          if (after !== undefined) memory.set(at, after);
        }
      }
      const all = [...memory.values()];
      for (const { approved, ended, token: of, until } of all) {
        if (approved !== null) expect([approved.token === of, approved.at >= until]).toEqual([false, false]);
        if (ended !== null) expect(['done', 'failed', 'interrupted'].includes(ended.how)).toBe(approved !== null);
      }
      expect(journal.queries.openApprovals()).toEqual(all.filter(({ ended }) => ended === null));
      const shown = all.filter(({ ended }) => ended !== null).map(({ input: _input, mark: _mark, ...rest }) => rest);
      expect(journal.queries.pastApprovals(100)).toEqual(shown.reverse());
      const before = tableContents(journal.db);
      rebuildProjections(journal.db, SLICES);
      expect(tableContents(journal.db)).toEqual(before);
    }),
    { numRuns: howOften(12, 100) },
  );
});

test('something that waits and cannot be read takes no other along, and is approved by nobody', () => {
  const journal = openDirectly();
  for (const time of [START, START + 1]) {
    journal.write({ time, actor: 'mara', kind: 'approval_asked', body: { ...ASKED, token: null, until: START + 100 } });
  }
  const [bad, good] = journal.queries.openApprovals();
  journal.db.prepare("UPDATE approvals SET approval = '{' WHERE seq = ?").run(bad?.seq);
  expect(journal.queries.openApprovals()).toEqual([good]);
  expect(good && isWaiting(good)).toBe(true);
});

test('a journal from before knows of nothing that takes a second person', () => {
  const journal = openDirectly();
  expect(journal.queries.fourEyes()).toEqual([]);
  journal.write({ time: START, actor: 'mara', kind: 'four_eyes_set', body: { kinds: ['takers', 'resume'] } });
  expect(journal.queries.fourEyes()).toEqual(['resume', 'takers']);
  journal.write({ time: START, actor: 'mara', kind: 'four_eyes_set', body: { kinds: [] } });
  expect(journal.queries.fourEyes()).toEqual([]);
});
