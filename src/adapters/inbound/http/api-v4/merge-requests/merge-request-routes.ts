import { Type } from '@sinclair/typebox';
import { identifierIn, type ProjectId } from '../../../../../domain/shared/identifiers.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { identifiedBy, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { ProjectMarkdown } from '../../pages/project-markdown.js';
import type { GuardContext, Route } from '../../route.js';
import { identifier, oneOf, pathId, requiredText, text } from '../../validation/parameters.js';
import { names } from '../collaboration/subject-filters.js';
import { LABELS } from '../issues/issue-parameters.js';
import { MAX_REF } from '../repository/code-writing.js';
import { FIELDS, fieldsIn } from './merge-request-parameters.js';
import {
  ALL,
  findMergeRequest,
  findMergeRequestToChange,
  IN_PATH,
  ONE,
  show,
  showChanged,
  type MergeRequestRoutesParts,
} from './merge-request-parts.js';
import { MergeRequestSchema } from './merge-request-schema.js';
import { renderedTexts } from './rendered-texts.js';

type Parts = MergeRequestRoutesParts;

const MAX_SENT_TITLE = 1_000;

const { get, post, put, remove } = routesOf({ tag: 'Merge requests' });

type ShowingParts = Parts & { readonly markdown: ProjectMarkdown };

export const getMergeRequest = (parts: ShowingParts) =>
  get(ONE, 'getMergeRequest', {
    summary: 'One merge request',
    access: 'anyone',
    parameters: {
      ...IN_PATH,
      include_diverged_commits_count: Type.Boolean({
        default: false,
        description: 'Whether commits are counted that the target branch alone has',
      }),
      include_rebase_in_progress: Type.Boolean({
        default: false,
        description: 'Whether `rebase_in_progress` is told',
      }),
      render_html: Type.Boolean({
        default: false,
        description: 'Whether `title_html` and `description_html` are told, as you see what they name',
      }),
    },
    answer: MergeRequestSchema,
    guard: findMergeRequest(parts),
    handle: async ({ actor, subject, parameters }) => {
      const shown = await show(parts, actor, subject, {
        withDivergence: parameters.include_diverged_commits_count,
        withRebase: parameters.include_rebase_in_progress,
      });
      return parameters.render_html ? { ...shown, ...(await renderedTexts(parts.markdown, actor, subject)) } : shown;
    },
  });

/** By its own number. Whoever may not see it is told that it isn't there, whatever project it is in. */
const findById =
  ({ access, mergeRequests, mergeRequestReader }: Parts) =>
  async ({ actor, path }: GuardContext) => {
    const id = identifierIn(path['merge_request_id']);
    const found = id === undefined ? undefined : await mergeRequestReader.findById(id);
    const { projectId, iid } = orNotFound(found, 'Merge Request');
    const place = await access.project(actor, String(projectId), 'read_merge_requests').catch(hide);
    return mergeRequests.find(place, iid);
  };

const hide = (error: unknown): never => {
  throw error instanceof NotFound || error instanceof Forbidden ? new NotFound('Merge Request') : error;
};

export const getMergeRequestById = (parts: Parts) =>
  get('/projects/merge_requests/:merge_request_id', 'getMergeRequestById', {
    summary: 'One merge request, by the id that is its own among all of them',
    access: 'anyone',
    parameters: { merge_request_id: pathId('Id of the merge request, not its number within the project') },
    answer: MergeRequestSchema,
    guard: findById(parts),
    handle: ({ actor, subject }) => show(parts, actor, subject),
  });

export const createMergeRequest = (parts: Parts) =>
  post(ALL, 'createMergeRequest', {
    summary: 'Open a merge request for a branch of the project',
    description: '`target_project_id` names another project, where one of the two is a fork of the other.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      title: text(MAX_SENT_TITLE),
      source_branch: requiredText(MAX_REF, 'What is to be merged'),
      target_branch: requiredText(MAX_REF, 'Where it is to be merged into'),
      target_project_id: Type.Optional(identifier<ProjectId>('The project of the target branch; this one unless told')),
      ...FIELDS,
    },
    answer: MergeRequestSchema,
    guard: async (context) => {
      const { actor, path, sent } = context;
      const source = await parts.access.project(actor, path['id'], 'push_code');
      const elsewhere = sent['target_project_id'] !== undefined;
      const id = elsewhere ? identifiedBy<ProjectId>(context, 'target_project_id') : source.project.id;
      return { source, target: id && (await parts.access.project(actor, String(id), 'open_merge_requests')) };
    },
    handle: async ({ actor, subject, parameters: { title, source_branch, target_branch, ...fields } }) => {
      const target = orNotFound(subject.target, 'Project');
      const branches = { sourceBranch: source_branch, targetBranch: target_branch };
      const command = { ...fieldsIn(fields), ...branches, title };
      const { iid } = await parts.mergeRequests.open(actor, subject.source, target, command);
      return show(parts, actor, await parts.mergeRequests.find(target, iid));
    },
  });

const CHANGES = {
  ...FIELDS,
  title: Type.Optional(text(MAX_SENT_TITLE)),
  target_branch: Type.Optional(requiredText(MAX_REF, 'Where it is to be merged into')),
  state_event: Type.Optional(oneOf(['close', 'reopen'])),
  add_labels: Type.Optional(LABELS),
  remove_labels: Type.Optional(LABELS),
  discussion_locked: Type.Optional(Type.Boolean({ description: 'Whether only members may comment' })),
};

export const editMergeRequest = (parts: Parts) =>
  put(ONE, 'editMergeRequest', {
    summary: 'Change, close or reopen a merge request',
    access: 'user',
    parameters: { ...IN_PATH, ...CHANGES },
    answer: MergeRequestSchema,
    guard: findMergeRequestToChange(parts),
    handle: async ({ actor, subject, parameters: { id: _id, merge_request_iid: _iid, ...sent } }) => {
      if (Object.keys(sent).length === 0)
        throw new HttpError(
          400,
          `${Object.keys(CHANGES).join(', ')} are missing, at least one parameter must be provided`,
        );
      const { title, target_branch: targetBranch, state_event: stateEvent } = sent;
      const addLabels = sent.add_labels && names(sent.add_labels);
      const removeLabels = sent.remove_labels && names(sent.remove_labels);
      const changes = given({ title, targetBranch, stateEvent, discussionLocked: sent.discussion_locked });
      const labels = given({ addLabels, removeLabels });
      await parts.mergeRequests.edit(actor, subject, { ...fieldsIn(sent), ...changes, ...labels });
      return showChanged(parts, actor, subject);
    },
  });

export const removeMergeRequest = (parts: Parts) => {
  const find = findMergeRequest(parts);
  return remove(ONE, 'removeMergeRequest', {
    summary: 'Remove a merge request (owners)',
    access: 'user',
    parameters: IN_PATH,
    guard: async (context) => {
      const permitted = await parts.access.project(context.actor, context.path['id'], 'remove_merge_requests');
      return { visible: await find(context), permitted };
    },
    lastChanged: ({ visible }) => visible.mergeRequest.updatedAt,
    handle: ({ actor, subject: { visible, permitted } }) => parts.mergeRequests.remove(actor, permitted, visible),
  });
};

export const createMergeRequestRoutes = (parts: ShowingParts): readonly Route[] =>
  [getMergeRequestById, getMergeRequest, createMergeRequest, editMergeRequest, removeMergeRequest].map((make) =>
    make(parts),
  );
