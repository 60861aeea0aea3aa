import { hashText } from '../../cache/dependencies/content-hash.ts';
import type { RouteClassContents } from '../../cache/dependencies/evidence.ts';
import { templateOfRouteClass } from '../../cache/wordpress/cache-key.ts';
import { memoizeByString } from '../../memoize.ts';
import type { Operation } from '../../openapi/index.ts';

/** The method and the path in the name of a kind of write to a route (`nameWriteKind`). */
const ROUTE_WRITE = /^(?:anonymous )?([A-Z]+) (\/[^ ]*)/;

/**
 * Hashes the operations that names of kinds stand for: methods, paths and parameters. Evidence about a kind belongs to these
 * operations: it is kept while they are the same, whatever else changes in the document. Reads of pages stand for the whole
 * document, as what a new plugin shows on a page is not known; writes to pages stand for none.
 */
export function createRouteClassContents(
  operations: Iterable<Pick<Operation, 'method' | 'path' | 'parameters'>>,
): RouteClassContents {
  const described = Array.from(operations, ({ method, parameters, path }) => ({
    method,
    path,
    segments: path.split('/'),
    line: JSON.stringify([method, path, parameters.map(({ name }) => name).sort()]),
  }));
  const hashLines = (selected: typeof described): string =>
    hashText(
      selected
        .map(({ line }) => line)
        .sort()
        .join('\n'),
    ).toString(36);
  const version = hashLines(described);
  return {
    version,
    ofRead: memoizeByString((kind) => {
      const template = templateOfRouteClass(kind);
      if (!template.startsWith('/')) return version;
      return hashLines(described.filter(({ method, path }) => path === template && method === 'GET'));
    }),
    ofWrite: memoizeByString((kind) => {
      const [, written, address = ''] = ROUTE_WRITE.exec(kind) ?? [];
      const values = address.split('/');
      return hashLines(
        described.filter(({ method, segments }) => method === written && matches(segments, values)),
      );
    }),
  };
}

/** Whether a path has a template. The name of a kind has the values of parameters that may be options. */
function matches(template: readonly string[], path: readonly string[]): boolean {
  return (
    template.length === path.length &&
    template.every((segment, at) => segment === path[at] || segment.includes('{'))
  );
}
