import { addressSchema } from '../../../protocol/address.ts';
import { type IntentKind, plainValue } from './kind.ts';

/** Lets what is sold earn in a strategy until it is filled. */
export const PRODUCTIVE: IntentKind = {
  name: 'ProductiveOrder',
  value: plainValue({ strategy: addressSchema }),
  mark: 'strategy',
  needs: { fields: ['strategy'], fault: 'InvalidProductiveOrderParams' },
  isSliced: false,
};
