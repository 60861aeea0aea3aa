import { parseProblems, type StatedProblem } from '../../http/problems.ts';
import data from './problems.json' with { type: 'json' };

type Problems<Name extends string> = Readonly<Record<Name, StatedProblem>>;

/** Refusals and failures of the gateway itself. */
export const PROBLEMS: Problems<keyof typeof data.problems> = parseProblems(data.problems);

/** Notices that are refused, by what is wrong. */
export const WEBHOOK_FAULTS: Problems<keyof typeof data.webhookFaults> = parseProblems(data.webhookFaults);

/** WebSocket connections that are refused, by whose limit is reached. */
export const WEBSOCKET_LIMITS: Problems<keyof typeof data.webSocketLimits> = parseProblems(
  data.webSocketLimits,
);
