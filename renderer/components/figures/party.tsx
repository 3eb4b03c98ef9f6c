import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useNames } from '../../state/names.tsx';
import { NameDialog } from '../name-dialog.tsx';
import { Address } from './address.tsx';
import { shortHex } from './counts.ts';
import styles from './party.module.css';

/**
 * A user: what people call them, and always the shortened address beside it, since two may have one name. `copies`: the address is
 * copied by a click; `renames`: a button asks for another name.
 */
export function User({ address, copies, renames }: { address: string; copies?: boolean; renames?: boolean }) {
  const name = useNames().user(address);
  const hex = copies ? (
    <Address hex={address} of="user’s address" />
  ) : (
    <span className="mono">{shortHex(address)}</span>
  );
  if (name === undefined && !renames) return hex;
  return (
    <span className={styles.party} title={name === undefined ? undefined : `${name}\n${address}`}>
      {name !== undefined && (
        <bdi className={styles.name} data-may-clip>
          {name}
        </bdi>
      )}
      <span className={`${styles.id} ${name === undefined ? '' : 'muted'}`}>{hex}</span>
      {renames && <Rename of="user" id={address} />}
    </span>
  );
}

/** A counterparty: what people call it, and always its domain beside it. */
export function Counterparty({ domain, renames }: { domain: string; renames?: boolean }) {
  const name = useNames().counterparty(domain);
  if (name === undefined && !renames) return domain;
  return (
    <span className={styles.party} title={name === undefined ? undefined : `${name}\n${domain}`}>
      {name !== undefined && (
        <bdi className={styles.name} data-may-clip>
          {name}
        </bdi>
      )}
      <span className={name === undefined ? undefined : `quiet ${styles.domain}`} data-may-clip>
        {domain}
      </span>
      {renames && <Rename of="counterparty" id={domain} />}
    </span>
  );
}

function Rename({ of, id }: { of: 'user' | 'counterparty'; id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.rename}
        title={`Name this ${of}`}
        aria-label={`Name ${of} ${id}…`}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(true);
        }}
      >
        <Pencil aria-hidden="true" />
      </button>
      {open && <NameDialog of={of} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}
