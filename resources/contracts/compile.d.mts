/** Compiles the sources beside this file; by contract name. */
export function compileContracts(): Record<
  string,
  { contract: string; compiler: string; abi: object[]; bytecode: `0x${string}` }
>;
