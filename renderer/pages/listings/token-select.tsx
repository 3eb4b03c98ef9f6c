import { useId } from 'react';
import { Mark } from '../../components/mark.tsx';

/** One of the listed tokens. */
export function TokenSelect(props: {
  label: string;
  tokenIds: readonly string[];
  value: string;
  fault: string | null;
  onChange: (event: { target: { value: string } }) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        className="input"
        value={props.value}
        aria-invalid={props.fault === null ? undefined : true}
        aria-describedby={props.fault === null ? undefined : `${id}-said`}
        onChange={props.onChange}
      >
        <option value="">choose</option>
        {props.tokenIds.map((tokenId) => (
          <option key={tokenId}>{tokenId}</option>
        ))}
      </select>
      {props.fault !== null && (
        <span id={`${id}-said`} className="fault with-mark" role="alert">
          <Mark shape="refused" />
          {props.fault}
        </span>
      )}
    </div>
  );
}
