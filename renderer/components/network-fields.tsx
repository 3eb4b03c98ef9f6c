import type { NetworkPreset } from '../state/network-presets.ts';
import { Field, SelectField } from './field.tsx';

/** Which network a chain is of: what is public about it comes with the preset. */
export function NetworkField(props: {
  networks: readonly NetworkPreset[];
  chainId: number;
  onChange: (network: NetworkPreset) => void;
}) {
  const { networks, chainId, onChange } = props;
  return (
    <SelectField
      label="Network"
      large
      hint={`chain ${chainId}`}
      value={String(chainId)}
      options={networks.map((network) => ({ value: String(network.chainId), text: network.name }))}
      onChange={(value) => {
        const network = networks.find((candidate) => String(candidate.chainId) === value);
        if (network !== undefined) onChange(network);
      }}
    />
  );
}

interface TypedNode {
  value: string;
  fault: string | null | undefined;
  onChange: (url: string) => void;
}

/** The address of a node, typed. */
export function NodeField(props: TypedNode) {
  return <AddressOfNode label="Node" hint="answers for this chain" {...props} />;
}

/** The address of the second node, or nothing. */
export function SecondNodeField(props: TypedNode) {
  return (
    <AddressOfNode label="Second node" hint="may be empty; with one, only what both nodes say is believed" {...props} />
  );
}

function AddressOfNode(props: TypedNode & { label: string; hint: string }) {
  return (
    <Field
      label={props.label}
      large
      className="mono"
      placeholder="wss://…"
      hint={props.hint}
      value={props.value}
      fault={props.fault}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
