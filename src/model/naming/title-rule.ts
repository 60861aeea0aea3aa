import type { NamingInput, ParsedPath } from './parse-path.ts';
import type { OperationPhrase } from './phrase.ts';

/** What a title is derived from. */
export interface TitleSubject {
  readonly input: NamingInput;
  readonly path: ParsedPath;
  /** Names of the arguments of the endpoint. */
  readonly argumentNames: readonly string[];
  /** Whether a route has this template followed by a parameter. */
  readonly hasItems: boolean;
  /** Whether the path contains a verb: `/archive-board`. */
  readonly hasPathVerb: boolean;
}

/** Changes the phrase of an operation for its title. Returns `undefined` for a phrase that the rule does not concern. */
export type TitleRule = (
  phrase: OperationPhrase,
  subject: TitleSubject,
) => Partial<OperationPhrase> | undefined;
