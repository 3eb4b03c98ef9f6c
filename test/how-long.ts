/**
 * How long is waited for what is to come. Milliseconds. It comes when the machine gets to it, and none of this says how fast
 * anything is to be: nothing that is asked of a page, an app or a desk has less time.
 */
export const PATIENCE = 90_000;
