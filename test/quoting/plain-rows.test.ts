import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { plainQuoteCells } from '../../electron/journal/quotes/proof.ts';
import { firm, newFolder, openDesk, request } from './open-desk.ts';

it('what the firm path writes of orders and of refusals is text that verifying reads without a parser', async () => {
  const folder = newFolder();
  const desk = await openDesk({ folder });
  expect((await firm(desk)).status).toBe(200);
  expect((await firm(desk, request({ makerAmount: `1${'0'.repeat(40)}` }))).status).not.toBe(200);
  await desk.close();
  const db = new Database(join(folder, 'journal.db'), { readonly: true });
  const bodies = db.prepare<[], string>(`SELECT body FROM journal WHERE kind = 'quote'`).pluck().all();
  db.close();
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect([body, plainQuoteCells(1, 1, body)]).toEqual([body, expect.any(Array)]);
});
