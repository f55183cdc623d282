import { Type } from '@sinclair/typebox';
import type { Todo, TodoQuery, TodoReader } from '../../../../../application/collaboration/ports/todo-ports.js';
import type { Todos } from '../../../../../application/collaboration/todos.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { readFewAtATime } from '../../../../../application/shared/page-in-batches.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { TODO_ACTIONS, TODO_STATES } from '../../../../../domain/collaboration/todo.js';
import { identifierIn, type GroupId, type ProjectId, type UserId } from '../../../../../domain/shared/identifiers.js';
import { SUBJECT_TYPES, type SubjectKind } from '../../../../../domain/shared/subject.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { identifier, oneOf, parameters, pathId, type ParametersOf } from '../../validation/parameters.js';
import { presentInShort, PROJECT_IN_SHORT } from '../projects/project-in-short.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { findSubject, parametersOf, pathOf, type SubjectOfApi, type SubjectRoutesParts } from './subject-of-api.js';

export type TodoRoutesParts = SubjectRoutesParts & {
  readonly reader: Pick<WorkspaceReader, 'findProjects'>;
  readonly todos: Todos;
  readonly todoReader: TodoReader;
  readonly subjectsOfApi: readonly SubjectOfApi[];
};

type Parts = TodoRoutesParts;

const TAG = 'To-dos';
const { list, post } = routesOf({ tag: TAG });
const instant = Type.String({ format: 'date-time' });

const TodoSchema = component(
  'schemas/Todo',
  Type.Object({
    id: Type.Integer(),
    project: Type.Object(PROJECT_IN_SHORT),
    author: BasicUserSchema,
    action_name: oneOf(TODO_ACTIONS),
    target_type: oneOf(Object.values(SUBJECT_TYPES)),
    target: Type.Unknown({ description: 'What it is about, as its own address shows it' }),
    target_url: Type.String(),
    body: Type.String({ description: 'Its title, or the comment that asks' }),
    state: oneOf(TODO_STATES),
    created_at: instant,
    updated_at: instant,
  }),
);

/** What the API calls what to-dos elsewhere may be about, too: here nothing is. */
const OTHER_TYPES = ['Epic', 'DesignManagement::Design', 'AlertManagement::Alert'] as const;
const OTHER_ACTIONS = ['merge_train_removed', 'member_access_requested'] as const;

const FILTERS = {
  action: Type.Optional(oneOf([...TODO_ACTIONS, ...OTHER_ACTIONS])),
  author_id: Type.Optional(identifier<UserId>()),
  project_id: Type.Optional(identifier<ProjectId>('Of this project alone')),
  group_id: Type.Optional(identifier<GroupId>('With all groups below it')),
  state: oneOf(TODO_STATES, { default: 'pending' }),
  type: Type.Optional(
    oneOf([...Object.values(SUBJECT_TYPES), ...OTHER_TYPES], { description: 'About this kind of thing alone' }),
  ),
};

const kindOf = (type: string): SubjectKind | null =>
  (Object.keys(SUBJECT_TYPES) as SubjectKind[]).find((kind) => SUBJECT_TYPES[kind] === type) ?? null;

const filtersIn = (sent: ParametersOf<typeof FILTERS>): Omit<TodoQuery, 'userId' | 'viewer'> => {
  const { author_id: authorId, project_id: projectId, group_id: groupId, state, type, action } = sent;
  const known = TODO_ACTIONS.find((each) => each === action);
  const none = action !== undefined && known === undefined;
  const kind = none ? null : type === undefined ? undefined : kindOf(type);
  return given({ action: known, authorId, projectId, groupId, state, kind });
};

const mine = ({ access }: Parts, actor: UserActor) => ({ userId: actor.id, viewer: access.viewer(actor) });

const presentOne = ({ urls }: Parts, todo: Todo, { project, target }: { project: Project; target: object }) => {
  const { subject, note, author } = todo;
  const url = urls.subject(subject.projectPath, subject.page);
  return {
    id: todo.id,
    project: presentInShort(project),
    author: presentPerson(author, urls),
    action_name: todo.action,
    target_type: SUBJECT_TYPES[subject.kind],
    target,
    target_url: note === null ? url : `${url}#note_${note.id}`,
    body: note?.body ?? subject.title,
    state: todo.state,
    created_at: todo.createdAt.toISOString(),
    updated_at: todo.updatedAt.toISOString(),
  };
};

/** What some to-dos are about, by the ids of the subjects: each kind is asked once. */
const targetsOf = async (
  { access, subjectsOfApi }: Parts,
  actor: UserActor,
  todos: readonly Todo[],
): Promise<ReadonlyMap<number, object>> => {
  const viewer = access.viewer(actor);
  const subjects = new Map(todos.map(({ subject }) => [subject.id, subject]));
  const shown = await Promise.all(
    [...Map.groupBy(subjects.values(), ({ kind }) => kind)].map(async ([kind, some]) => {
      const of = subjectsOfApi.find(({ source }) => source.kind === kind);
      return of === undefined ? [] : [...(await of.present(some, viewer))];
    }),
  );
  return new Map(shown.flat());
};

/** Without those that are about what is gone. */
const presentMany = async (parts: Parts, actor: UserActor, ids: readonly number[]) => {
  const todos = await parts.todoReader.read(mine(parts, actor), ids);
  const targets = await targetsOf(parts, actor, todos);
  const found = await parts.reader.findProjects([...new Set(todos.map(({ subject }) => subject.projectId))]);
  const projects = new Map(found.map((project) => [project.id, project]));
  return todos.flatMap((todo): object[] => {
    const [project, target] = [projects.get(todo.subject.projectId), targets.get(todo.subject.id)];
    return project === undefined || target === undefined ? [] : [presentOne(parts, todo, { project, target })];
  });
};

const show = async (parts: Parts, actor: UserActor, id: number) =>
  orNotFound((await presentMany(parts, actor, [id]))[0]);

export const listTodos = (parts: Parts) =>
  list('/todos', 'listTodos', {
    summary: 'What the caller is asked to do, the newest first',
    access: 'user',
    parameters: FILTERS,
    items: TodoSchema,
    read: async ({ actor, parameters: filters, page }) => {
      const { items, ...rest } = await parts.todoReader.list({ ...filtersIn(filters), ...mine(parts, actor) }, page);
      return { ...rest, batches: readFewAtATime(items, (ids) => presentMany(parts, actor, ids)) };
    },
    present: (todo) => todo,
  });

const findTodo =
  (parts: Parts) =>
  async ({ actor, path }: GuardContext<'user'>): Promise<Todo> => {
    const id = orNotFound(identifierIn(path['id']));
    return orNotFound((await parts.todoReader.read(mine(parts, actor), [id]))[0]);
  };

export const finishTodo = (parts: Parts) =>
  post('/todos/:id/mark_as_done', 'finishTodo', {
    summary: 'Say that one is done',
    access: 'user',
    parameters: { id: pathId('Numeric id of the to-do') },
    answer: TodoSchema,
    guard: findTodo(parts),
    handle: async ({ actor, subject: todo }) => {
      await parts.todos.finish(todo);
      return show(parts, actor, todo.id);
    },
  });

export const finishAllTodos = ({ todos }: Parts): Route =>
  route({
    method: 'post',
    path: '/todos/mark_as_done',
    operationId: 'finishAllTodos',
    summary: 'Say that all are done',
    tag: TAG,
    access: 'user',
    parameters: parameters({}),
    responses: { 204: null },
    handle: async ({ actor }) => {
      await todos.finishAll(actor);
      return { status: 204 };
    },
  });

/** Of one kind of subject. */
export const markTodo = (parts: Parts, of: SubjectOfApi): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/todo`,
    operationId: `mark${of.name}AsTodo`,
    summary: `Put ${of.words} on one's own list`,
    description: '304 where it is there already, by oneself.',
    tag: TAG,
    access: 'user',
    parameters: parameters(parametersOf(of)),
    responses: { 201: TodoSchema, 304: null },
    guard: findSubject(parts, of),
    handle: async ({ actor, subject: visible }) => {
      const id = await parts.todos.mark(actor, visible);
      return id === undefined ? { status: 304 } : { status: 201, body: await show(parts, actor, id) };
    },
  });

export const createTodoRoutes = (parts: Parts): readonly Route[] => [
  listTodos(parts),
  finishAllTodos(parts),
  finishTodo(parts),
  ...parts.subjectsOfApi.flatMap((of) => (of.asked === true ? [markTodo(parts, of)] : [])),
];
