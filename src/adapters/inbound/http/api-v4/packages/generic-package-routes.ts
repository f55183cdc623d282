import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { ReceivedFile } from '../../../../../application/pipelines/ports/artifact-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import {
  checkFileName,
  PACKAGE_STATUSES,
  type PackageFile,
  type PackageFileName,
  type PackageStatus,
} from '../../../../../domain/packages/package.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Slots } from '../../../../turns/slots.js';
import { arriving, slotsForFiles } from '../../body/arriving-files.js';
import { BodyTooLarge, declaresMoreThan } from '../../body/body-too-large.js';
import { isMultipart } from '../../body/read-body.js';
import { bodyOf, isSent } from '../../body/receive-bytes.js';
import { receiveFile } from '../../body/receive-file.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { machineTokensOf } from '../../authentication/machine-tokens.js';
import { exchangeOf } from '../../server/exchange.js';
import { oneOf, parameters, pathId } from '../../validation/parameters.js';
import { JOB_TOKEN } from '../pipelines/for-jobs-too.js';
import { bytesOf } from '../repository/bytes.js';
import { headersOfPackageFile, headersOfSame } from './package-bytes.js';
import { forPackageReaders, forPackageSenders } from './package-callers.js';
import { ALL_PACKAGES, PACKAGES_TAG, type PackageRoutesParts } from './package-parts.js';
import { presentSentFile, SentPackageFileSchema, TakenSchema } from './package-schema.js';

type Parts = PackageRoutesParts;

const PATH = `${ALL_PACKAGES}/generic/:package_name/:package_version/:file_name`;
const IN_PATH = {
  id: PROJECT_ID,
  package_name: pathId('Letters, digits, `.`, `_` and `-`, 255 at most'),
  package_version: pathId('The same, and `+`'),
  file_name: pathId('URL-encoded, 255 characters at most'),
  job_token: JOB_TOKEN,
};

/** @throws BadRequest for what no file can be called. */
const nameIn = ({ package_name: name, package_version: version, file_name: fileName }: PathParameters) =>
  checkFileName({ name: name ?? '', version: version ?? '', fileName: fileName ?? '' });

const pathOf = (projectId: ProjectId, { name, version, fileName }: PackageFileName): string =>
  `/projects/${projectId}/packages/generic/${[name, version, fileName].map(encodeURIComponent).join('/')}`;

interface Coming {
  readonly request: Request;
  /** How many bytes there is room for. */
  readonly room: number;
}

/** The file that a request is, or the one of its form: clients that send one mean that. */
const receive = async ({ packages }: Parts, { request, room }: Coming): Promise<ReceivedFile> => {
  if (!isSent(request)) throw new BadRequest('file is missing');
  let received: ReceivedFile | undefined;
  const keep = async (bytes: AsyncIterable<Uint8Array>) => (received = await packages.receive(bytes, room));
  try {
    if (!isMultipart(request)) {
      if (declaresMoreThan(request, room + 1)) throw new BodyTooLarge();
      return await keep(arriving(bodyOf(request)));
    }
    const { file } = await receiveFile(request, 'file', room, { take: keep, pace: arriving });
    if (file === undefined) throw new BadRequest('file is missing');
    return file.result;
  } catch (error) {
    // What came whole in a form that didn’t isn’t kept.
    if (received !== undefined) await packages.withdraw(received);
    throw error instanceof BodyTooLarge ? packages.tooLargeFor(room) : error;
  }
};

interface Named {
  readonly name: PackageFileName;
  readonly status: PackageStatus | null;
}

const take = async (
  parts: Parts,
  coming: Coming,
  { name, status }: Named,
  mayStill: () => Promise<Permitted<'write_packages'>>,
): Promise<PackageFile> => {
  const received = await receive(parts, coming);
  let place: Permitted<'write_packages'>;
  try {
    place = await mayStill();
  } catch (error) {
    await parts.packages.withdraw(received);
    throw error;
  }
  return parts.packages.accept(place, name, status, received);
};

const sendFile = (parts: Parts, slots: Slots): Route => {
  const guard = forPackageSenders(parts);
  return route({
    method: 'put',
    path: PATH,
    operationId: 'sendPackageFile',
    tag: PACKAGES_TAG,
    summary: 'Keep a file of a package',
    description:
      'The body is the file as it is; so is the field `file` of a multipart form. The package of that name and version is made with its first file. A file of the same name is kept beside the earlier ones, and is what is downloaded from then on. A job of the project that runs may, by its token in `JOB-TOKEN` or as `job_token`, in the name of its user; so may a deploy token with `write_package_registry`, in `Deploy-Token` or by Basic. 413 for a file larger than `PACKAGE_FILE_LIMIT`, or for which the project has no room (`PACKAGES_PROJECT_LIMIT`).',
    access: 'anyone',
    parameters: parameters({
      ...IN_PATH,
      status: Type.Optional(oneOf(PACKAGE_STATUSES, { description: 'Of the package from then on' })),
      select: Type.Optional(oneOf(['package_file'], { description: 'Has the answer tell of the file' })),
    }),
    ownBody: true,
    responses: { 201: Type.Union([TakenSchema, SentPackageFileSchema]) },
    guard,
    handle: async ({ subject, parameters: { status = null, select, job_token, ...path }, request }) => {
      const name = nameIn(path);
      const room = await parts.packages.roomOf(subject);
      // A large file takes a while: whoever sends it may have lost their rights meanwhile.
      const mayStill = async () =>
        guard.decide({
          actor: await parts.identifyActor(request),
          path: { id: path.id },
          sent: { job_token },
          ...machineTokensOf(request),
        });
      const file = await slots.during(subject.sender, () => {
        exchangeOf(request).unhurried = true;
        return take(parts, { request, room }, { name, status }, mayStill);
      });
      if (select === undefined) return { status: 201, body: { message: '201 Created' } };
      return { status: 201, body: presentSentFile(file, parts.urls.api(pathOf(subject.project.id, name))) };
    },
  });
};

const downloadFile = (parts: Parts): Route =>
  route({
    method: 'get',
    path: PATH,
    operationId: 'downloadPackageFile',
    tag: PACKAGES_TAG,
    summary: 'The newest file of that name of a package',
    description: '304 where `If-None-Match` names its `ETag`; 206 for one `Range` of it.',
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: bytesOf('application/octet-stream'), 206: bytesOf('application/octet-stream'), 304: null },
    guard: forPackageReaders(parts),
    handle: async ({ subject, parameters: path, request }) => {
      const found = await parts.packageReader.fileNamed(subject.project.id, nameIn(path as PathParameters));
      const file = orNotFound(found, 'Package file');
      const headers = headersOfPackageFile(file);
      if (request.get('if-none-match') === headers.ETag) return { status: 304, headers: headersOfSame(file) };
      return { headers, ranged: true, bytes: (span) => parts.packages.read(subject, file, span) };
    },
  });

/** How files of packages are sent and fetched. */
export const createGenericPackageRoutes = (parts: Parts): readonly Route[] => [
  sendFile(parts, slotsForFiles()),
  downloadFile(parts),
];
