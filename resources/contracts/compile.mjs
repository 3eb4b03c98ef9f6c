import { readdirSync, readFileSync } from 'node:fs';
import solc from 'solc';

const folder = new URL('./', import.meta.url);

/** The contracts that are deployed, the NFTs and the wallet of the Safe kind by tests; the other sources are what they import. */
const deployed = [
  ...['PlainToken', 'ZeroFirstToken', 'DaiToken'],
  ...['RfqSettlement', 'RfqExecutor', 'ContractMaker', 'SafeMaker', 'TestToken', 'TestToken721', 'TestToken1155'],
  ...['MarketRouter', 'SwapPool', 'FeeVault', 'WrappedNative', 'Permit2'],
  ...['IntentSettlement', 'IntentBridgeEscrow', 'IntentSplitter', 'IntentSavings'],
];

/**
 * Compiles the sources beside this file.
 * @returns {Record<string, { contract: string, compiler: string, abi: object[], bytecode: string }>} by contract name
 */
export function compileContracts() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'));
  const sources = Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
  );
  const settings = {
    optimizer: { enabled: true, runs: 10_000 },
    evmVersion: 'cancun',
    // No hash of the sources in the bytecode: a changed comment changes no artifact.
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return Object.fromEntries(
    deployed.map((contract) => {
      const { abi, evm } = output.contracts[`${contract}.sol`][contract];
      return [contract, { contract, compiler: solc.version(), abi, bytecode: `0x${evm.bytecode.object}` }];
    }),
  );
}
