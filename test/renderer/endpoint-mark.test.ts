import { expect, test } from 'vitest';
import { markOf } from '../../renderer/pages/service/service-page.tsx';

const shapesOf = (isLive: boolean) =>
  [undefined, 101, 200, 401, 404, 422, 429, 500, 503].map((status) => markOf(status, isLive).shape);

test('an endpoint is to be looked at where keys do not fit or the desk fails, not where one request was refused or the chain is stopped', () => {
  expect(shapesOf(true)).toEqual(['expired', 'done', 'done', 'look', 'note', 'note', 'note', 'look', 'look']);
  expect(shapesOf(false)).toEqual(['expired', 'done', 'done', 'look', 'note', 'note', 'note', 'note', 'note']);
});
