import { type ParsedPcre, parsePcre } from './parse.ts';

/**
 * Parses a route as WordPress passes it to PCRE: `'@^' . $route . '$@i'` (WP_REST_Server::match_request_to_handler). The
 * anchors bind tighter than a top-level `|`, and an unescaped `@` ends the pattern early, which PHP rejects.
 */
export function parseRoutePattern(route: string): ParsedPcre {
  return parseDelimited(`^${route}$`, '@', { ignoreCase: true });
}

/**
 * Parses the `pattern` of an argument as WordPress passes it to PCRE: `'#' . str_replace('#', '\#', $pattern) . '#u'`
 * (rest_validate_json_schema_pattern). A pattern that contains `\#` becomes `\\#`, which ends the pattern early.
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
  const end = closingDelimiterIndex(source, delimiter);
  if (end === source.length || !parsed.ok) return parsed;
  const rejectionReason = end > source.length ? 'a backslash at the end' : `an unescaped ${delimiter}`;
  return { ...parsed, rejectionReason };
}

/** Returns the index of PHP's closing delimiter, past the end if there is none. PHP ignores classes and quotations. */
function closingDelimiterIndex(source: string, delimiter: string): number {
  for (let i = 0; i <= source.length; i += 1) {
    if (i === source.length || source[i] === delimiter) return i;
    if (source[i] === '\\') i += 1;
  }
  return source.length + 1;
}
