import type { Html } from '../../docs/pages/html.ts';

/** Links of which one is the current choice. */
export function ChoiceLinks({
  choices,
  current,
  label,
  look = 'links',
}: {
  /** Address and text of each link, by value. */
  readonly choices: readonly { readonly value: string; readonly url: string; readonly text: string }[];
  readonly current: string;
  readonly label: string;
  /** `segments`: a control of one row, for few and short texts. @default 'links' */
  readonly look?: 'links' | 'segments';
}): Html {
  return (
    <nav class={look === 'segments' ? 'choices segments' : 'choices'} aria-label={label}>
      {choices.map(({ text, url, value }) => (
        <a href={url} aria-current={value === current ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Returns the URL of the page with another query. Parameters that are empty are left out. */
export function toQueryUrl(query: URLSearchParams, changes: Readonly<Record<string, string>>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return `?${changed}`;
}
