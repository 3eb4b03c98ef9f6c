import { ToggleGroup } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useDesk } from '../state/console.tsx';
import { Button } from './button.tsx';
import styles from './segmented.module.css';

/**
 * One of a few, all of them in sight. One stop of Tab: the arrows go from one to the next, Enter or Space chooses. `value` is
 * compared by identity; where it is none of the options none is marked. Choosing the marked one changes nothing.
 */
export function Segmented<T>(props: {
  label: string;
  options: readonly { value: T; text: string; title?: string }[];
  value: NoInfer<T> | null | undefined;
  onChoose: (value: T) => void;
  className?: string;
  large?: boolean;
  disabled?: boolean;
}) {
  const { label, options, value, onChoose, className = '', large, disabled } = props;
  return (
    <ToggleGroup.Root
      type="single"
      className={`${styles.group} ${className}`}
      aria-label={label}
      value={String(options.findIndex((option) => option.value === value))}
      onValueChange={(index) => {
        const chosen = index === '' ? undefined : options[Number(index)];
        if (chosen !== undefined) onChoose(chosen.value);
      }}
      disabled={disabled}
    >
      {options.map(({ text, title }, index) => (
        <ToggleGroup.Item asChild key={text} value={String(index)}>
          <Button size={large ? 'large' : undefined} title={title}>
            {text}
          </Button>
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

/** Buttons that belong together, side by side. */
export function ButtonGroup({ className = '', ...rest }: ComponentProps<'span'>) {
  return <span className={`${styles.group} ${className}`} {...rest} />;
}

/** Which chain a page is about; nothing to choose where there is one. */
export function ChainTabs({ chainId, onChange }: { chainId: number | undefined; onChange: (chainId: number) => void }) {
  const chains = useDesk((view) => view.chains);
  if (chains.length < 2) return null;
  const options = chains.map((chain) => ({ value: chain.chainId, text: chain.name }));
  return <Segmented label="Chain" options={options} value={chainId} onChoose={onChange} />;
}
