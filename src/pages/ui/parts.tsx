import type { Child } from 'hono/jsx';
import { formatUtc } from '../../base/format.ts';
import { shorten, toMethodClass } from '../../base/text.ts';
import type { Html } from './page.tsx';

type Link = readonly [text: string, url: string | undefined];

export function List(props: { readonly items: readonly Child[]; readonly look?: string }): Html {
  return (
    <ul class={props.look}>
      {props.items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

export function LinkList({ links }: { readonly links: readonly Link[] }): Html {
  const items = links.map(([text, url]) => <a href={url}>{text}</a>);
  return <List look="inline-list" items={items} />;
}

export function Definition({ children, name }: { readonly name: Child; readonly children: Child }): Html {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Method({ method }: { readonly method: string }): Html {
  return <b class={toMethodClass(method)}>{shorten(method, 20)}</b>;
}

/** E.g. `a, b or c`. @param last stands before the last part. @default ' or ' */
export function Enumeration({ last = ' or ', parts }: { last?: string; parts: readonly Child[] }): Html {
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index === 0 ? '' : index === parts.length - 1 ? last : ', '}
          {part}
        </>
      ))}
    </>
  );
}

export function DescriptionText({ text }: { readonly text: string }): Html {
  const parts = text.split(/`([^`\n]{1,200})`/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

export function Paragraph({ text }: { readonly text: string }): Html | null {
  return text === '' ? null : (
    <p dir="auto">
      <DescriptionText text={text} />
    </p>
  );
}

/** The time, and the date unless it's today. A script shows local time. */
export function Clock({ at, now }: { readonly at: number; readonly now: number }): Html {
  const utc = formatUtc(at);
  const isClose = at <= now ? now - at < 86_400_000 : utc.slice(0, 10) === formatUtc(now).slice(0, 10);
  return (
    <time datetime={new Date(at).toISOString()} title={utc} data-clock>
      {isClose ? utc.slice(11) : utc}
    </time>
  );
}
