import type { OpenTodos, TodoReader } from '../../../../../application/collaboration/ports/todo-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { actorOf, type Browser } from '../page-session.js';

export interface TodosOfFrames {
  readonly access: Pick<WorkspaceAccess, 'viewer'>;
  readonly todoReader: Pick<TodoReader, 'countOpen'>;
}

/** Nothing where there is nothing to do. */
const wordsFor = ({ count, more }: OpenTodos): string => {
  if (count === 0) return '';
  return more ? `${count}+` : String(count);
};

/** How much the person has to do, which the frame of the page says. */
export const countOpenTodos = async ({ access, todoReader }: TodosOfFrames, browser: Browser): Promise<string> => {
  if (browser.user === undefined) return '';
  const actor = actorOf(browser);
  return wordsFor(await todoReader.countOpen({ userId: actor.id, viewer: access.viewer(actor) }));
};
