import { expect, test } from 'vitest';
import { toldError, toldInShort } from '../../electron/desk/told-error.ts';

const KEY = 'c4n4ry-0f-a-key';

test('what an error says is told without what may be a key, wherever it stands', () => {
  const bodies = [
    `failed: https://node.example/v2/${KEY}`,
    `failed: wss://user:${KEY}@node.example:8546/?apikey=${KEY}#${KEY}, again`,
    `Request to "postgres://desk:${KEY}@db/desk" (${KEY})`,
    `{"secretKey":"${KEY}","passphrase": "${KEY} and more","access_token":'${KEY}'}`,
    `MAKERDESK_PASSPHRASE=${KEY} authorization: Bearer ${KEY}`,
    `Authorization: Basic ${Buffer.from(KEY).toString('base64')}`,
    `the word ${KEY} itself, %22${KEY}%22`,
  ];
  for (const said of bodies) {
    const error = Object.assign(new TypeError(said, { cause: new Error(said, { cause: said }) }), {
      config: { url: said, headers: { 'x-api-key': KEY } },
    });
    for (const text of [toldError(error, [KEY]), toldInShort(error, [KEY])]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(Buffer.from(KEY).toString('base64'));
      expect(text).toContain('TypeError: ');
    }
  }
  const privateKey = `0x${'4c'.repeat(32)}`;
  expect(toldError(new Error(`bad key ${privateKey} ${'ab'.repeat(65)}`), [])).toMatch(/Error: bad key … …\n/);
  const unknown = `connect https://u:${KEY}@node.example/v2/${KEY} token=${KEY} "password":"${KEY}"`;
  expect(toldError(new Error(unknown), []), 'and before a desk says what its words are').not.toContain(KEY);
});

test('what helps to find the fault is told whole: name, words, where it came from, and its causes', () => {
  const told = toldError(new RangeError('5 is out of bounds', { cause: new Error('ENOSPC: no space left') }), ['']);
  expect(told).toMatch(/^RangeError: 5 is out of bounds\n +at .*told-error\.test\.ts:\d+:\d+/);
  expect(told).toContain('caused by Error: ENOSPC: no space left');
  expect(toldError(new Error('http://127.0.0.1:8545 refuses'), [])).toContain('http://127.0.0.1:8545 refuses');
  expect(
    toldError(Object.assign(new Error('x'), { stack: 'Error: x\n at file:///srv/desk/out/main/cli.js:1:2' }), []),
  ).toContain('file:///srv/desk/out/main/cli.js:1:2');
  expect([toldInShort('a word', []), toldInShort({ a: KEY }, []), toldInShort(undefined, [])]).toEqual([
    'a word',
    'something that is no error (object)',
    'undefined',
  ]);
});
