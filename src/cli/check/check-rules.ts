import { parseRouteGlob } from '../../base/glob.ts';
import { adviseNearest, createNearestLookup } from '../../base/nearest-name.ts';
import type { SiteConfig } from '../../base/option-types.ts';
import type { Snapshot } from '../../gateway/site/snapshot/snapshot.ts';
import { splitWriteMatch } from '../../gateway/wordpress/writes.ts';
import { describeUnknownTools, EXTEND_RULE } from '../../generator/openapi/extend.ts';
import type { ReportProblem } from './problems.ts';

interface DeclaredGlob {
  readonly setting: string;
  readonly glob: string;
  readonly methods: readonly string[];
  readonly isForPaths: boolean;
  readonly isForPages: boolean;
}

const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ALL_METHODS = ['GET', ...WRITING_METHODS];

type RuledSite = Pick<SiteConfig, 'cache' | 'limits' | 'mcp' | 'passthrough' | 'validation'>;

export function checkRules(
  site: RuledSite,
  setting: string,
  snapshot: Snapshot,
  report: ReportProblem,
): void {
  const { diagnostics, matcher, requestValidators } = snapshot;
  if (requestValidators === null) return;
  for (const { message, rule } of diagnostics?.listed ?? []) {
    if (rule === 'pattern-matches-nothing') report('warning', `${setting}: ${message}`);
    if (rule === EXTEND_RULE) report('error', `${setting}.${message}`);
  }
  for (const problem of describeUnknownTools(site.mcp, requestValidators.getOperationsById().keys()))
    report('error', `${setting}.mcp: ${problem}`);
  const operations = Array.from(requestValidators.listOperations(), ({ operation, route }) => ({
    method: operation.method,
    names: [operation.path, operation.path.toLowerCase(), route.pattern],
    namespace: route.namespace,
  }));
  const find = createNearestLookup(
    operations.flatMap(({ names: [path = ''], namespace }) => [path, namespace]),
  );
  for (const { glob: text, isForPages, isForPaths, methods, setting: place } of listGlobs(site, setting)) {
    const glob = parseRouteGlob(text);
    const path = text.replaceAll('*', '1');
    const found = operations.filter(({ names, namespace }) =>
      glob.isForRoutes ? names.some(glob.matches) : glob.matches(namespace),
    );
    const matches =
      glob.isForRoutes && isForPaths ? methods.map((method) => matcher.match(method, path)) : [];
    const isMatched =
      found.some(({ method }) => methods.includes(method)) || matches.some(({ kind }) => kind === 'found');
    if (isMatched) continue;
    const hasOtherMethods = found.length > 0 || matches.some(({ kind }) => kind === 'method-not-allowed');
    const nearest = hasOtherMethods ? undefined : find(text);
    const isKnown = hasOtherMethods || nearest !== undefined;
    // A site with passthrough has pages too, and an index can hide routes.
    if (isForPages && !isKnown) continue;
    const advice = adviseNearest(nearest);
    const words = hasOtherMethods
      ? `the document has no ${methods.join(', ')} there`
      : 'the document has no such route';
    report(isKnown ? 'error' : 'warning', `${place}: "${text}" matches nothing: ${words}${advice}`);
  }
}

function* listGlobs(
  { cache, limits, passthrough, validation }: RuledSite,
  site: string,
): Generator<DeclaredGlob> {
  const list = (
    setting: string,
    match: string | readonly string[],
    methods: readonly string[] = ALL_METHODS,
    isForPaths = true,
  ): readonly DeclaredGlob[] =>
    (typeof match === 'string' ? [match] : match).map((glob, at) => ({
      setting: typeof match === 'string' ? setting : `${setting}[${at}]`,
      glob,
      methods: methods.map((method) => method.toUpperCase().replace('HEAD', 'GET')),
      isForPaths,
      isForPages: passthrough,
    }));
  for (const [at, { match }] of (cache.rules ?? []).entries()) {
    yield* list(`${site}.cache.rules[${at}].match`, match, ['GET']);
  }
  for (const [at, { match }] of (cache.writes ?? []).entries()) {
    const { globs, methods } = splitWriteMatch(match);
    const routes = globs.filter((glob) => glob.startsWith('/')).map((glob) => glob.replace(/\?.*/s, ''));
    for (const glob of routes)
      yield* list(
        `${site}.cache.writes[${at}].match`,
        glob,
        methods.length === 0 ? WRITING_METHODS : methods,
      );
  }
  for (const [at, { match, methods }] of (limits.rules ?? []).entries()) {
    const globs = typeof match === 'string' ? match.toLowerCase() : match.map((glob) => glob.toLowerCase());
    yield* list(`${site}.limits.rules[${at}].match`, globs, methods);
  }
  for (const [at, namespace] of (validation.trust ?? []).entries()) {
    yield* list(`${site}.validation.trust[${at}]`, namespace, undefined, false);
  }
}
