/** The parts of the process that a command uses. Tests pass their own, so that a command runs without a process. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes the command's result to standard output. */
  readonly out: (text: string) => void;
  /** Writes a message for a person to standard error. */
  readonly err: (text: string) => void;
  /** `true` if standard error is a terminal. */
  readonly interactive: boolean;
}

/** 0: done. 1: the check failed. 2: wrong usage or configuration. 3: the site could not be read. */
export type ExitCode = 0 | 1 | 2 | 3;
