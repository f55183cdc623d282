import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { ProjectMarkdown } from '../../pages/project-markdown.js';
import { asWritten, escaped } from '../markdown/as-written.js';

/** A title is no Markdown: it has links to what it names, and nothing else. */
const titleIn = (pieces: readonly { readonly text: string; readonly href?: string }[]): string =>
  pieces
    .map(({ text, href }) => (href === undefined ? escaped(text) : `<a href="${escaped(href)}">${escaped(text)}</a>`))
    .join('');

/** Title and description of a merge request as HTML, as whoever asks sees what they name. */
export const renderedTexts = async (
  markdown: Pick<ProjectMarkdown, 'linkAll' | 'renderFor'>,
  actor: Actor,
  { mergeRequest: { title, description }, place }: VisibleMergeRequest,
) => {
  const [[pieces = []], [made]] = await Promise.all([
    markdown.linkAll([title], actor, place),
    markdown.renderFor(actor, [{ text: description, cut: false }], place),
  ]);
  const empty = description.trim() === '';
  return { title_html: titleIn(pieces), description_html: made?.html ?? (empty ? '' : asWritten(description)) };
};
