import type { TextPosition } from '../../config/configuration-file.ts';
import { ConfigurationError, WaygateError } from '../../errors.ts';

/** The configuration file of a command that names none. */
export const DEFAULT_FILE = 'waygate.yaml';

/** Something that is wrong, or can be, or, as a notice, something to do that nobody can see from here. */
export interface ConfigurationProblem extends Partial<TextPosition> {
  readonly severity: 'error' | 'warning' | 'notice';
  /** It begins with the setting, if there is one. Further lines are details. */
  readonly message: string;
  /** The flag or the environment variable that states the setting. */
  readonly source?: string;
}

/** Reports a problem whose message begins with a setting. */
export type ReportProblem = (severity: ConfigurationProblem['severity'], message: string) => void;

/** Reports the errors of a task as problems. @param setting that the message of a site's failure is about */
export async function reportErrors<T>(
  report: ReportProblem,
  setting: string,
  task: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof WaygateError)) throw error;
    const problems = error instanceof ConfigurationError ? error.problems : [`${setting}: ${error.message}`];
    for (const problem of problems) report('error', problem);
    return undefined;
  }
}
