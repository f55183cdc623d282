import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Slots } from '../../../../turns/slots.js';
import { namedBy } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { GuardContext, Route } from '../../route.js';
import type { Markup } from '../../pages/code/markup.js';
import type { ProjectMarkdown } from '../../pages/project-markdown.js';
import { pathId, text } from '../../validation/parameters.js';
import { asWritten } from './as-written.js';

export interface MarkdownRoutesParts {
  readonly access: WorkspaceAccess;
  readonly markup: Markup;
  readonly projectMarkdown: ProjectMarkdown;
}
type Parts = MarkdownRoutesParts;

const MAX_TEXT = 500_000;
/** Texts that are made HTML of at once, in all and for one caller. */
const AT_ONCE = 16;
const OF_CALLER = 1;

const { post } = routesOf({ tag: 'Markdown' });

interface Asked {
  readonly actor: Actor;
  readonly owner: string;
  readonly written: string;
  readonly gfm: boolean;
  readonly place: Permitted<'read_project'> | undefined;
}

const render = async ({ markup, projectMarkdown }: Parts, { actor, owner, written, gfm, place }: Asked) => {
  if (written.trim() === '') return '';
  if (!gfm) return markup.loose(owner, written, 'commonmark');
  if (place === undefined) return markup.loose(owner, written, 'loose');
  const [made] = await projectMarkdown.renderFor(actor, [{ text: written, cut: false }], { ...place, owner });
  return made?.html;
};

/** The project that a text is about, where it is about one. */
const inNamedProject =
  ({ access }: Parts) =>
  async (context: GuardContext): Promise<Permitted<'read_project'> | undefined> =>
    context.sent['project'] === undefined
      ? undefined
      : access.project(context.actor, namedBy(context, 'project'), 'read_project');

const renderMarkdown = (parts: Parts) => {
  const slots = new Slots(AT_ONCE, OF_CALLER);
  return post('/markdown', 'renderMarkdown', {
    summary: 'Make HTML of a text in Markdown',
    description:
      'HTML in the text stays text, and links lead by `http`, `https` and `mailto` alone. What takes too long is answered as it was written.',
    access: 'user',
    parameters: {
      text: text(MAX_TEXT, 'The text'),
      gfm: Type.Boolean({ default: false, description: 'Whether tables, task lists and references are known' }),
      project: Type.Optional(pathId('Full path of the project whose issues, milestones and files are meant')),
    },
    answer: Type.Object({ html: Type.String() }),
    guard: inNamedProject(parts),
    handle: async ({ actor, subject: place, parameters: { text: written, gfm } }) => {
      // What somebody sends is theirs, whatever project it is about.
      const owner = `user ${actor.id}`;
      const html = await slots.during(owner, () => render(parts, { actor, owner, written, gfm, place }));
      return { html: html ?? asWritten(written) };
    },
  });
};

export const createMarkdownRoutes = (parts: Parts): readonly Route[] => [renderMarkdown(parts)];
