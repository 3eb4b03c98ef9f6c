import { useSyncExternalStore } from 'react';
import type { AttentionAction } from '../../electron/contract/desk-view.ts';
import { createEmitter } from './emitter.ts';

/** Something that a person pressed a button for, and has to answer before it is done. */
interface Question {
  /** Tells it from the others. */
  id: number;
  action: AttentionAction;
  /** It was answered, or left. */
  onDone?: (() => void) | undefined;
}

const { subscribe, emit } = createEmitter();
let asked: readonly Question[] = [];
let last = 0;

/** Asks a person, in a dialog that stays until it is answered, also when the row it was asked from is gone. */
export function ask(question: Omit<Question, 'id'>): void {
  last += 1;
  asked = [...asked, { ...question, id: last }];
  emit();
}

/** The question was answered, or left. */
export function answered(question: Question): void {
  asked = asked.filter((one) => one !== question);
  emit();
  question.onDone?.();
}

/** What is asked now, one question over the other. */
export function useAsked(): readonly Question[] {
  return useSyncExternalStore(subscribe, () => asked);
}
