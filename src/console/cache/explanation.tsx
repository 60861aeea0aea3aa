import { shorten } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';

/** How the gateway would handle a read of an address at this moment. */
export interface AddressExplanation {
  readonly facts: readonly ExplainedFact[];
  /** Whether a response for the address is stored. */
  readonly isStored: boolean;
}

/** One fact of an explanation. */
export interface ExplainedFact {
  readonly name: string;
  readonly text: string;
  /** Short texts in a list: tags, parameters, writes. */
  readonly items?: readonly string[];
  /** Number of all items, if there are more. */
  readonly itemCount?: number;
  readonly url?: string | null;
}

/** Properties of {@link ExplainForm}. */
export interface ExplainFormProps {
  readonly address: string;
  readonly headers: string;
  /** An address to try. */
  readonly example: string;
}

/** Asks for an address. It works without a script, and sends nothing to the site. */
export function ExplainForm({ address, example, headers }: ExplainFormProps): Html {
  return (
    <form method="get" action="#explain" class="filter wide">
      <label>
        URL or path at the gateway
        <input type="text" name="address" value={address} placeholder={example} spellcheck={false} />
      </label>
      <details open={headers !== ''}>
        <summary>Header fields of the request</summary>
        <label>
          One on each line. The values appear in the address of this page: type no credentials.
          <textarea name="fields" rows={3} placeholder="Accept-Language: de" spellcheck={false}>
            {headers}
          </textarea>
        </label>
      </details>
      <button type="submit" class="button primary">
        Explain
      </button>
    </form>
  );
}

/** The facts of an explanation. */
export function Explanation({
  explanation,
  purgeUrl,
}: {
  readonly explanation: AddressExplanation;
  /** Address of the form that purges it. */
  readonly purgeUrl: string;
}): Html {
  return (
    <>
      <ExplainedFacts facts={explanation.facts} />
      {explanation.isStored ? (
        <p>
          <a href={purgeUrl}>Purge this address</a>
        </p>
      ) : null}
    </>
  );
}

function ExplainedFacts({ facts }: Pick<AddressExplanation, 'facts'>): Html {
  return (
    <dl class="explanation">
      {facts.map(({ itemCount, items = [], name, text, url = null }) => (
        <div>
          <dt>{name}</dt>
          <dd>
            {url === null ? shorten(text, 600) : <a href={url}>{shorten(text, 600)}</a>}
            {items.length === 0 ? null : (
              <ul>
                {items.map((item) => (
                  <li>
                    <code>{shorten(item, 200)}</code>
                  </li>
                ))}
              </ul>
            )}
            {itemCount === undefined || itemCount <= items.length ? null : (
              <small>{`and ${itemCount - items.length} more`}</small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
