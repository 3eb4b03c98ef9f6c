import type { BuildForm } from '../../../electron/contract/ladder-build.ts';
import { readNumber, readWhole } from '../../state/number-form.ts';

/** The form as it is typed. */
export interface BuildInput {
  mid: 'reference' | 'live' | 'typed';
  price: string;
  spreadBps: string;
  stepBps: string;
  levels: string;
  sizeOf: 'base' | 'quote' | 'live';
  size: string;
  shape: 'flat' | 'linear' | 'factor';
  factor: string;
}

export const NEW_BUILD: BuildInput = {
  mid: 'live',
  price: '',
  spreadBps: '6',
  stepBps: '4',
  levels: '10',
  sizeOf: 'quote',
  size: '10000',
  shape: 'flat',
  factor: '1.25',
};

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
  const levels = readWhole(input.levels, 1, 50);
  if (levels.value === null) faults.levels = levels.fault ?? 'must not be empty';
  const form: BuildForm = {
    mid: input.mid === 'typed' ? { from: 'typed', price: decimal('price') } : { from: input.mid },
    spreadBps: decimal('spreadBps'),
    stepBps: decimal('stepBps', true),
    levels: levels.value ?? 0,
    size: input.sizeOf === 'live' ? { of: 'live' } : { of: input.sizeOf, amount: decimal('size') },
    shape: input.shape === 'factor' ? { kind: 'factor', factor: decimal('factor') } : { kind: input.shape },
  };
  return { form: Object.keys(faults).length === 0 ? form : null, faults };
}
