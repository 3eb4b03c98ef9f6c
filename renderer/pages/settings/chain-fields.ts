import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { readWhole } from '../../../electron/contract/typed-number.ts';
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
  { field: 'partner', label: 'Partner', hint: 'as registered; empty: the usual fee' },
  { field: 'router', label: 'Router', hint: 'may be given tokens for swaps; empty: the network’s' },
  { field: 'intentContract', label: 'Intent contract', hint: 'may be given tokens for orders; empty: the network’s' },
  { field: 'permit2', label: 'Permit2', hint: 'empty: the network’s' },
  { field: 'quoteLifetimeSeconds', label: 'Quote lifetime, s', hint: '125 to 3,600' },
  { field: 'overfillBps', label: 'Overfill, bps', hint: 'a request may go this far over the depth' },
  { field: 'feedMaxAgeSeconds', label: 'Feed sends again, s', hint: 'what stands still, before this age; 0 never' },
  { field: 'balanceMaxAgeSeconds', label: 'Balance age at most, s', hint: 'older closes the chain' },
  { field: 'headAheadMaxSeconds', label: 'Block ahead at most, s', hint: 'of this clock; more closes the chain' },
  { field: 'headMaxAgeSeconds', label: 'Block age at most, s', hint: 'older closes the chain' },
  { field: 'referenceMaxAgeSeconds', label: 'Reference age at most, s', hint: 'older closes the pair' },
  { field: 'referenceMinuteBps', label: 'Reference moves in a minute, bps', hint: 'more is not believed; 0: any' },
  { field: 'referenceHourBps', label: 'Reference moves in an hour, bps', hint: 'more is not believed; 0: any' },
  { field: 'referenceAnchorBps', label: 'Reference off your ladder, bps', hint: 'the one published last; 0: any' },
  { field: 'offReferenceBps', label: 'Off the reference, bps', hint: 'further is an alert; 0: its own spread' },
  { field: 'hedgeFeeMultiple', label: 'Gas fee raised at most, ×', hint: 'of a hedge that is not mined; 1: never' },
  { field: 'retireHours', label: 'Retired pairs stay, h', hint: 'listed without prices' },
] as const;

export type ChainField = (typeof CHAIN_FIELDS)[number]['field'];
export type ChainTexts = Record<ChainField, string>;

const NUMBERS: ReadonlySet<ChainField> = new Set([
  'quoteLifetimeSeconds',
  'overfillBps',
  'feedMaxAgeSeconds',
  'balanceMaxAgeSeconds',
  'headAheadMaxSeconds',
  'headMaxAgeSeconds',
  'referenceMaxAgeSeconds',
  'referenceMinuteBps',
  'referenceHourBps',
  'referenceAnchorBps',
  'offReferenceBps',
  'hedgeFeeMultiple',
  'retireHours',
]);
const MAY_BE_NONE: ReadonlySet<ChainField> = new Set([
  ...(['serviceUrl', 'referenceUrl', 'partner', 'router', 'intentContract', 'permit2'] as const),
]);

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
    const { value, fault } = readWhole(text, 0, 1_000_000);
    if (value === null) faults.push({ path: field, message: fault ?? 'must not be empty' });
    return [field, value] as const;
  });
  if (faults.length > 0) throw new InputRefused(faults);
  return Object.fromEntries(entries) as Partial<ChainConfig>;
}
