import { type ParsedPcre, parsePcre } from './parse.ts';

/**
 * What the site makes of a route before PCRE sees it: `'@^' . $route . '$@i'`
 * (WP_REST_Server::match_request_to_handler). The anchors bind tighter than a `|` at the top of the route, and an
 * unescaped `@` ends the pattern early, which PHP refuses.
 */
export function parseRoute(route: string): ParsedPcre {
  return parseDelimited(`^${route}$`, '@', { ignoreCase: true });
}

/**
 * The same for the `pattern` of an argument: `'#' . str_replace('#', '\#', $pattern) . '#u'`
 * (rest_validate_json_schema_pattern). Thus `\#` becomes `\\#` and ends the pattern early.
 */
export function parseArgumentPattern(pattern: string): ParsedPcre {
  return parseDelimited(pattern.replaceAll('#', '\\#'), '#', { unicode: true });
}

function parseDelimited(
  source: string,
  delimiter: string,
  options: { unicode?: boolean; ignoreCase?: boolean },
): ParsedPcre {
  const parsed = parsePcre(source, options);
  const end = endOf(source, delimiter);
  if (end === source.length || !parsed.ok) return parsed;
  const refused = end > source.length ? 'a backslash at the end' : `a ${delimiter} that is not escaped`;
  return { ...parsed, refused };
}

/** Where PHP finds the closing delimiter, classes and quotations notwithstanding; past the end if it doesn't. */
function endOf(source: string, delimiter: string): number {
  for (let i = 0; i <= source.length; i += 1) {
    if (i === source.length || source[i] === delimiter) return i;
    if (source[i] === '\\') i += 1;
  }
  return source.length + 1;
}
