import type { ConsolePage } from './console-page.ts';

/** A page, with the parameters of a path. */
export interface MatchedPage {
  readonly page: ConsolePage;
  readonly params: Readonly<Record<string, string>>;
}

/** Creates a function that finds the page at a path below `/-/console/`. */
export function createPageLookup(pages: readonly ConsolePage[]): (path: string) => MatchedPage | undefined {
  const routes = pages.map((page) => ({ page, template: page.path.split('/') }));
  return (path) => {
    const segments = path.split('/').map(decodeSegment);
    for (const { page, template } of routes) {
      const params = matchSegments(template, segments);
      if (params !== null) return { page, params };
    }
    return undefined;
  };
}

function matchSegments(
  template: readonly string[],
  segments: readonly (string | null)[],
): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? null;
    if (expected.startsWith(':') && segment !== null && segment !== '') params[expected.slice(1)] = segment;
    else if (expected !== segment) return null;
  }
  return params;
}

/** @returns `null` for a segment whose percent-encoding is no text */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
