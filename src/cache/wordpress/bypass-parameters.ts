/**
 * Query parameters that carry credentials or change the form of the response, beside those whose name says so
 * (`classifyParameterName`). Compared in lower case with the names that PHP creates from a query, arrays included.
 */
export const BYPASS_PARAMETERS: readonly string[] = [
  // WordPress: the method override, a JSONP callback, the password of a protected post.
  '_method',
  '_jsonp',
  'password',
  // The status of an envelope is always 200: an error would be stored as a success.
  '_envelope',
  'preview',
  'preview_*',
  'wp_customize',
  'customize_changeset_uuid',
  'doing_wp_cron',
  // OAuth and identity providers: codes that are valid once.
  'code_verifier',
  'samlresponse',
];
