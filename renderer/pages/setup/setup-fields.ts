import { NETWORKS } from '../../state/network-presets.ts';

/** What a person brings to a desk by hand, as typed. */
export interface SetupTexts {
  chainId: number;
  rpcUrl: string;
  rfqContract: string;
  maker: string;
  domain: string;
  accessKey: string;
  secretKey: string;
  signedPath: 'full' | 'without-prefix';
  oneOrderPerSignature: boolean;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function emptySetup(): SetupTexts {
  const [network] = NETWORKS;
  return {
    chainId: network?.chainId ?? 1,
    rpcUrl: '',
    rfqContract: network?.rfqContract ?? '',
    maker: '',
    domain: '',
    accessKey: '',
    secretKey: '',
    signedPath: 'full',
    oneOrderPerSignature: true,
  };
}

/** What still lacks, by field; a field that was not touched yet is only missing. */
export function lacking(
  texts: SetupTexts,
  signer: string | null,
): Partial<Record<keyof SetupTexts | 'signer', string>> {
  return {
    ...(!/^(https?|wss?):\/\/\S+$/.test(texts.rpcUrl) && { rpcUrl: 'The address of a node: http, https, ws or wss.' }),
    ...(!ADDRESS.test(texts.rfqContract) && { rfqContract: 'An address has 40 digits behind 0x.' }),
    ...(!ADDRESS.test(texts.maker) && { maker: 'An address has 40 digits behind 0x.' }),
    ...(texts.domain.trim() === '' && { domain: 'As agreed with the service.' }),
    ...(texts.accessKey === '' && { accessKey: 'Without it every request is answered 401.' }),
    ...(texts.secretKey === '' && { secretKey: 'Without it every request is answered 401.' }),
    ...(signer === null && { signer: 'This desk has no key yet.' }),
  };
}

/** The desk file that these fields mean. */
export function deskOf(texts: SetupTexts, signer: string): unknown {
  const preset = NETWORKS.find(({ chainId }) => chainId === texts.chainId);
  return {
    version: 1,
    chains: [
      {
        ...preset,
        basePath: `/${texts.chainId}`,
        rpcUrl: texts.rpcUrl.trim(),
        rfqContract: texts.rfqContract.toLowerCase(),
        maker: texts.maker.toLowerCase(),
        signer: signer.toLowerCase(),
      },
    ],
    counterparties: [
      {
        domain: texts.domain.trim(),
        accessKey: texts.accessKey,
        secretKey: texts.secretKey,
        signedPath: texts.signedPath,
        ...(!texts.oneOrderPerSignature && { oneOrderPerSignature: false }),
      },
    ],
  };
}
