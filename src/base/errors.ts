export type WaygateErrorCode = 'ERR_WAYGATE_CONFIGURATION' | 'ERR_WAYGATE_DISCOVERY';

export abstract class WaygateError extends Error {
  abstract readonly code: WaygateErrorCode;
  abstract readonly exitCode: 2 | 3;
}

export class ConfigurationError extends WaygateError {
  override readonly name = 'ConfigurationError';
  readonly code = 'ERR_WAYGATE_CONFIGURATION';
  readonly exitCode = 2;
  /** A sentence for each problem; a setting's begins with its location: `sites[0].url: …`. */
  readonly problems: readonly string[];

  constructor(message: string, options?: ErrorOptions & { readonly problems?: readonly string[] }) {
    super(message, options);
    this.problems = options?.problems ?? [message];
  }
}

export function createProblemsError(problems: readonly string[]): ConfigurationError {
  const lines = problems.map((problem) => `  ${problem}`).join('\n');
  return new ConfigurationError(`the configuration is invalid\n${lines}`, { problems });
}

function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 0) return;
  const problems = errors.flatMap((error) => {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems;
  });
  throw errors.length === 1 ? errors[0] : createProblemsError(problems);
}

/** Waits for all tasks. @throws {ConfigurationError} with the problems of all */
export async function settleAll<T extends readonly unknown[] | []>(
  tasks: T,
): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  const results = await Promise.allSettled(tasks);
  throwAll(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
  return Promise.all(tasks);
}

/** Calls a function for each item. @throws {ConfigurationError} with the problems of all items */
export function attemptEach<Item, T>(
  items: readonly Item[],
  create: (item: Item, at: number) => T,
): readonly T[] {
  const errors: unknown[] = [];
  const created = items.flatMap((item, at) => {
    try {
      return [create(item, at)];
    } catch (error) {
      errors.push(error);
      return [];
    }
  });
  throwAll(errors);
  return created;
}

export class DiscoveryError extends WaygateError {
  override readonly name = 'DiscoveryError';
  readonly code = 'ERR_WAYGATE_DISCOVERY';
  readonly exitCode = 3;
  readonly reason: string;
  readonly attempts: readonly DiscoveryAttempt[];

  constructor(
    message: string,
    options: { reason: string; attempts?: readonly DiscoveryAttempt[]; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason;
    this.attempts = options.attempts ?? [];
  }
}

export interface DiscoveryAttempt {
  readonly url: string;
  /** E.g. `404`, `200 text/html, not JSON`, `connection refused`. */
  readonly outcome: string;
}

/** Reason of aborted signals. That of `abort()` keeps its stack, and so its caller, in memory. */
export const STOPPED: DOMException = new DOMException('The work was stopped.', 'AbortError');

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a folder; name a file',
  EACCES: 'this user cannot read it',
  EPERM: 'this user cannot read it',
  ENOSPC: 'the disk is full',
};

export function messageOf(caught: unknown): string {
  if (!(caught instanceof Error)) return String(caught);
  const fault = 'code' in caught ? FILE_FAULTS[String(caught.code)] : undefined;
  if (fault !== undefined && 'path' in caught) return `${fault}: ${String(caught.path)}`;
  return Object(caught).code === 'EISDIR' ? String(fault) : caught.message;
}
