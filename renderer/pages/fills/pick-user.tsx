import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field, FilterButton } from '../../components/field.tsx';
import { Popover, PopoverActions } from '../../components/popover.tsx';
import { useNames, userCalled } from '../../state/names.tsx';

/** The fills of one user alone, whose name or address is typed or pasted: whole, or as it stands shortened on the screen. */
export function PickUser(props: {
  /** Users that are on the screen: a shortened address means one of them. */
  seen: readonly (string | null)[];
  onPick: (user: `0x${string}`) => void;
}) {
  const { seen, onPick } = props;
  const { given } = useNames();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const pick = () => {
    const called = userCalled(given, text);
    if (called.kind === 'several') return setFault(called.reason);
    const found = called.kind === 'user' ? called.address : userMeant(text, [...seen, ...given.map(({ id }) => id)]);
    if (found === null) return setFault('Write a name, a whole address, or the start and end of a user on this page.');
    setFault(null);
    setOpen(false);
    setText('');
    onPick(found);
  };
  return (
    <Popover open={open} onOpen={setOpen} label="One user" trigger={<FilterButton isSet={false}>User…</FilterButton>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          pick();
        }}
      >
        <Field
          label="Name or address"
          placeholder="a name, or 0x…"
          value={text}
          fault={fault}
          onChange={(event) => setText(event.target.value)}
        />
        <PopoverActions>
          <Button type="submit" look="primary">
            Show this user
          </Button>
        </PopoverActions>
      </form>
    </Popover>
  );
}

const isAddress = (text: string | null | undefined): text is `0x${string}` => /^0x[0-9a-f]{40}$/.test(text ?? '');

/** The address that somebody typed; of a shortened one the only user on the screen that it may be, else null. */
export function userMeant(text: string, seen: readonly (string | null)[]): `0x${string}` | null {
  const typed = text.trim().toLowerCase();
  if (isAddress(typed)) return typed;
  const [starts = '', ends = ''] = typed.split(/…|\.{2,}/);
  if (!/^0x[0-9a-f]{2,}$/.test(starts)) return null;
  const users = [...new Set(seen.filter((user) => user?.startsWith(starts) && user.endsWith(ends)))];
  return users.length === 1 && isAddress(users[0]) ? users[0] : null;
}
