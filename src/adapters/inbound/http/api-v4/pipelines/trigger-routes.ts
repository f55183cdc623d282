import { Type } from '@sinclair/typebox';
import type { PipelineTriggers } from '../../../../../application/pipelines/pipeline-triggers.js';
import type { RecognizedStarter, StartByTrigger } from '../../../../../application/pipelines/start-by-trigger.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { SMALL_BODY } from '../../body/read-body.js';
import { inProject, namedBy, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { GuardContext, Route } from '../../route.js';
import { identifier, requiredText, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { PipelineSchema, presentPipeline } from './pipeline-schema.js';
import { INPUT_MAP, sentInputs } from './sent-inputs.js';
import { VARIABLE_MAP, variablesInMap } from './sent-variables.js';
import { presentTrigger, TriggerSchema } from './trigger-schema.js';

export interface TriggerRoutesParts {
  readonly access: WorkspaceAccess;
  readonly pipelineTriggers: PipelineTriggers;
  readonly startByTrigger: StartByTrigger;
  readonly pipelineReader: PipelineReader;
  readonly urls: WebUrls;
}
type Parts = TriggerRoutesParts;

const ALL = '/projects/:id/triggers';
const ONE = `${ALL}/:trigger_id`;
const TRIGGER_ID = identifier('Numeric id of the trigger');
const DESCRIPTION = text(2_000, 'What it is for, in at most 255 characters');
const MAX_TEXT = 255;
const MAX_TOKEN = 1_024;
const { list, get, post, put, remove } = routesOf({ tag: 'Pipeline triggers' });

const listTriggers = ({ access, pipelineTriggers, urls }: Parts): Route =>
  list(ALL, 'listTriggers', {
    summary: 'Triggers of a project',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: TriggerSchema,
    guard: inProject(access, 'manage_triggers'),
    read: ({ actor, subject, page }) => pipelineTriggers.list(actor, subject, page),
    present: (trigger) => presentTrigger(trigger, urls),
  });

const getTrigger = ({ access, pipelineTriggers, urls }: Parts): Route =>
  get(ONE, 'getTrigger', {
    summary: 'One trigger',
    access: 'user',
    parameters: { id: PROJECT_ID, trigger_id: TRIGGER_ID },
    answer: TriggerSchema,
    guard: inProject(access, 'manage_triggers'),
    handle: async ({ actor, subject, parameters: { trigger_id: id } }) =>
      presentTrigger(orNotFound(await pipelineTriggers.find(actor, subject, id), 'Trigger'), urls),
  });

const createTrigger = ({ access, pipelineTriggers, urls }: Parts): Route =>
  post(ALL, 'createTrigger', {
    summary: 'Make a trigger',
    description: 'Whoever has its token starts pipelines with it, as if they were its maker’s.',
    access: 'user',
    parameters: { id: PROJECT_ID, description: DESCRIPTION },
    answer: TriggerSchema,
    guard: inProject(access, 'manage_triggers'),
    handle: async ({ actor, subject, parameters: { description } }) =>
      presentTrigger(await pipelineTriggers.create(actor, subject, description), urls),
  });

const changeTrigger = ({ access, pipelineTriggers, urls }: Parts): Route =>
  put(ONE, 'changeTrigger', {
    summary: 'Say anew what a trigger is for',
    access: 'user',
    parameters: { id: PROJECT_ID, trigger_id: TRIGGER_ID, description: Type.Optional(DESCRIPTION) },
    answer: TriggerSchema,
    guard: inProject(access, 'manage_triggers'),
    handle: async ({ actor, subject, parameters: { trigger_id: id, description } }) => {
      const before = orNotFound(await pipelineTriggers.find(actor, subject, id), 'Trigger');
      if (description === undefined) return presentTrigger(before, urls);
      return presentTrigger(await pipelineTriggers.describe(actor, subject, id, description), urls);
    },
  });

const removeTrigger = ({ access, pipelineTriggers }: Parts): Route =>
  remove(ONE, 'removeTrigger', {
    summary: 'Remove a trigger: its token starts nothing any more',
    access: 'user',
    parameters: { id: PROJECT_ID, trigger_id: TRIGGER_ID },
    guard: inProject(access, 'manage_triggers'),
    handle: ({ subject, parameters: { trigger_id: id } }) => pipelineTriggers.remove(subject, id),
  });

/** Undefined where no token is sent: what is missing is told with whatever else is. */
const recognized =
  ({ startByTrigger }: Parts) =>
  async (context: GuardContext): Promise<RecognizedStarter | undefined> => {
    const token = namedBy(context, 'token');
    return token === undefined ? undefined : startByTrigger.recognize(token, context.path['id']);
  };

/** What may be sent of a caller, and is nothing for jobs. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['token', 'private_token', 'access_token', 'bearer_token', 'job_token', 'sudo'],
]);

/** What is sent, for jobs to read, as programs that trigger by a webhook expect it. */
const payloadIn = (body: unknown): readonly CiValue[] => {
  if (typeof body !== 'object' || body === null) return [];
  const payload = Object.fromEntries(Object.entries(body).filter(([name]) => !CREDENTIALS.has(name)));
  // Others write what is in it: no variable is put into its place there.
  return [{ key: 'TRIGGER_PAYLOAD', value: JSON.stringify(payload), file: true, raw: true }];
};

/** @param ref whether the address names the branch or tag: webhooks send bodies of their own. */
const startPipeline = (parts: Parts, path: string, operationId: string): Route =>
  post(path, operationId, {
    summary: 'Start a pipeline with the token of a trigger, or of a job that runs',
    description:
      'No other credential is needed. The pipeline is the trigger’s owner’s, with the rights that they have now. With the token of a job (`CI_JOB_TOKEN`) it is that of whoever the job runs for; 403 where jobs of its project are not let in. Jobs find the body, without the token, in the file `TRIGGER_PAYLOAD`. 400 says, as `base`, why it can’t be run.',
    access: 'anyone',
    body: SMALL_BODY,
    parameters: {
      id: PROJECT_ID,
      ref: requiredText(MAX_TEXT, 'A branch or tag'),
      token: text(MAX_TOKEN, 'Of the trigger, or of a job', { writeOnly: true }),
      variables: Type.Optional(VARIABLE_MAP),
      inputs: Type.Optional(INPUT_MAP),
    },
    answer: PipelineSchema,
    guard: recognized(parts),
    handle: async ({ subject, parameters: { ref, variables, inputs }, request }) => {
      // Otherwise a webhook of pipelines would start pipelines without end.
      if (request.get('X-Gitlab-Event') === 'Pipeline Hook') throw new Forbidden();
      const starter = orNotFound(subject);
      const { project } = starter.place;
      const given = { variables: variablesInMap(variables), inputs: sentInputs(inputs) };
      const wanted = { ref, ...given, told: payloadIn(request.body) };
      const { id } = await parts.startByTrigger.start(starter, wanted);
      const pipeline = orNotFound(await parts.pipelineReader.find(project.id, id));
      return presentPipeline(pipeline, project.fullPath, parts.urls);
    },
  });

export const createTriggerRoutes = (parts: Parts): readonly Route[] => [
  listTriggers(parts),
  createTrigger(parts),
  getTrigger(parts),
  changeTrigger(parts),
  removeTrigger(parts),
  startPipeline(parts, '/projects/:id/trigger/pipeline', 'startPipelineByTrigger'),
  startPipeline(parts, '/projects/:id/ref/:ref/trigger/pipeline', 'startPipelineByTriggerForRef'),
];
