/** Error codes of WordPress and the gateway in words. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['required', 'the parameter is missing'],
  ['rest_missing_callback_param', 'a required parameter is missing'],
  ['rest_invalid_param', 'a parameter is invalid'],
  ['rest_invalid_type', 'the value has the wrong type'],
  ['rest_not_in_enum', 'the value is not one of the allowed values'],
  ['rest_out_of_bounds', 'the value is out of bounds'],
  ['rest_invalid_multiple', 'the value is not a multiple of the step'],
  ['rest_invalid_pattern', 'the value does not match the pattern'],
  ['rest_invalid_date', 'the value is no date'],
  ['rest_invalid_email', 'the value is no email address'],
  ['rest_invalid_ip', 'the value is no IP address'],
  ['rest_invalid_uuid', 'the value is no UUID'],
  ['rest_invalid_hex_color', 'the value is no colour'],
  ['rest_too_short', 'the value is too short'],
  ['rest_too_long', 'the value is too long'],
  ['rest_too_few_items', 'the list has too few items'],
  ['rest_too_many_items', 'the list has too many items'],
  ['rest_duplicate_items', 'the list has an item twice'],
  ['rest_property_required', 'a property is missing'],
  ['rest_additional_properties_forbidden', 'the object has a property that is not allowed'],
  ['rest_too_few_properties', 'the object has too few properties'],
  ['rest_too_many_properties', 'the object has too many properties'],
  ['rest_no_matching_schema', 'the value has none of the allowed forms'],
  ['rest_one_of_multiple_matches', 'the value has more than one of the allowed forms'],
  ['rest_invalid_json', 'the body is not JSON'],
  ['rest_no_route', 'the document has no such operation'],
  ['rest_batch_refused', 'a request of the batch is invalid'],
  ['gateway_body_too_large', 'the body is too large'],
  ['gateway_body_too_complex', 'the body has too many values'],
  ['gateway_busy', 'there is no memory for the body'],
  ['gateway_body_too_slow', 'the body arrives too slowly'],
]);

/** Explains a code in words; an unknown one is shown as it is. */
export function explainCode(code: string): string {
  return CODES.get(code) ?? code;
}

/** Kinds of failed exchanges in words. */
const FAILURES: ReadonlyMap<string, string> = new Map([
  ['timeout', 'it did not respond in time'],
  ['refused', 'it refused the connection'],
  ['dns', 'its host name was not found'],
  ['tls', 'the TLS connection failed'],
  ['connection-broken', 'its response was incomplete or invalid'],
  ['transfer-coding', 'its response has a transfer coding that was not requested'],
  ['invalid-request', 'the request cannot be forwarded unchanged'],
  ['body-length-mismatch', 'the body of the request does not match its length'],
  ['shutting-down', 'the gateway was stopping'],
  ['circuit-open', 'it had failed too often, so nothing was sent'],
  ['not-stored', 'nothing was stored, and the request forbids forwarding'],
]);

/** Explains why the site has not responded. */
export function explainFailure(kind: string): string {
  return FAILURES.get(kind) ?? kind;
}

/** What statuses of a site's response say (RFC 9110 §15.5 and 15.6). */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'it found the request invalid'],
  [401, 'the request has no credentials, or wrong ones'],
  [403, 'the credentials do not allow it, or a nonce has expired'],
  [405, 'it does not allow the method here'],
  [409, 'the resource is in another state than the request assumes'],
  [413, 'the body is too large for it'],
  [415, 'it does not read the media type of the body'],
  [429, 'the client has sent too many requests'],
  [500, 'a program of the site has failed; its error log says why'],
  [502, 'a server behind it did not respond as it should'],
  [503, 'it is overloaded, or in maintenance'],
  [504, 'a server behind it did not respond in time'],
]);

/** Explains an error response of the site. Its body is not read, so its code is unknown. */
export function explainSiteStatus(status: number): string {
  const verb = status >= 500 ? 'the site failed' : 'refused by the site';
  const words = STATUSES.get(status);
  return words === undefined ? verb : `${verb}: ${words}`;
}
