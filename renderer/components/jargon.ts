/** What the trade's own words mean: the tooltip where one stands as a head, a label or in a sentence. */
export const JARGON = {
  grid: 'The grid: the prices of all pairs that are quoted, as counterparties poll them',
  overfill:
    'The overfill: by how much a request may go over what the levels of a side hold. What is over has the price of the last level',
  surface: 'The surface: where counterparties ask for the prices of this desk, and for firm quotes',
} as const;
