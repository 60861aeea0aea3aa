import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { Evidence } from './evidence.ts';
import { type Example, MOST_EXAMPLES, MOST_RULES, ruleKey, type Tally } from './stats.ts';

/** What is written at the head of a kept state, so that a later waygate knows what it reads. */
const FORMAT = 1;

/**
 * Evidence as text, to outlive the process.
 *
 * @param site the address of the site that it was seen at
 */
export function writeState(site: string, evidence: Evidence): string {
  const operations = Array.from(evidence.all(), ([{ method, route }, tally]) => ({
    method,
    route,
    ...tally,
    rules: [...tally.rules.values()],
    missed: Array.from(tally.missed, ([param, missed]) => ({ param, ...missed })),
  }));
  return `${JSON.stringify({ format: FORMAT, site, operations }, null, 1)}\n`;
}

/**
 * Adds what was kept to what has been seen since.
 *
 * @returns what is wrong with the text, or null; nothing is added then
 */
export function readState(text: string, site: string, evidence: Evidence): string | null {
  let state: Json;
  try {
    state = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isJsonObject(state)) return 'it is not an object';
  if (state['format'] !== FORMAT) return `its format is ${JSON.stringify(state['format']) ?? 'not stated'}`;
  if (state['site'] !== site) return 'it is of another site';
  const { operations } = state;
  if (!Array.isArray(operations) || !operations.every(isOperation)) return 'its operations cannot be read';
  for (const operation of operations) {
    addTo(evidence.of({ method: operation.method, route: operation.route }), operation);
  }
  return null;
}

interface KeptOperation extends JsonObject {
  readonly method: string;
  readonly route: string;
}

function isOperation(value: Json): value is KeptOperation {
  return isJsonObject(value) && typeof value['method'] === 'string' && typeof value['route'] === 'string';
}

function addTo(tally: Tally, kept: JsonObject): void {
  // Later agreement goes on from the earlier; a disagreement since has ended it.
  if (tally.outcomes.disagreed === 0) tally.streak += countOf(kept['streak']);
  tally.seen += countOf(kept['seen']);
  tally.wouldRefuse += countOf(kept['wouldRefuse']);
  tally.refused += countOf(kept['refused']);
  const outcomes = kept['outcomes'];
  for (const outcome of ['accepted', 'refused', 'disagreed', 'missed', 'undecided'] as const) {
    tally.outcomes[outcome] += isJsonObject(outcomes) ? countOf(outcomes[outcome]) : 0;
  }
  for (const rule of objectsOf(kept['rules'])) addRule(tally, rule);
  for (const missed of objectsOf(kept['missed'])) {
    const param = textOf(missed['param']);
    const known = tally.missed.get(param);
    const examples = merged(known?.examples ?? [], missed['examples']);
    tally.missed.set(param, { count: (known?.count ?? 0) + countOf(missed['count']), examples });
  }
}

function addRule({ rules }: Tally, kept: JsonObject): void {
  const [param, rule] = [textOf(kept['param']), textOf(kept['rule'])];
  const fingerprint = textOf(kept['fingerprint']);
  const key = ruleKey({ param, rule });
  const known = rules.get(key);
  // Judged anew since, by another document: what was kept is of a rule that is no more.
  if (known !== undefined && known.fingerprint !== fingerprint) return;
  rules.set(key, {
    param,
    rule,
    fingerprint,
    broken: (known?.broken ?? 0) + countOf(kept['broken']),
    refused: (known?.refused ?? 0) + countOf(kept['refused']),
    agreed: (known?.agreed ?? 0) + countOf(kept['agreed']),
    disagreed: (known?.disagreed ?? 0) + countOf(kept['disagreed']),
    examples: merged(known?.examples ?? [], kept['examples']),
  });
}

function merged(examples: readonly Example[], kept: Json | undefined): Example[] {
  const read = objectsOf(kept).map(({ value, status }) => ({
    value: textOf(value),
    status: countOf(status),
  }));
  return [...read, ...examples].slice(0, MOST_EXAMPLES);
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject).slice(0, MOST_RULES) : [];
}

function countOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
