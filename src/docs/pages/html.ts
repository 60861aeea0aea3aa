import type { HtmlEscapedString } from 'hono/utils/html';

/** What a component renders. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
