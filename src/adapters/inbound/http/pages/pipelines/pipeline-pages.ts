import type { Artifacts } from '../../../../../application/pipelines/artifacts.js';
import type { OldPipelines } from '../../../../../application/pipelines/old-pipelines.js';
import type { CodeVersion } from '../../../../../application/repositories/locate-code.js';
import { hasEnded, PIPELINE_STATUSES, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { withoutHiddenCiFile } from '../../hidden-ci-file.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { projectPagePath } from '../code/code-addresses.js';
import { CodePage } from '../code/code-page.js';
import { titleOf } from '../code/commit-words.js';
import { pageNumber } from '../code/query.js';
import { pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, queryText } from '../page-request.js';
import { downstreamsFor, upstreamFor } from './bridges-on-page.js';
import { mayRunJobs, type CiJobPagesParts } from './ci-job-pages.js';
import { sizeInWords } from './size-in-words.js';

const PIPELINES_OF_PAGE = 30;
const ONE = '/*path/-/pipelines/:id';

export interface PipelinePagesParts extends CiJobPagesParts {
  readonly artifacts: Pick<Artifacts, 'usedBy'>;
  readonly oldPipelines: Pick<OldPipelines, 'retentionDays'>;
}

/** What of the list is asked for. */
const filtersOf = (context: PageContext) => {
  const status = PIPELINE_STATUSES.find((each) => each === queryText(context, 'status'));
  const ref = queryText(context, 'ref');
  return given({ status, ref: ref === '' ? undefined : ref });
};

/** What the commits of pipelines are called; one that is gone has no name. */
const titlesOf = async (
  { objects }: PipelinePagesParts,
  main: CodeVersion | undefined,
  pipelines: readonly Pipeline[],
): Promise<ReadonlyMap<string, string>> => {
  const titles = new Map<string, string>();
  if (main === undefined) return titles;
  for (const sha of new Set(pipelines.map((pipeline) => pipeline.sha))) {
    const commit = await objects.commit(main.repository.store, sha);
    if (commit !== undefined) titles.set(sha, titleOf(commit.message));
  }
  return titles;
};

/** What is checked of commits: all of it, and one pipeline with its checks. */
export const addPipelinePages = (pages: Pages, parts: PipelinePagesParts): void => {
  const page = new CodePage(parts);
  const tab = { name: 'pipelines', label: 'Pipelines', to: 'pipelines', order: 45, within: 'ci' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_pipelines' });
  const { pipelineReader, artifacts, oldPipelines, locate } = parts;

  pages.get(projectPagePath('pipelines'), 'anyone', async (context) => {
    const open = await page.open(context, 'read_pipelines');
    const { project } = open.permitted;
    const request = { page: pageNumber(context), perPage: PIPELINES_OF_PAGE };
    const filters = filtersOf(context);
    const asked = { projectId: project.id, orderBy: 'id', sort: 'desc', page: request } as const;
    const found = await pipelineReader.list({ ...asked, ...filters });
    const main = await locate.defaultVersion(open.permitted);
    const mayRun = isOffered(project, open.permitted.level, 'run_pipelines');
    await page.show(
      context,
      'pipelines',
      { ...open, ...main },
      {
        title: `Pipelines of ${project.name}`,
        tab: 'pipelines',
        mayRun: mayRun && main !== undefined,
        used: mayRun ? await artifacts.usedBy(project.id) : undefined,
        sizeInWords,
        keptDays: oldPipelines.retentionDays,
        pipelines: found.items,
        titles: await titlesOf(parts, main, found.items),
        statuses: PIPELINE_STATUSES,
        filters,
        narrowed: Object.keys(filters).length > 0,
        kept: filters,
        page: found,
        request,
      },
    );
  });

  addPipelinePage(pages, parts, page);
};

/** One of them. */
const addPipelinePage = (pages: Pages, parts: PipelinePagesParts, page: CodePage): void => {
  const { access, pipelineReader, ciJobReader, locate, objects } = parts;
  pages.get(ONE, 'anyone', async (context) => {
    const open = await page.open(context, 'read_pipelines');
    const { project } = open.permitted;
    const pipeline = orNotFound(await pipelineReader.find(project.id, pathNumber(context.request)));
    const [main, checks, jobs] = await Promise.all([
      locate.defaultVersion(open.permitted),
      pipelineReader.checksOf(pipeline.id),
      ciJobReader.ofPipeline(pipeline.id),
    ]);
    const [downstreams, upstream] = await Promise.all([
      downstreamsFor(parts, context, jobs),
      upstreamFor(parts, context, pipeline),
    ]);
    const mayRun = jobs.length > 0 && (await mayRunJobs(parts, context, open.permitted, pipeline));
    const commit = main && (await objects.commit(main.repository.store, pipeline.sha));
    await page.show(
      context,
      'pipeline',
      { ...open, ...main },
      {
        title: `Pipeline #${pipeline.iid} of ${project.name}`,
        tab: 'pipelines',
        part: 'jobs',
        pipeline: await withoutHiddenCiFile(
          { access, actor: actorFor(context.browser), place: open.permitted },
          pipeline,
        ),
        mergeRequestPage: pipeline.mergeRequestIid && open.addresses.page(`merge_requests/${pipeline.mergeRequestIid}`),
        checks: checks.filter(({ id }) => !jobs.some((job) => job.id === id)),
        jobs,
        downstreams,
        upstream,
        may: {
          cancel: mayRun && !hasEnded(pipeline.status),
          retry: mayRun && jobs.some(({ status }) => status === 'failed' || status === 'canceled'),
        },
        message: commit?.message,
      },
    );
  });
};
