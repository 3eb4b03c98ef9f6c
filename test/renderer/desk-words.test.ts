import { expect, test } from 'vitest';
import type { DeskElsewhereRow, DesksView } from '../../electron/contract/desks-elsewhere.ts';
import { haltAllOutcome, haltText, shownDesk, shownOwn } from '../../renderer/pages/desks/desk-words.ts';
import { linkParts } from '../../renderer/pages/desks/link-parts.ts';

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0);
const status = { state: 'LIVE' as const, since: NOW - 3_600_000, actor: 'tess', reason: 'open', chains: [] };
const row: DeskElsewhereRow = {
  name: 'fra-1',
  url: 'https://fra.example.com',
  token: 'kept',
  heard: { status, at: NOW - 1_000 },
  silent: null,
  halt: null,
};

test('a desk that trades is LIVE, and a chain of it that does not is named beside it', () => {
  expect(shownDesk(row, NOW)).toMatchObject({
    word: 'LIVE',
    tone: 'ok',
    detail: expect.stringContaining('by tess “open”'),
  });
  const chains = [
    { chainId: 1, state: 'LIVE' },
    { chainId: 10, state: 'CLOSED' },
  ];
  const apart = shownDesk({ ...row, heard: { status: { ...status, chains }, at: NOW } }, NOW);
  expect(apart.detail).toContain('chain 10 CLOSED');
  expect(apart.detail).not.toContain('chain 1 ');
});

test('one that does not answer is never shown in the state that it had: that is told as what it was', () => {
  const silent = { since: NOW - 180_000, why: 'It is gone.', remedy: '' };
  const shown = shownDesk({ ...row, silent }, NOW);
  expect(shown).toMatchObject({ word: 'NO ANSWER', tone: 'stop' });
  expect(shown.detail).toMatch(/^for 3.min, was LIVE at .*It is gone\.$/);
  expect(shownDesk({ ...row, heard: null, silent }, NOW).detail).toContain('never heard');
});

test('without a token it is said that it is neither asked nor halted', () => {
  expect(shownDesk({ ...row, token: 'none', heard: null }, NOW)).toMatchObject({ word: 'NO TOKEN' });
});

test('the own desk that runs and does not answer may be quoting, one that is not open quotes nothing', () => {
  expect(shownOwn('silent')).toMatchObject({ tone: 'stop', detail: expect.stringContaining('may be quoting') });
  expect(shownOwn('waits').detail).toContain('Nothing is quoted');
});

test('a halt counts as open until the desk has confirmed it, also when it could not be written down', () => {
  expect(haltText(null, NOW)).toBeNull();
  expect(haltText({ stage: 'asked', at: NOW - 200 }, NOW)).toMatchObject({ text: 'asked…', isOpen: true });
  expect(haltText({ stage: 'asked', at: NOW - 2_000 }, NOW)?.text).toContain('NOT confirmed');
  const unconfirmed = { stage: 'unconfirmed' as const, at: NOW - 9_000, tries: 3, why: 'It is gone.' };
  expect(haltText(unconfirmed, NOW)).toMatchObject({
    text: expect.stringContaining('sent 3 times'),
    why: 'It is gone.',
  });
  const confirmed = { stage: 'confirmed' as const, at: NOW, confirmedAt: NOW, durable: false };
  expect(haltText(confirmed, NOW)).toMatchObject({ text: expect.stringContaining('not written down'), isOpen: false });
});

test('HALT ALL names whoever has not confirmed, the own desk too', () => {
  const confirmed = { stage: 'confirmed' as const, at: NOW, confirmedAt: NOW, durable: true };
  const view: DesksView = {
    own: { state: 'silent', halt: { stage: 'asked', at: NOW } },
    desks: [
      { ...row, halt: confirmed },
      { ...row, name: 'ash-1', halt: { stage: 'asked', at: NOW } },
    ],
    notKept: null,
    unread: null,
  };
  expect(haltAllOutcome(view)).toEqual({ confirmed: 1, all: 3, open: ['this app’s desk', 'ash-1'] });
  expect(haltAllOutcome({ ...view, own: { state: 'LIVE', halt: null }, desks: [row] })).toBeNull();
});

test('a link is taken apart into the address and the token', () => {
  expect(linkParts('https://desk.example.com/#abc?actor=mara')).toEqual({
    url: 'https://desk.example.com/',
    token: 'abc',
  });
  expect(linkParts('https://desk.example.com')).toEqual({ url: 'https://desk.example.com', token: null });
});
