import type { Json } from '../json.ts';
import { getBrokenRules } from '../validation/evidence/compare-verdicts.ts';
import { describeShape } from '../validation/evidence/value-shape.ts';
import type { InvalidRequest, ParameterRule } from '../validation/request/index.ts';
import type { ResolveReference } from '../validation/wordpress/index.ts';
import type { ProbeEndpoint } from './endpoints.ts';
import {
  createMalformedRequests,
  createProbeRequest,
  type ProbePath,
  type ProbeRequest,
} from './probe-request.ts';
import { listSamples, listViolations } from './sample-values.ts';

/** A request that violates exactly one rule. */
export interface Probe {
  readonly endpoint: ProbeEndpoint;
  readonly request: ProbeRequest;
  readonly rule: ParameterRule;
  /** The validation result of the request. */
  readonly result: InvalidRequest;
}

/** Maximum number of values that violate one rule of one argument of one endpoint. Their shapes differ. */
export const MAX_VALUES = 4;

/**
 * Finds values for all required arguments.
 *
 * @returns the values by name, or `null` when no valid value was found for one of them
 */
export function findRequiredValues(
  { args, operation, validator }: ProbeEndpoint,
  path: ProbePath,
  resolve: ResolveReference,
): ReadonlyMap<string, Json> | null {
  const required = [...args].filter(([, { isRequired }]) => isRequired);
  const samples = new Map(required.map(([name, { schema }]) => [name, [...listSamples(schema, resolve)]]));
  for (;;) {
    const values = new Map<string, Json>();
    for (const [name, candidates] of samples) {
      const [first] = candidates;
      if (first === undefined) return null;
      values.set(name, first);
    }
    const request = createProbeRequest(operation, path, values);
    if (request === null) return null;
    const result = validator.validate(request.parameters);
    if (result.kind === 'valid') return values;
    const refused = getBrokenRules(result).filter(({ param }) => samples.has(param));
    // Another argument or a group of the route is invalid, so other values of the required ones do not help.
    if (refused.length === 0) return null;
    for (const { param } of refused) samples.get(param)?.shift();
  }
}

/** Draws requests that violate exactly one rule of an argument, by rule. An empty name is the request as a whole. */
export function drawProbes(
  endpoint: ProbeEndpoint,
  name: string,
  { path, values, resolve }: ProbeBase,
): ReadonlyMap<string, readonly Probe[]> {
  if (name === '') return drawMalformedProbes(endpoint, path);
  const argument = endpoint.args.get(name);
  const byRule = new Map<string, Map<Probe, string>>();
  if (argument === undefined) return new Map();
  const without = new Map([...values].filter(([other]) => other !== name));
  const candidates = listViolations(argument.schema, resolve).map(
    (value) => new Map([...without, [name, value]]),
  );
  for (const candidate of [...(argument.isRequired ? [without] : []), ...candidates]) {
    const probe = createProbe(endpoint, path, candidate);
    if (probe === null || probe.rule.param !== name) continue;
    const known = byRule.get(probe.rule.rule) ?? new Map<Probe, string>();
    byRule.set(probe.rule.rule, known.set(probe, describeShape(candidate.get(name))));
  }
  return new Map([...byRule].map(([rule, shapes]) => [rule, selectByShape(shapes)]));
}

function drawMalformedProbes(
  endpoint: ProbeEndpoint,
  path: ProbePath,
): ReadonlyMap<string, readonly Probe[]> {
  const probes = createMalformedRequests(endpoint.operation, path).map(({ request, result }): Probe => {
    return { endpoint, request, result, rule: { param: '', rule: result.code } };
  });
  return new Map(probes.length === 0 ? [] : [['rest_invalid_json', probes]]);
}

/** Selects probes whose values have different shapes first. */
function selectByShape(shapes: ReadonlyMap<Probe, string>): readonly Probe[] {
  const first = new Map([...shapes].reverse().map(([probe, shape]) => [shape, probe]));
  const selected = new Set(
    [...shapes].filter(([probe, shape]) => first.get(shape) === probe).map(([probe]) => probe),
  );
  return [...new Set([...selected, ...shapes.keys()])].slice(0, MAX_VALUES);
}

/** The parts of a request that violate nothing. */
export interface ProbeBase {
  readonly path: ProbePath;
  /** Values of the required arguments. */
  readonly values: ReadonlyMap<string, Json>;
  readonly resolve: ResolveReference;
}

function createProbe(
  endpoint: ProbeEndpoint,
  path: ProbePath,
  values: ReadonlyMap<string, Json>,
): Probe | null {
  const request = createProbeRequest(endpoint.operation, path, values);
  if (request === null) return null;
  const result = endpoint.validator.validate(request.parameters);
  if (result.kind === 'valid') return null;
  const [rule, ...others] = getBrokenRules(result);
  return rule === undefined || others.length > 0 ? null : { endpoint, request, rule, result };
}
