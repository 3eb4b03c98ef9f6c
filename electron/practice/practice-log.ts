/** Where the practice market says what it does, one line each. */
export interface PracticeLog {
  info(line: string): void;
  warn(line: string): void;
}
