import { useState } from 'react';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { allowanceText, wholeAmountText } from '../../components/figures/amounts.ts';
import { gasText } from '../../components/live-dollars.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { ask } from '../../state/questions.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import type { SetUpOnChain } from './set-up.ts';
import { type ApprovalGas, gasTogether, useApprovalGas } from './use-approval-gas.ts';

/** Whose tokens are quoted, and for each token what the RFQ contract may take of it, with the gas that an approval costs. */
export function ApprovalsStep({ chain, signer, onChanged }: SetUpOnChain) {
  const client = useClient();
  const { chainId } = chain;
  const exposure = useDesk((view) => view.exposure);
  const rows = exposure.filter((row) => row.chainId === chainId && row.unlisted === undefined);
  const lacking = rows.filter(({ allowance }) => allowance === '0');
  const gas = useApprovalGas(lacking);
  const together = gasTogether(chainId, gas, exposure);
  const [maker, setMaker] = useState<string>(chain.maker);
  const save = useCommand(async () => {
    const changed = { chainId, maker: maker.trim().toLowerCase() as `0x${string}` };
    await client.settings.saveChain({ chain: changed, seen: { maker: chain.maker } });
    onChanged();
  });
  const isOther = maker.trim().toLowerCase() !== chain.maker.toLowerCase();
  const signsItself = signer !== null && chain.maker.toLowerCase() === signer.toLowerCase();
  return (
    <>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (isOther) save.run();
        }}
      >
        <div className="fill">
          <Field
            label="Maker (holds the funds)"
            large
            className="mono"
            hint={signsItself ? 'the key itself' : 'a contract that takes the key’s signature (EIP-1271)'}
            value={maker}
            fault={faultOf(save.refusal, 'maker')}
            onChange={(event) => setMaker(event.target.value)}
          />
        </div>
        <Button type="submit" size="large" className="below-label" disabled={!isOther || save.busy}>
          Save the maker
        </Button>
      </form>
      {save.refusal !== null && (
        <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, ['maker'])} showNow={onChanged} />
      )}
      {rows.length === 0 ? (
        <Empty title="No token yet">Approvals are a transaction each, once the tokens are there.</Empty>
      ) : (
        <Table>
          <colgroup>
            <col className={styles.markColumn} />
            <col className={styles.symbolColumn} />
            <col />
            <col />
            <col className={styles.gasColumn} />
            <col className={styles.approveColumn} />
          </colgroup>
          <thead>
            <tr>
              <td />
              <th>Token</th>
              <th className="right">Maker holds</th>
              <th className="right" title="What the RFQ contract may take">
                Approved
              </th>
              <th className="right" title="Of an approval, in the chain’s own coin">
                Gas
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ApprovalRow key={row.tokenId} row={row} gas={gas[lacking.indexOf(row)]} />
            ))}
          </tbody>
          {lacking.length > 1 && (
            <tfoot>
              <tr>
                <td />
                <td colSpan={3}>{lacking.length} approvals together</td>
                <td className="right" title={together ?? undefined}>
                  {together ?? '…'}
                </td>
                <td />
              </tr>
            </tfoot>
          )}
        </Table>
      )}
    </>
  );
}

/** `gas`: of the approval where there is none yet. */
function ApprovalRow({ row, gas }: { row: ExposureRow; gas: ApprovalGas | undefined }) {
  const { chainId, tokenId, decimals, balance, allowance } = row;
  const exposure = useDesk((view) => view.exposure);
  const lacks = allowance === '0';
  const cost = gas?.wei == null ? null : gasText(chainId, gas.wei, exposure);
  const why = gas?.why ?? null;
  return (
    <tr>
      <td>
        <Mark shape={lacks ? 'open' : 'done'} tone={lacks ? 'quiet' : 'ok'} />
      </td>
      <td className="strong">{tokenId}</td>
      <td className="right live-figure">{balance === null ? '—' : wholeAmountText(balance, decimals)}</td>
      <td className="right live-figure">
        {allowance === null ? '—' : allowanceText(allowance, { symbol: '', decimals }).trim()}
      </td>
      <td className="right" title={lacks ? (cost ?? why ?? undefined) : undefined}>
        {!lacks ? '—' : (cost ?? (why === null ? '…' : 'not known'))}
      </td>
      <td className="right">
        <Button
          disabled={balance === null || balance === '0'}
          title={balance === '0' ? 'The maker holds none: an approval is of what it holds.' : undefined}
          onClick={() => ask({ action: { kind: 'approve', chainId, tokenId } })}
        >
          Approve {tokenId}…
        </Button>
      </td>
    </tr>
  );
}
