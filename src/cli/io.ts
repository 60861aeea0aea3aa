/** What a command is given of the process that it runs in, so that a test can run it without one. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What was asked for: standard output. */
  readonly out: (text: string) => void;
  /** What a person should know: standard error. */
  readonly err: (text: string) => void;
  /** Whether standard error is a terminal. */
  readonly interactive: boolean;
}

/** 0 done, 1 the check says no, 2 wrong usage or configuration, 3 the site could not be read. */
export type ExitCode = 0 | 1 | 2 | 3;
