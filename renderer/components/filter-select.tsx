/** A filter of one choice; dashed while it lets everything through. */
export function FilterSelect<T extends string>(props: {
  label: string;
  value: T | '';
  any: string;
  options: readonly { value: T; text: string }[];
  onChange: (value: T | '') => void;
}) {
  return (
    <span className={`select ${props.value === '' ? '' : 'is-set'}`}>
      <span aria-hidden="true">{props.label}</span>
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => {
          const chosen = props.options.find((option) => option.value === event.target.value);
          props.onChange(chosen?.value ?? '');
        }}
      >
        <option value="">{props.any}</option>
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}
