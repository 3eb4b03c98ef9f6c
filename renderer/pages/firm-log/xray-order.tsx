import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { Address } from '../../components/figures/address.tsx';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { countText } from '../../components/figures/counts.ts';
import { clockText, stampText } from '../../components/figures/times.ts';
import { Checked, Fact, Facts, wholeText } from './facts.tsx';

/** The eight fields that were signed, with what they mean. */
export function XrayOrder({ xray, gives, gets }: { xray: QuoteXray } & Tokens) {
  const { preimage } = xray;
  if (preimage === null) return null;
  const { order, user, random } = preimage;
  const lifetime = order.expiry - Math.floor(Date.parse(xray.quote.time) / 1_000);
  return (
    <Facts name="Order, as signed">
      <dl>
        <Fact name="makerAsset">
          we give <b>{gives?.symbol ?? 'a token that is not listed'}</b>{' '}
          <Address hex={order.makerAsset} of="maker asset" />
        </Fact>
        <Fact name="makerAmount" raw={order.makerAmount}>
          <b>{wholeText(order.makerAmount, gives)}</b>
        </Fact>
        <Fact name="takerAsset">
          we get <b>{gets?.symbol ?? 'a token that is not listed'}</b>{' '}
          <Address hex={order.takerAsset} of="taker asset" />
        </Fact>
        <Fact name="takerAmount" raw={order.takerAmount}>
          <b>{wholeText(order.takerAmount, gets)}</b>
        </Fact>
        <Fact name="maker">
          our funds <Address hex={order.maker} of="maker’s address" />
        </Fact>
        <Fact name="taker">
          only this contract may fill <Address hex={order.taker} of="taker’s address" />
        </Fact>
        <Fact name="expiry" raw={String(order.expiry)}>
          <b>{clockText(order.expiry * 1_000)}</b>, {lifetime} s after the request
        </Fact>
        <Fact name="nonceAndMeta" raw={order.nonceAndMeta}>
          user <Address hex={user} of="user’s address" /> + random <span className="mono">{random}</span>
        </Fact>
      </dl>
    </Facts>
  );
}

interface Tokens {
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}

/** The hash and what it was made of, hashed and recovered once more. */
export function XraySignature({ xray }: { xray: QuoteXray }) {
  const { quote, preimage } = xray;
  return (
    <Facts name={preimage === null ? 'Journal' : 'Signature'}>
      <dl>
        {preimage !== null && (
          <>
            <Fact name="Domain">
              {preimage.domain.name}, version 1, chain {preimage.domain.chainId},{' '}
              <Address hex={preimage.domain.verifyingContract} of="RFQ contract’s address" />
              <span className="mono quiet raw">{preimage.domainSeparator}</span>
            </Fact>
            <Fact name="Hash">
              <span className="mono whole">{quote.orderHash}</span>
              <Checked holds={preimage.matches}>
                {preimage.matches
                  ? 'Hashed once more: the same.'
                  : `Hashed once more with today’s domain: ${preimage.hash}`}
              </Checked>
            </Fact>
            <Fact name="Signature">
              <span className="mono whole">{quote.signature}</span>
            </Fact>
            <Fact name="Recovered">
              {preimage.recovered === null ? (
                <Checked holds={false}>These bytes are no signature.</Checked>
              ) : (
                <Checked holds={preimage.recovered === preimage.signer}>
                  <Address hex={preimage.recovered} of="recovered address" />{' '}
                  {preimage.recovered === preimage.signer ? 'is our signer' : 'is not our signer of today'}
                </Checked>
              )}
            </Fact>
          </>
        )}
        <Fact name="Row" raw={quote.hash}>
          {countText(quote.seq)}, written {stampText(Date.parse(quote.time))} UTC before the answer left
        </Fact>
      </dl>
    </Facts>
  );
}
