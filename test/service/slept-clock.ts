/** A clock whose time passes only while somebody sleeps on it, and everybody else has done what they could. */
export function sleptClock() {
  const clock = {
    time: 0,
    now: () => clock.time,
    async sleep(milliseconds: number) {
      await new Promise(setImmediate);
      clock.time += milliseconds;
    },
  };
  return clock;
}
