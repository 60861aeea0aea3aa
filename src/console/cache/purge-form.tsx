import { formatNumber } from '../../count-of.ts';
import { shorten } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { ActionForm } from '../shell/forms.tsx';
import { formatBytes, formatSeconds } from './inventory-tables.tsx';

/** What a purge can be told by. */
export const PURGE_KINDS = {
  address: 'a URL or path at the gateway, with its query',
  route: 'a route and what is below it',
  page: 'a page of the site and what is below it',
  namespace: 'a namespace, and what may depend on it',
  tag: 'a tag',
  site: 'everything of the site',
} as const;

export type PurgeKind = keyof typeof PURGE_KINDS;

/** Properties of {@link PurgeForm}. */
export interface PurgeFormProps {
  readonly request: ConsoleRequest;
  readonly site: string;
  readonly kind: string;
  readonly value: string;
  /** A route of the site. */
  readonly example: string;
}

/** Asks what to purge. The next page shows what that is, and asks again. */
export function PurgeForm({ example, kind, request, site, value }: PurgeFormProps): Html {
  return (
    <ActionForm request={request} action="purge" fields={{ site }} button="Preview" tone="primary">
      <div class="filter">
        <label>
          By
          <select name="kind">
            {Object.entries(PURGE_KINDS).map(([each, words]) => (
              <option value={each} selected={each === kind}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Value
          <input type="text" name="value" value={value} placeholder={example} spellcheck={false} />
        </label>
        <label class="check">
          <input type="checkbox" name="soft" value="yes" />
          make stale instead of removing
        </label>
      </div>
    </ActionForm>
  );
}

/** What a purge would select. */
export interface PurgePreviewFigures {
  readonly words: string;
  readonly responses: number;
  readonly bytes: number;
  readonly isShared: boolean;
  readonly isSoft: boolean;
  readonly examples: readonly {
    readonly name: string;
    readonly status: number;
    readonly bytes: number;
    readonly ttl: number;
  }[];
}

/** Shows what a purge would select, before it is confirmed. */
export function PurgePreviewContent({ preview }: { readonly preview: PurgePreviewFigures }): Html {
  const { bytes, examples, isShared, isSoft, responses, words } = preview;
  return (
    <>
      <p class="lead">
        {`${isSoft ? 'Makes stale' : 'Removes'} ${words}: ${formatNumber(responses)} ${responses === 1 ? 'response' : 'responses'}, ${formatBytes(bytes)} of memory.`}
      </p>
      {isShared ? (
        <p>
          This is what the memory of this gateway holds. The purge concerns the shared store and all gateways.
        </p>
      ) : null}
      {examples.length === 0 ? null : (
        <ol class="purge-examples">
          {examples.map(({ bytes: size, name, status, ttl }) => (
            <li>
              <code>{shorten(name, 200)}</code>{' '}
              <small>
                {`${status}, ${formatBytes(size)}, ${ttl > 0 ? `fresh for ${formatSeconds(ttl)}` : `stale since ${formatSeconds(-ttl)}`}`}
              </small>
            </li>
          ))}
        </ol>
      )}
      {responses > examples.length ? <p>{`and ${formatNumber(responses - examples.length)} more.`}</p> : null}
    </>
  );
}
