import { KEY_TOKENS } from '../../src/infrastructure/composition/keys.tokens.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { PlannedJob } from '../../src/domain/pipelines/ci-file/plan.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { codeNow, turnOnTwoFactor } from './two-factor.js';
import type { TestService, TestUser } from './test-service.js';

/** What an installation keeps sealed, in plain text. */
export interface SealedThings {
  readonly ada: TestUser;
  readonly projectId: number;
  readonly integrationId: number;
  readonly integrationKey: string;
  readonly authenticatorSecret: string;
  readonly trackerToken: string;
  readonly triggerToken: string;
  readonly webhookHeaders: string;
  readonly mirrorCredentials: string;
  readonly variable: string;
  readonly pipelineVariables: string;
  readonly mailedLink: string;
  readonly kid: string;
  readonly hostKeys: readonly string[];
}

const PIPELINE_VARIABLES = '[{"key":"A","value":"pipeline-5f1d1c0e"}]';
const VARIABLE = 'variable-5f1d1c0e';
const WEBHOOK_HEADER = { key: 'Authorization', value: 'webhook-header-5f1d1c0e' };
const MIRROR_CREDENTIALS = { username: 'ada', password: 'mirror-word-5f1d1c0e' };
const TRACKER_TOKEN = 'tracker-token-5f1d1c0e';

/** Seals one value, at least, in every column that takes one. */
export const sealThings = async (service: TestService, password: string): Promise<SealedThings> => {
  const ada = await service.addUser('ada', { password });
  const as = { token: ada.token };
  const project = await service.call<{ id: number }>('POST', '/projects', { ...as, json: { name: 'Engine' } });
  const projectId = project.body.id;
  const integration = await service.call<{ id: number; token: string }>(
    'POST',
    `/projects/${projectId}/alert_integrations`,
    { ...as, json: { type: 'generic', name: 'Monitoring' } },
  );
  await service.call('PUT', `/projects/${projectId}/error_tracking/settings`, {
    ...as,
    json: { api_url: 'https://errors.example/api/0/projects/team/engine', token: TRACKER_TOKEN },
  });
  await service.call('POST', `/projects/${projectId}/hooks`, {
    ...as,
    json: { url: 'https://ci.example/hook', token: 'webhook-token-5f1d1c0e', custom_headers: [WEBHOOK_HEADER] },
  });
  const { username, password: word } = MIRROR_CREDENTIALS;
  await service.call('POST', `/projects/${projectId}/remote_mirrors`, {
    ...as,
    json: { url: `https://${username}:${word}@git.example/engine.git` },
  });
  await service.call('PUT', `/projects/${projectId}/mirror/pull`, {
    ...as,
    json: { url: `https://${username}:${word}@git.example/engine.git`, enabled: false },
  });
  const trigger = await service.call<{ token: string }>('POST', `/projects/${projectId}/triggers`, {
    ...as,
    json: { description: 'Nightly' },
  });
  await service.call('POST', `/projects/${projectId}/variables`, { ...as, json: { key: 'A', value: VARIABLE } });
  const { container } = service.service;
  const mailedLink = 'https://gatehouse.example/users/password/edit?reset_password_token=x';
  const createdAt = service.clock.now();
  await container.get(TOKENS.unitOfWork).execute(({ mailQueue }) =>
    mailQueue.enqueue({
      recipient: 'ada@example.com',
      template: 'reset_password',
      content: { link: mailedLink },
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 86_400_000),
    }),
  );
  // Later than any test: it isn't tried.
  const later = new Date(createdAt.getTime() + 365 * 86_400_000);
  const sealedCredentials = container.get(TOKENS.secretBox).seal(JSON.stringify(MIRROR_CREDENTIALS));
  const remote = { url: 'https://git.example/engine.git', sealedCredentials };
  const ask = { projectId: projectId as ProjectId, userId: ada.id, remote };
  await container.get(TOKENS.unitOfWork).execute(({ codeImports }) => codeImports.ask(ask, later));
  await sealPipeline(service, projectId);
  await sealSuccessor(service);
  const [key] = await container.get(OAUTH_TOKENS.oauth).signingKeys.published();
  return {
    ada,
    projectId,
    integrationId: integration.body.id,
    integrationKey: integration.body.token,
    authenticatorSecret: await turnOnTwoFactor(service, ada.id),
    trackerToken: TRACKER_TOKEN,
    triggerToken: trigger.body.token,
    webhookHeaders: JSON.stringify([WEBHOOK_HEADER.value]),
    mirrorCredentials: JSON.stringify(MIRROR_CREDENTIALS),
    variable: VARIABLE,
    pipelineVariables: PIPELINE_VARIABLES,
    mailedLink,
    kid: (key as { kid: string }).kid,
    hostKeys: await container.get(KEY_TOKENS.keys).hostKeys.all(),
  };
};

/** As much of a job as its row needs. */
const JOB = {
  name: 'deploy',
  stage: 'deploy',
  stageIndex: 0,
  when: 'manual',
  allowFailure: false,
  needs: null,
  tags: [],
};

/** As if somebody had asked for one with variables, given a job of it more, and had a schedule ask for others. */
const sealPipeline = async ({ clock, service: { container } }: TestService, projectId: number): Promise<void> => {
  const sealedVariables = container.get(TOKENS.secretBox).seal(PIPELINE_VARIABLES);
  const common = { projectId: projectId as ProjectId, ref: 'main', tag: false, createdAt: clock.now() };
  const ofJob = { definition: JOB as unknown as PlannedJob, protectedRef: false };
  await container.get(TOKENS.unitOfWork).execute(async ({ pipelines, ciJobs, pipelineSchedules }) => {
    const of = { ...common, sha: 'a'.repeat(40), source: 'api', userId: null, sealedVariables } as const;
    const { id: pipelineId } = await pipelines.add(of);
    await ciJobs.addAll([{ ...common, ...ofJob, pipelineId, userId: null, sealedVariables }]);
    await pipelineSchedules.add({
      ...{ ...common, ownerId: null, description: 'Nightly', cron: '0 4 * * *', cronTimezone: 'UTC' },
      ...{ active: false, nextRunAt: null, sealedVariables: container.get(TOKENS.secretBox).seal(PIPELINE_VARIABLES) },
      inputs: new Map(),
    });
  });
};

/** As while its storage moves, without a move. */
const sealSuccessor = async ({ clock, service: { container, database } }: TestService): Promise<void> => {
  await database.schema('storage_control').insert({
    id: 1,
    role: 'primary',
    epoch: 0,
    sealed_successor: container.get(TOKENS.secretBox).seal('postgres://gatehouse:secret@db/gatehouse'),
    changed_at: database.reader.dialect.writeInstant(clock.now()),
  });
};

/** The same things, as far as a service opens them. */
export const openThings = async (service: TestService, { ada, projectId, kid }: SealedThings) => {
  const { container, database } = service.service;
  const [integration] = (
    await service.call<{ token: string }[]>('GET', `/projects/${projectId}/alert_integrations`, { token: ada.token })
  ).body;
  const variable = await service.call<{ value: string }>('GET', `/projects/${projectId}/variables/A`, {
    token: ada.token,
  });
  const [trigger] = (
    await service.call<{ token: string }[]>('GET', `/projects/${projectId}/triggers`, { token: ada.token })
  ).body;
  const { query } = database.reader;
  const pipeline = (await query('pipelines').first()) as { sealed_variables: string };
  const job = (await query('ci_jobs').first()) as { sealed_variables: string };
  const schedule = (await query('pipeline_schedules').first()) as { sealed_variables: string };
  const tracker = (await query('error_tracking_settings').first()) as { sealed_token: string };
  const webhook = (await query('webhooks').first()) as { sealed_header_values: string };
  const mirror = (await query('remote_mirrors').first()) as { sealed_credentials: string };
  const followed = (await query('pull_mirrors').first()) as { sealed_credentials: string };
  const code = (await query('code_imports').first()) as { sealed_credentials: string };
  const mails = (await query('queued_mails').whereNotNull('sealed_content').select()) as { sealed_content: string }[];
  const user = (await query('users').where({ id: ada.id }).first()) as { two_factor_sealed_secret: string };
  const box = container.get(TOKENS.secretBox);
  return {
    integrationKey: integration?.token,
    authenticatorSecret: box.open(user.two_factor_sealed_secret),
    triggerToken: trigger?.token,
    webhookHeaders: box.open(webhook.sealed_header_values),
    mirrorCredentials: box.open(mirror.sealed_credentials),
    pullCredentials: box.open(followed.sealed_credentials),
    importCredentials: box.open(code.sealed_credentials),
    variable: variable.body.value,
    pipelineVariables: box.open(pipeline.sealed_variables),
    jobVariables: box.open(job.sealed_variables),
    scheduleVariables: box.open(schedule.sealed_variables),
    trackerToken: container.get(TOKENS.trackerTokenBox).open(tracker.sealed_token),
    mailedLinks: mails.map(({ sealed_content: sealed }) => (JSON.parse(box.open(sealed)) as { link?: string }).link),
    kid: (await container.get(OAUTH_TOKENS.oauth).signingKeys.current()).key.kid === kid ? kid : undefined,
    hostKeys: await container.get(KEY_TOKENS.keys).hostKeys.all(),
  };
};

/** The code that the authenticator of the installation shows now. */
export const codeOf = (service: TestService, { authenticatorSecret }: SealedThings): string =>
  codeNow(service, authenticatorSecret);
