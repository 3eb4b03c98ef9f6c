import {
  type BuildForm,
  type BuiltLadder,
  type FoundShape,
  MOST_LEVELS,
} from '../../../electron/contract/ladder-build.ts';
import { compareDecimals, plainText, product, readDecimal, withPlaces } from '../../components/figures/decimal-text.ts';
import { readNumber, readWhole } from '../../state/number-form.ts';

/** The form as it is typed. */
export interface BuildInput {
  mid: BuildForm['mid']['from'];
  price: string;
  spreadBps: string;
  step: BuildForm['step']['of'];
  stepBps: string;
  /** Empty: each side as many as it has. */
  levels: string;
  sizeOf: BuildForm['size']['of'];
  size: string;
  shape: BuildForm['shape']['kind'];
  factor: string;
}

/** For a pair that has no ladder yet: the sizes are what the maker can pay. */
export const NEW_BUILD: BuildInput = {
  mid: 'typed',
  price: '',
  spreadBps: '6',
  step: 'even',
  stepBps: '4',
  levels: '10',
  sizeOf: 'payable',
  size: '',
  shape: 'flat',
  factor: '1.25',
};

/** The form as it opens: the shape of the ladder that it finds, so that nothing changes but what is typed. */
export function buildStart(found: FoundShape, hasReference: boolean): BuildInput {
  const elsewhere = hasReference ? 'reference' : 'typed';
  const most = Math.max(found.bids, found.asks);
  if (most === 0) return { ...NEW_BUILD, mid: elsewhere };
  const isOneSided = Math.min(found.bids, found.asks) === 0;
  return {
    ...NEW_BUILD,
    mid: isOneSided ? elsewhere : 'kept',
    spreadBps: found.spreadBps ?? NEW_BUILD.spreadBps,
    step: found.stepBps === null ? 'even' : 'kept',
    stepBps: found.stepBps ?? NEW_BUILD.stepBps,
    levels: found.bids === found.asks || isOneSided ? `${most}` : '',
    sizeOf: 'kept',
    shape: 'kept',
  };
}

/** The size to begin with once somebody wants to type one: the smaller first size of what was built, in base or in quote tokens. */
export function firstSize({ ladder, mid }: BuiltLadder, of: 'base' | 'quote'): string {
  const [bid, ask] = [readDecimal(ladder?.bids[0]?.[1] ?? ''), readDecimal(ladder?.asks[0]?.[1] ?? '')];
  const size = bid === null || (ask !== null && compareDecimals(ask, bid) < 0) ? ask : bid;
  const price = readDecimal(mid ?? '');
  if (size === null || (of === 'quote' && price === null)) return '';
  if (of === 'base' || price === null) return plainText(size);
  const whole = product(size, price);
  const cut = withPlaces(whole, 2, 'down');
  return plainText(cut.digits > 0n ? cut : whole).replace(/\.0+$/, '');
}

type FaultField = 'price' | 'spreadBps' | 'stepBps' | 'levels' | 'size' | 'factor';
export type BuildFaults = Partial<Record<FaultField, string>>;

/** What the desk is asked for, or what is wrong with each field. */
export function readBuild(input: BuildInput): { form: BuildForm | null; faults: BuildFaults } {
  const faults: BuildFaults = {};
  const decimal = (field: Exclude<FaultField, 'levels'>, mayBeZero = false): string => {
    const { text, fault } = readNumber(input[field]);
    if (text === null) faults[field] = fault ?? 'must not be empty';
    else if (!mayBeZero && /^[0.]+$/.test(text)) faults[field] = 'must be above zero';
    return text ?? '';
  };
  const { value: levels, fault } = readWhole(input.levels, 1, MOST_LEVELS);
  if (fault !== null) faults.levels = fault;
  const { mid, step, sizeOf, shape } = input;
  const form: BuildForm = {
    mid: mid === 'typed' ? { from: mid, price: decimal('price') } : { from: mid },
    spreadBps: decimal('spreadBps'),
    step: step === 'even' ? { of: step, bps: decimal('stepBps', true) } : { of: step },
    levels,
    size: sizeOf === 'base' || sizeOf === 'quote' ? { of: sizeOf, amount: decimal('size') } : { of: sizeOf },
    shape: shape === 'factor' ? { kind: shape, factor: sizeOf === 'kept' ? '1' : decimal('factor') } : { kind: shape },
  };
  return { form: Object.keys(faults).length === 0 ? form : null, faults };
}
