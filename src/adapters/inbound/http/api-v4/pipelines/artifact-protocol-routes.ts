import { Type } from '@sinclair/typebox';
import type { Artifacts, SaidOfFile } from '../../../../../application/pipelines/artifacts.js';
import type { FilesElsewhere } from '../../../../../application/pipelines/files-elsewhere.js';
import type { ReceivedFile } from '../../../../../application/pipelines/ports/artifact-ports.js';
import { NotRunning } from '../../../../../application/pipelines/operations/held-job.js';
import type { RunJobs } from '../../../../../application/pipelines/run-jobs.js';
import type { CiJob } from '../../../../../domain/pipelines/ci-job.js';
import { BadRequest, Forbidden, NotFound, TooLarge } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import type { Slots } from '../../../../turns/slots.js';
import { arriving, slotsForFiles } from '../../body/arriving-files.js';
import { BodyTooLarge } from '../../body/body-too-large.js';
import { receiveFile } from '../../body/receive-file.js';
import { RefusedWithHeaders } from '../../http-error.js';
import { route, type Route } from '../../route.js';
import { exchangeOf } from '../../server/exchange.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import { bytesOf } from '../repository/bytes.js';
import { artifactAnswer } from './artifact-bytes.js';

export interface ArtifactProtocolParts {
  readonly runJobs: RunJobs;
  readonly artifacts: Artifacts;
  readonly filesElsewhere: FilesElsewhere;
}
type Parts = ArtifactProtocolParts;

const TAG = 'Runners';
const ONE = '/jobs/:job_id/artifacts';
const MAX_SAID = 255;
const IN_PATH = { job_id: pathId('Numeric id of the job') };
const TOKEN = Type.Optional(text(1_024, 'Of the job, where it isn’t in the header `JOB-TOKEN`', { writeOnly: true }));

/** @throws Forbidden for a token of no job. */
const tokenIn = (header: string | undefined, parameter: string | undefined): string => {
  const token = header ?? parameter;
  if (token === undefined) throw new Forbidden();
  return token;
};

const idIn = (segment: string | undefined): number => {
  const id = identifierIn(segment);
  if (id === undefined) throw new Forbidden();
  return id;
};

const refused = (error: unknown): unknown =>
  error instanceof NotRunning ? new RefusedWithHeaders(error, { 'Job-Status': error.status }) : error;

const saidIn = (fields: Readonly<Record<string, unknown>>): SaidOfFile => {
  const said = (name: string): string | null => {
    const value = fields[name];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || value.length > MAX_SAID) throw new BadRequest(`${name} is invalid`);
    return value;
  };
  return { type: said('artifact_type') ?? 'archive', format: said('artifact_format'), expireIn: said('expire_in') };
};

const SAID = {
  artifact_type: Type.Optional(text(MAX_SAID, '`archive`, or the kind of a report')),
  artifact_format: Type.Optional(text(MAX_SAID, '`zip`, `gzip` or `raw`, as the kind has it')),
  expire_in: Type.Optional(text(MAX_SAID, 'How long it is kept, such as `1 week` or `never`; 30 days unless told')),
};

const sendArtifact = (parts: Parts, slots: Slots): Route =>
  route({
    method: 'post',
    path: ONE,
    operationId: 'sendJobArtifact',
    tag: TAG,
    summary: 'Send a file that a job leaves',
    description:
      'A multipart form with the field `file`, and the token of the job in `JOB-TOKEN`. What is said of the file stands in the query or in the form. 400 where the job has one of its kind, 403 where it does not run, 413 for a file larger than `ARTIFACT_LIMIT`, or for which the project has no room (`ARTIFACTS_PROJECT_LIMIT`).',
    access: 'anyone',
    parameters: parameters({ ...IN_PATH, token: TOKEN, ...SAID }),
    ownBody: true,
    responses: { 201: null },
    handle: async ({ parameters: { job_id: id, token, ...query }, request }) => {
      const job = await parts.runJobs.jobOf(idIn(id), tokenIn(request.get('JOB-TOKEN'), token));
      try {
        await parts.runJobs.requireRunning(job);
        // Else the form says it, and it is looked at when that has come.
        const isSaid = query.artifact_type !== undefined;
        const room = await (isSaid ? parts.artifacts.requireRoom(job, saidIn(query)) : parts.artifacts.roomOf(job));
        await slots.during(`person:${job.userId ?? ''}`, async () => {
          exchangeOf(request).unhurried = true;
          await take(parts, { job, query, room }, request);
        });
      } catch (error) {
        throw refused(error);
      }
      return { status: 201 };
    },
  });

interface Coming {
  readonly job: CiJob;
  /** What is said of the file in the address. */
  readonly query: object;
  /** How many bytes there is room for. */
  readonly room: number;
}

const tooLarge = (why: unknown): unknown => (why instanceof TooLarge ? new BodyTooLarge() : why);

const take = async (
  { artifacts, runJobs }: Parts,
  { job, query, room }: Coming,
  request: Parameters<typeof receiveFile>[0],
): Promise<void> => {
  let received: ReceivedFile | undefined;
  try {
    const keepFile = async (bytes: AsyncIterable<Uint8Array>) => (received = await artifacts.receive(bytes, room));
    const { fields, file } = await receiveFile(request, 'file', room, { take: keepFile, pace: arriving });
    if (file === undefined) throw new BadRequest('file is missing');
    const said = saidIn({ ...fields, ...query });
    // A large file takes a while: whoever it runs for may have been blocked meanwhile.
    await runJobs.requireRunning(job);
    received = undefined;
    await artifacts.accept(job, file.result, file.name, said);
  } catch (error) {
    // What came whole in a form that didn’t isn’t kept.
    if (received !== undefined) await artifacts.withdraw(received);
    throw error instanceof TooLarge || error instanceof BodyTooLarge ? tooLarge(artifacts.tooLargeFor(room)) : error;
  }
};

const AuthorizedSchema = Type.Object({ MaximumSize: Type.Integer() });

const authorizeArtifact = (parts: Parts): Route =>
  route({
    method: 'post',
    path: `${ONE}/authorize`,
    operationId: 'authorizeJobArtifact',
    tag: TAG,
    summary: 'Whether a file of a job would be taken, and how large it may be',
    access: 'anyone',
    parameters: parameters({ ...IN_PATH, token: TOKEN, ...SAID }),
    ownBody: true,
    responses: { 200: AuthorizedSchema },
    handle: async ({ parameters: { job_id: id, token, ...query }, request }) => {
      const job = await parts.runJobs.jobOf(idIn(id), tokenIn(request.get('JOB-TOKEN'), token));
      try {
        await parts.runJobs.requireRunning(job);
      } catch (error) {
        throw refused(error);
      }
      return { body: { MaximumSize: await parts.artifacts.requireRoom(job, saidIn(query)) } };
    },
  });

const fetchArtifact = (parts: Parts): Route =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'fetchJobArtifact',
    tag: TAG,
    summary: 'The archive of another job of the same pipeline, or of one elsewhere that the job needs',
    description: 'For a job that runs, by its own token in `JOB-TOKEN`.',
    access: 'anyone',
    parameters: parameters({
      ...IN_PATH,
      token: TOKEN,
      direct_download: Type.Optional(text(MAX_SAID, 'Not needed')),
    }),
    responses: { 200: bytesOf('application/zip'), 206: bytesOf('application/zip') },
    handle: async ({ parameters: { job_id: id, token }, request }) => {
      const asking = await parts.runJobs.jobOfToken(tokenIn(request.get('JOB-TOKEN'), token));
      const wanted = identifierIn(id);
      if (wanted === undefined) throw new NotFound();
      try {
        await parts.runJobs.requireRunning(asking);
      } catch (error) {
        throw refused(error);
      }
      const archive =
        (await parts.filesElsewhere.archiveFor(asking, wanted)) ?? (await parts.artifacts.archiveFor(asking, wanted));
      return artifactAnswer(parts.artifacts, archive);
    },
  });

/** How runners send what jobs leave, and fetch it for others. */
export const createArtifactProtocolRoutes = (parts: Parts): readonly Route[] => [
  sendArtifact(parts, slotsForFiles()),
  fetchArtifact(parts),
  authorizeArtifact(parts),
];
