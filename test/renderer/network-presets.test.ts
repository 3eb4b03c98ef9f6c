import { isAddress } from 'viem';
import { describe, expect, it, test } from 'vitest';
import { chainConfigSchema } from '../../electron/contract/desk-file.ts';
import { NETWORKS } from '../../renderer/state/network-presets.ts';

const ROUTER = '0x6a000f20005980200259b80c5102003040001068';
/** Published addresses, with their checksums: the contract that settles, and the execution contracts beside the router. */
const COMMON = [
  '0x3D546f0181b78b97c1a3C33CAb23AA443E26EAB4',
  '0x30E7Fcd8700D023f9767745395C636142db52108',
  '0xa000b020c290d000020aac04026b5306d60050f0',
];
const OTHERS = [
  '0x8faa0000c10015610005ca010ee000d006e0e820',
  '0x6f0538001f90d0a5f0000060d01d34c002030900',
  '0xa000b020c290d000020aac04026b5306d60050f0',
];
const PUBLISHED: [number, string, string[]][] = [
  [1, '0xe92b586627ccA7a83dC919cc7127196d70f55a06', COMMON],
  [10, '0x0927FD43a7a87E3E8b81Df2c44B03C4756849F6D', COMMON],
  [56, '0x8DcDfe88EF0351f27437284D0710cD65b20288bb', COMMON],
  [100, '0x92EaD5bACf6F0E995FA46Ad8215A9b11f67ca241', OTHERS],
  [130, '0x92EaD5bACf6F0E995FA46Ad8215A9b11f67ca241', OTHERS],
  [137, '0xF3CD476C3C4D3Ac5cA2724767f269070CA09A043', COMMON],
  [8_453, '0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd', COMMON],
  [42_161, '0x0927FD43a7a87E3E8b81Df2c44B03C4756849F6D', COMMON],
  [43_114, '0x34302c4267d0dA0A8c65510282Cc22E9e39df51f', COMMON],
  [11_155_111, '0xF6322953d6bFcEACf77D90BC9a01B055249D44fE', []],
];

describe('the presets of networks', () => {
  it('are the published ones, each once', () => {
    expect(NETWORKS.map(({ chainId }) => chainId).toSorted((a, b) => a - b)).toEqual(
      PUBLISHED.map(([chainId]) => chainId).toSorted((a, b) => a - b),
    );
    for (const [, contract] of PUBLISHED) expect(isAddress(contract)).toBe(true);
  });

  test.each(PUBLISHED)(
    'of chain %i name its settlement contract and every contract that may be a taker, the router too',
    (chainId, contract, takers) => {
      const preset = NETWORKS.find((network) => network.chainId === chainId);
      expect(preset?.rfqContract).toBe(contract.toLowerCase());
      expect(preset?.takers.toSorted()).toEqual([...takers.map((taker) => taker.toLowerCase()), ROUTER].toSorted());
      expect(preset?.takers).not.toContain(contract.toLowerCase());
      expect(preset).toMatchObject({
        domainName: 'AUGUSTUS RFQ',
        serviceUrl: 'https://api.velora.xyz',
        intentSegment: 'delta',
      });
    },
  );

  test.each(NETWORKS)('of $name are a chain of a desk file once node, maker and signer are filled in', (preset) => {
    const own = { basePath: `/${preset.chainId}`, rpcUrl: 'http://127.0.0.1:8545', maker: ROUTER, signer: ROUTER };
    const known = Object.keys(chainConfigSchema.shape);
    const fields = Object.fromEntries(Object.entries(preset).filter(([field]) => known.includes(field)));
    expect(chainConfigSchema.parse({ ...fields, ...own }).takers).toEqual(preset.takers);
  });

  it('name the well-known tokens of Ethereum by their published addresses, checksums and all', () => {
    const published = [
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      '0x514910771AF9Ca656af840dff83E8264EcF986CA',
      '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0',
      '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    ];
    for (const address of published) expect(isAddress(address, { strict: true })).toBe(true);
    const named = NETWORKS.find(({ chainId }) => chainId === 1)?.wellKnown;
    expect(named).toEqual(published.map((address) => address.toLowerCase()));
  });
});
