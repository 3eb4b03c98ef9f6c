/** What cannot be seen, steers a terminal, or breaks or turns a line. */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text that others wrote, on one line of a terminal: what would steer it is shown as \uFFFD. */
export function plain(text: string): string {
  return text.replace(STEERING, '\uFFFD');
}

/** The same of a text with lines of its own: each further one is set in, so that none can pass for another line. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n      ');
}
