import type { AlertKind } from '../../electron/contract/alert-settings.ts';

/** Each kind has a figure of its own: hertz, one after another. */
const FIGURES: Record<AlertKind, readonly number[]> = {
  halt: [880, 660, 880, 660],
  stop: [660, 660, 660],
  line: [440, 330],
  look: [520],
};
const TONE_S = 0.16;
const LOUDNESS = 0.15;

let context: AudioContext | null = null;

/** Plays the figure of a kind. A page that nobody has touched yet may not sound; then nothing is heard. */
export function sound(kind: AlertKind): void {
  context ??= new AudioContext();
  void context.resume().catch(() => {});
  const begin = context.currentTime;
  for (const [index, hertz] of FIGURES[kind].entries()) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    const from = begin + index * TONE_S;
    gain.gain.setValueAtTime(LOUDNESS, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_S * 0.95);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE_S);
  }
}
