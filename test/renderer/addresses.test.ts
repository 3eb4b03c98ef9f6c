import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type BaseLocationHook, Route, Router } from 'wouter';
import { hedgePath, ladderPath, nameIn, pricingPath, tokenPath } from '../../renderer/state/pages.ts';

/** What a page reads of an address, through the router of the console. */
function namedBy(path: string, route: string): string {
  const component = ({ params }: { params: { name?: string } }) => JSON.stringify(nameIn(params.name ?? ''));
  const page = createElement(Route, { path: route, component });
  const hook: BaseLocationHook = () => [path, () => {}];
  const around = { hook, children: page };
  const html = renderToStaticMarkup(createElement(Router, around));
  return JSON.parse(html.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

test('the address of a pair or a token names that one and no other, whatever characters its name has', () => {
  for (const name of ['WETH/USDC', '4%/USDC', '%41/USDC', '%2541/USDC', 'A%2FB/USDC', '%', 'É ?#&/ü', '100%25/%']) {
    expect(namedBy(ladderPath(1, name), '/prices/:chainId/:name')).toBe(name);
    expect(namedBy(pricingPath(1, name), '/prices/:chainId/:name/pricing')).toBe(name);
    expect(namedBy(hedgePath({ chainId: 1, pair: name }), '/hedge/:chainId/:name')).toBe(name);
    expect(namedBy(tokenPath(1, name), '/tokens-and-pairs/:chainId/:name')).toBe(name);
  }
  expect(ladderPath(1, 'WETH/USDC'), 'as it was written before').toBe('/prices/1/WETH%2FUSDC');
  expect(namedBy('/prices/1/100%', '/prices/:chainId/:name'), 'what somebody typed').toBe('100%');
});
