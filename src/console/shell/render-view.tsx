import type { Html } from '../../docs/pages/html.ts';
import { toDocumentText } from '../../docs/pages/render-page.tsx';
import type { ConsoleSection, ConsoleView } from '../console-page.ts';
import { ConsoleLayout, type ConsoleLayoutProps } from './console-layout.tsx';

/** Renders a page as HTML. */
export function renderView(
  view: ConsoleView,
  frame: Omit<ConsoleLayoutProps, 'view' | 'children'>,
): Promise<string> {
  return toDocumentText(
    <ConsoleLayout {...frame} view={view}>
      {view.sections.map((section) => (
        <Section section={section} />
      ))}
    </ConsoleLayout>,
  );
}

function Section({ section }: { readonly section: ConsoleSection }): Html {
  const { content, id, isLive = false, title } = section;
  return (
    <section id={id} data-section={isLive ? id : undefined}>
      {title === undefined ? null : <h2>{title}</h2>}
      <div class="section-content">{content()}</div>
    </section>
  );
}

/** Renders what is replaced in an open page: the content of a live section. */
export async function renderSectionContent(section: ConsoleSection): Promise<string> {
  return (await section.content()).toString();
}
