import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { InputRefused } from '../../state/refusal-of.ts';

/** What of a chain is edited as text, in the order of the form. */
export const CHAIN_FIELDS = [
  { field: 'name', label: 'Name', hint: 'as the screen calls it' },
  { field: 'rpcUrl', label: 'Node', hint: 'http, https, ws or wss' },
  { field: 'rfqContract', label: 'RFQ contract', hint: 'orders are signed for it' },
  { field: 'domainName', label: 'Domain name', hint: 'of the EIP-712 domain' },
  { field: 'maker', label: 'Maker', hint: 'holds the funds' },
  { field: 'signer', label: 'Signer', hint: 'whose signature binds the maker' },
  { field: 'basePath', label: 'Base path', hint: 'of the surface, such as /1' },
  { field: 'serviceUrl', label: 'Service', hint: 'for looking up orders; may be empty' },
  { field: 'referenceUrl', label: 'Reference', hint: 'prices to compare with; may be empty' },
  { field: 'quoteLifetimeSeconds', label: 'Quote lifetime, s', hint: '125 to 3,600' },
  { field: 'overfillBps', label: 'Overfill, bps', hint: 'asked over the depth, priced at its end' },
  { field: 'balanceMaxAgeSeconds', label: 'Balances at most, s', hint: 'older closes the chain' },
  { field: 'referenceMaxAgeSeconds', label: 'Reference at most, s', hint: 'older closes the pair' },
  { field: 'retireHours', label: 'Retired pairs stay, h', hint: 'listed without prices' },
] as const;

export type ChainField = (typeof CHAIN_FIELDS)[number]['field'];
export type ChainTexts = Record<ChainField, string>;

const NUMBERS: ReadonlySet<ChainField> = new Set([
  'quoteLifetimeSeconds',
  'overfillBps',
  'balanceMaxAgeSeconds',
  'referenceMaxAgeSeconds',
  'retireHours',
]);
const MAY_BE_NONE: ReadonlySet<ChainField> = new Set(['serviceUrl', 'referenceUrl']);

/** A chain as its form shows it. */
export function textsOf(chain: SetUpChain): ChainTexts {
  return Object.fromEntries(CHAIN_FIELDS.map(({ field }) => [field, String(chain[field] ?? '')])) as ChainTexts;
}

/** What the form means. @throws InputRefused where a number is none */
export function chainOf(texts: ChainTexts): Partial<ChainConfig> {
  const faults: { path: string; message: string }[] = [];
  const entries = CHAIN_FIELDS.map(({ field }) => {
    const text = texts[field].trim();
    if (MAY_BE_NONE.has(field) && text === '') return [field, null] as const;
    if (!NUMBERS.has(field)) return [field, text] as const;
    if (!/^\d+$/.test(text)) faults.push({ path: field, message: 'A whole number.' });
    return [field, Number(text)] as const;
  });
  if (faults.length > 0) throw new InputRefused(faults);
  return Object.fromEntries(entries) as Partial<ChainConfig>;
}
