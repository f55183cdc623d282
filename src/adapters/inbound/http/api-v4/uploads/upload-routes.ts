import type { UploadKey, UploadReader } from '../../../../../application/uploads/ports/upload-ports.js';
import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { MAX_FILE_BYTES } from '../../../../../domain/uploads/upload.js';
import { ORDINARY_BODY, type BodyBounds } from '../../body/read-body.js';
import { sentFile } from '../../body/sent-files.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pictureType } from '../../picture-type.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { bytesOf } from '../repository/bytes.js';
import { NewUploadSchema, presentNewUpload, presentUpload, UploadSchema } from './upload-schema.js';
import { headersOfUpload } from './uploaded-bytes.js';

export interface UploadRoutesParts {
  readonly access: WorkspaceAccess;
  readonly uploads: Uploads;
  readonly uploadReader: UploadReader;
}
type Parts = UploadRoutesParts;

const TAG = 'Uploads';
const ALL = '/projects/:id/uploads';
const { list, post } = routesOf({ tag: TAG });

/** A file of the largest size, and what is around it in a form. */
const FILE_BODY: BodyBounds = { ...ORDINARY_BODY, bytes: MAX_FILE_BYTES + 65_536, parts: 100 };

/** How a file is called in an address. */
interface Address {
  readonly path: string;
  readonly inPath: { readonly id: typeof PROJECT_ID } & Readonly<Record<string, ReturnType<typeof pathId>>>;
  readonly keyOf: (path: PathParameters) => UploadKey | undefined;
  /** For names of operations, and for people. */
  readonly noun: string;
  readonly words: string;
}

const BY_NUMBER: Address = {
  path: `${ALL}/:upload_id`,
  inPath: { id: PROJECT_ID, upload_id: pathId('Numeric id of the file') },
  keyOf: ({ upload_id: text }) => {
    const id = identifierIn(text);
    return id === undefined ? undefined : { id };
  },
  noun: 'Upload',
  words: 'by its number',
};

const BY_SECRET: Address = {
  path: `${ALL}/:secret/:filename`,
  inPath: {
    id: PROJECT_ID,
    secret: pathId('The 32 hexadecimal digits of its address'),
    filename: pathId('URL-encoded name of the file'),
  },
  keyOf: ({ secret = '', filename: fileName = '' }) => ({ secret, fileName }),
  noun: 'UploadBySecret',
  words: 'by its address',
};

const keyIn = ({ keyOf }: Address, path: PathParameters): UploadKey => orNotFound(keyOf(path), 'Upload');

const attachFile = ({ access, uploads }: Parts) =>
  post(ALL, 'attachFile', {
    summary: 'Attach a file to what is written in a project',
    description:
      'A multipart form of 10 MiB at most; the files of a project have 1 GiB together, and are at most 50,000; those of one who is no member have 100 MiB, and are at most 1,000. Whoever may read the project may read it; `markdown` leads to it.',
    access: 'user',
    parameters: { id: PROJECT_ID },
    body: FILE_BODY,
    file: 'file',
    answer: NewUploadSchema,
    guard: inProject(access, 'take_part'),
    handle: async ({ actor, subject, request }) => {
      const file = sentFile(request, 'file');
      const upload = await uploads.add(subject, actor, file);
      return presentNewUpload(upload, subject.project, pictureType(file.content) !== undefined);
    },
  });

const listUploads = ({ access, uploadReader }: Parts) =>
  list(ALL, 'listUploads', {
    summary: 'Files that were attached in a project, the newest first',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: UploadSchema,
    guard: inProject(access, 'manage_uploads'),
    read: ({ subject: { project }, page }) => uploadReader.list(project.id, page),
    present: presentUpload,
  });

const readUpload = ({ access, uploads, uploadReader }: Parts, address: Address) =>
  route({
    method: 'get',
    path: address.path,
    operationId: `read${address.noun}`,
    summary: `An attached file ${address.words}`,
    tag: TAG,
    access: 'anyone',
    parameters: parameters(address.inPath),
    responses: { 200: bytesOf('application/octet-stream'), 206: bytesOf('application/octet-stream') },
    // Whoever has no address of it would find all by counting.
    guard: inProject(access, address === BY_NUMBER ? 'manage_uploads' : 'read_project'),
    handle: async ({ subject, parameters: path }) => {
      const upload = orNotFound(await uploads.find(subject, keyIn(address, path)), 'Upload');
      const headers = headersOfUpload(upload, await uploadReader.beginning(upload.id));
      return { headers, ranged: true, bytes: (span) => Promise.resolve(uploadReader.content(upload, span)) };
    },
  });

const removeUpload = ({ access, uploads }: Parts, address: Address) =>
  routesOf({ tag: TAG }).remove(address.path, `remove${address.noun}`, {
    summary: `Remove an attached file ${address.words}`,
    access: 'user',
    parameters: address.inPath,
    guard: inProject(access, 'manage_uploads'),
    handle: async ({ subject, parameters: path }) => {
      if (!(await uploads.remove(subject, keyIn(address, path)))) throw new NotFound('Upload');
    },
  });

export const createUploadRoutes = (parts: Parts): readonly Route[] => [
  attachFile(parts),
  listUploads(parts),
  ...[BY_NUMBER, BY_SECRET].flatMap((address) => [readUpload(parts, address), removeUpload(parts, address)]),
];
