import { amountText, type TokenFigure, wholeAmountText } from './amounts.ts';
import type { Cut } from './decimal-text.ts';

/** An amount with its unit; all its digits and the raw integer on hover. A token we do not know is shown raw. */
export function Amount(props: { raw: string | null; token: TokenFigure | undefined; cut?: Cut }) {
  const { raw, token } = props;
  if (raw === null) return <>—</>;
  if (token === undefined) {
    return <span title={`${raw} raw units of a token that is not listed any more`}>{raw} raw</span>;
  }
  return (
    <span title={`${wholeAmountText(raw, token.decimals)} ${token.symbol}\n${raw} raw units`}>
      {amountText(raw, token, props.cut)} <span className="unit">{token.symbol}</span>
    </span>
  );
}
