import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What each text is, as a command reads it on a machine in this time zone; null where it is refused. */
function readIn(zone: string, texts: string[]): (string | null)[] {
  const typedValues = new URL('../../electron/commands/typed-values.ts', import.meta.url);
  const program = `
    import { timeOf } from '${typedValues}';
    const read = (text) => { try { return new Date(timeOf(text, '--until')).toISOString(); } catch { return null; } };
    console.log(JSON.stringify(${JSON.stringify(texts)}.map(read)));
  `;
  const env = { ...process.env, TZ: zone };
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' });
  return JSON.parse(said);
}

const ZONES = ['America/New_York', 'Asia/Kathmandu', 'UTC'];

test('a time that is typed is UTC unless it says otherwise, wherever the machine stands', () => {
  const times: Record<string, string> = {
    '2026-12-24': '2026-12-24T00:00:00.000Z',
    '2026-12-24T18:00': '2026-12-24T18:00:00.000Z',
    '2026-12-24 18:00': '2026-12-24T18:00:00.000Z',
    '2026-12-24T18:00:00': '2026-12-24T18:00:00.000Z',
    '2026-12-24T18:00:00Z': '2026-12-24T18:00:00.000Z',
    '2026-12-24T18:00:59.1239': '2026-12-24T18:00:59.123Z',
    '2026-12-24T18:00:00.5Z': '2026-12-24T18:00:00.500Z',
    '2026-12-24T18:00:00+05:45': '2026-12-24T12:15:00.000Z',
    '2026-12-24 18:00-0500': '2026-12-24T23:00:00.000Z',
    '2026-12-31T23:30-01:00': '2027-01-01T00:30:00.000Z',
    '2028-02-29': '2028-02-29T00:00:00.000Z',
    '2026-03-08T02:30': '2026-03-08T02:30:00.000Z',
  };
  for (const zone of ZONES) expect(readIn(zone, Object.keys(times)), zone).toEqual(Object.values(times));
});

test('what is no day, no hour or more than a time is refused', () => {
  const wrong = [
    ...['2026-02-31', '2026-02-29', '2026-13-01', '2026-00-10', '2026-12-00', '2026-02-31T00:00:00Z'],
    ...['2026-12-24T24:00', '2026-12-24T25:00Z', '2026-12-24T18:60', '2026-12-24T18:00:60Z', '2026-12-24T18'],
    ...['2026-12-24 (x)', '2026-12-24foo', '2026-12-240', '2026-12-2418', '2026-12-24T18:00:00Zjunk', ' 2026-12-24'],
    ...['2026-12-24T18:00 PM', '2026-12-24 18:00 EST', '2026-12-24T18:00+24:00', '2026-12-24Z', '2026-12-24T'],
    ...['24.12.2026', '12/24/2026', 'noon', '1766598000', '', '1969-12-31', '1970-01-01T00:30+01:00'],
  ];
  for (const zone of ZONES) expect(readIn(zone, wrong), zone).toEqual(wrong.map(() => null));
});
