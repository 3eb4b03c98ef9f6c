import styles from './amount.module.css';
import { amountText, shortAmountText, type TokenFigure, wholeAmountText } from './amounts.ts';
import type { Cut } from './decimal-text.ts';

/** An amount with its unit; all its digits and the raw integer on hover. A token we do not know is shown raw. */
export function Amount(props: {
  raw: string | null;
  token: TokenFigure | undefined;
  cut?: Cut;
  /** For a narrow place: no more decimals than count, and of a figure that is too long still its unit. */
  narrow?: boolean;
}) {
  const { raw, token, cut, narrow = false } = props;
  if (raw === null) return <>—</>;
  if (token === undefined) {
    return <span title={`${raw} raw units of a token that is not listed any more`}>{raw} raw</span>;
  }
  const text = narrow ? shortAmountText(raw, token, cut) : amountText(raw, token, cut);
  return (
    <span
      className={narrow ? styles.narrow : undefined}
      title={`${wholeAmountText(raw, token.decimals)} ${token.symbol}\n${raw} raw units`}
    >
      <span className={styles.digits}>{text}</span> <span className="unit">{token.symbol}</span>
    </span>
  );
}
