import type { CounterpartyConfig } from '../../electron/contract/desk-file.ts';
import { Field, SelectField } from './field.tsx';

/** A counterparty's credentials as typed. */
export interface CounterpartyTexts {
  domain: string;
  accessKey: string;
  secretKey: string;
  signedPath: CounterpartyConfig['signedPath'];
  oneOrderPerSignature: boolean;
}

/** Who may ask, and the keys their requests are signed with. They are typed in and never shown. */
export function CounterpartyFields(props: {
  texts: CounterpartyTexts;
  set: (change: Partial<CounterpartyTexts>) => void;
  faultOf: (field: keyof CounterpartyTexts) => string | null | undefined;
  /** What a path with its prefix begins with, such as `/1`. */
  prefix: string;
  /** A known counterparty keeps its name, and the keys that are left empty. */
  isKnown?: boolean;
}) {
  const { texts, set, faultOf, prefix, isKnown = false } = props;
  const key = (field: 'accessKey' | 'secretKey', label: string) => (
    <Field
      label={label}
      large
      type="password"
      hint={isKnown ? 'leave empty to keep the current one' : undefined}
      value={texts[field]}
      fault={faultOf(field)}
      onChange={(event) => set({ [field]: event.target.value })}
    />
  );
  return (
    <>
      <Field
        label="Domain"
        large
        hint="as agreed with the service"
        disabled={isKnown}
        value={texts.domain}
        fault={faultOf('domain')}
        onChange={(event) => set({ domain: event.target.value })}
      />
      <SelectField
        label="Signed path"
        large
        hint="“without” if they sign the bare path"
        value={texts.signedPath}
        options={[
          { value: 'full', text: `with ${prefix}` },
          { value: 'without-prefix', text: 'without it' },
        ]}
        onChange={(signedPath) => set({ signedPath })}
      />
      <SelectField
        label="A firm request that is sent again"
        large
        hint="unchanged, within the 30 s of its signature"
        value={texts.oneOrderPerSignature ? 'one' : 'another'}
        options={[
          { value: 'one', text: 'gets the same order, or 401' },
          { value: 'another', text: 'gets another order each time' },
        ]}
        onChange={(choice) => set({ oneOrderPerSignature: choice === 'one' })}
      />
      {key('accessKey', 'Access key')}
      {key('secretKey', 'Secret key')}
    </>
  );
}
