import type { Todo, TodoReader } from '../../../../application/collaboration/ports/todo-ports.js';
import type { Todos } from '../../../../application/collaboration/todos.js';
import { itemsOf, readFewAtATime } from '../../../../application/shared/page-in-batches.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { TODO_STATES } from '../../../../domain/collaboration/todo.js';
import { identifierIn } from '../../../../domain/shared/identifiers.js';
import { given } from '../kit/given.js';
import { orNotFound } from '../kit/or-not-found.js';
import { field } from './form-fields.js';
import { tell } from './frame/notice.js';
import { keptOf } from './list-sorting.js';
import type { PageContext } from './page-context.js';
import { pageRequest, queryChoice, queryText } from './page-request.js';
import { actorOf, localPath } from './page-session.js';
import type { Pages } from './page.js';
import { sendPage } from './render.js';
import { nameOfSubject, TODO_ACTION_OPTIONS, todoSentenceOf } from './todo-sentence.js';

interface TodoPagesParts {
  readonly access: Pick<WorkspaceAccess, 'viewer'>;
  readonly todos: Todos;
  readonly todoReader: TodoReader;
}

const TODOS = '/dashboard/todos';
/** Names what was just done in the address of a list. */
const FINISHED = 'finished';

/** Nothing is asked for about a snippet. */
const KINDS = { issue: 'Issues', merge_request: 'Merge requests', commit: 'Commits' } as const;
const KIND_NAMES = ['', 'issue', 'merge_request', 'commit'] as const;
const ACTION_NAMES = ['', ...TODO_ACTION_OPTIONS.map(([action]) => action)] as const;

const mine = ({ access }: TodoPagesParts, { browser }: PageContext) => {
  const actor = actorOf(browser);
  return { userId: actor.id, viewer: access.viewer(actor) };
};

const filtersIn = (context: PageContext) => ({
  state: queryChoice(context, 'state', TODO_STATES),
  kind: queryChoice(context, 'kind', KIND_NAMES),
  action: queryChoice(context, 'action', ACTION_NAMES),
});

/** What was marked as done by the form that led here: it can be put back. */
const justFinished = async (parts: TodoPagesParts, context: PageContext) => {
  const id = identifierIn(queryText(context, FINISHED));
  const [todo] = id === undefined ? [] : await parts.todoReader.read(mine(parts, context), [id]);
  return todo?.state === 'done' ? { id: todo.id, name: nameOfSubject(todo) } : undefined;
};

const addList = (pages: Pages, parts: TodoPagesParts): void => {
  pages.get(TODOS, 'signed_in', async (context) => {
    const { browser, response } = context;
    const me = mine(parts, context);
    const filters = filtersIn(context);
    const { state, kind, action } = filters;
    const request = pageRequest(context);
    const query = { ...me, ...given({ state, kind: kind || undefined, action: action || undefined }) };
    const page = await parts.todoReader.list(query, request);
    // Each comes with a description that may be long: no more than a few are held at once.
    const sentences = readFewAtATime(page.items, async (ids) =>
      (await parts.todoReader.read(me, ids)).map((todo) => todoSentenceOf(todo, me.userId)),
    );
    sendPage(response, browser, 'todos', {
      title: 'To-dos',
      finished: await justFinished(parts, context),
      todos: await itemsOf(sentences),
      page,
      request,
      filters,
      kept: keptOf(filters),
      narrowed: kind !== '' || action !== '',
      kinds: Object.entries(KINDS),
      actions: TODO_ACTION_OPTIONS,
    });
  });
};

const findTodo = async (parts: TodoPagesParts, context: PageContext): Promise<Todo> => {
  const id = orNotFound(identifierIn(String(context.request.params['id'])));
  return orNotFound((await parts.todoReader.read(mine(parts, context), [id]))[0]);
};

/** Shows the list that the form was on. @param finished what it marked as done. */
const showList = ({ request, response }: PageContext, finished?: number): void => {
  const list = localPath(field(request, 'return_to'));
  const [path = '', query] = (list.startsWith(TODOS) ? list : TODOS).split('?');
  const kept = new URLSearchParams(query);
  kept.delete(FINISHED);
  if (finished !== undefined) kept.set(FINISHED, String(finished));
  response.redirect(303, kept.size === 0 ? path : `${path}?${kept.toString()}`);
};

/** What somebody is asked to do, wherever it is. */
export const addTodoPages = (pages: Pages, parts: TodoPagesParts): void => {
  addList(pages, parts);

  pages.post(`${TODOS}/done`, 'signed_in', async (context) => {
    const { browser, response } = context;
    await parts.todos.finishAll(actorOf(browser));
    tell(response, browser, 'All your to-dos are done.');
    showList(context);
  });

  pages.post(`${TODOS}/:id/done`, 'signed_in', async (context) => {
    const { browser, response } = context;
    const todo = await findTodo(parts, context);
    await parts.todos.finish(todo);
    tell(response, browser, `Your to-do about ${nameOfSubject(todo)} is done.`);
    showList(context, todo.id);
  });

  pages.post(`${TODOS}/:id/undo`, 'signed_in', async (context) => {
    const { browser, response } = context;
    const todo = await findTodo(parts, context);
    await parts.todos.reopen(todo);
    tell(response, browser, `Your to-do about ${nameOfSubject(todo)} is back on your list.`);
    showList(context);
  });

  // Somebody who signs in again, or reloads what a form led to, comes this way.
  for (const form of ['done', ':id/done', ':id/undo'])
    pages.get(`${TODOS}/${form}`, 'signed_in', ({ response }) => response.redirect(303, TODOS));
};
