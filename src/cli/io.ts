/** The environment and the output streams of a command. Tests replace them to run a command inside the test process. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes the command's result to standard output. */
  readonly writeOut: (text: string) => void;
  /** Writes a message for a person to standard error. */
  readonly writeErr: (text: string) => void;
  /** Whether standard error is a terminal. */
  readonly isInteractive: boolean;
}

/** 0: success. 1: `--check` found differences. 2: wrong usage or configuration. 3: the site could not be read. */
export type ExitCode = 0 | 1 | 2 | 3;
