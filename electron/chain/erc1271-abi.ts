/** How a contract says that a signature is its own (EIP-1271; PROTOCOL 2.2). */
export const ERC1271_ABI = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: 'magicValue', type: 'bytes4' }],
  },
] as const;

/** What a contract must answer, exactly, for a signature to be its own (EIP-1271). */
export const ERC1271_WORD = `0x1626ba7e${'0'.repeat(56)}`;
