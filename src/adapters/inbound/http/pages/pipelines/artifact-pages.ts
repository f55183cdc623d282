import type { Artifacts } from '../../../../../application/pipelines/artifacts.js';
import type { CiJobDetails, CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { archiveIn } from '../../../../../domain/pipelines/artifact.js';
import { mayFetchFiles, requireFetchable } from '../../../../../domain/pipelines/artifact-access.js';
import { headersOfArtifact, headersOfZipped } from '../../api-v4/pipelines/artifact-bytes.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { sendBytes } from '../../send-bytes.js';
import { isStorable } from '../../validation/storable-text.js';
import { CodePage } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { pathNumber } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { projectPath } from '../project-path.js';
import { sizeInWords } from './size-in-words.js';

export interface ArtifactPagesParts extends CodePagesParts {
  readonly artifacts: Artifacts;
  readonly ciJobReader: CiJobReader;
}
type Parts = ArtifactPagesParts;

const OF_JOB = '/*path/-/jobs/:id/artifacts';
/** More entries of an archive are found in the archive itself. */
const MOST_LISTED = 1_000;

/** What the page of a job tells of the files that it left. */
export const artifactsOnPage = (job: CiJobDetails, { level, mayKeep }: { level: number; mayKeep: boolean }) => {
  const { artifacts } = job;
  const mayFetch = mayFetchFiles(job, level);
  const instants = artifacts.flatMap(({ expiresAt }) => expiresAt ?? []);
  const [first] = instants.sort((one, other) => one.getTime() - other.getTime());
  return {
    files: artifacts.map(({ type, fileName, size }) => ({ type, fileName, size: sizeInWords(size) })),
    mayFetch,
    hasArchive: mayFetch && archiveIn(artifacts) !== undefined,
    expiresAt: first,
    mayKeep: mayKeep && first !== undefined,
  };
};

const asked = ({ request: { query } }: PageContext, name: string): string => {
  const value = query[name];
  return orNotFound(typeof value === 'string' && isStorable(value) ? value : undefined);
};

/** The files that jobs left: a list of an archive, and each file to be saved. */
export const addArtifactPages = (pages: Pages, parts: Parts): void => {
  const page = new CodePage(parts);
  const { artifacts, ciJobReader, locate } = parts;

  const open = async (context: PageContext) => {
    const code = await page.open(context, 'read_pipelines');
    const { project } = code.permitted;
    const job = orNotFound(await ciJobReader.find(project.id, pathNumber(context.request)));
    requireFetchable(job, code.permitted.level);
    return { code, project, job };
  };

  pages.get(`${OF_JOB}/browse`, 'anyone', async (context) => {
    const { code, project, job } = await open(context);
    const archive = orNotFound(archiveIn(job.artifacts));
    const [main, entries] = await Promise.all([
      locate.defaultVersion(code.permitted),
      artifacts.list(archive, MOST_LISTED + 1),
    ]);
    const files = entries.slice(0, MOST_LISTED).map(({ path, size }) => ({ path, size: sizeInWords(size) }));
    const title = `Files that job ${job.name} of ${project.name} left`;
    const shown = { title, tab: 'pipelines' as const, job, files, more: entries.length > MOST_LISTED };
    await page.show(context, 'job-files', { ...code, ...main }, shown);
  });

  pages.get(`${OF_JOB}/download`, 'anyone', async (context) => {
    const { job } = await open(context);
    const type = context.request.query['file_type'] === undefined ? 'archive' : asked(context, 'file_type');
    const artifact = orNotFound(job.artifacts.find((each) => each.type === type));
    const head = { status: 200, headers: headersOfArtifact(artifact), ranged: true };
    await sendBytes(context.response, (span) => artifacts.read(artifact, span), head);
  });

  pages.get(`${OF_JOB}/file`, 'anyone', async (context) => {
    const { job } = await open(context);
    const file = await artifacts.fileIn(orNotFound(archiveIn(job.artifacts)), asked(context, 'path'));
    await sendBytes(context.response, file.bytes, { status: 200, headers: headersOfZipped(file.path) });
  });

  pages.post(`${OF_JOB}/keep`, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const place: Permitted<'run_pipelines'> = await parts.access.project(
      actorFor(browser),
      projectPath(request),
      'run_pipelines',
    );
    const { id } = orNotFound(await ciJobReader.find(place.project.id, pathNumber(request)));
    await artifacts.keep(place, id);
    tell(response, browser, 'The files are kept until somebody removes them.');
    response.redirect(303, `/${place.project.fullPath}/-/jobs/${id}`);
  });
};
