import { addressSchema } from '../../../protocol/address.ts';
import { bytesSchema } from '../../../protocol/market-transaction.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { WireRefused } from '../../wire-refused.ts';
import { type IntentKind, plainValue } from './kind.ts';
import { destinationOf } from './signed-intent.ts';

/** Hands what is bought to a contract of the owner's choice, with data for it. */
export const EXTERNAL: IntentKind = {
  name: 'ExternalOrder',
  value: plainValue({ handler: addressSchema, data: bytesSchema }),
  mark: 'handler',
  needs: { fields: ['handler', 'data'], fault: 'InvalidExternalOrderParams' },
  isSliced: false,
  checkBuild({ route: { bridge, destination } }) {
    checkGiven(destination.output.token.address, bridge !== null && bridge !== undefined);
  },
  checkSigned(intent) {
    checkGiven(intent.destToken, destinationOf(intent) !== null);
  },
};

function checkGiven(token: string, crosses: boolean): void {
  if (!crosses && !isNative(token)) return;
  throw new WireRefused('InvalidInput', 'A handler is given a token of the source chain');
}
