import type { OperationFacts } from './facts.ts';
import { wordsOf } from './words.ts';

/** A literal of a path with the parameters that follow it. */
export interface Step {
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** A path below its namespace. */
export interface PathShape {
  /** The words that tell the namespace, empty for the site's own. */
  readonly prefix: readonly string[];
  /** Parameters before the first literal. */
  readonly leading: readonly string[];
  readonly steps: readonly Step[];
}

/** The namespaces of the site itself, whose names stand bare. */
const OWN: ReadonlySet<string> = new Set(['wp/v2', 'core/v2', '']);

/** Splits a path at its namespace, its literals and its parameters. */
export function shapeOf({ namespace, template }: OperationFacts): PathShape {
  const below = `${template}/`.startsWith(`/${namespace}/`) && namespace !== '';
  const tail = below ? template.slice(namespace.length + 1) : template;
  const leading: string[] = [];
  const steps: { words: readonly string[]; params: string[] }[] = [];
  for (const part of tail.split(/(\{[^{}]*\}|\/)/)) {
    const param = /^\{(.*)\}$/s.exec(part)?.[1];
    const step = steps.at(-1);
    if (param !== undefined) (step?.params ?? leading).push(param);
    else if (part !== '' && part !== '/') {
      const words = wordsOf(part);
      if (words.length > 0) steps.push({ words, params: [] });
    }
  }
  return { prefix: OWN.has(namespace) ? [] : wordsOf(namespace.replaceAll('/', '-')), leading, steps };
}
