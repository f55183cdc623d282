import { Type } from '@sinclair/typebox';
import type { CommitStatuses } from '../../../../../application/pipelines/commit-statuses.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { COMMIT_STATUS_WORDS } from '../../../../../domain/pipelines/commit-status.js';
import { clearable, given } from '../../kit/given.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { clearableText, decimal, identifier, oneOf, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { inCommit } from '../repository/code-routes-parts.js';
import { CommitStatusSchema, presentCommitStatus } from './pipeline-schema.js';

export interface CommitStatusRoutesParts {
  readonly access: WorkspaceAccess;
  readonly revisions: Revisions;
  readonly commitStatuses: CommitStatuses;
  readonly pipelineReader: PipelineReader;
  readonly urls: WebUrls;
}
type Parts = CommitStatusRoutesParts;

const { list, post } = routesOf({ tag: 'Pipelines' });
const SHA = pathId('Id of a commit, or its beginning; a branch or tag');
const MAX_REF = 255;
/** What is longer than is kept is told which bound it breaks. */
const MAX_SENT = 10_000;
const UNNAMED = 'default';

const setCommitStatus = ({ access, revisions, commitStatuses, pipelineReader, urls }: Parts): Route =>
  post('/projects/:id/statuses/:sha', 'setCommitStatus', {
    summary: 'Report what a program elsewhere, such as a build server, found out about a commit',
    description:
      'It goes on with what the same caller said before under that name, or begins anew where that has ended. It belongs to the newest pipeline of the commit, which is made where there is none. 400 where one state can’t follow the other.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      sha: SHA,
      state: oneOf(COMMIT_STATUS_WORDS, { description: 'How it stands' }),
      ref: Type.Optional(text(MAX_REF, 'The branch or tag; that of the newest pipeline, else one that has the commit')),
      name: Type.Optional(text(MAX_SENT, 'What people call it; `default` unless told')),
      context: Type.Optional(text(MAX_SENT, 'The same, by another name')),
      target_url: Type.Optional(clearableText(MAX_SENT, 'Where it is told in full')),
      description: Type.Optional(clearableText(MAX_SENT, 'A few words, such as what failed')),
      coverage: Type.Optional(
        decimal({ minimum: 0, maximum: 100, description: 'Percent of the code that tests reach' }),
      ),
      pipeline_id: Type.Optional(identifier('The pipeline of the commit that it belongs to')),
    },
    answer: CommitStatusSchema,
    guard: foundByName('Commit', 'sha', inProject(access, 'set_commit_statuses'), (place, name) =>
      revisions.find(place, name),
    ),
    handle: async ({ actor, subject, parameters: sent }) => {
      const { coverage } = sent;
      const said = given({
        name: sent.name || sent.context || UNNAMED,
        status: sent.state,
        ref: sent.ref === '' ? undefined : sent.ref,
        pipelineId: sent.pipeline_id,
        targetUrl: clearable(sent.target_url),
        description: clearable(sent.description),
        coverage: coverage === undefined ? undefined : Math.round(coverage * 100),
      });
      const { id } = await commitStatuses.tell(actor, subject, subject.commit, said);
      return presentCommitStatus(orNotFound(await pipelineReader.findStatus(id)), urls);
    },
  });

const listCommitStatuses = (parts: Parts): Route =>
  list('/projects/:id/repository/commits/:sha/statuses', 'listCommitStatuses', {
    summary: 'What is checked of a commit',
    description: 'Jobs are told of to whoever may read pipelines.',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      sha: SHA,
      ref: Type.Optional(text(MAX_REF, 'Only those of this branch or tag')),
      stage: Type.Optional(text(MAX_REF, 'Only those of this stage; programs elsewhere are in `external`')),
      name: Type.Optional(text(MAX_REF, 'Only those of this name')),
      pipeline_id: Type.Optional(identifier('Only those of this pipeline')),
      all: Type.Boolean({ default: false, description: 'Whether what was said before is told as well' }),
      order_by: oneOf(['id', 'pipeline_id'], { default: 'id', description: 'What the list is ordered by' }),
      sort: oneOf(['asc', 'desc'], { default: 'asc' }),
    },
    items: CommitStatusSchema,
    guard: inCommit(parts),
    read: ({ actor, subject, parameters: sent, page }) => {
      const { project, commit: found } = subject;
      const { ref, name, stage, pipeline_id: pipelineId, all, order_by: orderBy, sort } = sent;
      const place = { projectId: project.id, sha: found.commit.id };
      return parts.pipelineReader.statuses({
        ...place,
        ...given({ ref, name, stage, pipelineId }),
        withoutJobs: parts.access.alsoWhere(actor, subject, 'read_pipelines') === undefined,
        all,
        orderBy,
        sort,
        page,
      });
    },
    present: (status) => presentCommitStatus(status, parts.urls),
  });

export const createCommitStatusRoutes = (parts: Parts): readonly Route[] => [
  setCommitStatus(parts),
  listCommitStatuses(parts),
];
