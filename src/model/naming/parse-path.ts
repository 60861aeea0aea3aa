import { splitWords } from './words.ts';

/**
 * The properties of an operation from which its name is derived. All belong to the route of the operation, so no other
 * route can change the name.
 */
export interface NamingInput {
  /** The route's namespace, `wp/v2`; empty for `/` and `/batch/v1`. */
  readonly namespace: string;
  /** The path template, including the namespace: `/wp/v2/posts/{parent}/revisions`. */
  readonly template: string;
  /** Upper case. */
  readonly method: string;
  /** All methods of the route, upper case. */
  readonly routeMethods: readonly string[];
  /** All methods of the operation's endpoint, upper case. One callback handles them. */
  readonly endpointMethods: readonly string[];
  /** Names of the arguments that the route declares for GET. `page` and `per_page` indicate a list. */
  readonly argumentNamesOfGet: readonly string[];
}

/** A literal segment of a path, as words, with the parameters that follow it. */
export interface PathStep {
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** A path template without its namespace, split into steps. */
export interface ParsedPath {
  /** The words of the namespace; empty for the namespaces of the site itself. */
  readonly namespaceWords: readonly string[];
  /** Parameters before the first literal. */
  readonly leadingParams: readonly string[];
  readonly steps: readonly PathStep[];
}

/** The namespaces of the site itself, which are not part of names. */
const UNPREFIXED_NAMESPACES: ReadonlySet<string> = new Set(['wp/v2', 'core/v2', '']);

/**
 * Maximum number of literals and parameters from which a name is derived, counted from the end of the path. Longer paths
 * are hostile: the time to name one may grow with the square of its length.
 */
const MAX_PARTS = 64;

/** The parsed paths of inputs. The name and the title of an operation need its path several times. */
const parsedPaths = new WeakMap<NamingInput, ParsedPath>();

/** Splits the template of an operation into namespace, literals and parameters. */
export function parsePath(input: NamingInput): ParsedPath {
  const path = parsedPaths.get(input) ?? splitTemplate(input);
  parsedPaths.set(input, path);
  return path;
}

function splitTemplate({ namespace, template }: NamingInput): ParsedPath {
  const below = `${template}/`.startsWith(`/${namespace}/`) && namespace !== '';
  const tail = below ? template.slice(namespace.length + 1) : template;
  const leadingParams: string[] = [];
  const steps: { words: readonly string[]; params: string[] }[] = [];
  const parts = tail.split(/(\{[^{}]*\}|\/)/).filter((part) => part !== '' && part !== '/');
  for (const part of parts.slice(-MAX_PARTS)) {
    const param = /^\{(.*)\}$/s.exec(part)?.[1];
    const step = steps.at(-1);
    if (param !== undefined) (step?.params ?? leadingParams).push(param);
    else {
      const words = splitWords(part);
      if (words.length > 0) steps.push({ words, params: [] });
    }
  }
  return {
    namespaceWords: UNPREFIXED_NAMESPACES.has(namespace) ? [] : splitWords(namespace.replaceAll('/', '-')),
    leadingParams,
    steps,
  };
}
