import type { Environments } from '../../../../../application/environments/environments.js';
import type {
  DeploymentDetails,
  EnvironmentReader,
} from '../../../../../application/environments/ports/environment-ports.js';
import type { CiJobDetails, CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { isRetryable } from '../../../../../domain/pipelines/ci-job.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { projectPagePath } from '../code/code-addresses.js';
import { CodePage } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest, queryChoice, queryText } from '../page-request.js';
import { addEnvironmentFormPages } from './environment-form-pages.js';

export interface EnvironmentPagesParts extends CodePagesParts {
  readonly environments: Environments;
  readonly environmentReader: EnvironmentReader;
  readonly ciJobReader: Pick<CiJobReader, 'some'>;
}
type Parts = EnvironmentPagesParts;

/** Those that wait for the job that stops them are still there. */
const STATES_OF = { available: ['available', 'stopping'], stopped: ['stopped'] } as const;

/** What a project brings its code to: all environments, and one with what was deployed there. */
export const addEnvironmentPages = (pages: Pages, parts: Parts): void => {
  const page = new CodePage(parts);
  const tab = { name: 'environments', label: 'Environments', to: 'environments', order: 47, within: 'ci' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_pipelines' });
  pages.get(projectPagePath('environments'), 'anyone', (context) => showAll(parts, page, context));
  addEnvironmentFormPages(pages, parts);
  pages.get('/*path/-/environments/:id', 'anyone', (context) => showOne(parts, page, context));
};

const showAll = async (parts: Parts, page: CodePage, context: PageContext): Promise<void> => {
  const open = await page.open(context, 'read_pipelines');
  const { project, level } = open.permitted;
  const state = queryChoice(context, 'state', ['available', 'stopped']);
  const name = queryText(context, 'name');
  const request = pageRequest(context);
  // Whoever was led here by a name sees the one, however it stands.
  const narrowed = name === '' ? { states: STATES_OF[state] } : { name };
  const found = await parts.environmentReader.list({ projectId: project.id, ...narrowed, page: request });
  const last = await parts.environmentReader.lastDeploymentsOf(found.items.map(({ id }) => id));
  const shown = await withJobs(parts, project, [...last.values()]);
  const byEnvironment = new Map(shown.map((deployment) => [deployment.environmentId, deployment]));
  await page.show(
    context,
    'environments/all',
    { ...open, ...(await parts.locate.defaultVersion(open.permitted)) },
    {
      title: `Environments of ${project.name}`,
      tab: 'environments',
      state: name === '' ? state : undefined,
      environments: found.items.map((environment) => ({ ...environment, last: byEnvironment.get(environment.id) })),
      may: mayDo(project, level),
      page: found,
      request,
      kept: given({ state, name: name === '' ? undefined : name }),
    },
  );
};

const showOne = async (parts: Parts, page: CodePage, context: PageContext): Promise<void> => {
  const open = await page.open(context, 'read_pipelines');
  const { project, level } = open.permitted;
  const id = pathNumber(context.request);
  const environment = orNotFound(await parts.environmentReader.find(project.id, id), 'Environment');
  const request = pageRequest(context);
  const query = { projectId: project.id, environmentId: id, orderBy: 'id', sort: 'desc', page: request } as const;
  const found = await parts.environmentReader.deployments(query);
  await page.show(
    context,
    'environments/one',
    { ...open, ...(await parts.locate.defaultVersion(open.permitted)) },
    {
      title: `Environment ${environment.name} of ${project.name}`,
      tab: 'environments',
      environment,
      deployments: await withJobs(parts, project, found.items),
      may: mayDo(project, level),
      page: found,
      request,
    },
  );
};

const mayDo = (project: Project, level: number) => ({
  manage: isOffered(project, level, 'manage_environments'),
  run: isOffered(project, level, 'run_pipelines'),
});

/** Each with its job, and whether that can be run again to deploy it anew. */
const withJobs = async (parts: Parts, project: Project, deployments: readonly DeploymentDetails[]) => {
  const ids = deployments.flatMap(({ jobId }) => jobId ?? []);
  const jobs = new Map((await parts.ciJobReader.some(project.id, ids)).map((job) => [job.id, job]));
  return deployments.map((deployment) => ({ ...deployment, job: shownJob(jobs.get(deployment.jobId ?? 0)) }));
};

const shownJob = (job: CiJobDetails | undefined) => job && { id: job.id, name: job.name, again: isRetryable(job) };
