import { useState } from 'react';
import { type AlertWay, COMMAND_WAY, callKindSchema, type MailWay } from '../../../electron/contract/alert-ways.ts';
import { isSealed } from '../../../electron/contract/sealed-url.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** A way as it is typed. */
interface WayTexts {
  name: string;
  told: string;
  afterMinutes: string;
  url: string;
  host: string;
  port: string;
  security: MailWay['security'];
  user: string;
  password: string;
  from: string;
  to: string;
}

/** What is told, from the most urgent on: each includes those before. */
const TOLD = [
  { value: 'halt', text: 'halts only' },
  { value: 'halt,stop', text: 'halts, and what is stopped' },
  { value: 'halt,stop,look', text: 'what to look at, too' },
] as const;
const USUAL = 'halt,stop';
const FIELDS = ['name', 'afterMinutes', 'url', 'host', 'port', 'security', 'user', 'password', 'from', 'to'];
const TITLES = { webhook: 'Webhook', mail: 'E-mail', command: 'Alert command' } as const;

function textsOf(how: AlertWay['how'], known: AlertWay | null): WayTexts {
  const mail = known?.how === 'mail' ? known : null;
  return {
    name: known?.name ?? (how === 'webhook' ? 'chat' : 'mail'),
    told: known === null ? USUAL : callKindSchema.options.filter((kind) => known.kinds.includes(kind)).join(','),
    afterMinutes: String(known?.afterMinutes ?? 0),
    url: known?.how === 'webhook' ? known.url : '',
    host: mail?.host ?? '',
    port: String(mail?.port ?? 465),
    security: mail?.security ?? 'tls',
    user: mail?.user ?? '',
    password: '',
    from: mail?.from ?? '',
    to: mail?.to.join(', ') ?? '',
  };
}

/** What the form means. @throws InputRefused where a number is none */
function wayOf(how: AlertWay['how'], texts: WayTexts): AlertWay {
  const [minutes, port] = [readWhole(texts.afterMinutes, 0, 1_440), readWhole(texts.port, 1, 65_535)];
  const faults = [
    ...(minutes.value === null ? [{ path: 'afterMinutes', message: minutes.fault ?? 'must not be empty' }] : []),
    ...(how === 'mail' && port.value === null ? [{ path: 'port', message: port.fault ?? 'must not be empty' }] : []),
  ];
  if (faults.length > 0 || minutes.value === null) throw new InputRefused(faults);
  const kinds = callKindSchema.options.filter((kind) => texts.told.split(',').includes(kind));
  const told = { name: texts.name.trim(), kinds, afterMinutes: minutes.value };
  if (how === 'command') return { ...told, how, name: COMMAND_WAY };
  if (how === 'webhook') return { ...told, how, url: texts.url.trim() };
  const user = texts.user.trim();
  return {
    ...told,
    how,
    host: texts.host.trim(),
    port: port.value ?? 0,
    security: texts.security,
    user: user === '' ? null : user,
    from: texts.from.trim(),
    to: texts.to.split(/[\s,;]+/).filter((address) => address !== ''),
  };
}

/** A way of alerts: what is secret of it is typed in, sealed, and never shown again. */
export function AlertWayForm(props: {
  how: AlertWay['how'];
  known: AlertWay | null;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { how, known, onSaved, onClose } = props;
  const client = useClient();
  const [texts, setTexts] = useState(() => textsOf(how, known));
  const save = useCommand(async () => {
    const password = texts.password === '' ? null : texts.password;
    await client.alerts.saveWay({ way: wayOf(how, texts), password, seen: known });
    onSaved();
  });
  const field = (name: Exclude<keyof WayTexts, 'told' | 'security'>, label: string, hint?: string) => (
    <Field
      label={label}
      large
      hint={hint}
      type={name === 'password' ? 'password' : 'text'}
      disabled={name === 'name' && known !== null}
      value={texts[name]}
      fault={faultOf(save.refusal, name)}
      onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
    />
  );
  const others = TOLD.some(({ value }) => value === texts.told) ? [] : [{ value: texts.told, text: 'as it was set' }];
  return (
    <Dialog title={TITLES[how]} needs="settings" onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        {how !== 'command' && field('name', 'Name', 'its name in the log and the journal')}
        {how === 'webhook' &&
          field('url', 'Address', isSealed(texts.url) ? 'sealed: leave it so, or give another' : 'as the chat gave it')}
        {how === 'mail' && (
          <>
            {field('host', 'Server')}
            <SelectField
              label="Security"
              large
              value={texts.security}
              options={[
                { value: 'tls', text: 'TLS from the first byte' },
                { value: 'starttls', text: 'STARTTLS before anything is said' },
                { value: 'plain', text: 'none, on this machine alone' },
              ]}
              fault={faultOf(save.refusal, 'security')}
              onChange={(security) => setTexts({ ...texts, security })}
            />
            {field('port', 'Port')}
            {field('user', 'User', 'empty: nobody logs in')}
            {field('password', 'Password', known === null ? undefined : 'leave empty to keep the current one')}
            {field('from', 'From')}
            {field('to', 'To', 'several with commas between')}
          </>
        )}
        <SelectField
          label="Tells"
          large
          value={texts.told}
          options={[...others, ...TOLD]}
          onChange={(told) => setTexts({ ...texts, told })}
        />
        {field('afterMinutes', 'After, min', '0: at once; else only what nobody has looked after for that long')}
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={save.busy}>
            Keep it
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}
