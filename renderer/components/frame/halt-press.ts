/** Rules against accidents: a press counts on release inside, with less than this much travel. CSS pixels. */
export const MOST_TRAVEL = 4;

/** Enter and Space count only this long after the focus arrived. Milliseconds. */
export const FOCUS_REST = 500;

export interface Press {
  x: number;
  y: number;
  /** The farthest the pointer was from where it went down. */
  travel: number;
}

export function pressAt(x: number, y: number): Press {
  return { x, y, travel: 0 };
}

export function movedTo(press: Press, x: number, y: number): Press {
  return { ...press, travel: Math.max(press.travel, Math.hypot(x - press.x, y - press.y)) };
}

/** Whether letting go at this place is meant. */
export function releaseHalts(
  press: Press,
  x: number,
  y: number,
  button: { left: number; top: number; right: number; bottom: number },
): boolean {
  const inside = x >= button.left && x <= button.right && y >= button.top && y <= button.bottom;
  return inside && movedTo(press, x, y).travel < MOST_TRAVEL;
}

/** Whether Enter or Space is meant; both times from one clock in milliseconds. */
export function keyHalts(focusedAt: number, now: number, repeat: boolean): boolean {
  return !repeat && now - focusedAt >= FOCUS_REST;
}
