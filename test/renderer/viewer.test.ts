import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { wholeAmountText } from '../../renderer/components/figures/amounts.ts';
import { countText, filledText, signedBpsText } from '../../renderer/components/figures/counts.ts';
import { groupedText } from '../../renderer/components/figures/decimal-text.ts';
import { clockText, momentText, preciseClockText, stampText } from '../../renderer/components/figures/times.ts';
import { readEnd } from '../../renderer/pages/blacklist/blacklist-terms.tsx';
import { readMoment as readLogMoment } from '../../renderer/pages/firm-log/filter-choice.ts';
import { readMoment, typedMoment } from '../../renderer/pages/hedge/typed-moment.ts';
import { readCellInput } from '../../renderer/pages/prices/cell-input.ts';
import { numberText, placesIn, readNumber, readWhole, setNumberForm } from '../../renderer/state/number-form.ts';
import { clockIn, momentsOf, setTimeZone, zoneName } from '../../renderer/state/time-zone.ts';

const NOON = Date.UTC(2026, 6, 19, 12, 0, 7, 123);

afterEach(() => {
  setTimeZone('UTC');
  setNumberForm('point');
});

describe('the time zone of the viewer', () => {
  test('every time is written in it, with its day, and told by its name', () => {
    setTimeZone('Asia/Kolkata');
    expect(clockText(NOON)).toBe('17:30:07');
    expect(preciseClockText(NOON)).toBe('17:30:07.123');
    expect(stampText(Date.UTC(2026, 6, 19, 19))).toBe('20 Jul 00:30:00');
    expect(momentText(Date.UTC(2026, 6, 19, 19), NOON)).toBe('20 Jul 00:30:00');
    expect(zoneName(NOON)).toBe('GMT+5:30');
    setTimeZone('Europe/Berlin');
    expect([zoneName(NOON), zoneName(Date.UTC(2026, 0, 1))]).toEqual(['CEST', 'CET']);
  });

  test('a zone that nobody knows changes nothing, and times beyond every calendar are told as the last', () => {
    setTimeZone('Mars/Olympus');
    expect(zoneName()).toBe('UTC');
    setTimeZone('Asia/Tokyo');
    expect(() => stampText(Number.MAX_SAFE_INTEGER)).not.toThrow();
  });

  test('what is typed is read in it, in UTC with a Z, and what is shown is read back', () => {
    setTimeZone('Asia/Tokyo');
    expect(readMoment('2026-07-19 21:00').iso).toBe('2026-07-19T12:00:00.000Z');
    expect(readMoment('2026-07-19 21:00Z').iso).toBe('2026-07-19T21:00:00.000Z');
    expect(readMoment(typedMoment(Date.UTC(2026, 6, 19, 12))).iso).toBe('2026-07-19T12:00:00.000Z');
    expect(readLogMoment('2026-07-19', 'first')).toBe(Date.UTC(2026, 6, 18, 15));
    expect(readEnd('2026-07-20 21:00', NOON)).toEqual({ kind: 'at', time: Date.UTC(2026, 6, 20, 12) });
  });

  test('a time that clocks show twice or never is refused; a search takes the whole of it', () => {
    setTimeZone('Europe/Berlin');
    for (const typed of ['2026-10-25 02:30', '2026-03-29 02:30']) {
      expect(readMoment(typed).iso).toBeNull();
      expect(readMoment(typed).fault).not.toBeNull();
      expect(readEnd(typed, 0).kind).toBe('wrong');
    }
    expect(readMoment('2026-10-25 02:30Z').iso).toBe('2026-10-25T02:30:00.000Z');
    expect(readLogMoment('2026-10-25 02:30', 'first')).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(readLogMoment('2026-10-25 02:30', 'last')).toBe(Date.UTC(2026, 9, 25, 1, 30, 59, 999));
  });

  test('a day that no calendar has is no moment, in UTC or in a zone', () => {
    setTimeZone('Europe/Berlin');
    for (const typed of ['2026-02-31 12:00', '2026-02-31 12:00Z', '2026-06-31 12:00']) {
      expect(readMoment(typed).iso).toBeNull();
      expect(readLogMoment(typed, 'first')).toBeNull();
    }
  });

  test('in whatever zone, a moment is among those that its clock means', () => {
    const zones = [
      'UTC',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Europe/London',
      'Pacific/Chatham',
      'Australia/Lord_Howe',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2035, 0) }),
        (zone, time) => {
          setTimeZone(zone);
          expect(momentsOf(clockIn(time))).toContain(time);
        },
      ),
    );
  });
});

describe('the number form of the viewer', () => {
  const FORMS = [
    ['point', '−1,234,567.50', '12,345', '+1,200.3', '99.0'],
    ['comma', '−1.234.567,50', '12.345', '+1.200,3', '99,0'],
    ['blank', '−1 234 567.50', '12 345', '+1 200.3', '99.0'],
  ] as const;

  test.each(FORMS)('with the %s every number is written in it', (form, money, count, bps, share) => {
    setNumberForm(form);
    const plainBlank = (text: string) => text.replaceAll('\u202f', ' ');
    expect(plainBlank(groupedText({ digits: -123456750n, places: 2 }))).toBe(money);
    expect(plainBlank(countText(12_345))).toBe(count);
    expect(plainBlank(signedBpsText(12_003))).toBe(bps);
    expect(filledText('99', '100')).toBe(share);
    expect(plainBlank(wholeAmountText('12345000000', 6))).toBe(count);
    expect(placesIn(numberText('1234.567'))).toBe(3);
  });

  test('fields take plain numbers in each form', () => {
    for (const form of ['point', 'comma', 'blank'] as const) {
      setNumberForm(form);
      for (const typed of ['1234.5', '0.125', '12.5', '1000000', '1,234.5', '1.2340']) {
        expect(readNumber(typed).text, `${typed}, ${form}`).toBe(typed.replace(',', ''));
      }
    }
  });

  test('what could be two numbers is refused and told with both, in fields, whole numbers and cells', () => {
    setNumberForm('comma');
    for (const typed of ['1.234', '1,234', ' 12.625 ']) {
      expect(readNumber(typed).text).toBeNull();
      expect(readNumber(typed).fault).toContain(' or ');
      expect(readWhole(typed, 0, 1_000_000).value).toBeNull();
    }
    const cell = readCellInput('1.234', '1000', { places: 3, cut: 'down' });
    expect(cell).toBe('1.234 may be 1.234 or 1234: write 1.2340 or 1234');
    setNumberForm('point'); // as the desk reads it
    expect(readNumber(cell).text).toBeNull();
    setNumberForm('comma');
    expect(readCellInput('312.500', '312.500', { places: 3, cut: 'down' }), 'a cell that is left as it was').toBe(
      '312.500',
    );
    setNumberForm('blank');
    expect(readNumber('1,234').text).toBeNull();
    expect(readNumber('1.234').text).toBe('1.234');
  });

  test('no number that a field takes is another one than was meant in this form', () => {
    setNumberForm('comma');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 4 }), (digits, places) => {
        const plain =
          places === 0
            ? `${digits}`
            : `${Math.floor(digits / 10 ** places)}.${`${digits % 10 ** places}`.padStart(places, '0')}`;
        const { text } = readNumber(numberText(plain));
        if (text !== null) expect(Number(text)).toBe(Number(plain));
      }),
    );
  });
});
