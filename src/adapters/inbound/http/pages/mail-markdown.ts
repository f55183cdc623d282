import type { MailMarkup } from '../../../../application/notifications/ports/mail-markup.js';
import type { UserActor } from '../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { ProjectMarkdown } from './project-markdown.js';

/** The Markdown of pages in mails, as each reader of a mail would see it. */
export const createMailMarkup = (
  access: WorkspaceAccess,
  markdown: ProjectMarkdown,
  baseUrl: () => string,
): MailMarkup => ({
  html: async (text, projectId, { id, admin }) => {
    const actor: UserActor = { kind: 'user', id, username: '', admin, credential: { kind: 'session' } };
    const { project, level } = await access.project(actor, String(projectId), 'read_project');
    const [rendered] = await markdown.renderFor(actor, [{ text, cut: false }], { project, level, base: baseUrl() });
    return rendered?.html;
  },
});
